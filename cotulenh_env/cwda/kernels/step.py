"""One step of many games in one call: playing, legal actions, mask and observation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.board import NUM_SQUARES
from cotulenh_env.cwda.kernels.apply import apply_action
from cotulenh_env.cwda.kernels.legal import list_legal_actions
from cotulenh_env.cwda.kernels.notes import NOTE_DTYPE, Note
from cotulenh_env.cwda.kernels.observe import observe
from cotulenh_env.cwda.kernels.outcome import settle
from cotulenh_env.cwda.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.cwda.state import UNFINISHED, Records
from cotulenh_env.kernel import inner_kernel, kernel
from cotulenh_env.kernel_arrays import NO_INTEGERS, NO_MASK, NO_PLANES

Integers = npt.NDArray[np.int32]
IntegerRows = npt.NDArray[np.int32]
Notes = npt.NDArray[np.void]
"""A 1-D array of records of NOTE_DTYPE."""


@kernel
def step(
    states: Records,
    actions: Integers,
    legal_actions: IntegerRows,
    counts: Integers,
    mask: npt.NDArray[np.int8],
    observations: npt.NDArray[np.float32],
    players: Integers,
    notes: Notes,
) -> None:
    """Plays each row's action in place, then fills what is wanted of the state it leads to.

    Args:
        states: records [n].
        actions: int32 [n], legal in their rows, or [0]: nothing is played.
        legal_actions: int32 [n, width], overwritten, padded with -1; a row's list stops at the
            width. Or [0, width]: not wanted, nor are counts and mask.
        counts: int32 [n], overwritten.
        mask: int8 [n, num_actions], overwritten; or [0, num_actions]: not wanted.
        observations: float32 [n, planes, 64], overwritten; or [0, planes, 64]: not wanted.
        players: int32 [n], whose observations; or [0]: those of the player to move.
        notes: records [n] on what legal_actions, mask and observations hold (notes.py), brought up
            to date; or [0]: nothing is known of them.
    """
    works = np.empty(1, WORKSPACE_DTYPE)
    first = np.empty(1, np.int32)
    blank = np.zeros(1, NOTE_DTYPE)
    for row in range(len(states)):
        # Taken anew in every round: a record does not keep its array's memory alive, the array's
        # last use does.
        work = works[0]
        state = states[row]
        note = notes[row] if len(notes) else blank[0]
        if len(actions):
            apply_action(state, work, int(actions[row]))
        if len(actions) or len(legal_actions):
            if len(mask):
                _clear_mask(mask[row], legal_actions[row], note, len(notes) > 0)
            wanted = legal_actions[row] if len(legal_actions) else first
            count = list_legal_actions(state, work, wanted)
            if state["winner"] == UNFINISHED:
                settle(state, count, work["num_checkers"] > 0)
                if state["winner"] != UNFINISHED:
                    if len(legal_actions):
                        _forget(wanted, count)
                    count = 0
            if len(legal_actions):
                counts[row] = count
                stop = int(note["num_listed"]) if len(notes) else legal_actions.shape[1]
                for index in range(count, stop):
                    legal_actions[row, index] = -1
                note["num_listed"] = count
            if len(mask):
                for index in range(count):
                    mask[row, legal_actions[row, index]] = 1
        if len(observations):
            player = int(players[row]) if len(players) else int(state["player"])
            planes = observations[row]
            if len(notes) == 0:
                _blank(planes, note)
            observe(state, player, planes, note)


@inner_kernel
def _forget(legal_actions: Integers, count: int) -> None:
    """Takes back a list of what would be legal if the game were not drawn."""
    for index in range(count):
        legal_actions[index] = -1


@inner_kernel
def _clear_mask(
    mask: npt.NDArray[np.int8], legal_actions: Integers, note: Note, is_known: bool
) -> None:
    """Makes a row of the mask zero."""
    if is_known:
        for index in range(note["num_listed"]):
            mask[legal_actions[index]] = 0
        return
    for action in range(len(mask)):
        mask[action] = 0


@inner_kernel
def _blank(planes: npt.NDArray[np.float32], note: Note) -> None:
    """Makes planes zero, and the note say so."""
    for plane in range(planes.shape[0]):
        for square in range(NUM_SQUARES):
            planes[plane, square] = 0
    for square in range(NUM_SQUARES):
        note["board"][square] = 0
    note["player"] = 0
    note["passing"] = 0


NO_NOTES = np.empty(0, NOTE_DTYPE)
"""What stands for notes where there are none."""


def fill_legal_actions(states: Records, legal_actions: IntegerRows, counts: Integers) -> None:
    """`step` that only lists legal actions. It is no kernel: one entry point compiles but once."""
    step(states, NO_INTEGERS, legal_actions, counts, NO_MASK, NO_PLANES, NO_INTEGERS, NO_NOTES)
