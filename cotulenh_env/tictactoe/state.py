"""The state record of tic-tac-toe.

0 1 2
3 4 5      cell = row × 3 + column; board 0 empty, 1 player 0 (X), 2 player 1 (O)
6 7 8
"""

from __future__ import annotations

import numpy as np

NUM_CELLS = 9
UNFINISHED, DRAW = -2, -1
"""Values of `winner` besides the players 0 and 1."""

STATE_DTYPE = np.dtype(
    [
        ("board", np.uint8, (NUM_CELLS,)),
        ("turns", np.uint8),
        ("winner", np.int8),
        ("unused", np.uint8, (5,)),
    ]
)

LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]],
    np.int64,
)
