"""One step of many games in flip mode in one call: the entry point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel, kernel
from cotulenh_env.kernel_arrays import NO_DRAWS, NO_INTEGERS, NO_MASK, NO_PLANES
from cotulenh_env.luzhanqi.kernels.flip import list_flip_actions, play_flip_action
from cotulenh_env.luzhanqi.kernels.flip_planes import observe_flip
from cotulenh_env.luzhanqi.kernels.outcome import settle_no_move, settle_quiet, settle_repetition
from cotulenh_env.luzhanqi.kernels.workspace import WORKSPACE_DTYPE, Workspace
from cotulenh_env.luzhanqi.state import UNFINISHED, Record, Records

Integers = npt.NDArray[np.int32]
IntegerRows = npt.NDArray[np.int32]


@kernel
def flip_step(
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
        states: records [n] of FLIP_DTYPE.
        actions: int32 [n], legal in their rows, or PASS; or [0]: nothing is played.
        draws: float64 [n] in [0, 1).
        events: int32 [n], overwritten if actions are played.
        legal_actions: int32 [n, width], overwritten, padded with -1; a row's list stops at the
            width. Or [0, width]: not wanted, nor are counts and mask.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 60], overwritten; or [0, planes, 60]: not wanted.
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
            events[row] = play_flip_action(state, int(actions[row]), float(draws[row]))
        if len(actions) or len(legal_actions):
            wanted = legal_actions[row] if len(legal_actions) else first
            count = list_and_settle(state, work, wanted, len(actions) > 0)
            if len(legal_actions):
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
            observe_flip(state, player, observations[row])


@inner_kernel
def list_and_settle(state: Record, work: Workspace, wanted: Integers, has_played: bool) -> int:
    """Lists the next player's legal actions, and ends the game if it is over."""
    if state["winner"] != UNFINISHED:
        return 0
    player = int(state["player"])
    count = list_flip_actions(state, player, work, wanted)
    if count == 0:
        # An empty list is room enough to see whether the other player has an action.
        other = np.empty(1, np.int32)
        settle_no_move(state, list_flip_actions(state, 1 - player, work, other) > 0)
    elif has_played and (settle_repetition(state) or settle_quiet(state)):
        count = 0
    return count


def fill_flip_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`flip_step` that only lists. It is no kernel: one entry point compiles but once."""
    flip_step(states, NO_INTEGERS, NO_DRAWS, NO_INTEGERS, legal_actions, counts, NO_MASK,
              NO_PLANES, NO_INTEGERS)  # fmt: skip
