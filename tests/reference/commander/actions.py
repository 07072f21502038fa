"""Actions as numbers, seen from the mover's side.

An action is `point * 111 + plane`; the planes are

      0-43   MOVE   N E S W, distance 1-11
     44-63   MOVE   NE SE SW NW, distance 1-5
     64-103  STRIKE N NE E SE S SW W NW, distance 1-5
    104-109  SELECT mask 1-6 of the pieces that have not acted, bit 0 the first of them
    110      PLACE

and END is the number after the last point. For Blue ranks are mirrored and files stay.
"""

from dataclasses import dataclass
from typing import Literal

from .board import NUM_POINTS, NUM_RANKS, RAYS, Point, direction_to, file_of, point_at, rank_of
from .pieces import BLUE

PLANES = 111
END = NUM_POINTS * PLANES
NUM_ACTIONS = END + 1
FIRST_DIAGONAL, FIRST_STRIKE, FIRST_SELECT, PLACE = 44, 64, 104, 110

ActionKind = Literal["move", "strike", "select", "place", "end"]


@dataclass(frozen=True)
class Action:
    """A decoded action in absolute coordinates; fields that its kind lacks are -1."""

    kind: ActionKind
    origin: Point = -1
    target: Point = -1
    mask: int = -1


def mirrored(point: Point, side: int) -> Point:
    """A point as the side sees it, or back."""
    if side == BLUE:
        return point_at(file_of(point), NUM_RANKS - 1 - rank_of(point))
    return point


def _line(origin: Point, target: Point) -> tuple[int, int]:
    direction = direction_to(origin, target)
    if direction is None:
        raise ValueError(f"{origin} and {target} are on no common line")
    return direction, RAYS[origin][direction].index(target) + 1


def encode_move(origin: Point, target: Point, side: int) -> int:
    start = mirrored(origin, side)
    direction, distance = _line(start, mirrored(target, side))
    if direction % 2 == 0:
        plane = direction // 2 * 11 + distance - 1
    else:
        plane = FIRST_DIAGONAL + direction // 2 * 5 + distance - 1
    return start * PLANES + plane


def encode_strike(origin: Point, target: Point, side: int) -> int:
    start = mirrored(origin, side)
    direction, distance = _line(start, mirrored(target, side))
    return start * PLANES + FIRST_STRIKE + direction * 5 + distance - 1


def encode_select(origin: Point, mask: int, side: int) -> int:
    return mirrored(origin, side) * PLANES + FIRST_SELECT + mask - 1


def encode_place(point: Point, side: int) -> int:
    return mirrored(point, side) * PLANES + PLACE


def decode(number: int, side: int) -> Action:
    """The inverse of the encoders; refuses numbers that point off the board."""
    if number == END:
        return Action("end")
    if not 0 <= number < END:
        raise ValueError(f"no such action: {number}")
    start, plane = divmod(number, PLANES)
    origin = mirrored(start, side)
    if plane == PLACE:
        return Action("place", origin)
    if plane >= FIRST_SELECT:
        return Action("select", origin, mask=plane - FIRST_SELECT + 1)
    kind: ActionKind = "strike" if plane >= FIRST_STRIKE else "move"
    if plane >= FIRST_STRIKE:
        direction, far = divmod(plane - FIRST_STRIKE, 5)
    elif plane >= FIRST_DIAGONAL:
        quarter, far = divmod(plane - FIRST_DIAGONAL, 5)
        direction = 2 * quarter + 1
    else:
        quarter, far = divmod(plane, 11)
        direction = 2 * quarter
    ray = RAYS[start][direction]
    if far >= len(ray):
        raise ValueError(f"action {number} leads off the board")
    return Action(kind, origin, mirrored(ray[far], side))
