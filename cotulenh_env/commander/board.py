"""The board: points, terrain and unit steps as constant tables (rules R1, docs/rules.md).

rank                                          point = rank × 11 + file, both from zero,
 12  ~  ~  c  .  .  .  .  .  .  .  .          rank 0 being Red's back rank (R1.1)
 11  ~  ~  c  .  .  .  .  .  .  .  .
 10  ~  ~  c  .  .  .  .  .  .  .  .          ~  sea     (files a, b)
  9  ~  ~  c  .  .  .  .  .  .  .  .          c  coast   (file c, and d6 e6 d7 e7)
  8  ~  ~  c  .  .  .  .  .  .  .  .          .  land
  7  ~  ~  c  c  c  .  .  .  .  .  .    bank
     ~~~~~~~~~~~~~~~==|==~~==|==~~~~~    river; reefs at f6–f7 and h6–h7 (R1.3)
  6  ~  ~  c  c  c  .  .  .  .  .  .    bank
  5  ~  ~  c  .  .  .  .  .  .  .  .
  4  ~  ~  c  .  .  .  .  .  .  .  .
  3  ~  ~  c  .  .  .  .  .  .  .  .
  2  ~  ~  c  .  .  .  .  .  .  .  .
  1  ~  ~  c  .  .  .  .  .  .  .  .
     a  b  c  d  e  f  g  h  i  j  k

directions   7 0 1      NW  N  NE
             6 · 2       W  ·  E       N is towards rank 12 for the board's tables;
             5 4 3      SW  S  SE      actions turn it round for Blue.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, shown

NUM_FILES = 11
NUM_RANKS = 12
NUM_POINTS = NUM_FILES * NUM_RANKS
FILES = "abcdefghijk"

NUM_DIRECTIONS = 8
DIRECTION_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""(rank, file) of one step in each direction."""


def point_name(point: int) -> str:
    """The point in letters and numbers, for example `f4` for 38."""
    return f"{FILES[point % NUM_FILES]}{point // NUM_FILES + 1}"


def parse_point(text: str) -> int:
    """The point written as `f4`.

    Raises:
        PositionError: there is no such point.
    """
    file, rank = text[:1], text[1:]
    # isascii: int() also reads digits of other scripts.
    if file and file in FILES and rank.isascii() and rank.isdigit() and not rank.startswith("0"):
        number = int(rank) if len(rank) <= 2 else 0
        if 1 <= number <= NUM_RANKS:
            return (number - 1) * NUM_FILES + FILES.index(file)
    raise PositionError(f"{shown(text)} is no point: points are a1 to k12")


def _is_coast(rank: int, file: int) -> bool:
    return file == 2 or (rank in (5, 6) and file in (3, 4))


def _is_navigable(rank: int, file: int) -> bool:
    return file < 2 or _is_coast(rank, file)


def _is_water_cell(rank: int, file: int) -> bool:
    """Whether the cell with this lower left corner is water (R1.4)."""
    return file in (0, 1) or (rank == 5 and file in (2, 3))


def _on_board(rank: int, file: int) -> bool:
    return 0 <= rank < NUM_RANKS and 0 <= file < NUM_FILES


def _build_tables() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    next_point = np.full((NUM_DIRECTIONS, NUM_POINTS), -1, np.int16)
    navigable = np.zeros((NUM_DIRECTIONS, NUM_POINTS), np.bool_)
    deep_river = np.zeros((NUM_DIRECTIONS, NUM_POINTS), np.bool_)
    for direction, (rank_step, file_step) in enumerate(DIRECTION_STEPS):
        for point in range(NUM_POINTS):
            rank, file = divmod(point, NUM_FILES)
            to_rank, to_file = rank + rank_step, file + file_step
            if not _on_board(to_rank, to_file):
                continue
            next_point[direction, point] = to_rank * NUM_FILES + to_file
            through_water = (
                _is_water_cell(min(rank, to_rank), min(file, to_file))
                if rank_step and file_step
                else True
            )
            navigable[direction, point] = (
                _is_navigable(rank, file) and _is_navigable(to_rank, to_file) and through_water
            )
            crosses = {rank, to_rank} == {5, 6} and (file >= 2 or to_file >= 2)
            reef = file == to_file and file in (5, 7)
            deep_river[direction, point] = crosses and not reef
    return next_point, navigable, deep_river


NEXT_POINT, NAVIGABLE, DEEP_RIVER = _build_tables()
"""One unit step [direction, point]: where it leads (-1 off the board), whether a navy can make it
(R1.4), and whether it crosses the river elsewhere than by a reef (R1.3)."""

_POINTS = [divmod(point, NUM_FILES) for point in range(NUM_POINTS)]

MAX_RADIUS = 3
"""Of an air-defence zone: a heroic missile's (R8.1)."""


def _build_discs() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    discs = np.full((MAX_RADIUS + 1, NUM_POINTS, 29), -1, np.int16)
    sizes = np.zeros((MAX_RADIUS + 1, NUM_POINTS), np.int16)
    for radius in range(1, MAX_RADIUS + 1):
        for point, (rank, file) in enumerate(_POINTS):
            inside = [
                other
                for other, (other_rank, other_file) in enumerate(_POINTS)
                if (other_rank - rank) ** 2 + (other_file - file) ** 2 <= radius**2
            ]
            discs[radius, point, : len(inside)] = inside
            sizes[radius, point] = len(inside)
    return discs, sizes


DISC, DISC_SIZE = _build_discs()
"""int16 [radius, point, 29] and [radius, point]: the points within the radius, and how many."""

RANK = np.array([rank for rank, _ in _POINTS])
FILE = np.array([file for _, file in _POINTS])
"""int64 [point]."""

IS_SEA = np.array([file < 2 for _, file in _POINTS])
IS_COAST = np.array([_is_coast(rank, file) for rank, file in _POINTS])
IS_BANK = np.array([rank in (5, 6) and file >= 2 for rank, file in _POINTS])
