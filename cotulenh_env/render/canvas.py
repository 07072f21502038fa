"""What every drawing surface can do, so that one drawing serves pictures and SVG alike.

Coordinates are pixels of the finished picture, as floats: x to the right, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

Color = tuple[int, int, int] | tuple[int, int, int, int]
"""Red, green, blue, and optionally opacity, each 0–255."""

Point = tuple[float, float]

CAP_HEIGHT = 0.71
"""Height of capital letters as a share of the font size."""


class Canvas(Protocol):
    """A surface to draw on. Outlines are centred on their shape; None means not drawn."""

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: Color, radius: float = 0.0
    ) -> None:
        """A filled rectangle from its upper left corner, with rounded corners if `radius` > 0."""

    def polygon(
        self,
        points: Sequence[Point],
        fill: Color | None,
        stroke: Color | None = None,
        width: float = 0.0,
    ) -> None:
        """A closed shape."""

    def line(self, points: Sequence[Point], color: Color, width: float) -> None:
        """An open line with round ends and corners."""

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Color | None,
        stroke: Color | None = None,
        width: float = 0.0,
    ) -> None:
        """A circle around (x, y)."""

    def text(
        self, x: float, y: float, text: str, size: float, color: Color, bold: bool = False
    ) -> None:
        """One line of text; its capitals are centred on (x, y)."""


def star(x: float, y: float, radius: float, num_points: int = 5) -> list[Point]:
    """Corners of a star that stands on two points, around (x, y)."""
    corners = []
    for corner in range(2 * num_points):
        length = radius if corner % 2 == 0 else 0.42 * radius
        angle = math.pi * corner / num_points
        corners.append((x + length * math.sin(angle), y - length * math.cos(angle)))
    return corners


def arrow(start: Point, end: Point, width: float, gap: float) -> list[Point]:
    """Corners of a slim arrow from `start` to `end`, leaving `gap` free at either end."""
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    tip, tail = length - gap, min(gap, length / 2)
    neck = max(tail, tip - 2.4 * width)
    outline = [
        (tail, width / 2), (neck, width / 2), (neck, 1.4 * width), (tip, 0.0),
        (neck, -1.4 * width), (neck, -width / 2), (tail, -width / 2),
    ]  # fmt: skip
    return [
        (start[0] + a * along[0] - b * along[1], start[1] + a * along[1] + b * along[0])
        for a, b in outline
    ]
