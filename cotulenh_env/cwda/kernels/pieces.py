"""Moves of everything but kings and pawns, from the tables of moves.py."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.actions import NUM_PLANES
from cotulenh_env.cwda.board import KNIGHT_TARGET, NUM_DIRECTIONS, STEP, TO_EDGE
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.moves import (
    FIRST_KNIGHT_PLANE,
    KNIGHT_LEAPS,
    LEAPS,
    MAX_DISTANCE,
    MAX_LEAP,
    REACH,
)
from cotulenh_env.kernel import inner_kernel

ActionList = npt.NDArray[np.int32]


@inner_kernel
def add_piece_moves(
    work: Workspace, square: int, need: int, actions: ActionList, count: int
) -> int:
    """Appends the moves of the own piece on a square, ascending; returns their new count.

    Args:
        work: with the board and marks.
        square: where the piece stands.
        need: the mark that its targets must have, or 0.
        actions: int32, written up to its end; what does not fit is not counted.
        count: actions there already.
    """
    board = work["board"]
    marks = work["marks"]
    kind = int(board[square])
    base = square * NUM_PLANES
    limit = len(actions)
    for direction in range(NUM_DIRECTIONS):
        reach = min(REACH[kind, direction], TO_EDGE[direction, square])
        step = STEP[direction]
        first = base + direction * MAX_DISTANCE - 1
        target = square
        for distance in range(1, reach + 1):
            target += step
            code = int(board[target])
            if 0 < code < ENEMY:
                break
            if (need == 0 or marks[target] == need) and count < limit:
                actions[count] = first + distance
                count += 1
            if code:
                break
        leaps = LEAPS[kind, direction]
        if leaps:
            for distance in range(2, min(MAX_LEAP, TO_EDGE[direction, square]) + 1):
                if leaps >> distance & 1:
                    target = square + distance * step
                    code = int(board[target])
                    if (
                        (code == 0 or code >= ENEMY)
                        and (need == 0 or marks[target] == need)
                        and count < limit
                    ):
                        actions[count] = first + distance
                        count += 1
    knight_leaps = KNIGHT_LEAPS[kind]
    if knight_leaps:
        for leap in range(8):
            target = KNIGHT_TARGET[square, leap]
            if knight_leaps >> leap & 1 and target >= 0:
                code = int(board[target])
                if (
                    (code == 0 or code >= ENEMY)
                    and (need == 0 or marks[target] == need)
                    and count < limit
                ):
                    actions[count] = base + FIRST_KNIGHT_PLANE + leap
                    count += 1
    return count
