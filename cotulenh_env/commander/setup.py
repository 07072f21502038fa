"""A position in parts, and whether a game can come to it.

Whatever text or bytes a position comes from, what may be loaded is checked here.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
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


def pieces_on(board: Board) -> list[tuple[int, int, int, int]]:
    """(point, side, slot, code) of every piece on the board."""
    return [
        (int(point), int(board[point]) // SIDE_BIT, slot, code)
        for point in np.flatnonzero(board)
        for slot, code in enumerate(stack_codes(int(board[point])))
    ]


def piece_counts(board: Board) -> npt.NDArray[np.uint8]:
    """uint8 [2, 12]: pieces on the board by side and kind."""
    counts = np.zeros((2, NUM_KINDS + 1), np.uint8)
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
    """Refuses what no game by these rules can have come to.

    Raises:
        PositionError: with the reason and the place.
    """
    for point in np.flatnonzero(setup.board):
        _check_stack(setup, int(point), rules.switches)
    for side, counts in enumerate(piece_counts(setup.board)):
        num_pieces = int(counts.sum())
        if num_pieces > NUM_PIECES_PER_SIDE:
            raise PositionError(
                f"{_SIDE_NAMES[side]} has {num_pieces} pieces, more than {NUM_PIECES_PER_SIDE}"
            )
        if counts[COMMANDER] > 1:
            raise PositionError(f"{_SIDE_NAMES[side]} has {counts[COMMANDER]} commanders")
    if not 0 <= setup.quiet_turns <= MAX_QUIET_TURNS:
        raise PositionError(
            f"the number of quiet turns is 0 to {MAX_QUIET_TURNS}, got {setup.quiet_turns}"
        )
    if not 1 <= setup.move_number <= MAX_MOVE_NUMBER:
        raise PositionError(f"the move number is 1 to {MAX_MOVE_NUMBER}, got {setup.move_number}")
    if setup.placing:
        _check_placement(setup, rules)
    if setup.origin is not None:
        _check_deployment(setup, rules)


def _check_stack(setup: Setup, point: int, switches: int) -> None:
    codes = stack_codes(int(setup.board[point]))
    kinds = [code >> 1 for code in codes]
    text = pieces_text(codes)
    for code in codes:
        if is_heroic(code) and code >> 1 in (COMMANDER, HEADQUARTERS):
            raise PositionError(f"{text} at {point_name(point)}: no rule makes that piece heroic")
    if point == setup.origin:
        if not _can_be_left_over(kinds, point, switches):
            raise PositionError(f"{text} cannot be what is left of a stack at {point_name(point)}")
        return
    if not is_legal_stack(kinds, switches):
        raise PositionError(f"{text} at {point_name(point)} is no legal stack")
    if not can_stand(kinds[0], point):
        raise PositionError(f"{text} cannot stand at {point_name(point)}")


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


def _check_deployment(setup: Setup, rules: RuleSet) -> None:
    origin = setup.origin
    assert origin is not None
    stack = int(setup.board[origin])
    text = f"{point_name(origin)}:{pieces_text(sorted(setup.unacted))}"
    if not stack or stack // SIDE_BIT != setup.player:
        raise PositionError(
            f"the deployment {text} needs a piece of {_SIDE_NAMES[setup.player]} "
            f"at {point_name(origin)}"
        )
    if Counter(setup.unacted) - Counter(stack_codes(stack)):
        raise PositionError(
            f"the deployment {text} names pieces that are not at {point_name(origin)}, "
            f"where {pieces_text(stack_codes(stack))} stands"
        )
    if not setup.unacted:
        _check_navy_that_struck(stack, origin, text, rules)
    if setup.quiet_turns >= rules.quiet_limit:
        raise PositionError(
            f"the deployment {text} cannot be: the game ended when the number of quiet turns "
            f"came to {rules.quiet_limit}, and it is {setup.quiet_turns}"
        )


def _check_navy_that_struck(stack: int, origin: int, text: str, rules: RuleSet) -> None:
    """Only a navy that has struck as a whole may act once more (R12.2)."""
    if not rules.switches & NAVY_MOVES_AFTER_STRIKE:
        raise PositionError(
            f"the deployment {text} has no piece left to act, which is a navy that has struck "
            f"and may move on, but not by the rules of this game (edition {rules.edition})"
        )
    kinds = [code >> 1 for code in stack_codes(stack)]
    if kinds[0] != NAVY or not is_legal_stack(kinds, rules.switches):
        raise PositionError(
            f"the deployment {text} has no piece left to act, and at {point_name(origin)} "
            f"stands {pieces_text(stack_codes(stack))}, no navy that may move on after a strike"
        )


def _check_placement(setup: Setup, rules: RuleSet) -> None:
    """R10.7."""
    if not rules.placement:
        raise PositionError("pieces are placed by the players only under the option placement")
    pieces = pieces_on(setup.board)
    num_placed = len(pieces)
    if num_placed >= NUM_PLACEMENTS:
        raise PositionError(f"all {NUM_PLACEMENTS} pieces are placed already")
    if setup.player != num_placed % 2:
        raise PositionError(
            f"after {num_placed} placements {_SIDE_NAMES[num_placed % 2]} is to place"
        )
    if (setup.quiet_turns, setup.move_number) != (0, 1):
        raise PositionError(
            "no turn is counted while pieces are placed: quiet turns and move number are 0 and 1, "
            f"got {setup.quiet_turns} and {setup.move_number}"
        )
    for side, name in enumerate(_SIDE_NAMES):
        kinds = PLACEMENT_ORDER[: (num_placed + 1 - side) // 2]
        expected = sorted(piece_code(int(kind), False) for kind in kinds)
        found = sorted(code for _, owner, _, code in pieces if owner == side)
        if found != expected:
            raise PositionError(
                f"{name}'s first {len(expected)} pieces are {pieces_text(expected) or 'none'}, "
                f"not {pieces_text(found) or 'none'}"
            )
    for point, side, slot, _ in pieces:
        if slot or (point // NUM_FILES >= _FIRST_BLUE_RANK) != bool(side):
            raise PositionError(
                f"pieces are placed one on a point in their own half, not so at {point_name(point)}"
            )
    _check_placed_commanders(setup.board)


def _check_placed_commanders(board: Board) -> None:
    """Blue's commander was placed out of sight, when only headquarters stood between them."""
    red, blue = (int(point) for point in commander_points(board))
    if NO_POINT in (red, blue) or red % NUM_FILES != blue % NUM_FILES:
        return
    between = range(red + NUM_FILES, blue, NUM_FILES)
    if not any(stack_codes(int(board[point]))[:1] == [_PLAIN_HEADQUARTERS] for point in between):
        raise PositionError(
            f"Blue's commander was placed at {point_name(blue)} in the line of sight of Red's "
            f"at {point_name(red)}"
        )
