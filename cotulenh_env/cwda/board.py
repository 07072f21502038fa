"""The board: squares, directions and leaps as constant tables.

rank                                   square = rank × 8 + file, both from zero,
 8   56 57 58 59 60 61 62 63           rank 0 being White's back rank
 7   48 49 50 51 52 53 54 55
 6   40 41 42 43 44 45 46 47           Turned to Black, rank r becomes 7 − r and files stay:
 5   32 33 34 35 36 37 38 39           square ^ 56. What a mover sees goes up the board.
 4   24 25 26 27 28 29 30 31
 3   16 17 18 19 20 21 22 23
 2    8  9 10 11 12 13 14 15
 1    0  1  2  3  4  5  6  7
      a  b  c  d  e  f  g  h

directions   7 0 1      NW  N  NE      knight's leaps    . 7 . 0 .
             6 · 2       W  ·  E                         6 . . . 1
             5 4 3      SW  S  SE                        . . N . .
                                                         5 . . . 2
                                                         . 4 . 3 .
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, shown

SIZE = 8
NUM_SQUARES = SIZE * SIZE
FILES = "abcdefgh"

TURN = 56
"""`square ^ TURN` is the square as the other side sees it."""

NUM_DIRECTIONS = 8
DIRECTION_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""(rank, file) of one step in each direction."""

KNIGHT_STEPS = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
"""(rank, file) of each of a knight's leaps."""

STEP = np.array([SIZE * rank + file for rank, file in DIRECTION_STEPS], np.int64)
"""int64 [direction]: what one step adds to a square."""


def square_name(square: int) -> str:
    """The square in letters and numbers, for example `e4` for 28."""
    return f"{FILES[square % SIZE]}{square // SIZE + 1}"


def parse_square(text: str) -> int:
    """The square written as `e4`.

    Raises:
        PositionError: there is no such square.
    """
    if len(text) == 2 and text[0] in FILES and text[1] in "12345678":
        return (int(text[1]) - 1) * SIZE + FILES.index(text[0])
    raise PositionError(f"{shown(text)} is no square: squares are a1 to h8")


def _on_board(rank: int, file: int) -> bool:
    return 0 <= rank < SIZE and 0 <= file < SIZE


def _build_tables() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    to_edge = np.zeros((NUM_DIRECTIONS, NUM_SQUARES), np.int64)
    knight_target = np.full((NUM_SQUARES, len(KNIGHT_STEPS)), -1, np.int64)
    for square in range(NUM_SQUARES):
        rank, file = divmod(square, SIZE)
        for direction, (rank_step, file_step) in enumerate(DIRECTION_STEPS):
            while _on_board(
                rank + (to_edge[direction, square] + 1) * rank_step,
                file + (to_edge[direction, square] + 1) * file_step,
            ):
                to_edge[direction, square] += 1
        for leap, (rank_step, file_step) in enumerate(KNIGHT_STEPS):
            if _on_board(rank + rank_step, file + file_step):
                knight_target[square, leap] = square + SIZE * rank_step + file_step
    return to_edge, knight_target


TO_EDGE, KNIGHT_TARGET = _build_tables()
"""int64 [direction, square]: steps to the edge; int64 [square, leap]: target, -1 off the board."""
