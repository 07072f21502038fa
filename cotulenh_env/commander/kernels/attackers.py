"""Which pieces could capture what stands on a point (R4, R5, R6.4, R8.3; one by one as in R9.1).

An entry point of its own, for people who look at a position: playing never compiles it. Whether a
piece captures is asked of its own ray, as everywhere.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import NEXT_POINT
from cotulenh_env.commander.kernels.attack import MAX_ATTACK_DISTANCE, attacks_along
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.stacks import code_at, stack_at
from cotulenh_env.commander.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.commander.pieces import COMMANDER
from cotulenh_env.commander.state import Records
from cotulenh_env.kernel import kernel

MAX_DISTANCE = 11
"""Commanders see each other across the whole board (R6.4)."""

MAX_ATTACKERS = 8 * MAX_ATTACK_DISTANCE * 3 + 1
"""Every slot of every point that any piece attacks from, and a commander far away."""


@kernel
def fill_attackers(
    states: Records, side: int, target: int, attackers: npt.NDArray[np.int32]
) -> int:
    """Finds the pieces that could capture the enemy stack on a point, the board being as it is.

    A commander is taken as it stands (R6.4, R6.5), any other piece as if alone on its point.
    Taking a headquarters and leaving its commander (R12.2) does not count.

    Args:
        states: one record [1].
        side: of the attackers.
        target: a point where the other side stands.
        attackers: int32 [MAX_ATTACKERS], overwritten: point × 4 + slot, in no order.

    Returns:
        How many there are.
    """
    works = np.empty(1, WORKSPACE_DTYPE)
    state = states[0]
    board = state["board"]
    fill_zones(board, 1 - side, works[0]["zones"])
    target_stack = stack_at(board, target)
    count = 0
    for outward in range(8):
        # Taken anew in every round: a record does not keep its array's memory alive.
        work = works[0]
        inward = (outward + 4) & 7
        point = target
        for distance in range(1, MAX_DISTANCE + 1):
            point = int(NEXT_POINT[outward, point])
            if point < 0:
                break
            stack = stack_at(board, point)
            if stack == 0 or stack >> 15 != side:
                continue
            for slot in range(3):
                code = code_at(stack, slot)
                if code == 0:
                    break
                if distance > MAX_ATTACK_DISTANCE and code >> 1 != COMMANDER:
                    continue
                if attacks_along(state, work, side, point, code, inward, distance, target_stack):
                    attackers[count] = point << 2 | slot
                    count += 1
    return count
