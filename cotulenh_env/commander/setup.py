"""A position in parts, and all that keeps it from being played.

Whatever text or bytes a position comes from, what may be loaded is checked here.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import IS_COAST, IS_SEA, NUM_FILES, point_name
from cotulenh_env.commander.kernels.placement import NUM_PLACEMENTS, PLACEMENT_ORDER
from cotulenh_env.commander.pieces import (
    COMMANDER,
    HEADQUARTERS,
    MAX_STACK,
    NAVY,
    NUM_KINDS,
    NUM_PIECES_PER_SIDE,
    SIDE_BIT,
    is_heroic,
    piece_code,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.problems import Problem, ProblemKind
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import NO_POINT
from cotulenh_env.commander.switches import NAVY_MOVES_AFTER_STRIKE
from cotulenh_env.commander.tables import LEGAL_STACK, STACK_BITS
from cotulenh_env.errors import PositionError

MAX_QUIET_TURNS = 65_535
MAX_MOVE_NUMBER = 65_535
"""The largest that can be loaded: so the longest game from there stays within 65,535."""

_SIDE_NAMES = ("Red", "Blue")
_FIRST_BLUE_RANK = 6
_PLAIN_HEADQUARTERS = piece_code(HEADQUARTERS, False)

Board = npt.NDArray[np.uint16]
"""uint16 [132]: stacks by point, as `pieces.py` describes them."""


@dataclass(frozen=True)
class Setup:
    """A position in parts, as far as a FEN tells it.

    Attributes:
        board: uint16 [132].
        player: who is to move.
        quiet_turns: turns since the last capture or loss.
        move_number: from 1, one more after each of Blue's turns.
        placing: whether the players are still placing their pieces (R10.7).
        origin: point of an unfinished deployment of which a sub-move has been made, else None.
        unacted: codes of the pieces at `origin` that have not acted.
    """

    board: Board
    player: int
    quiet_turns: int = 0
    move_number: int = 1
    placing: bool = False
    origin: int | None = None
    unacted: tuple[int, ...] = ()


def pieces_on(board: Board) -> tuple[tuple[int, int, int, int], ...]:
    """(point, side, slot, code) of every piece on the board."""
    return _pieces_on(np.asarray(board, np.uint16).tobytes())


@functools.lru_cache(maxsize=4)
def _pieces_on(board: bytes) -> tuple[tuple[int, int, int, int], ...]:
    """The same, remembered: who checks a position asks several times."""
    return tuple(
        (point, stack // SIDE_BIT, slot, code)
        for point, stack in enumerate(np.frombuffer(board, np.uint16).tolist())
        if stack
        for slot, code in enumerate(stack_codes(stack))
    )


def piece_counts(board: Board) -> npt.NDArray[np.int16]:
    """int16 [2, 12]: pieces on the board by side and kind; 396 of a kind fit on one."""
    counts = np.zeros((2, NUM_KINDS + 1), np.int16)
    for _, side, _, code in pieces_on(board):
        counts[side, code >> 1] += 1
    return counts


def commander_points(board: Board) -> npt.NDArray[np.uint8]:
    """uint8 [2]: where each commander stands, or NO_POINT."""
    points = np.full(2, NO_POINT, np.uint8)
    for point, side, _, code in pieces_on(board):
        if code >> 1 == COMMANDER:
            points[side] = point
    return points


# --- checks ---------------------------------------------------------------------------------------


def check_setup(setup: Setup, rules: RuleSet) -> None:
    """Refuses what cannot be played by these rules.

    Raises:
        PositionError: with the reason and the place.
    """
    for problem in setup_problems(setup, rules):
        raise PositionError(problem.text)


def setup_problems(setup: Setup, rules: RuleSet) -> Iterator[Problem]:
    """Everything that makes a position unplayable, as far as its parts tell."""
    switches = rules.switches
    for point in np.flatnonzero(setup.board).tolist():
        stack, is_origin = int(setup.board[point]), point == setup.origin
        if is_origin or not _is_sound(stack, point, switches):
            yield from _stack_problems(stack, point, is_origin, switches)
    for side, counts in enumerate(piece_counts(setup.board)):
        num_pieces = int(counts.sum())
        if num_pieces > NUM_PIECES_PER_SIDE:
            yield Problem(
                ProblemKind.TOO_MANY_PIECES,
                f"{_SIDE_NAMES[side]} has {num_pieces} pieces, more than {NUM_PIECES_PER_SIDE}",
                side=side,
            )
        if counts[COMMANDER] > 1:
            yield Problem(
                ProblemKind.TWO_COMMANDERS,
                f"{_SIDE_NAMES[side]} has {counts[COMMANDER]} commanders",
                side=side,
            )
    if not 0 <= setup.quiet_turns <= MAX_QUIET_TURNS:
        yield Problem(
            ProblemKind.CLOCKS,
            f"the number of quiet turns is 0 to {MAX_QUIET_TURNS}, got {setup.quiet_turns}",
        )
    if not 1 <= setup.move_number <= MAX_MOVE_NUMBER:
        yield Problem(
            ProblemKind.CLOCKS,
            f"the move number is 1 to {MAX_MOVE_NUMBER}, got {setup.move_number}",
        )
    if setup.placing:
        yield from _placement_problems(setup, rules)
    if setup.origin is not None:
        yield from _deployment_problems(setup, rules)


@functools.lru_cache(maxsize=1 << 16)
def _is_sound(stack: int, point: int, switches: int) -> bool:
    """Whether a stack has no problem; remembered, for a run is resumed with the same ones."""
    return not any(True for _ in _stack_problems(stack, point, False, switches))


def _stack_problems(stack: int, point: int, is_origin: bool, switches: int) -> Iterator[Problem]:
    codes = stack_codes(stack)
    kinds = [code >> 1 for code in codes]
    text = pieces_text(codes)
    name = point_name(point)
    side = stack // SIDE_BIT

    def problem(kind: ProblemKind, words: str) -> Problem:
        return Problem(kind, words, name, side)

    if any(is_heroic(code) and code >> 1 in (COMMANDER, HEADQUARTERS) for code in codes):
        yield problem(
            ProblemKind.IMPOSSIBLE_HERO, f"{text} at {name}: no rule makes that piece heroic"
        )
    if is_origin:
        if not _can_be_left_over(kinds, point, switches):
            yield problem(
                ProblemKind.DEPLOYMENT, f"{text} cannot be what is left of a stack at {name}"
            )
        return
    if not is_legal_stack(kinds, switches):
        yield problem(ProblemKind.ILLEGAL_STACK, f"{text} at {name} is no legal stack")
    if not can_stand(kinds[0], point):
        kind = ProblemKind.NAVY_ON_LAND if kinds[0] == NAVY else ProblemKind.AT_SEA
        yield problem(kind, f"{text} cannot stand at {name}")


def is_legal_stack(kinds: Sequence[int], switches: int) -> bool:
    """Whether one to three kinds in canonical order are a piece or a legal stack (R7.1)."""
    padded = [*kinds, *[0] * (MAX_STACK - len(kinds))]
    return bool(LEGAL_STACK[(switches & STACK_BITS, *padded)])


def can_stand(kind: int, point: int) -> bool:
    """Whether a piece, or a stack with that carrier, can stand at the point (R1.2)."""
    return bool(IS_SEA[point] or IS_COAST[point]) if kind == NAVY else not IS_SEA[point]


def _can_be_left_over(kinds: list[int], point: int, switches: int) -> bool:
    """Whether some legal stack that can stand at the point contains these kinds."""
    return any(
        is_legal_stack(stack, switches) and can_stand(stack[0], point)
        for num_gone in range(MAX_STACK - len(kinds) + 1)
        for gone in itertools.combinations_with_replacement(range(1, NUM_KINDS + 1), num_gone)
        for stack in [sorted([*kinds, *gone])]
    )


def _deployment_problems(setup: Setup, rules: RuleSet) -> Iterator[Problem]:
    origin = setup.origin
    assert origin is not None
    stack = int(setup.board[origin])
    text = f"{point_name(origin)}:{pieces_text(sorted(setup.unacted))}"

    def problem(words: str) -> Problem:
        return Problem(ProblemKind.DEPLOYMENT, words, point_name(origin), setup.player)

    if not stack or stack // SIDE_BIT != setup.player:
        yield problem(
            f"the deployment {text} needs a piece of {_SIDE_NAMES[setup.player]} "
            f"at {point_name(origin)}"
        )
    elif Counter(setup.unacted) - Counter(stack_codes(stack)):
        yield problem(
            f"the deployment {text} names pieces that are not at {point_name(origin)}, "
            f"where {pieces_text(stack_codes(stack))} stands"
        )
    if not setup.unacted:
        words = _why_no_navy_struck(stack, origin, rules)
        if words is not None:
            yield problem(f"the deployment {text} has no piece left to act, {words}")
    if setup.quiet_turns >= rules.quiet_limit:
        yield problem(
            f"the deployment {text} cannot be: the game ended when the number of quiet turns "
            f"came to {rules.quiet_limit}, and it is {setup.quiet_turns}"
        )


def _why_no_navy_struck(stack: int, origin: int, rules: RuleSet) -> str | None:
    """Only a navy that has struck as a whole may act once more (R12.2)."""
    if not rules.switches & NAVY_MOVES_AFTER_STRIKE:
        return "as only a navy that has struck may, under the rule option navy_moves_after_strike"
    codes = stack_codes(stack)
    kinds = [code >> 1 for code in codes]
    if kinds[:1] == [NAVY] and is_legal_stack(kinds, rules.switches):
        return None
    return (
        f"and at {point_name(origin)} stands {pieces_text(codes) or 'nothing'}, "
        "no navy that may move on after a strike"
    )


def _placement_problems(setup: Setup, rules: RuleSet) -> Iterator[Problem]:
    """R10.7."""

    def problem(words: str, point: int | None = None, side: int | None = None) -> Problem:
        name = None if point is None else point_name(point)
        return Problem(ProblemKind.PLACEMENT, words, name, side)

    if not rules.placement:
        yield problem("pieces are placed by the players only under the option placement")
    pieces = pieces_on(setup.board)
    num_placed = len(pieces)
    if num_placed >= NUM_PLACEMENTS:
        yield problem(f"all {NUM_PLACEMENTS} pieces are placed already")
    if setup.player != num_placed % 2:
        yield problem(f"after {num_placed} placements {_SIDE_NAMES[num_placed % 2]} is to place")
    if (setup.quiet_turns, setup.move_number) != (0, 1):
        yield problem(
            "no turn is counted while pieces are placed: quiet turns and move number are 0 and 1, "
            f"got {setup.quiet_turns} and {setup.move_number}"
        )
    for side, name in enumerate(_SIDE_NAMES):
        kinds = PLACEMENT_ORDER[: (num_placed + 1 - side) // 2]
        expected = sorted(piece_code(int(kind), False) for kind in kinds)
        found = sorted(code for _, owner, _, code in pieces if owner == side)
        if found != expected:
            yield problem(
                f"{name}'s first {len(expected)} pieces are {pieces_text(expected) or 'none'}, "
                f"not {pieces_text(found) or 'none'}",
                side=side,
            )
    misplaced = {
        point: side
        for point, side, slot, _ in pieces
        if slot or (point // NUM_FILES >= _FIRST_BLUE_RANK) != bool(side)
    }
    for point, side in misplaced.items():
        yield problem(
            f"pieces are placed one on a point in their own half, not so at {point_name(point)}",
            point,
            side,
        )
    red, blue = (int(point) for point in commander_points(setup.board))
    if not misplaced and _was_placed_in_sight(setup.board, red, blue):
        yield problem(
            f"Blue's commander was placed at {point_name(blue)} in the line of sight of Red's "
            f"at {point_name(red)}",
            blue,
            1,
        )


def _was_placed_in_sight(board: Board, red: int, blue: int) -> bool:
    """Blue's commander was placed out of sight, when only headquarters stood between them."""
    if NO_POINT in (red, blue) or red % NUM_FILES != blue % NUM_FILES:
        return False
    between = range(red + NUM_FILES, blue, NUM_FILES)
    return not any(stack_codes(int(board[point]))[:1] == [_PLAIN_HEADQUARTERS] for point in between)
