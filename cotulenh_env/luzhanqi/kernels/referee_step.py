"""One step of many games in referee mode in one call: the entry point."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel, kernel
from cotulenh_env.kernel_arrays import NO_INTEGERS, NO_MASK, NO_PLANES
from cotulenh_env.luzhanqi.actions import (
    END_STEP,
    FIRST_PLACEMENT,
    NUM_ANNOUNCEMENTS,
    NUM_REFEREE_ACTIONS,
)
from cotulenh_env.luzhanqi.kernels.outcome import settle_no_move, settle_quiet
from cotulenh_env.luzhanqi.kernels.referee import list_referee_actions, play_referee_action
from cotulenh_env.luzhanqi.kernels.referee_planes import observe_referee
from cotulenh_env.luzhanqi.kernels.workspace import WORKSPACE_DTYPE, Workspace
from cotulenh_env.luzhanqi.state import BY_BOTH_IMMOBILE, BY_NO_MOVE, UNFINISHED, Record, Records

Integers = npt.NDArray[np.int32]
IntegerRows = npt.NDArray[np.int32]

_COURSE_MASK = (1 << 62) - 1

_rng = np.random.Generator(np.random.PCG64(6004))
_ACTION_WORDS = _rng.integers(0, 2**62, NUM_REFEREE_ACTIONS + 1, np.int64)
"""int64 [action]: what was played; the last one is PASS."""
_ACTION_WORDS[FIRST_PLACEMENT:-1] = _ACTION_WORDS[FIRST_PLACEMENT]  # nobody sees where
_EVENT_WORDS = _rng.integers(0, 2**62, NUM_ANNOUNCEMENTS, np.int64)
"""int64 [event]."""


@kernel
def referee_step(
    states: Records,
    actions: Integers,
    events: Integers,
    legal_actions: IntegerRows,
    counts: Integers,
    mask: npt.NDArray[np.int8],
    observations: npt.NDArray[np.float32],
    players: Integers,
) -> None:
    """Plays each row's action in place, then fills what is wanted of the state it leads to.

    Args:
        states: records [n] of REFEREE_DTYPE.
        actions: int32 [n], legal in their rows, or PASS; or [0]: nothing is played.
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
        event = 0
        if len(actions):
            event = play_referee_action(state, int(actions[row]))
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
        if len(actions):
            events[row] = announce(state, int(actions[row]), event)
        if len(observations):
            player = int(players[row]) if len(players) else int(state["player"])
            observe_referee(state, player, observations[row])


@inner_kernel
def list_and_settle(state: Record, work: Workspace, wanted: Integers, has_played: bool) -> int:
    """Lists the next player's legal actions, and ends the game if it is over."""
    if state["winner"] != UNFINISHED:
        return 0
    player = int(state["player"])
    count = list_referee_actions(state, player, work, wanted)
    if count == 0:
        # An empty list is room enough to see whether the other player has an action.
        other = np.empty(1, np.int32)
        settle_no_move(state, list_referee_actions(state, 1 - player, work, other) > 0)
    elif has_played and settle_quiet(state):
        count = 0
    return count


@inner_kernel
def announce(state: Record, action: int, event: int) -> int:
    """Adds a game's end to the event of its last action; everybody hears of it."""
    event += END_STEP * _end_of(state)
    _note_course(state, action, event)
    return event


@inner_kernel
def _end_of(state: Record) -> int:
    """What is announced of an end that nobody could foresee (actions.py)."""
    if state["reason"] == BY_NO_MOVE:
        return 1
    return 2 if state["reason"] == BY_BOTH_IMMOBILE else 0


@inner_kernel
def _note_course(state: Record, action: int, event: int) -> None:
    """Mixes what everybody has seen into the running hash (xorshift, Marsaglia 2003)."""
    course = int(state["course"])
    course = (course ^ (course << 13)) & _COURSE_MASK
    course ^= course >> 7
    course = (course ^ (course << 17)) & _COURSE_MASK
    state["course"] = course ^ int(_ACTION_WORDS[action]) ^ int(_EVENT_WORDS[event])


def fill_referee_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`referee_step` that only lists. It is no kernel: one entry point compiles but once."""
    referee_step(states, NO_INTEGERS, NO_INTEGERS, legal_actions, counts, NO_MASK, NO_PLANES,
                 NO_INTEGERS)  # fmt: skip
