"""One step of many games in one call: playing, legal actions, mask and observation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.apply import apply_action
from cotulenh_env.commander.kernels.deploy import MAX_GROUP_ACTIONS, NUM_LEVELS
from cotulenh_env.commander.kernels.heroes import MAX_PROMOTIONS
from cotulenh_env.commander.kernels.legal import list_legal_actions
from cotulenh_env.commander.kernels.observe import observe
from cotulenh_env.commander.state import Records
from cotulenh_env.kernel import kernel

Integers = npt.NDArray[np.int32]


@kernel
def step(
    states: Records,
    actions: Integers,
    legal_actions: Integers,
    counts: Integers,
    mask: npt.NDArray[np.int8],
    observations: npt.NDArray[np.float32],
) -> None:
    """Plays each row's action in place, then fills what the next player to move needs.

    Args:
        states: records [n].
        actions: int32 [n], legal in their rows, or [0]: nothing is played.
        legal_actions: int32 [n, width], overwritten, padded with -1.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 132], overwritten from the side of the player to move; or
            [0, planes, 132]: not wanted.
    """
    scratch = np.empty(NUM_LEVELS + 1, states.dtype)
    zones = np.empty(NUM_POINTS, np.int32)
    candidates = np.empty((NUM_LEVELS + 2, MAX_GROUP_ACTIONS), np.int32)
    promotions = np.empty(MAX_PROMOTIONS, np.int32)
    for row in range(len(states)):
        state = states[row]
        if len(actions):
            apply_action(state, int(actions[row]), scratch, zones, candidates, promotions)
        count = list_legal_actions(state, legal_actions[row], scratch, zones, candidates)
        counts[row] = count
        legal_actions[row, count:] = -1
        if len(mask):
            # Clearing the row costs less than remembering what was set.
            mask[row, :] = 0
            for index in range(count):
                mask[row, legal_actions[row, index]] = 1
        if len(observations):
            observe(state, int(state["player"]), observations[row], zones)
