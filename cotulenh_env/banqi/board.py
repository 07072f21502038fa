"""The board: cells, their neighbours and lines as constant tables (rule 1, docs/banqi.md).

     a   b   c   d   e   f   g   h          cell = row × 8 + column, both from zero,
4    0   1   2   3   4   5   6   7   row 0  row 0 being drawn at the top
3    8   9  10  11  12  13  14  15       1
2   16  17  18  19  20  21  22  23       2  directions     0         up = one row less
1   24  25  26  27  28  29  30  31       3              2  ·  3
                                                           1         right = one column more

Nobody has a side of the board, so cells and actions are the same for both players.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, shown

NUM_ROWS = 4
NUM_COLUMNS = 8
NUM_CELLS = NUM_ROWS * NUM_COLUMNS
COLUMNS = "abcdefgh"

NUM_DIRECTIONS = 4
DIRECTION_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""(row, column) of one step up, down, left, right."""


def cell_name(cell: int) -> str:
    """The cell in letters and numbers, for example `c4` for 2."""
    return f"{COLUMNS[cell % NUM_COLUMNS]}{NUM_ROWS - cell // NUM_COLUMNS}"


def parse_cell(text: str) -> int:
    """The cell written as `c4`.

    Raises:
        PositionError: there is no such cell.
    """
    if len(text) == 2 and text[0] in COLUMNS and text[1] in "1234":
        return (NUM_ROWS - int(text[1])) * NUM_COLUMNS + COLUMNS.index(text[0])
    raise PositionError(f"{shown(text)} is no cell: cells are a1 to h4")


def _cell_at(row: int, column: int) -> int:
    inside = 0 <= row < NUM_ROWS and 0 <= column < NUM_COLUMNS
    return row * NUM_COLUMNS + column if inside else -1


NEIGHBOUR = np.array(
    [
        [_cell_at(cell // NUM_COLUMNS + down, cell % NUM_COLUMNS + right)
         for down, right in DIRECTION_STEPS]
        for cell in range(NUM_CELLS)
    ],
    np.int64,
)  # fmt: skip
"""int64 [cell, direction]: the next cell, -1 off the board."""

STRIDE = np.array([down * NUM_COLUMNS + right for down, right in DIRECTION_STEPS], np.int64)
"""int64 [direction]: what a step adds to the cell's number."""

ALL_CELLS = (1 << NUM_CELLS) - 1
FIRST_COLUMN = sum(1 << row * NUM_COLUMNS for row in range(NUM_ROWS))
LAST_COLUMN = FIRST_COLUMN << NUM_COLUMNS - 1
"""Sets of cells as bits of an integer, bit c for cell c."""

NEIGHBOURS = np.array([sum(1 << cell for cell in row if cell >= 0) for row in NEIGHBOUR.tolist()])
"""int64 [cell]: the set of its neighbours."""


def _jump_target(occupied: int, place: int, stride: int, length: int) -> int:
    """Where a jump lands on a line: the second occupied place in that direction, -1 if none."""
    is_over = False
    place += stride
    while 0 <= place < length:
        if occupied >> place & 1:
            if is_over:
                return place
            is_over = True
        place += stride
    return -1


def _build_jumps(length: int) -> npt.NDArray[np.int64]:
    return np.array(
        [
            [[_jump_target(occupied, place, stride, length) for stride in (-1, 1)]
             for occupied in range(1 << length)]
            for place in range(length)
        ],
        np.int64,
    )  # fmt: skip


ROW_JUMP = _build_jumps(NUM_COLUMNS)
"""int64 [column, occupied columns as bits, left or right]: column of a jump's target, or -1."""

COLUMN_JUMP = _build_jumps(NUM_ROWS)
"""int64 [row, occupied rows as bits, up or down]: row of a jump's target, or -1."""
