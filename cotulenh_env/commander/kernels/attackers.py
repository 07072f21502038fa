"""Which pieces could capture what stands on a point (R4, R5, R6.4, R8.3; one by one as in R9.1).

An entry point of its own, for people who look at a position: playing never compiles it. Whether a
piece captures is asked of its own ray, as everywhere.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.kernels.attack import MAX_SIGHT, find_attackers
from cotulenh_env.commander.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.commander.state import Records
from cotulenh_env.kernel import kernel


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
    count = find_attackers(states[0], works[0], side, target, MAX_SIGHT, False, 0)
    for index in range(count):
        attackers[index] = works[0]["attackers"][index]
    return count
