"""Pawn moves, promotion, capture in passing."""

from __future__ import annotations

from cotulenh_env.cwda.actions import (
    CAPTURE_PLANE,
    DOUBLE_STEP_PLANE,
    FIRST_PROMOTION_PLANE,
    NUM_PLANES,
    NUM_PROMOTIONS,
    PUSH_PLANE,
)
from cotulenh_env.cwda.armies import PROMOTIONS
from cotulenh_env.cwda.board import SIZE, TO_EDGE
from cotulenh_env.cwda.kernels.attacks import is_attacked
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.pieces import PAWN
from cotulenh_env.cwda.state import Record
from cotulenh_env.kernel import inner_kernel

_SECOND_RANK, _SEVENTH_RANK = SIZE, 6 * SIZE
"""First square of the rank where double steps begin, and of that from which pawns promote."""

_EAST, _WEST = 2, 6


@inner_kernel
def add_pawn_moves(
    state: Record,
    work: Workspace,
    square: int,
    need: int,
    passing: int,
    count: int,
    limit: int,
) -> int:
    """Appends the moves of the own pawn on a square, ascending; returns their new number.

    Args:
        state: for the armies.
        work: with the board and marks.
        square: where the pawn stands.
        need: the mark that its targets must have, 0 for any, -1 for none.
        passing: where the mover can capture in passing, or NO_SQUARE.
        count: actions there already.
        limit: at most so many are wanted.
    """
    actions = work["actions"]
    board = work["board"]
    marks = work["marks"]
    base = square * NUM_PLANES
    if square >= _SEVENTH_RANK:
        for index in range(3):
            if _may_step(work, square, index, need):
                count = _add_promotions(state, work, base, index, count, limit)
        return count
    ahead = square + SIZE
    if board[ahead] == 0:
        if (need == 0 or marks[ahead] == need) and count < limit:
            actions[count] = base + PUSH_PLANE
            count += 1
        target = ahead + SIZE
        if (
            square < _SECOND_RANK + SIZE
            and board[target] == 0
            and (need == 0 or marks[target] == need)
            and count < limit
        ):
            actions[count] = base + DOUBLE_STEP_PLANE
            count += 1
    for index in range(2, -1, -2):  # NE has the lower plane
        if TO_EDGE[_EAST if index else _WEST, square] == 0:
            continue
        takes = _may_step(work, square, index, need)
        if passing == ahead + index - 1:
            takes = may_pass(work, square, passing)
        if takes and count < limit:
            actions[count] = base + CAPTURE_PLANE[index]
            count += 1
    return count


@inner_kernel
def _may_step(work: Workspace, square: int, index: int, need: int) -> bool:
    """Whether a pawn captures NW (0) or NE (2), or steps N (1), leaving its king safe."""
    if index != 1 and TO_EDGE[_EAST if index else _WEST, square] == 0:
        return False
    target = square + SIZE + index - 1
    code = int(work["board"][target])
    if code != 0 if index == 1 else code < ENEMY:
        return False
    return need == 0 or work["marks"][target] == need


@inner_kernel
def _add_promotions(
    state: Record, work: Workspace, base: int, index: int, count: int, limit: int
) -> int:
    player = int(state["player"])
    own, other = int(state["armies"][player]), int(state["armies"][1 - player])
    first = base + FIRST_PROMOTION_PLANE + index * NUM_PROMOTIONS
    for slot in range(NUM_PROMOTIONS):
        if PROMOTIONS[own, other, slot] and count < limit:
            work["actions"][count] = first + slot
            count += 1
    return count


@inner_kernel
def may_pass(work: Workspace, square: int, passing: int) -> bool:
    """Whether a pawn on a square next to the passed pawn may capture it: by playing it.

    Two pawns leave their squares at once, which pins and checks do not foresee.
    """
    board = work["board"]
    passed = passing - SIZE
    if board[square] != PAWN or board[passed] != ENEMY + PAWN:
        return False
    board[square] = 0
    board[passed] = 0
    board[passing] = PAWN
    is_safe = not is_attacked(work, int(work["king"]))
    board[square] = PAWN
    board[passed] = ENEMY + PAWN
    board[passing] = 0
    return is_safe


@inner_kernel
def can_pass_somewhere(work: Workspace, passing: int) -> bool:
    """Whether the mover has a legal capture in passing on a square of its sixth rank."""
    passed = passing - SIZE
    if TO_EDGE[_WEST, passed] and may_pass(work, passed - 1, passing):
        return True
    return TO_EDGE[_EAST, passed] > 0 and may_pass(work, passed + 1, passing)
