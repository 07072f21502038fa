"""Scratch memory that the kernels of one call share: above all the board as the mover sees it.

    board    0 empty, the kind of an own piece, the kind + ENEMY of an enemy's; rank 1 is the
             mover's back rank
    marks    by square what it means for the mover's king (attacks.py)
    actions  legal actions; kernels that add some get the number there already and how many are
             wanted at most, and return the new number

It is a record like a state: passed as one pointer, its arrays are read without counting references,
which would take longer than listing the moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.cwda.board import NUM_SQUARES, TURN
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.pieces import BLACK, KING, SIDE_SHIFT
from cotulenh_env.cwda.state import NO_SQUARE, Record
from cotulenh_env.kernel import inner_kernel

ENEMY = BLACK

WORKSPACE_DTYPE = np.dtype(
    [
        ("board", np.uint8, (NUM_SQUARES,)),
        ("marks", np.int8, (NUM_SQUARES,)),
        ("own", np.int8, (NUM_SQUARES,)),  # squares of the mover's pieces, ascending
        ("num_own", np.int64),
        ("enemies", np.int8, (NUM_SQUARES,)),  # squares of the enemy's
        ("num_enemies", np.int64),
        ("king", np.int64),  # square of the mover's
        ("num_checkers", np.int64),
        ("actions", np.int32, (MAX_LEGAL_ACTIONS,)),  # found so far
    ]
)

Workspace = Any
"""One record of WORKSPACE_DTYPE; what it holds is overwritten by whoever gets it."""


@inner_kernel
def turn_board(state: Record, work: Workspace) -> None:
    """Fills the workspace with the board as the player to move sees it."""
    player = int(state["player"])
    flip = TURN * player
    swap = player << SIDE_SHIFT
    from_board = state["board"]
    board = work["board"]
    own = work["own"]
    enemies = work["enemies"]
    num_own = num_enemies = 0
    for square in range(NUM_SQUARES):
        code = int(from_board[square ^ flip])
        if code:
            code ^= swap
            if code < ENEMY:
                own[num_own] = square
                num_own += 1
                if code == KING:
                    work["king"] = square
            else:
                enemies[num_enemies] = square
                num_enemies += 1
        board[square] = code
    work["num_own"] = num_own
    work["num_enemies"] = num_enemies


@inner_kernel
def passing_square(state: Record) -> int:
    """Where the mover can capture in passing, as the mover sees it; NO_SQUARE if it cannot."""
    if not state["can_en_passant"]:
        return NO_SQUARE
    return int(state["en_passant"]) ^ (TURN * int(state["player"]))
