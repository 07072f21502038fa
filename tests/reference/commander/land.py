"""Land pieces on the move and on the attack: ranges, blocking, sea and river (R2 to R4)."""

from collections.abc import Iterator
from itertools import pairwise

from .board import (
    BANK,
    COAST,
    RAYS,
    SEA,
    Point,
    crosses_river,
    file_of,
    is_reef_step,
    is_vertical,
    rank_of,
)
from .pieces import HEAVY_KINDS, Board, Piece, Stack, carries_heavy, may_join
from .rules import Rules
from .steps import Step

# (orthogonal, diagonal) range of moves and captures of plain pieces (R2, the table).
PLAIN_RANGE = {
    "I": (1, 0),
    "E": (1, 0),
    "G": (1, 0),
    "M": (1, 1),
    "T": (2, 0),
    "S": (2, 1),
    "A": (3, 3),
    "F": (4, 4),
    "N": (4, 4),
    "H": (0, 0),
}
# R9.2: one more, and all eight directions.
HEROIC_RANGE = {
    "I": (2, 2),
    "E": (2, 2),
    "G": (2, 2),
    "M": (2, 2),
    "T": (3, 3),
    "S": (3, 2),
    "A": (4, 4),
    "F": (5, 5),
    "N": (5, 5),
    "H": (0, 0),
}


def moves_as_missile(piece: Piece, rules: Rules) -> bool:
    """R12.2: the Russian heroes that move and capture as a plain missile does."""
    return bool(rules.heroes_as_missile) and piece.heroic and piece.kind in "IEMG"


def range_of(piece: Piece, direction: int, rules: Rules) -> int:
    """How far a piece other than a commander moves and captures in a direction (R2, R9.2)."""
    diagonal = direction % 2
    if moves_as_missile(piece, rules):
        return PLAIN_RANGE["S"][diagonal]
    if piece.kind == "S" and rules.short_missile:  # R12.1
        return ((2, 1) if piece.heroic else (1, 0))[diagonal]
    return (HEROIC_RANGE if piece.heroic else PLAIN_RANGE)[piece.kind][diagonal]


def captures_over_pieces(piece: Piece, rules: Rules) -> bool:
    """The last but one column of R2, and R12.2."""
    if piece.kind == "A" or moves_as_missile(piece, rules):
        return True
    return piece.kind == "S" and bool(rules.missile_captures_over)


def is_blocked(board: Board, passed: tuple[Point, ...]) -> bool:
    """R3.2, but a navy on the coast does not block a land piece (R3.3)."""
    return any(
        point in board and not (point in COAST and board[point][0].kind == "N") for point in passed
    )


def friendly_engineer_bridges(board: Board, side: int, start: Point) -> bool:
    """R12.2: a friendly engineer on either bank point of the file of this bank point."""
    for point in BANK:
        if file_of(point) == file_of(start):
            for piece in board.get(point, ()):
                if piece.kind == "E" and piece.side == side:
                    return True
    return False


def may_cross_here(board: Board, carrier: Piece, start: Point, end: Point, rules: Rules) -> bool:
    """R3.5: whether a piece that is not capturing may cross the river by this unit step."""
    if is_reef_step(start, end):
        return True
    if carrier.kind in HEAVY_KINDS:
        return (
            bool(rules.engineer_bridges)
            and is_vertical(start, end)
            and friendly_engineer_bridges(board, carrier.side, start)
        )
    # R12.2: the infantry keeps to the reefs too.
    return not (rules.infantry_needs_reef and carrier.kind == "I")


def river_allows(board: Board, carrier: Piece, path: tuple[Point, ...], rules: Rules) -> bool:
    """R3.5 for a whole path, start and target included, of a piece that is not capturing."""
    return all(
        may_cross_here(board, carrier, start, end, rules)
        for start, end in pairwise(path)
        if crosses_river(start, end)
    )


def sea_allows(board: Board, origin: Point, passed: tuple[Point, ...], target: Point) -> bool:
    """R3.4: where a land piece may end and what it may pass when it is not capturing."""
    boards_navy = target in board and board[target][0].kind == "N"
    if target in SEA and not boards_navy:
        return False
    passes_sea = any(point in SEA for point in passed)
    return not passes_sea or origin in SEA or (boards_navy and target in SEA)


def capture_word(attacker: Piece, target: Point, stack: Stack, rules: Rules) -> str | None:
    """How a land piece takes an enemy stack it can hit, or None if it cannot (R4.3, R4.4)."""
    holds_commander = stack[0].kind == "H" and len(stack) > 1
    if holds_commander:
        if rules.headquarters_falls_alone:
            if attacker.kind != "A":
                return "hqonly"  # R12.2
        elif attacker.kind in "IMGS":
            return None
    return "strike" if target in SEA else "capture"


def steps_along(
    board: Board, group: Stack, origin: Point, direction: int, rules: Rules
) -> Iterator[Step]:
    """All sub-moves in one direction of a group carried by a land piece but no commander."""
    carrier = group[0]
    ray = RAYS[origin][direction][: range_of(carrier, direction, rules)]
    for index, target in enumerate(ray):
        passed = ray[:index]
        if carries_heavy(group) and not _is_ferry_step(origin, target):
            continue
        stack = board.get(target)
        if stack is not None and stack[0].side != carrier.side:
            if captures_over_pieces(carrier, rules) or not is_blocked(board, passed):
                word = capture_word(carrier, target, stack, rules)
                if word is not None:
                    yield Step(origin, target, word)
            continue
        if is_blocked(board, passed) or not sea_allows(board, origin, passed, target):
            continue
        if not river_allows(board, carrier, (origin, *ray[: index + 1]), rules):
            continue
        if stack is None:
            yield Step(origin, target, "move")
        elif may_join(group, stack, target, rules):  # R7.3
            yield Step(origin, target, "join")


def _is_ferry_step(origin: Point, target: Point) -> bool:
    """R7.6: the one step that an engineer makes with a heavy piece."""
    one_step = abs(rank_of(origin) - rank_of(target)) == 1
    return one_step and is_vertical(origin, target) and crosses_river(origin, target)
