"""Playing one action."""

from __future__ import annotations

import numpy as np

from cotulenh_env.cwda.actions import (
    DOUBLE_STEP_PLANE,
    FIRST_PROMOTION_PLANE,
    NUM_PLANES,
    NUM_PROMOTIONS,
)
from cotulenh_env.cwda.armies import PROMOTIONS
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE, TURN
from cotulenh_env.cwda.kernels.outcome import count_move, remember_position
from cotulenh_env.cwda.kernels.pawns import can_pass_somewhere
from cotulenh_env.cwda.kernels.workspace import Workspace, turn_board
from cotulenh_env.cwda.moves import OFFSET
from cotulenh_env.cwda.pieces import KIND_MASK, KING, PAWN, SIDE_SHIFT
from cotulenh_env.cwda.state import (
    CASTLE_LONG,
    CASTLE_SHORT,
    NO_SQUARE,
    ZOBRIST,
    ZOBRIST_BLACK,
    ZOBRIST_CASTLING,
    ZOBRIST_EN_PASSANT,
    Record,
)
from cotulenh_env.kernel import inner_kernel


def _rights_kept() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    kept = np.full(NUM_SQUARES, 15, np.int64)
    for side in range(2):
        both = CASTLE_SHORT | CASTLE_LONG
        for square, lost in ((4, both), (7, CASTLE_SHORT), (0, CASTLE_LONG)):
            kept[square ^ (TURN * side)] = 15 & ~(lost << (2 * side))
    return kept


_RIGHTS_KEPT = _rights_kept()
"""int64 [square]: the castling rights that a move from or to it leaves."""


@inner_kernel
def apply_action(state: Record, work: Workspace, action: int) -> None:
    """Plays one legal action; overwrites `work`. The result is left to `outcome.settle`."""
    player = int(state["player"])
    flip = TURN * player
    board = state["board"]
    seen = action // NUM_PLANES
    plane = action % NUM_PLANES
    code = int(board[seen ^ flip])
    kind = code & KIND_MASK
    placed = code
    if plane < FIRST_PROMOTION_PLANE:
        seen_target = seen + OFFSET[plane]
    else:
        promotion = plane - FIRST_PROMOTION_PLANE
        seen_target = seen + SIZE - 1 + promotion // NUM_PROMOTIONS
        own, other = int(state["armies"][player]), int(state["armies"][1 - player])
        placed = PROMOTIONS[own, other, promotion % NUM_PROMOTIONS] | player << SIDE_SHIFT
    square, target = seen ^ flip, seen_target ^ flip
    captured = int(board[target])
    before = _extra_key(state)

    _put(state, square, 0)
    _put(state, target, placed)
    if kind == PAWN and captured == 0 and (seen_target - seen) % SIZE:
        passed = target ^ SIZE  # the square behind, on the fifth rank
        captured = int(board[passed])
        _put(state, passed, 0)
    elif kind == KING and 1 < abs(seen_target - seen) < SIZE - 1:
        # The corner piece goes to the square next to the king, towards the middle.
        corner = square - square % SIZE + (SIZE - 1 if target > square else 0)
        piece = int(board[corner])
        _put(state, corner, 0)
        _put(state, target + (1 if target < square else -1), piece)
    if captured:
        state["num_men"][1 - player] -= 1
    state["castling"] = int(state["castling"]) & _RIGHTS_KEPT[square] & _RIGHTS_KEPT[target]
    count_move(state, captured > 0 or kind == PAWN)
    state["player"] = 1 - player
    state["en_passant"] = NO_SQUARE
    state["can_en_passant"] = 0
    if kind == PAWN and plane == DOUBLE_STEP_PLANE:
        passing = (seen + SIZE) ^ flip
        state["en_passant"] = passing
        turn_board(state, work)
        if can_pass_somewhere(work, passing ^ TURN ^ flip):
            state["can_en_passant"] = 1
    state["key"] = int(state["key"]) ^ before ^ _extra_key(state) ^ ZOBRIST_BLACK
    remember_position(state)


@inner_kernel
def _put(state: Record, square: int, code: int) -> None:
    """Puts a piece, or nothing, on a square and keeps the key up to date."""
    old = int(state["board"][square])
    state["board"][square] = code
    state["key"] = int(state["key"]) ^ int(ZOBRIST[old, square]) ^ int(ZOBRIST[code, square])


@inner_kernel
def _extra_key(state: Record) -> int:
    """The part of the key that is neither board nor side to move nor armies."""
    key = int(ZOBRIST_CASTLING[int(state["castling"])])
    if state["can_en_passant"]:
        key ^= int(ZOBRIST_EN_PASSANT[int(state["en_passant"])])
    return key
