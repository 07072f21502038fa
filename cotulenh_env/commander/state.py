"""The state record of Commander Chess: 1,376 bytes, complete, without pointers.

    key        int64          board hash, kept up to date by every change of a point
    history    int64 [128]    keys of turn ends since the last capture or loss, unused slots 0
    board      uint16 [132]   stacks by point (pieces.py)
    points     int32 [2]      official points won by each side (R10.6)
    counts     int8 [2, 12]   pieces on the board, by side and kind
    commander  int16 [2]      where each commander stands, NO_POINT when lost or not yet placed
    armed      int8 [2]       divisions that count for each side (R10.2): bits ARMED_*
    switches       int32      the resolved rules of RULES §12, as bits of switches.py
    turns … turn_limit        clocks, and the limit of turns
    player … placing          the turn: who is to move and the unfinished deployment (R7.7)
    winner … history_length   result and number of keys in `history`
    edition … quiet_limit     the resolved rules

Pieces at a point are numbered by slot, 0–2 in canonical order; `unacted` and `selected` are bit
masks of slots at `origin`. Outside a deployment `origin` is NO_POINT and the masks are 0.
Of equal pieces at the origin those that have not acted come first, so equal positions are equal
bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.pieces import NUM_CODES, NUM_KINDS

NO_POINT = 255
HISTORY_LENGTH = 128

UNFINISHED, DRAW = -2, -1
"""Values of `winner` besides the sides 0 and 1."""

REASONS = ("", "battle", "exposure", "repetition", "quiet", "turn limit", "no move")
ONGOING, BY_BATTLE, BY_EXPOSURE, BY_REPETITION, BY_QUIET, BY_TURN_LIMIT, BY_NO_MOVE = range(7)
"""Values of `reason` and their names (R10.9)."""

ARMED_COMMANDER, ARMED_AIR, ARMED_LAND, ARMED_NAVY = 1, 2, 4, 8

STATE_DTYPE = np.dtype(
    [
        ("key", np.int64),
        ("history", np.int64, (HISTORY_LENGTH,)),
        ("board", np.uint16, (NUM_POINTS,)),
        ("points", np.int32, (2,)),
        ("counts", np.int8, (2, NUM_KINDS + 1)),
        ("commander", np.int16, (2,)),
        ("armed", np.int8, (2,)),
        ("switches", np.int32),  # bits of switches.py; none is set in the official edition
        # clocks
        ("turns", np.int32),  # completed since the start or the loaded position
        ("quiet_turns", np.int32),
        ("move_number", np.int32),
        ("turn_limit", np.int32),
        # the turn
        ("player", np.int8),
        ("origin", np.int16),
        ("unacted", np.int8),
        ("selected", np.int8),
        ("num_sub_moves", np.int8),  # made in this turn
        ("turn_loss", np.int8),  # 1 when a piece was captured or lost in this turn
        ("num_placed", np.int8),  # pieces placed so far (R10.7)
        ("placing", np.int8),  # 1 during the placement phase
        # result, history, rules
        ("winner", np.int8),
        ("reason", np.int8),
        ("history_length", np.int16),
        ("edition", np.int8),
        ("battle", np.int8),
        ("placement", np.int8),
        ("enforce_check", np.int8),
        ("allow_shoot_down", np.int8),
        ("repetition", np.int8),
        ("quiet_limit", np.int8),
        ("unused", np.uint8, (2,)),  # the size is a multiple of 8
    ]
)

Record = Any
"""One state record: `np.void` in Python, a record inside kernels."""

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""

_rng = np.random.Generator(np.random.PCG64(2002))

ZOBRIST = _rng.integers(-(2**63), 2**63, (2, NUM_CODES, NUM_POINTS), np.int64)
"""int64 [side, code, point], shifted right by the slot: two equal passengers would cancel out."""
ZOBRIST[:, 0] = 0

ZOBRIST_BLUE = int(_rng.integers(-(2**63), 2**63, dtype=np.int64))
ZOBRIST_DEPLOYMENT = _rng.integers(-(2**63), 2**63, (8, 8, NUM_POINTS), np.int64)
"""int64 [unacted, selected, origin] of an unfinished deployment."""


def keys_of(states: Records) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of board, marks, side to move and unfinished deployment, without clocks.

    Args:
        states: records [n].
    """
    blue = np.where(states["player"] == 1, np.int64(ZOBRIST_BLUE), np.int64(0))
    origin = states["origin"]
    deployment = ZOBRIST_DEPLOYMENT[
        states["unacted"], states["selected"], np.minimum(origin, NUM_POINTS - 1)
    ]
    key = states["key"] ^ blue ^ np.where(origin == NO_POINT, np.int64(0), deployment)
    keys: npt.NDArray[np.uint64] = key.view(np.uint64)
    return keys
