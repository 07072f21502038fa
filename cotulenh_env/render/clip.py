"""Cutting shapes to a window, for pictures that show a part of a larger drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cotulenh_env.render.canvas import Point


class Window(NamedTuple):
    """A rectangle of the drawing, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def touches(self, points: Sequence[Point], margin: float = 0.0) -> bool:
        """Whether the box around some points, widened by a margin, meets the window."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return (
            max(xs) + margin >= self.x
            and min(xs) - margin <= self.x + self.width
            and max(ys) + margin >= self.y
            and min(ys) - margin <= self.y + self.height
        )

    def cut(self, points: Sequence[Point]) -> list[Point]:
        """The part of a filled polygon inside the window (Sutherland and Hodgman); may be empty."""
        right, bottom = self.x + self.width, self.y + self.height
        rest = list(points)
        rest = _keep(rest, lambda point: point[0] - self.x)
        rest = _keep(rest, lambda point: right - point[0])
        rest = _keep(rest, lambda point: point[1] - self.y)
        return _keep(rest, lambda point: bottom - point[1])


def _keep(points: list[Point], depth: Callable[[Point], float]) -> list[Point]:
    """The polygon where `depth`, linear in the point, is not negative."""
    kept: list[Point] = []
    for before, point in zip(points[-1:] + points[:-1], points, strict=True):
        old, new = depth(before), depth(point)
        if (old < 0) != (new < 0):
            share = old / (old - new)
            kept.append(
                (
                    before[0] + share * (point[0] - before[0]),
                    before[1] + share * (point[1] - before[1]),
                )
            )
        if new >= 0:
            kept.append(point)
    return kept
