"""Scalable pictures: a `Canvas` that ends as an SVG document."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from cotulenh_env.render.canvas import CAP_HEIGHT, Color, Point


class SvgCanvas:
    """A `Canvas` that ends as the text of an SVG document."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self._width, self._height = width, height
        self._elements: list[str] = []
        self.rectangle(0, 0, width, height, background)

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: Color, radius: float = 0.0
    ) -> None:
        """See `Canvas`."""
        corners = f' rx="{_number(radius)}"' if radius else ""
        self._elements.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}"'
            f' height="{_number(height)}"{corners}{_paint("fill", fill)}/>'
        )

    def polygon(
        self,
        points: Sequence[Point],
        fill: Color | None,
        stroke: Color | None = None,
        width: float = 0.0,
    ) -> None:
        """See `Canvas`."""
        outline = f'{_outline(stroke, width)} stroke-linejoin="round"' if stroke else ""
        self._elements.append(
            f'<polygon points="{_points(points)}"{_paint("fill", fill)}{outline}/>'
        )

    def line(self, points: Sequence[Point], color: Color, width: float) -> None:
        """See `Canvas`."""
        self._elements.append(
            f'<polyline points="{_points(points)}" fill="none"{_outline(color, width)}'
            ' stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Color | None,
        stroke: Color | None = None,
        width: float = 0.0,
    ) -> None:
        """See `Canvas`."""
        self._elements.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            f"{_paint('fill', fill)}{_outline(stroke, width)}/>"
        )

    def text(
        self, x: float, y: float, text: str, size: float, color: Color, bold: bool = False
    ) -> None:
        """See `Canvas`."""
        weight = ' font-weight="bold"' if bold else ""
        self._elements.append(
            f'<text x="{_number(x)}" y="{_number(y + CAP_HEIGHT * size / 2)}"'
            f' font-size="{_number(size)}"{weight}{_paint("fill", color)}>{escape(text)}</text>'
        )

    def svg(self) -> str:
        """The document."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {self._height}"'
            f' width="{self._width}" height="{self._height}" font-family="sans-serif"'
            ' text-anchor="middle">'
        )
        return "\n".join([head, *self._elements, "</svg>\n"])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _paint(attribute: str, color: Color | None) -> str:
    if color is None:
        return f' {attribute}="none"'
    red, green, blue, *opacity = color
    paint = f' {attribute}="#{red:02x}{green:02x}{blue:02x}"'
    if opacity:
        paint += f' {attribute}-opacity="{_number(opacity[0] / 255)}"'
    return paint


def _outline(color: Color | None, width: float) -> str:
    if color is None:
        return ""
    return f'{_paint("stroke", color)} stroke-width="{_number(width)}"'
