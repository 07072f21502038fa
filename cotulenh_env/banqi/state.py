"""The state record of Banqi: 1,136 bytes, complete, without pointers.

    key        int64         board hash, kept up to date by every change of a cell
    history    int64 [128]   keys of the positions since the last flip or capture, unused slots 0
    cells      int64 [3]     cells where red, black, and face-down pieces are: bit c for cell c
    turns      int32         completed since the start or the loaded position
    captures   int16 [7]     the resolved matrix: bit v of entry a is set if type a captures type v
    quiet, history_length    clock, and number of keys in `history`
    board      int8 [32]     codes by cell (pieces.py)
    hidden     int8 [14]     how many of each piece are still face down
    left       int8 [2]      pieces of each colour that have not been captured, face down or up
    num_face_down … reason   the rest of the position, and the result
    preset … adjudicate      the resolved rules

What lies where face down is no part of it: nobody knows, and all arrangements of `hidden` are
equally likely (rule 2.3). Keys in `history` tell the side to move, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.board import NUM_CELLS
from cotulenh_env.banqi.pieces import EMPTY, NUM_CODES, NUM_PIECES, NUM_TYPES

FACE_DOWN_CELLS = 2
"""Index in `cells`, behind the colours."""

NO_COLOUR = -1
"""The first player's colour before the first flip."""

HISTORY_LENGTH = 128

UNFINISHED, DRAW = -2, -1
"""Values of `winner` besides the players 0 and 1."""

REASONS = ("", "all captured", "no move", "dead material", "repetition", "quiet")
ONGOING, BY_ALL_CAPTURED, BY_NO_MOVE, BY_DEAD_MATERIAL, BY_REPETITION, BY_QUIET = range(6)
"""Values of `reason` and their names (rule 5)."""

STATE_DTYPE = np.dtype(
    [
        ("key", np.int64),
        ("history", np.int64, (HISTORY_LENGTH,)),
        ("cells", np.int64, (3,)),
        ("turns", np.int32),
        ("captures", np.int16, (NUM_TYPES,)),
        ("quiet", np.int16),  # turns since the last flip or capture
        ("history_length", np.int16),
        ("board", np.int8, (NUM_CELLS,)),
        ("hidden", np.int8, (NUM_PIECES,)),
        ("left", np.int8, (2,)),
        # the position
        ("num_face_down", np.int8),
        ("player", np.int8),  # who is to move
        ("first_colour", np.int8),  # of player 0
        # result
        ("winner", np.int8),
        ("reason", np.int8),
        # rules
        ("preset", np.int8),
        ("quiet_limit", np.int8),
        ("repetition", np.int8),  # 0 for never
        ("elimination", np.int8),
        ("adjudicate", np.int8),
    ]
)

Record = Any
"""One state record: `np.void` in Python, a record inside kernels."""

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""

_rng = np.random.Generator(np.random.PCG64(1990))

ZOBRIST = _rng.integers(-(2**63), 2**63, (NUM_CODES, NUM_CELLS), np.int64)
"""int64 [code, cell]."""
ZOBRIST[EMPTY] = 0

ZOBRIST_PLAYER = int(_rng.integers(-(2**63), 2**63, dtype=np.int64))
"""Of player 1 to move."""

_ZOBRIST_COLOUR = _rng.integers(-(2**63), 2**63, 3, np.int64)
_ZOBRIST_HIDDEN = _rng.integers(-(2**63), 2**63, (NUM_PIECES, 6), np.int64)


def keys_of(states: Records) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of board, pieces face down, colours and side to move, without clocks.

    Args:
        states: records [n].
    """
    player = np.where(states["player"] == 1, np.int64(ZOBRIST_PLAYER), np.int64(0))
    colour = _ZOBRIST_COLOUR[states["first_colour"]]
    hidden = np.bitwise_xor.reduce(_ZOBRIST_HIDDEN[np.arange(NUM_PIECES), states["hidden"]], axis=1)
    keys: npt.NDArray[np.uint64] = (states["key"] ^ player ^ colour ^ hidden).view(np.uint64)
    return keys


def colour_of(state: Record, player: int) -> int:
    """A player's colour, NO_COLOUR before the first flip."""
    first = int(state["first_colour"])
    return first if first == NO_COLOUR or player == 0 else 1 - first
