"""Random positions that crowd together what is hard about the rules, for comparing engines.

Pieces gather round a few focus points, at river banks and along the coast; stacks, heroes, navies
with passengers, aircraft near air defence and commanders on one line are frequent. Every stack is
legal and stands where its carrier can stand; sides have up to 19 pieces of any kinds, and at most
one commander. All randomness comes from the generator passed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

from .commander import BATTLES, Edition, Game, Rules
from .commander.board import (
    BANK,
    COAST,
    DIRECTIONS,
    NUM_POINTS,
    ORTHOGONAL,
    RAYS,
    SEA,
    Point,
    file_of,
    rank_of,
)
from .commander.fen import Fen, fen_text
from .commander.pieces import (
    BLUE,
    MAX_STACK,
    RED,
    Board,
    Piece,
    Stack,
    can_stand,
    canonical,
    carries_heavy,
    is_legal_stack,
)

OFFICIAL: tuple[Edition, ...] = ("official",)
NO_SWITCHES: Mapping[str, Any] = MappingProxyType({})
MAX_PIECES = 19
MAX_TRIES = 50
# Frequent are the kinds with rules of their own.
KIND_WEIGHTS = {
    "N": 6,
    "F": 6,
    "T": 4,
    "E": 4,
    "A": 4,
    "S": 4,
    "G": 4,
    "I": 4,
    "M": 3,
    "H": 2,
}
PASSENGERS = {"N": "FFTTCIM", "F": "TTCIM", "T": "CIIM", "E": "AGS", "H": "C"}


def random_rules(
    rng: Random, editions: Sequence[Edition] = OFFICIAL, switches: Mapping[str, Any] = NO_SWITCHES
) -> Rules:
    """Any edition of those given, any battle, any options; limits are often close."""
    return Rules(
        **switches,
        edition=rng.choice(list(editions)),
        battle=rng.choice(BATTLES),
        enforce_check=rng.random() < 0.3,
        allow_shoot_down=rng.random() < 0.7,
        repetition=rng.choice((2, 3, 3, 3)),
        quiet_limit=rng.choice((4, 20, 100, 100, 100)),
        turn_limit=rng.choice((1, 6, 40, 400, 400, 400, 400)),
    )


def random_position(
    rng: Random, editions: Sequence[Edition] = OFFICIAL, rules: Rules | None = None
) -> tuple[str, Rules]:
    """A FEN and its rules: a made-up position, one in mid-deployment, or one in placement."""
    rules = rules or random_rules(rng, editions)
    kind = rng.random()
    if kind < 0.03:
        return _placement_position(rng, rules)
    fen = _made_up_position(rng, rules)
    if kind < 0.6:
        return fen, rules
    if kind < 0.85:
        return _deploying_position(rng, fen, rules), rules
    game = Game.from_fen(fen, rules)
    random_walk(rng, game, rng.randrange(1, 12))
    # What a finished game leaves need not be a position to play on from.
    return (game.fen() if game.winner is None else fen), rules


def random_walk(rng: Random, game: Game, num_actions: int) -> list[int]:
    """Play random actions, captures and selections more often than others; say which."""
    played = []
    for _ in range(num_actions):
        texts = game.legal_texts()
        if not texts:
            break
        action = _liked_action(rng, texts)
        game.push(action)
        played.append(action)
    return played


def _liked_action(rng: Random, texts: dict[int, str]) -> int:
    liked = {
        "attack": ("capture", "strike", "kamikaze", "hqonly"),
        "select": ("SELECT",),
        "join": ("join",),
        "any": ("",),
    }[rng.choice(("attack", "select", "join", "any", "any", "any"))]
    actions = [number for number, text in texts.items() if any(word in text for word in liked)]
    return rng.choice(actions or list(texts))


def _placement_position(rng: Random, rules: Rules) -> tuple[str, Rules]:
    placed = replace(rules, placement=True)
    game = Game.start(placed)
    random_walk(rng, game, rng.randrange(40))
    return game.fen(), placed


def _deploying_position(rng: Random, fen: str, rules: Rules) -> str:
    """The same position in the middle of a turn, if some turn takes several actions."""
    for _ in range(4):
        game = Game.from_fen(fen, rules)
        openings = [
            number for number, text in game.legal_texts().items() if _opens_turn(text, rules)
        ]
        if not openings:
            break
        game.push(rng.choice(openings))
        if game.selected is not None:
            random_walk(rng, game, rng.choice((1, 1, 3)))
        if game.winner is None and game.unacted is not None:
            return game.fen()
    return fen


def _opens_turn(text: str, rules: Rules) -> bool:
    """Whether an action is a selection or the strike of a Russian navy (R12.2)."""
    navy_strikes = text.lstrip("+").startswith("N") and text.endswith("strike")
    return text.startswith("SELECT") or (bool(rules.navy_moves_after_strike) and navy_strikes)


def _made_up_position(rng: Random, rules: Rules) -> str:
    board: Board = {}
    focus = _focus_points(rng)
    heroic = rng.choice((0.0, 0.1, 0.4))
    stacked = rng.choice((0.1, 0.4, 0.7))
    _put_commanders(rng, board, focus, rules)
    for side in (RED, BLUE):
        count = rng.choice((rng.randint(1, 4), rng.randint(4, 12), rng.randint(12, MAX_PIECES)))
        _fill_side(rng, board, side, count, focus, (heroic, stacked), rules)
    if rng.random() < 0.5:
        _add_crossfire(rng, board, rules)
    quiet = rng.choice((0, 0, 0, rng.randrange(rules.quiet_limit), rules.quiet_limit - 2))
    return fen_text(Fen(board, rng.choice((RED, BLUE)), quiet, rng.randint(1, 60)))


def _focus_points(rng: Random) -> list[Point]:
    regions: tuple[list[Point], ...] = (
        sorted(BANK),
        sorted(COAST),
        sorted(SEA),
        [*range(NUM_POINTS)],
    )
    return [rng.choice(rng.choice(regions)) for _ in range(rng.randint(1, 4))]


def _near(rng: Random, focus: list[Point]) -> list[Point]:
    """The points around a focus, or now and then the whole board."""
    if rng.random() < 0.2:
        return list(range(NUM_POINTS))
    centre = rng.choice(focus)
    reach = rng.randint(1, 4)
    return [
        point
        for point in range(NUM_POINTS)
        if abs(file_of(point) - file_of(centre)) <= reach
        and abs(rank_of(point) - rank_of(centre)) <= reach
    ]


def _put(
    rng: Random, board: Board, stack: Stack, points: Sequence[Point], rules: Rules
) -> Point | None:
    """Put a stack on a free point of these where it may be, if there is one."""
    free = [
        point
        for point in points
        if point not in board
        and can_stand(stack[0].kind, point)
        and (point in BANK or not carries_heavy(stack))  # R7.6
    ]
    if not free or not is_legal_stack(stack, rules):
        return None
    point = rng.choice(free)
    board[point] = stack
    return point


def _put_commanders(rng: Random, board: Board, focus: list[Point], rules: Rules) -> None:
    """Often both, often on one line, sometimes carried; sometimes a side has none."""
    red = None
    if rng.random() < 0.9:
        red = _put(rng, board, _commander_stack(rng, RED), _near(rng, focus), rules)
    if rng.random() < 0.9:
        points = _near(rng, focus)
        if red is not None and rng.random() < 0.5:
            points = list(RAYS[red][rng.choice(ORTHOGONAL)])
        _put(rng, board, _commander_stack(rng, BLUE), points, rules)


def _commander_stack(rng: Random, side: int) -> Stack:
    commander = Piece("C", side)
    carrier = rng.choice(("", "", "", "H", "T", "F", "N"))
    return canonical((Piece(carrier, side), commander)) if carrier else (commander,)


def _fill_side(
    rng: Random,
    board: Board,
    side: int,
    count: int,
    focus: list[Point],
    chances: tuple[float, float],
    rules: Rules,
) -> None:
    """Bring a side up to a number of pieces, with chances of heroes and of passengers."""
    heroic, stacked = chances
    for _ in range(MAX_TRIES):
        missing = count - _pieces_of(board, side)
        if missing <= 0:
            return
        stack = _random_stack(rng, side, heroic, stacked, rules)
        if len(stack) <= missing:
            _put(rng, board, stack, _near(rng, focus), rules)


def _pieces_of(board: Board, side: int) -> int:
    return sum(len(stack) for stack in board.values() if stack[0].side == side)


def _random_piece(rng: Random, kind: str, side: int, heroic: float) -> Piece:
    return Piece(kind, side, heroic=kind not in "CH" and rng.random() < heroic)


def _random_stack(rng: Random, side: int, heroic: float, stacked: float, rules: Rules) -> Stack:
    """A single piece, or a legal stack without a commander."""
    kind = rng.choices(list(KIND_WEIGHTS), list(KIND_WEIGHTS.values()))[0]
    stack: Stack = (_random_piece(rng, kind, side, heroic),)
    passengers = PASSENGERS.get(kind, "").replace("C", "")
    while passengers and len(stack) < MAX_STACK and rng.random() < stacked:
        passenger = _random_piece(rng, rng.choice(passengers), side, heroic)
        larger = canonical((*stack, passenger))
        if not is_legal_stack(larger, rules):
            break
        stack = larger
    return stack


def _add_crossfire(rng: Random, board: Board, rules: Rules) -> None:
    """Something hostile in reach of what is there: air defence by aircraft, ships by ships."""
    for point, stack in list(board.items()):
        enemy = 1 - stack[0].side
        answers = {"F": "GSNF", "N": "NFA", "C": "TAFIMES", "H": "TAFIMESG"}
        if stack[0].kind not in answers or rng.random() < 0.5:
            continue
        if _pieces_of(board, enemy) >= MAX_PIECES:
            continue
        ray = RAYS[point][rng.randrange(len(DIRECTIONS))][:4]
        piece = _random_piece(rng, rng.choice(answers[stack[0].kind]), enemy, 0.1)
        _put(rng, board, (piece,), ray, rules)
