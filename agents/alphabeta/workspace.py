"""The arrays that one search works in: a frame per action on the way from the root.

level      0 (the root)   1   2   …   one more for every action; a turn has up to 7
frames     window, best so far, next action to try
states     the position
actions    the actions to try, best first as far as they have been tried
scores     what orders them
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.alphabeta.actions import NUM_HISTORIES
from agents.alphabeta.table import Table, new_table
from cotulenh_env.commander.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.commander.kernels.notes import NOTE_DTYPE
from cotulenh_env.commander.state import STATE_DTYPE

MAX_ACTIONS_IN_TURN = 7
"""Three groups are selected and act, then the turn is ended (R7.7)."""

FRAME_DTYPE = np.dtype(
    [
        ("key", np.int64),  # of the position, deployment included
        ("path", np.int64),  # what else its value depends on (table.py)
        ("repeated", np.int64),  # over positions that have stood more than once
        ("past", np.int64),  # over all positions that may come back
        ("alpha", np.int32),
        ("beta", np.int32),
        ("first_alpha", np.int32),  # before it was raised
        ("best", np.int32),  # the value in the end
        ("best_action", np.int32),
        ("num_actions", np.int32),
        ("next", np.int32),  # index of the action to try next
        ("depth", np.int16),  # turns to go, this one included; 0 and below: quiescence
        ("captures_only", np.int8),  # 1 where quiet actions are not tried
        ("is_probe", np.int8),  # 1 when its window is closed to ask for a bound only
    ]
)

CONTROL_DTYPE = np.dtype(
    [
        ("num_nodes", np.int64),  # positions entered since the search began
        ("node_limit", np.int64),  # pause when so many have been
        ("level", np.int32),  # of the current frame; -1 when all is done
        ("is_entering", np.int8),  # 1 when that frame is new, 0 when one above it has returned
        ("search", np.int32),  # number of the search, from 1
        ("root_turns", np.int32),  # turns played before the root
        ("num_best", np.int32),  # best actions of the root
    ]
)


class Workspace(NamedTuple):
    """The memory of one search at a time.

    Attributes:
        states: records [levels].
        frames: FRAME_DTYPE [levels].
        actions: int32 [levels, MAX_LEGAL_ACTIONS].
        scores: int32 [levels, MAX_LEGAL_ACTIONS].
        killers: int32 [levels, 2], -1 where there is none.
        history: int32 [2, num_actions], by player.
        best_actions: int32 [MAX_LEGAL_ACTIONS]: of the root, all with the same value.
        control: one record [1] of CONTROL_DTYPE.
        table: the transposition table.
        action, counts, notes: arguments of the game's `step`, one row each.
        integers, lists, mask, planes, no_notes: what is not wanted of it.
    """

    states: npt.NDArray[np.void]
    frames: npt.NDArray[np.void]
    actions: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    killers: npt.NDArray[np.int32]
    history: npt.NDArray[np.int32]
    best_actions: npt.NDArray[np.int32]
    control: npt.NDArray[np.void]
    table: Table
    action: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    notes: npt.NDArray[np.void]
    integers: npt.NDArray[np.int32]
    lists: npt.NDArray[np.int32]
    mask: npt.NDArray[np.int8]
    planes: npt.NDArray[np.float32]
    no_notes: npt.NDArray[np.void]


def new_workspace(max_turns: int, table_megabytes: int) -> Workspace:
    """Memory for searches that look at most so many turns ahead, quiescence included."""
    num_levels = max_turns * MAX_ACTIONS_IN_TURN + 2
    return Workspace(
        states=np.zeros(num_levels, STATE_DTYPE),
        frames=np.zeros(num_levels, FRAME_DTYPE),
        actions=np.empty((num_levels, MAX_LEGAL_ACTIONS), np.int32),
        scores=np.empty((num_levels, MAX_LEGAL_ACTIONS), np.int32),
        killers=np.full((num_levels, 2), -1, np.int32),
        history=np.zeros(NUM_HISTORIES, np.int32),
        best_actions=np.zeros(MAX_LEGAL_ACTIONS, np.int32),
        control=np.zeros(1, CONTROL_DTYPE),
        table=new_table(table_megabytes),
        action=np.empty(1, np.int32),
        counts=np.empty(1, np.int32),
        notes=np.zeros(1, NOTE_DTYPE),
        integers=np.empty(0, np.int32),
        lists=np.empty((0, 0), np.int32),
        mask=np.empty((0, 0), np.int8),
        planes=np.empty((0, 0, 0), np.float32),
        no_notes=np.empty(0, NOTE_DTYPE),
    )
