"""Pictograms of the piece kinds, as shapes in a box from -1 to 1 (x to the right, y downwards)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ANTI_AIRCRAFT,
    ARTILLERY,
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    INFANTRY,
    MILITIA,
    MISSILE,
    NAVY,
    TANK,
)
from cotulenh_env.render.canvas import Canvas, Color, Point, star


@dataclass(frozen=True)
class Area:
    """A filled shape; a `hole` is filled with what is behind the pictogram."""

    corners: tuple[Point, ...]
    hole: bool = False


@dataclass(frozen=True)
class Stroke:
    """A line with round ends."""

    points: tuple[Point, ...]
    width: float
    hole: bool = False


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    hole: bool = False


Shape = Area | Stroke | Disc


def _mirrored(*right: Point) -> tuple[Point, ...]:
    """A shape that is symmetric about the vertical axis, from its right half, top to bottom."""
    return (*right, *((-x, y) for x, y in reversed(right)))


def _gear(num_teeth: int) -> tuple[Point, ...]:
    corners = []
    for tooth in range(num_teeth):
        for share, radius in ((-0.27, 0.68), (-0.17, 0.95), (0.17, 0.95), (0.27, 0.68)):
            angle = 2 * math.pi * (tooth + share) / num_teeth
            corners.append((radius * math.sin(angle), -radius * math.cos(angle)))
    return tuple(corners)


def _rifle(side: int) -> tuple[Shape, ...]:
    return (
        Stroke(((-0.62 * side, 0.62), (0.78 * side, -0.78)), 0.17),
        Stroke(((-0.72 * side, 0.75), (-0.42 * side, 0.42)), 0.34),
        Stroke(((-0.05 * side, 0.05), (0.1 * side, 0.24)), 0.15),
    )


PICTOGRAMS: dict[int, tuple[Shape, ...]] = {
    HEADQUARTERS: (
        Stroke(((-0.5, 0.85), (-0.5, -0.88)), 0.16),
        Area(((-0.5, -0.92), (0.85, -0.52), (-0.5, -0.1))),
        Stroke(((-0.85, 0.85), (0.35, 0.85)), 0.18),
    ),
    NAVY: (
        Area(((-1.0, 0.2), (1.0, 0.2), (0.72, 0.72), (-0.72, 0.72))),
        Area(((-0.55, 0.3), (-0.55, -0.12), (-0.2, -0.12), (-0.2, -0.5), (0.18, -0.5),
              (0.18, -0.12), (0.42, -0.12), (0.42, 0.3))),
        Stroke(((0.0, -0.5), (0.0, -0.92)), 0.12),
        Stroke(((0.4, 0.02), (0.92, -0.1)), 0.12),
    ),
    AIR_FORCE: (
        Area(_mirrored((0.0, -1.0), (0.14, -0.78), (0.17, -0.3), (1.0, 0.26), (1.0, 0.48),
                       (0.17, 0.22), (0.13, 0.62), (0.42, 0.84), (0.42, 0.98), (0.0, 0.88))),
    ),
    TANK: (
        Stroke(((0.15, -0.34), (1.0, -0.34)), 0.15),
        Area(((-0.5, -0.02), (-0.38, -0.55), (0.2, -0.55), (0.4, -0.02))),
        Area(((-0.95, 0.0), (0.88, 0.0), (0.98, 0.18), (0.66, 0.7), (-0.66, 0.7), (-0.98, 0.18))),
        Disc(-0.46, 0.38, 0.15, hole=True),
        Disc(0.0, 0.38, 0.15, hole=True),
        Disc(0.46, 0.38, 0.15, hole=True),
    ),
    COMMANDER: (Area(tuple(star(0.0, 0.06, 1.05))),),
    INFANTRY: (*_rifle(1), *_rifle(-1)),
    MILITIA: (
        Area(_mirrored((0.0, -0.9), (0.75, -0.66), (0.7, 0.1), (0.38, 0.66), (0.0, 0.95))),
        Stroke(((0.0, -0.5), (0.0, 0.5)), 0.17, hole=True),
        Stroke(((-0.38, -0.16), (0.38, -0.16)), 0.17, hole=True),
    ),
    ENGINEER: (Area(_gear(8)), Disc(0.0, 0.0, 0.34, hole=True)),
    ARTILLERY: (
        Stroke(((-0.1, 0.3), (-0.95, 0.72)), 0.17),
        Stroke(((-0.55, 0.1), (0.05, -0.2)), 0.38),
        Stroke(((-0.3, -0.02), (0.92, -0.64)), 0.22),
        Disc(-0.02, 0.34, 0.44),
        Disc(-0.02, 0.34, 0.25, hole=True),
        Disc(-0.02, 0.34, 0.11),
    ),
    ANTI_AIRCRAFT: (
        Stroke(((-0.3, 0.05), (0.2, -0.9)), 0.16),
        Stroke(((0.12, 0.25), (0.62, -0.7)), 0.16),
        Disc(-0.06, 0.2, 0.34),
        Area(((-0.28, 0.2), (0.18, 0.2), (0.6, 0.85), (-0.7, 0.85))),
    ),
    MISSILE: (
        Area(_mirrored((0.0, -1.05), (0.2, -0.66), (0.22, 0.3), (0.58, 0.72), (0.58, 0.98),
                       (0.2, 0.76), (0.0, 0.76))),
        Disc(0.0, -0.38, 0.1, hole=True),
    ),
}  # fmt: skip
"""Shapes by kind, drawn in this order."""


def draw_pictogram(
    canvas: Canvas, kind: int, x: float, y: float, size: float, color: Color, behind: Color
) -> None:
    """Draws the pictogram of a piece kind.

    Args:
        canvas: where to draw.
        kind: one of `pieces.HEADQUARTERS` … `pieces.MISSILE`.
        x: the middle.
        y: the middle.
        size: half the pictogram's width.
        color: of the pictogram.
        behind: what its holes show.
    """
    for shape in PICTOGRAMS[kind]:
        paint = behind if shape.hole else color
        if isinstance(shape, Area):
            canvas.polygon([(x + size * a, y + size * b) for a, b in shape.corners], paint)
        elif isinstance(shape, Stroke):
            points = [(x + size * a, y + size * b) for a, b in shape.points]
            canvas.line(points, paint, size * shape.width)
        else:
            canvas.circle(x + size * shape.x, y + size * shape.y, size * shape.radius, paint)
