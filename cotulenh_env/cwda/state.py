"""The state record of Chess with Different Armies: 912 bytes, complete, without pointers.

key        int64          hash of the position, kept up to date by every move
history    int64 [101]    keys since the last capture or pawn move, this position's the last;
                          unused slots 0
board      uint8 [64]     codes by square (pieces.py)
turns … quiet_plies       clocks
player … armies           the position: who is to move, castling rights as bits CASTLE_*, the
                          square behind a pawn that has just made a double step (NO_SQUARE
                          otherwise) and whether it can be captured in passing, the armies of
                          White and Black as indexes of armies.ARMIES
num_men … history_length  what follows from board and history
winner, reason            the result
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.armies import ARMIES
from cotulenh_env.cwda.board import NUM_SQUARES
from cotulenh_env.cwda.pieces import NUM_CODES
from cotulenh_env.cwda.rules import QUIET_LIMIT

NO_SQUARE = -1
HISTORY_LENGTH = QUIET_LIMIT + 1

CASTLE_SHORT, CASTLE_LONG = 1, 2
"""Castling rights of a side: White's in the two low bits, Black's in the next two."""

UNFINISHED, DRAW = -2, -1
"""Values of `winner` besides the sides 0 and 1."""

REASONS = ("", "checkmate", "stalemate", "bare kings", "repetition", "fifty moves")
ONGOING, BY_CHECKMATE, BY_STALEMATE, BY_BARE_KINGS, BY_REPETITION, BY_FIFTY_MOVES = range(6)
"""Values of `reason` and their names."""

STATE_DTYPE = np.dtype(
    [
        ("key", np.int64),
        ("history", np.int64, (HISTORY_LENGTH,)),
        ("board", np.uint8, (NUM_SQUARES,)),
        # clocks
        ("turns", np.int32),  # moves of both sides since the start or the loaded position
        ("move_number", np.int32),
        ("quiet_plies", np.int32),  # moves of both sides since the last capture or pawn move
        # the position
        ("player", np.int8),
        ("castling", np.int8),
        ("en_passant", np.int8),
        ("can_en_passant", np.int8),  # 1 if a legal capture in passing exists
        ("armies", np.int8, (2,)),
        # what follows from it
        ("num_men", np.int8, (2,)),  # kings and pawns included
        ("in_check", np.int8),  # 1 if the player to move is in check
        ("occurrences", np.int8),  # how often this position has stood
        ("history_length", np.int16),
        # result
        ("winner", np.int8),
        ("reason", np.int8),
        ("unused", np.uint8, (6,)),  # the size is a multiple of 8
    ]
)

Record = Any
"""One state record: `np.void` in Python, a record inside kernels."""

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""

_rng = np.random.Generator(np.random.PCG64(1979))


def _numbers(*shape: int) -> npt.NDArray[np.int64]:
    return _rng.integers(-(2**63), 2**63, shape, np.int64)


ZOBRIST = _numbers(NUM_CODES, NUM_SQUARES)
"""int64 [code, square]."""
ZOBRIST[0] = 0

ZOBRIST_CASTLING = _numbers(16)
ZOBRIST_EN_PASSANT = _numbers(NUM_SQUARES)
"""int64 [square]: counts only where a legal capture in passing exists."""
ZOBRIST_ARMIES = _numbers(len(ARMIES), len(ARMIES))
"""int64 [White's army, Black's]: they decide how a side castles and what its pawns become."""
ZOBRIST_BLACK = int(_numbers(1)[0])


def keys_of(states: Records) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of board, side to move, castling rights, possible e.p. capture, armies.

    Args:
        states: records [n].
    """
    keys: npt.NDArray[np.uint64] = states["key"].astype(np.uint64)
    return keys
