"""The legal actions of a state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.kernels.attacks import mark_checks_and_pins, needed_mark
from cotulenh_env.cwda.kernels.king import add_king_moves
from cotulenh_env.cwda.kernels.pawns import add_pawn_moves
from cotulenh_env.cwda.kernels.pieces import add_piece_moves
from cotulenh_env.cwda.kernels.workspace import Workspace, passing_square, turn_board
from cotulenh_env.cwda.pieces import KING, PAWN
from cotulenh_env.cwda.state import UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel

ActionList = npt.NDArray[np.int32]


@inner_kernel
def list_legal_actions(state: Record, work: Workspace, actions: ActionList) -> int:
    """Writes the legal actions of one state in ascending order; returns their count.

    It stops at the end of the list; with a list of length 1 it looks no further than the first.
    Leaves the number of pieces that give check in the workspace, unless the game is over.
    """
    if state["winner"] != UNFINISHED:
        return 0
    turn_board(state, work)
    mark_checks_and_pins(work)
    passing = passing_square(state)
    is_double_check = work["num_checkers"] > 1
    board = work["board"]
    limit = min(len(actions), MAX_LEGAL_ACTIONS)
    count = 0
    for index in range(int(work["num_own"])):
        square = int(work["own"][index])
        kind = int(board[square])
        if kind == KING:
            count = add_king_moves(state, work, count, limit)
        elif not is_double_check:
            need = needed_mark(work, square)
            if kind == PAWN:
                count = add_pawn_moves(state, work, square, need, passing, count, limit)
            elif need >= 0:
                count = add_piece_moves(work, square, need, count, limit)
        if count == limit:
            break
    for index in range(count):
        actions[index] = work["actions"][index]
    return count
