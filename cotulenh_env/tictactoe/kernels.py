"""Kernels of tic-tac-toe over records of `state.STATE_DTYPE`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import kernel
from cotulenh_env.tictactoe.state import DRAW, LINES, NUM_CELLS, UNFINISHED

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""


@kernel
def fill_legal_actions(
    states: Records, actions: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]
) -> None:
    """Writes each row's empty cells, padded with -1."""
    for row in range(len(states)):
        state = states[row]
        count = 0
        if state["winner"] == UNFINISHED:
            for cell in range(NUM_CELLS):
                if state["board"][cell] == 0:
                    actions[row, count] = cell
                    count += 1
        counts[row] = count
        for column in range(count, NUM_CELLS):
            actions[row, column] = -1


@kernel
def apply_actions(states: Records, actions: npt.NDArray[np.int32]) -> None:
    """Marks each row's cell in place, and settles who has won."""
    for row in range(len(states)):
        state = states[row]
        player = int(state["turns"]) % 2
        state["board"][actions[row]] = player + 1
        state["turns"] += 1
        if _has_line(state, player + 1):
            state["winner"] = player
        elif state["turns"] == NUM_CELLS:
            state["winner"] = DRAW


@kernel
def _has_line(state: Any, mark: int) -> bool:
    board = state["board"]
    for line in range(len(LINES)):
        if (
            board[LINES[line, 0]] == mark
            and board[LINES[line, 1]] == mark
            and board[LINES[line, 2]] == mark
        ):
            return True
    return False
