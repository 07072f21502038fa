"""Moves of everything but kings and pawns, from the tables of moves.py."""

from __future__ import annotations

from cotulenh_env.cwda.actions import NUM_PLANES
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.moves import WALK_LENGTH, WALK_PLANE, WALK_SKIP, WALK_TARGET
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def add_piece_moves(work: Workspace, square: int, need: int, count: int, limit: int) -> int:
    """Appends the moves of the own piece on a square, ascending; returns their new number.

    Args:
        work: with the board and marks.
        square: where the piece stands.
        need: the mark that its targets must have, or 0.
        count: actions there already.
        limit: at most so many are wanted.
    """
    actions = work["actions"]
    board = work["board"]
    marks = work["marks"]
    kind = int(board[square])
    base = square * NUM_PLANES
    index = 0
    while index < WALK_LENGTH[kind, square]:
        target = int(WALK_TARGET[kind, square, index])
        code = int(board[target])
        if (code == 0 or code >= ENEMY) and (need == 0 or marks[target] == need) and count < limit:
            actions[count] = base + int(WALK_PLANE[kind, square, index])
            count += 1
        index = index + 1 if code == 0 else int(WALK_SKIP[kind, square, index])
    return count
