"""Actions and moves: a pure inverse pair over the 352 action numbers (rule 3, docs/banqi.md).

    0–31      flip the cell of that number
    32–135    step: from cell 0 to 31, to its neighbour up, down, left, right, where there is one
    136–351   jump of a cannon: from cell 0 to 31, to the cells 0 to 31 of the same row or column
              that are two or more away

A step to an empty cell and a step that captures share a number. For the network the same actions
lie on planes over the cell they start from:

    plane   0       flip
            1–4     step up, down, left, right
            5–16    jump left 2–7, right 2–7
            17–20   jump up 2–3, down 2–3
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.board import (
    NEIGHBOUR,
    NUM_CELLS,
    NUM_COLUMNS,
    NUM_DIRECTIONS,
)
from cotulenh_env.errors import IllegalActionError


class ActionKind(IntEnum):
    """What an action does."""

    FLIP = 0
    STEP = 1
    JUMP = 2


class Move(NamedTuple):
    """An action taken apart.

    Attributes:
        kind: what it does.
        start: the cell it starts from, or the one to flip.
        target: the cell it goes to; of a flip the same cell.
    """

    kind: ActionKind
    start: int
    target: int


def _is_jump(start: int, target: int) -> bool:
    rows = abs(start // NUM_COLUMNS - target // NUM_COLUMNS)
    columns = abs(start % NUM_COLUMNS - target % NUM_COLUMNS)
    return min(rows, columns) == 0 and max(rows, columns) >= 2


_FLIPS = [Move(ActionKind.FLIP, cell, cell) for cell in range(NUM_CELLS)]
_STEPS = [
    Move(ActionKind.STEP, cell, int(target))
    for cell in range(NUM_CELLS)
    for target in NEIGHBOUR[cell]
    if target >= 0
]
_JUMPS = [
    Move(ActionKind.JUMP, start, target)
    for start in range(NUM_CELLS)
    for target in range(NUM_CELLS)
    if _is_jump(start, target)
]
_MOVES = (*_FLIPS, *_STEPS, *_JUMPS)
_NUMBERS = {move: action for action, move in enumerate(_MOVES)}

NUM_ACTIONS = len(_MOVES)
FIRST_STEP = len(_FLIPS)
FIRST_JUMP = FIRST_STEP + len(_STEPS)

NUM_POLICY_PLANES = 21
MAX_LEGAL_ACTIONS = 84
"""No loadable position has more legal actions; `count_bound` proves it."""


def encode(move: Move) -> int:
    """The action number of a move.

    Raises:
        IllegalActionError: no action goes between these cells.
    """
    if move not in _NUMBERS:
        raise IllegalActionError(f"no action is {move}")
    return _NUMBERS[move]


def decode(action: int) -> Move:
    """The move of an action number.

    Raises:
        IllegalActionError: the number is outside 0 … 351.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(f"action {action} is outside 0 … {NUM_ACTIONS - 1}")
    return _MOVES[action]


START = np.array([move.start for move in _MOVES], np.int64)
TARGET = np.array([move.target for move in _MOVES], np.int64)
"""int64 [action]: the cells of `Move`."""


def _build_steps() -> npt.NDArray[np.int32]:
    table = np.full((NUM_CELLS, NUM_DIRECTIONS), -1, np.int32)
    for cell in range(NUM_CELLS):
        for direction, target in enumerate(NEIGHBOUR[cell]):
            if target >= 0:
                table[cell, direction] = encode(Move(ActionKind.STEP, cell, int(target)))
    return table


def _build_jumps() -> npt.NDArray[np.int32]:
    table = np.full((NUM_CELLS, NUM_CELLS), -1, np.int32)
    for move in _JUMPS:
        table[move.start, move.target] = encode(move)
    return table


STEP_ACTION = _build_steps()
"""int32 [cell, direction]: number of the step, -1 off the board."""

JUMP_ACTION = _build_jumps()
"""int32 [start, target]: number of the jump, -1 where none goes."""


def count_bound() -> int:
    """An upper bound of legal actions in any position with at most 16 pieces face up a side.

    A cell is flipped, or holds a piece of the mover, or neither. With p such pieces there are at
    most 32 − p flips, as many steps as their cells have neighbours, at most the p largest numbers
    of these, and at most four jumps for each of two cannons.
    """
    num_neighbours = sorted((int((row >= 0).sum()) for row in NEIGHBOUR), reverse=True)
    return max(NUM_CELLS - p + sum(num_neighbours[:p]) + 2 * NUM_DIRECTIONS for p in range(17))


def policy_index() -> npt.NDArray[np.int32]:
    """int32 [num_actions]: place of each action's logit in 21 planes × 4 × 8."""
    index = np.empty(NUM_ACTIONS, np.int32)
    for action, move in enumerate(_MOVES):
        index[action] = _plane(move) * NUM_CELLS + move.start
    return index


def _plane(move: Move) -> int:
    if move.kind == ActionKind.FLIP:
        return 0
    if move.kind == ActionKind.STEP:
        return 1 + int(np.flatnonzero(NEIGHBOUR[move.start] == move.target)[0])
    rows = move.target // NUM_COLUMNS - move.start // NUM_COLUMNS
    columns = move.target % NUM_COLUMNS - move.start % NUM_COLUMNS
    if columns:
        return 5 + 6 * (columns > 0) + abs(columns) - 2
    return 17 + 2 * (rows > 0) + abs(rows) - 2


def symmetries() -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
    """The board's symmetries but the identity: mirrored left-right, up-down, both.

    Returns:
        Pairs of int32 [32], the cell whose planes move here, and int32 [352], each action's image.
    """
    cells = np.arange(NUM_CELLS, dtype=np.int32).reshape(-1, NUM_COLUMNS)
    found = []
    for mirrored in (cells[:, ::-1], cells[::-1], cells[::-1, ::-1]):
        image = mirrored.reshape(-1)  # its own inverse
        actions = [
            encode(Move(move.kind, int(image[move.start]), int(image[move.target])))
            for move in _MOVES
        ]
        found.append((np.ascontiguousarray(image), np.array(actions, np.int32)))
    return found
