"""Steps of the king, and castling by each army's own rule."""

from __future__ import annotations

from cotulenh_env.cwda.actions import EAST_PLANE, NUM_PLANES, WEST_PLANE
from cotulenh_env.cwda.armies import LONG_CASTLING_FILE
from cotulenh_env.cwda.board import NUM_DIRECTIONS, STEP, TO_EDGE
from cotulenh_env.cwda.kernels.attacks import is_attacked
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.moves import MAX_DISTANCE
from cotulenh_env.cwda.pieces import KING
from cotulenh_env.cwda.state import CASTLE_LONG, CASTLE_SHORT, Record
from cotulenh_env.kernel import inner_kernel

KING_FILE = 4
SHORT_FILE = 6
"""Where the king goes on its own side, in every army."""

_EAST, _WEST = 2, 6


@inner_kernel
def add_king_moves(state: Record, work: Workspace, count: int, limit: int) -> int:
    """Appends the moves of the mover's king, ascending; returns their new number.

    Args:
        state: for armies and castling rights.
        work: with the board and the number of checks.
        count: actions there already.
        limit: at most so many are wanted.
    """
    actions = work["actions"]
    board = work["board"]
    king = int(work["king"])
    base = king * NUM_PLANES
    player = int(state["player"])
    rights = int(state["castling"]) >> (2 * player)
    if work["num_checkers"]:
        rights = 0
    board[king] = 0  # it hides nothing behind it from a slide when it steps away
    for direction in range(NUM_DIRECTIONS):
        if TO_EDGE[direction, king]:
            target = king + STEP[direction]
            code = int(board[target])
            if (code == 0 or code >= ENEMY) and not is_attacked(work, target) and count < limit:
                actions[count] = base + direction * MAX_DISTANCE
                count += 1
        if direction == _EAST and rights & CASTLE_SHORT:
            if _may_castle(work, 7, SHORT_FILE) and count < limit:
                actions[count] = base + EAST_PLANE + SHORT_FILE - KING_FILE - 1
                count += 1
        elif direction == _WEST and rights & CASTLE_LONG:
            file = LONG_CASTLING_FILE[int(state["armies"][player])]
            if _may_castle(work, 0, file) and count < limit:
                actions[count] = base + WEST_PLANE + KING_FILE - file - 1
                count += 1
    board[king] = KING
    return count


@inner_kernel
def _may_castle(work: Workspace, corner: int, file: int) -> bool:
    """Whether all squares to the corner are empty, and those of the king safe.

    The king is on e1, not in check, and both it and the corner piece are unmoved.
    """
    board = work["board"]
    step = 1 if corner > KING_FILE else -1
    for square in range(KING_FILE + step, corner, step):
        if board[square]:
            return False
    for square in range(KING_FILE + step, file + step, step):
        if is_attacked(work, square):
            return False
    return True
