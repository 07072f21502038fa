"""Scratch memory of one call: the board as the player to move sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.pieces import NUM_KINDS

EMPTY, OWN, FOE, BLOCKED = range(4)
"""What a place is to the mover; BLOCKED is what can be neither moved nor attacked."""

WORKSPACE_DTYPE = np.dtype(
    [
        ("cells", np.int8, (NUM_PLACES,)),
        # OWN: its kind, 0 if it cannot move; FOE: its kind, 0 if unknown
        ("kinds", np.int8, (NUM_PLACES,)),
        # by own kind: bits 1 << kind of what it may attack
        ("attacks", np.int32, (NUM_KINDS + 1,)),
        # the railway places that a piece reaches are those with its mark
        ("marks", np.int8, (NUM_PLACES,)),
        ("queue", np.int8, (NUM_PLACES,)),
    ]
)

Workspace = Any
"""A record of WORKSPACE_DTYPE."""
