"""The kinds' moves as tables over the 64 displacements that the action planes are made of.

    planes 0–55    N NE E SE S SW W NW × distance 1–7     direction × 7 + distance − 1
           56–63   a knight's leaps, clockwise from the narrow one forward to the right

All is seen from the side that moves: N is forward. Every kind's moves lie among these, which
`_build_moves` makes sure of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.betza import Reach, displacements
from cotulenh_env.cwda.board import (
    DIRECTION_STEPS,
    KNIGHT_STEPS,
    NUM_DIRECTIONS,
    NUM_SQUARES,
    SIZE,
)
from cotulenh_env.cwda.pieces import KINDS, PAWN

MAX_DISTANCE = SIZE - 1
FIRST_KNIGHT_PLANE = NUM_DIRECTIONS * MAX_DISTANCE
NUM_MOVE_PLANES = FIRST_KNIGHT_PLANE + len(KNIGHT_STEPS)

PLANE_STEPS = (
    *(
        (distance * rank, distance * file)
        for rank, file in DIRECTION_STEPS
        for distance in range(1, MAX_DISTANCE + 1)
    ),
    *KNIGHT_STEPS,
)
"""(rank, file) of each displacement."""

OFFSET = np.array([SIZE * rank + file for rank, file in PLANE_STEPS], np.int64)
"""int64 [plane]: what a displacement adds to a square."""

_PAWN_CAPTURES = {(1, 1): Reach.LEAP, (1, -1): Reach.LEAP}


def _build_moves() -> npt.NDArray[np.int8]:
    moves = np.zeros((len(KINDS), NUM_MOVE_PLANES), np.int8)
    for kind, data in enumerate(KINDS):
        if data.betza:
            for step, reach in displacements(data.betza).items():
                moves[kind, PLANE_STEPS.index(step)] = reach
    return moves


MOVES = _build_moves()
"""int8 [kind, plane]: `Reach` of each displacement; pawns have rules of their own."""

MAX_TARGETS = 35
"""An amazon's in the middle of the board."""


class _Walks:
    """See WALK_TARGET and the other tables."""

    def __init__(self) -> None:
        shape = len(KINDS), NUM_SQUARES, MAX_TARGETS
        self.targets = np.zeros(shape, np.int8)
        self.planes = np.zeros(shape, np.int8)
        self.skips = np.zeros(shape, np.int8)
        self.lengths = np.zeros(shape[:2], np.int8)
        for kind in range(len(KINDS)):
            planes = np.flatnonzero(MOVES[kind]).tolist()
            for square in range(NUM_SQUARES):
                self._fill(kind, square, [plane for plane in planes if _is_inside(square, plane)])

    def _fill(self, kind: int, square: int, planes: list[int]) -> None:
        length = len(planes)
        self.lengths[kind, square] = length
        self.planes[kind, square, :length] = planes
        self.targets[kind, square, :length] = square + OFFSET[planes]
        for index, plane in enumerate(planes):
            skip = index + 1
            while skip < length and _is_behind(kind, plane, planes[skip]):
                skip += 1
            self.skips[kind, square, index] = skip


def _is_inside(square: int, plane: int) -> bool:
    rank, file = square // SIZE + PLANE_STEPS[plane][0], square % SIZE + PLANE_STEPS[plane][1]
    return 0 <= rank < SIZE and 0 <= file < SIZE


def _is_behind(kind: int, plane: int, farther: int) -> bool:
    """Whether something at one displacement hides a farther one, which leaps it does not."""
    are_slides = MOVES[kind, plane] == MOVES[kind, farther] == Reach.SLIDE
    return bool(are_slides and plane // MAX_DISTANCE == farther // MAX_DISTANCE)


_WALKS = _Walks()
WALK_TARGET, WALK_PLANE, WALK_SKIP = _WALKS.targets, _WALKS.planes, _WALKS.skips
WALK_LENGTH = _WALKS.lengths
"""Where each kind goes from each square, by rising plane: int8 [kind, square, 35] the square, the
plane, and the index to go on at if something stands there; int8 [kind, square] how many."""


def _build_hits() -> npt.NDArray[np.int8]:
    """An enemy faces the other way: what is (rank, file) to the mover is (−rank, file) to it."""
    captures = MOVES.copy()
    for step, reach in _PAWN_CAPTURES.items():
        captures[PAWN, PLANE_STEPS.index(step)] = reach
    hits = np.zeros((len(KINDS), NUM_SQUARES, NUM_SQUARES), np.int8)
    for square in range(NUM_SQUARES):
        for target in range(NUM_SQUARES):
            step = square // SIZE - target // SIZE, target % SIZE - square % SIZE
            if step in PLANE_STEPS:
                hits[:, square, target] = captures[:, PLANE_STEPS.index(step)]
    return hits


HITS = _build_hits()
"""int8 [kind, square, target]: `Reach` of an enemy piece on what the mover has on the target."""


def _build_line_steps() -> npt.NDArray[np.int8]:
    steps = np.zeros((NUM_SQUARES, NUM_SQUARES), np.int8)
    for square in range(NUM_SQUARES):
        for target in range(NUM_SQUARES):
            rank, file = target // SIZE - square // SIZE, target % SIZE - square % SIZE
            if (rank, file) in PLANE_STEPS[:FIRST_KNIGHT_PLANE]:
                steps[square, target] = SIZE * int(np.sign(rank)) + int(np.sign(file))
    return steps


LINE_STEP = _build_line_steps()
"""int8 [square, target]: what one step towards the target adds; 0 if they are on no line."""

SLIDE, LEAP = int(Reach.SLIDE), int(Reach.LEAP)
"""Values in these tables, for kernels."""
