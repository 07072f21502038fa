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
from cotulenh_env.cwda.board import DIRECTION_STEPS, KNIGHT_STEPS, NUM_DIRECTIONS, SIZE
from cotulenh_env.cwda.pieces import KINDS, PAWN

MAX_DISTANCE = SIZE - 1
FIRST_KNIGHT_PLANE = NUM_DIRECTIONS * MAX_DISTANCE
NUM_MOVE_PLANES = FIRST_KNIGHT_PLANE + len(KNIGHT_STEPS)

MAX_LEAP = 3
"""The farthest leap along a line."""

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

REACH = np.array(
    [
        [
            (MOVES[kind, direction * MAX_DISTANCE :][:MAX_DISTANCE] == Reach.SLIDE).sum()
            for direction in range(NUM_DIRECTIONS)
        ]
        for kind in range(len(KINDS))
    ],
    np.int64,
)
"""int64 [kind, direction]: how far it slides; single steps are slides."""

LEAPS = np.array(
    [
        [
            sum(
                1 << distance
                for distance in range(1, MAX_LEAP + 1)
                if MOVES[kind, direction * MAX_DISTANCE + distance - 1] == Reach.LEAP
            )
            for direction in range(NUM_DIRECTIONS)
        ]
        for kind in range(len(KINDS))
    ],
    np.int64,
)
"""int64 [kind, direction]: bits 2 and 3 are set if it leaps that far. Always farther than it slides
in that direction."""

KNIGHT_LEAPS = np.array(
    [
        sum(1 << leap for leap in range(8) if MOVES[kind, FIRST_KNIGHT_PLANE + leap])
        for kind in range(len(KINDS))
    ],
    np.int64,
)
"""int64 [kind]: bit by leap."""


def _build_hits() -> npt.NDArray[np.int8]:
    """For a square and the displacement to an enemy from there: the way back, as the enemy sees it.

    Back is (−rank, −file), which the enemy, facing the other way, sees as (rank, −file).
    """
    captures = MOVES.copy()
    for step, reach in _PAWN_CAPTURES.items():
        captures[PAWN, PLANE_STEPS.index(step)] = reach
    mirrored = [PLANE_STEPS.index((rank, -file)) for rank, file in PLANE_STEPS]
    return np.ascontiguousarray(captures[:, mirrored])


HITS = _build_hits()
"""int8 [kind, plane]: `Reach` of an enemy piece of that kind, standing at that displacement from a
square, on the square."""

SLIDE, LEAP = int(Reach.SLIDE), int(Reach.LEAP)
"""Values in these tables, for kernels."""
