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
) -> None:
    """Plays each row's action in place, then fills what the next player to move needs.

    Args:
        states: records [n].
        actions: int32 [n], legal in their rows, or [0]: nothing is played.
        legal_actions: int32 [n, width], overwritten, padded with -1; a row's list stops at the
            width. Or [0, width]: not wanted, nor are the others below.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 132], overwritten from the side of the player to move; or
            [0, planes, 132]: not wanted.
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
        wanted = legal_actions[row] if len(legal_actions) else first
        count = list_legal_actions(state, work, wanted)
        if count == 0 and state["winner"] == UNFINISHED:
            settle_no_move(state)
        if len(legal_actions) == 0:
            continue
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
            observe(state, int(state["player"]), observations[row], work["zones"])


_NO_ACTIONS = np.empty(0, np.int32)
_NO_LISTS = np.empty((0, 0), np.int32)
_NO_MASK = np.empty((0, 0), np.int8)
_NO_PLANES = np.empty((0, 0, 0), np.float32)


def fill_legal_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`step` that only lists legal actions. It is no kernel: one entry point compiles but once."""
    step(states, _NO_ACTIONS, legal_actions, counts, _NO_MASK, _NO_PLANES)


def apply_actions(states: Records, actions: Integers) -> None:
    """`step` that only plays."""
    step(states, actions, _NO_LISTS, _NO_ACTIONS, _NO_MASK, _NO_PLANES)
