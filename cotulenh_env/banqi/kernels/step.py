"""One step of many games in one call: playing, legal actions, mask and observation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.kernels.apply import apply_action
from cotulenh_env.banqi.kernels.legal import list_legal_actions
from cotulenh_env.banqi.kernels.observe import observe
from cotulenh_env.banqi.state import Records
from cotulenh_env.kernel import kernel
from cotulenh_env.kernel_arrays import NO_DRAWS, NO_INTEGERS, NO_MASK, NO_PLANES

Integers = npt.NDArray[np.int32]
IntegerRows = npt.NDArray[np.int32]


@kernel
def step(
    states: Records,
    actions: Integers,
    draws: npt.NDArray[np.float64],
    events: Integers,
    legal_actions: IntegerRows,
    counts: Integers,
    mask: npt.NDArray[np.int8],
    observations: npt.NDArray[np.float32],
    players: Integers,
) -> None:
    """Plays each row's action in place, then fills what is wanted of the state it leads to.

    Args:
        states: records [n].
        actions: int32 [n], legal in their rows, or [0]: nothing is played.
        draws: float64 [n] in [0, 1), or [0] without actions.
        events: int32 [n], overwritten, or [0] without actions.
        legal_actions: int32 [n, max_legal_actions], overwritten, padded with -1; or
            [0, max_legal_actions]: not wanted, nor are counts and mask.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 32], overwritten; or [0, planes, 32]: not wanted.
        players: int32 [n], whose observations; or [0]: those of the player to move.
    """
    for row in range(len(states)):
        # Taken anew in every round: a record does not keep its array's memory alive.
        state = states[row]
        if len(actions):
            events[row] = apply_action(state, int(actions[row]), float(draws[row]))
        if len(legal_actions):
            count = list_legal_actions(state, legal_actions[row])
            counts[row] = count
            for index in range(count, legal_actions.shape[1]):
                legal_actions[row, index] = -1
            if len(mask):
                for action in range(mask.shape[1]):
                    mask[row, action] = 0
                for index in range(count):
                    mask[row, legal_actions[row, index]] = 1
        if len(observations):
            player = int(players[row]) if len(players) else int(state["player"])
            observe(state, player, observations[row])


def fill_legal_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`step` that only lists legal actions. It is no kernel: one entry point compiles but once."""
    step(
        states, NO_INTEGERS, NO_DRAWS, NO_INTEGERS, legal_actions, counts, NO_MASK, NO_PLANES,
        NO_INTEGERS,
    )  # fmt: skip
