"""Counting sequences of actions, to compare rules between programs. An entry point of its own."""

from __future__ import annotations

import numpy as np

from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.kernels.apply import apply_action
from cotulenh_env.cwda.kernels.legal import list_legal_actions
from cotulenh_env.cwda.kernels.outcome import settle
from cotulenh_env.cwda.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.cwda.state import STATE_DTYPE, UNFINISHED, Records
from cotulenh_env.kernel import kernel


@kernel
def count_sequences(states: Records, depth: int) -> int:
    """The number of sequences of `depth` legal actions; a game that ends earlier has none.

    Args:
        states: records [n], left as they are.
        depth: at least 1.
    """
    works = np.empty(1, WORKSPACE_DTYPE)
    line = np.empty(depth, STATE_DTYPE)  # the positions on the way down
    actions = np.empty((depth, MAX_LEGAL_ACTIONS), np.int32)
    counts = np.zeros(depth, np.int64)
    following = np.zeros(depth, np.int64)  # index of each level's next action
    total = 0
    for row in range(len(states)):
        line[0] = states[row]
        level = 0
        is_new = True
        while level >= 0:
            # Taken anew in every round: a record does not keep its array's memory alive.
            work = works[0]
            state = line[level]
            if is_new:
                count = list_legal_actions(state, work, actions[level])
                if state["winner"] == UNFINISHED:
                    settle(state, count, work["num_checkers"] > 0)
                    if state["winner"] != UNFINISHED:
                        count = 0
                counts[level] = count
                following[level] = 0
                if level == depth - 1:
                    total += count
                    counts[level] = 0
            index = following[level]
            is_new = index < counts[level]
            if is_new:
                following[level] = index + 1
                line[level + 1] = state
                apply_action(line[level + 1], work, int(actions[level, index]))
                level += 1
            else:
                level -= 1
    return total
