"""Sets of cells as bits of an integer, bit c for cell c."""

from __future__ import annotations

import numpy as np

from cotulenh_env.banqi.board import ALL_CELLS, NUM_CELLS
from cotulenh_env.kernel import inner_kernel

_DE_BRUIJN = 0x077CB531
"""Every five bits of it in a row, taken round, are another number."""

_CELL = np.zeros(NUM_CELLS, np.int64)
_CELL[[(_DE_BRUIJN << cell & ALL_CELLS) >> 27 for cell in range(NUM_CELLS)]] = range(NUM_CELLS)


@inner_kernel
def lowest_cell(cells: int) -> int:
    """The lowest cell of a set that is not empty."""
    return int(_CELL[((cells & -cells) * _DE_BRUIJN & ALL_CELLS) >> 27])
