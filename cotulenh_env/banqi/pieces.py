"""Pieces: types, counts, letters, and the codes that stand on the board (rule 2, docs/banqi.md).

type    0 G general   1 A advisor   2 E elephant   3 R chariot   4 H horse   5 C cannon
        6 S soldier
piece   colour × 7 + type: 0–6 red, 7–13 black
code    what stands on a cell: a piece, 14 nothing, 15 a piece face down
"""

from __future__ import annotations

import numpy as np

RED, BLACK = 0, 1
COLOUR_NAMES = ("Red", "Black")
COLOUR_LETTERS = "rb"

GENERAL, ADVISOR, ELEPHANT, CHARIOT, HORSE, CANNON, SOLDIER = range(7)
NUM_TYPES = 7
TYPE_NAMES = ("general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier")

NUM_PIECES = 2 * NUM_TYPES
EMPTY = NUM_PIECES
FACE_DOWN = NUM_PIECES + 1
NUM_CODES = NUM_PIECES + 2

CODE_LETTERS = "GAERHCSgaerhcs.?"
"""Letter of each code: red upper case, black lower case."""

NUM_PER_COLOUR = 16
INITIAL_COUNTS = np.array([1, 2, 2, 2, 2, 2, 5] * 2, np.int8)
"""int8 [piece]: how many there are."""
