"""Scratch memory that the kernels of one call share.

It is a record like a state: passed as one pointer, its arrays are read without counting references.
Kernels that list actions write them into `lists`, from an index that they are given, and return the
index behind the last.

    lists    | level 0 | level 1 | level 2 | level 3 | FOUND | ANSWERS |    MAX_GROUP_ACTIONS each
               a turn being completed (deploy.py)      a group  an attacker
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.state import STATE_DTYPE

NUM_SUB_MOVES = 3
"""At most, in one turn (R7.7)."""

MAX_GROUP_ACTIONS = 96
"""More than any group has: 40 points in 8 directions, each moved to or struck."""

MAX_ATTACKERS = 2 * (8 * 5 * 3 + 1)
"""Two commanders: 3 pieces each on 5 points in 8 directions, and the other commander."""

FOUND = (NUM_SUB_MOVES + 1) * MAX_GROUP_ACTIONS
ANSWERS = FOUND + MAX_GROUP_ACTIONS

WORKSPACE_DTYPE = np.dtype(
    [
        ("zones", np.int32, (NUM_POINTS,)),  # those that the aircraft in question face (flight.py)
        ("lists", np.int32, (ANSWERS + MAX_GROUP_ACTIONS,)),
        ("attackers", np.int32, (MAX_ATTACKERS,)),  # point × 4 + slot
        # the search for a completion of the turn, by level: position, group, next and last action
        ("scratch", STATE_DTYPE, (NUM_SUB_MOVES + 1,)),
        ("mask", np.int64, (NUM_SUB_MOVES + 1,)),
        ("next", np.int64, (NUM_SUB_MOVES + 1,)),
        ("stop", np.int64, (NUM_SUB_MOVES + 1,)),
    ]
)

Workspace = Any
"""One record of WORKSPACE_DTYPE; what it holds is overwritten by whoever gets it."""
