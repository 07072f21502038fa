"""The placement phase of the advanced battle (R10.7)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import MIRRORED_POINT, NUM_PLANES, PLACE_PLANE
from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.commander import is_clear_between, is_uncarried
from cotulenh_env.commander.kernels.losses import put
from cotulenh_env.commander.kernels.stacks import can_stand
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ANTI_AIRCRAFT,
    ARTILLERY,
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    INFANTRY,
    MILITIA,
    MISSILE,
    NAVY,
    SIDE_BIT,
    TANK,
)
from cotulenh_env.commander.state import Record
from cotulenh_env.kernel import inner_kernel

PLACEMENT_ORDER = np.array(
    [
        HEADQUARTERS, HEADQUARTERS, COMMANDER, NAVY, NAVY, AIR_FORCE, AIR_FORCE, MISSILE,
        ANTI_AIRCRAFT, ANTI_AIRCRAFT, ARTILLERY, ARTILLERY, TANK, TANK, MILITIA,
        ENGINEER, ENGINEER, INFANTRY, INFANTRY,
    ],
    np.int64,
)  # fmt: skip
"""Kinds in the order in which each side places them."""

NUM_PLACEMENTS = 2 * len(PLACEMENT_ORDER)


@inner_kernel
def add_placements(state: Record, actions: npt.NDArray[np.int32]) -> int:
    """Writes every placement of the next piece until the list is full; returns their count."""
    side = int(state["player"])
    kind = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
    board = state["board"]
    count = 0
    for seen in range(NUM_POINTS // 2):  # the own half comes first in the mover's numbering
        point = int(MIRRORED_POINT[side, seen])
        if board[point] != 0 or not can_stand(2 * kind + 1, point):
            continue
        if (
            kind == COMMANDER
            and side == 1
            and is_uncarried(state, 0)
            and is_clear_between(state, int(state["commander"][0]), point, -1)
        ):
            continue
        if count < len(actions):
            actions[count] = seen * NUM_PLANES + PLACE_PLANE
            count += 1
    return count


@inner_kernel
def place(state: Record, point: int) -> None:
    """Places the next piece on a board point and passes the turn, or ends the placement phase."""
    side = int(state["player"])
    kind = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
    put(state, point, 2 * kind + 1 | (SIDE_BIT if side else 0))
    state["counts"][side, kind] += 1
    if kind == COMMANDER:
        state["commander"][side] = point
    state["num_placed"] += 1
    state["player"] = 1 - side
    if state["num_placed"] == NUM_PLACEMENTS:
        state["placing"] = 0
