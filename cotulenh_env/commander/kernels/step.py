"""One step of many games in one call: playing, legal actions, mask and observation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.kernels.apply import apply_action
from cotulenh_env.commander.kernels.legal import list_legal_actions
from cotulenh_env.commander.kernels.observe import observe
from cotulenh_env.commander.kernels.outcome import settle_no_move
from cotulenh_env.commander.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.commander.state import UNFINISHED, Records
from cotulenh_env.kernel import kernel

Integers = npt.NDArray[np.int32]
IntegerRows = npt.NDArray[np.int32]


@kernel
def step(
    states: Records,
    actions: Integers,
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
        legal_actions: int32 [n, width], overwritten, padded with -1; a row's list stops at the
            width. Or [0, width]: not wanted, nor are counts and mask.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 132], overwritten; or [0, planes, 132]: not wanted.
        players: int32 [n], whose observations; or [0]: those of the player to move.
    """
    works = np.empty(1, WORKSPACE_DTYPE)
    first = np.empty(1, np.int32)
    for row in range(len(states)):
        # Taken anew in every round: a record does not keep its array's memory alive, the array's
        # last use does.
        work = works[0]
        state = states[row]
        if len(actions):
            apply_action(state, work, int(actions[row]))
        if len(actions) or len(legal_actions):
            wanted = legal_actions[row] if len(legal_actions) else first
            count = list_legal_actions(state, work, wanted)
            if count == 0 and state["winner"] == UNFINISHED:
                settle_no_move(state)
            if len(legal_actions):
                counts[row] = count
                for index in range(count, legal_actions.shape[1]):
                    legal_actions[row, index] = -1
            if len(mask):
                # Clearing the row costs less than remembering what was set.
                for action in range(mask.shape[1]):
                    mask[row, action] = 0
                for index in range(count):
                    mask[row, legal_actions[row, index]] = 1
        if len(observations):
            player = int(players[row]) if len(players) else int(state["player"])
            observe(state, player, observations[row], work["zones"])


NO_INTEGERS = np.empty(0, np.int32)
NO_LISTS = np.empty((0, 0), np.int32)
NO_MASK = np.empty((0, 0), np.int8)
NO_PLANES = np.empty((0, 0, 0), np.float32)
"""What is not wanted of `step`."""


def fill_legal_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`step` that only lists legal actions. It is no kernel: one entry point compiles but once."""
    step(states, NO_INTEGERS, legal_actions, counts, NO_MASK, NO_PLANES, NO_INTEGERS)


def apply_actions(states: Records, actions: Integers) -> None:
    """`step` that only plays."""
    step(states, actions, NO_LISTS, NO_INTEGERS, NO_MASK, NO_PLANES, NO_INTEGERS)


def fill_observations(
    states: Records, players: Integers, observations: npt.NDArray[np.float32]
) -> None:
    """`step` that only observes, for the given players."""
    step(states, NO_INTEGERS, NO_LISTS, NO_INTEGERS, NO_MASK, observations, players)
