"""Scratch memory that the kernels of one call share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.flight import Zones
from cotulenh_env.commander.kernels.rays import ActionList
from cotulenh_env.commander.state import Records
from cotulenh_env.kernel import kernel

NUM_SUB_MOVES = 3
"""At most, in one turn (R7.7)."""

MAX_GROUP_ACTIONS = 96
"""More than any group has: 40 points in 8 directions, each moved to or struck."""

MAX_PROMOTIONS = 80
"""Points from which two commanders can be attacked: 8 directions × 5 points each."""


class Workspace(NamedTuple):
    """Overwritten by whoever gets it.

    Attributes:
        zones: those that the aircraft in question face.
        scratch: records [NUM_SUB_MOVES + 1]: positions of a turn being completed.
        candidates: int32 [NUM_SUB_MOVES + 1, MAX_GROUP_ACTIONS]: a group's actions at each of them.
        found: int32 [MAX_GROUP_ACTIONS]: actions of a group before illegal ones are dropped.
        answers: int32 [MAX_GROUP_ACTIONS]: actions of one attacker.
        first: int32 [1]: the first legal action, when only their existence matters.
        promotions: int32 [MAX_PROMOTIONS]: point × 8 + mask of slots.
    """

    zones: Zones
    scratch: Records
    candidates: npt.NDArray[np.int32]
    found: ActionList
    answers: ActionList
    first: ActionList
    promotions: npt.NDArray[np.int32]


@kernel
def new_workspace(states: Records) -> Workspace:
    """A workspace for games whose records are like `states`."""
    return Workspace(
        np.empty(NUM_POINTS, np.int32),
        np.empty(NUM_SUB_MOVES + 1, states.dtype),
        np.empty((NUM_SUB_MOVES + 1, MAX_GROUP_ACTIONS), np.int32),
        np.empty(MAX_GROUP_ACTIONS, np.int32),
        np.empty(MAX_GROUP_ACTIONS, np.int32),
        np.empty(1, np.int32),
        np.empty(MAX_PROMOTIONS, np.int32),
    )
