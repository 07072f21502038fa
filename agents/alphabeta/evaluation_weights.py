"""The numbers of the evaluation, as a table."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from agents.checks import checked_count

_LARGEST_WEIGHT = 10_000
"""With all of them so large a position of 38 pieces is still worth less than a win."""


@dataclass(frozen=True)
class EvaluationWeights:
    """What a position is worth to a side, in tenths of an official point, 0–10000 each.

    The evaluation is the sum of these for the player to move, minus the same for the opponent.
    Commander terms count only in battles that losing the commander ends.

    Attributes:
        point: per official point of the pieces on the board (R2.2); a heroic mark is 10 of them
            (R9.2).
        hero: per heroic piece besides, for what it can do.
        mobility: per orthogonally neighbouring point that a stack's carrier could step on, empty
            and where it can stand.
        advance: per rank that a piece stands ahead of its side's back rank; commander, navies and
            headquarters left out.
        pressure: per piece, and for each point by which it is nearer than 7 to the enemy commander
            (the larger of the distances in ranks and files); commander, headquarters, engineers
            and anti-aircraft guns left out. A commander term.
        zone: per unit of air defence at work, which no passenger is, while the enemy has aircraft.
        air_cover: per such unit whose zone covers its own commander. A commander term.
        attacked_commander: lost per enemy piece that has the commander in range, on an open line
            or shooting over what stands there. A commander term.
        open_commander: lost per empty point next to the commander orthogonally, unless it is in a
            headquarters. A commander term.
        sheltered_commander: commander in a headquarters. A commander term.
        last_of_division: lost per division of which the last piece decides the battle, when one
            piece is left of it (R10.1).
        lead: per official point of lead when the turn limit is near (R10.6); from 0 it grows to
            this within the last 40 turns.
    """

    point: int = 10
    hero: int = 60
    mobility: int = 1
    advance: int = 3
    pressure: int = 7
    zone: int = 20
    air_cover: int = 15
    attacked_commander: int = 60
    open_commander: int = 6
    sheltered_commander: int = 30
    last_of_division: int = 50
    lead: int = 10

    def __post_init__(self) -> None:
        for field in fields(self):
            checked_count(field.name, getattr(self, field.name), 0, _LARGEST_WEIGHT)

    def as_records(self) -> npt.NDArray[np.void]:
        """The same as one record [1] of WEIGHTS_DTYPE, for kernels."""
        values = tuple(getattr(self, field.name) for field in fields(self))
        return np.array([values], WEIGHTS_DTYPE)


WEIGHTS_DTYPE = np.dtype([(field.name, np.int32) for field in fields(EvaluationWeights)])
