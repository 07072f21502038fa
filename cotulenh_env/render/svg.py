"""Scalable pictures: a `Canvas` that ends as an SVG document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from cotulenh_env.render.canvas import CAP_HEIGHT, Color, Point
from cotulenh_env.render.clip import Window


class SvgCanvas:
    """A `Canvas` that ends as the text of an SVG document.

    Args:
        width: of the drawing.
        height: of the drawing.
        background: its colour.
        window: the part of the drawing that the document shows, or None for all of it; what lies
            outside is left out.
    """

    def __init__(
        self, width: int, height: int, background: Color, window: Window | None = None
    ) -> None:
        self._cuts = window is not None
        self._window = window or Window(0, 0, width, height)
        self._elements: list[str] = []
        self.rectangle(*self._window, background)

    def _leaves_out(self, points: Sequence[Point], margin: float = 0.0) -> bool:
        return self._cuts and not self._window.touches(points, margin)

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: Color, radius: float = 0.0
    ) -> None:
        """See `Canvas`."""
        if self._leaves_out([(x, y), (x + width, y + height)]):
            return
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
        if self._leaves_out(points, width):
            return
        if self._cuts and stroke is None:
            points = self._window.cut(points)
        self._append_path(f"{_path(points)}z", f"{_paint('fill', fill)}{_outline(stroke, width)}")

    def line(self, points: Sequence[Point], color: Color, width: float) -> None:
        """See `Canvas`."""
        if self._leaves_out(points, width):
            return
        self._append_path(_path(points), f' fill="none"{_outline(color, width)}')

    def _append_path(self, path: str, paint: str) -> None:
        """Adds a path, to the last element if that is one of the same opaque paint."""
        end = f'"{paint}/>'
        last = self._elements[-1] if self._elements else ""
        if last.endswith(end) and last.startswith("<path") and "opacity" not in paint:
            self._elements[-1] = f"{last.removesuffix(end)}{path}{end}"
        else:
            self._elements.append(f'<path d="{path}"{paint}/>')

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
        if self._leaves_out([(x, y)], radius + width):
            return
        self._elements.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
            f"{_paint('fill', fill)}{_outline(stroke, width)}/>"
        )

    def text(
        self, x: float, y: float, text: str, size: float, color: Color, bold: bool = False
    ) -> None:
        """See `Canvas`."""
        if self._leaves_out([(x, y)], size):
            return
        weight = ' font-weight="bold"' if bold else ""
        self._elements.append(
            f'<text x="{_number(x)}" y="{_number(y + CAP_HEIGHT * size / 2)}"'
            f' font-size="{_number(size)}"{weight}{_paint("fill", color)}>{escape(text)}</text>'
        )

    def svg(self) -> str:
        """The document."""
        x, y, width, height = map(_number, self._window)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}"'
            f' width="{width}" height="{height}" font-family="sans-serif"'
            ' text-anchor="middle" stroke-linecap="round" stroke-linejoin="round">'
        )
        return "\n".join([head, *self._elements, "</svg>\n"])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(points: Sequence[Point]) -> str:
    """Straight lines through all points, in steps from one to the next.

    A tenth of a pixel is enough for them. The steps are those between rounded places, so that
    rounding does not add up.
    """
    tenths = [(round(10 * x), round(10 * y)) for x, y in points]
    steps = [
        number
        for (x, y), (next_x, next_y) in pairwise(tenths)
        for number in (next_x - x, next_y - y)
    ]
    return f"M{_tenths(tenths[0])}l{_tenths(steps)}" if steps else f"M{_tenths(tenths[0])}"


def _tenths(numbers: Sequence[int]) -> str:
    """Numbers in tenths, as short as SVG allows: a sign needs no comma, a fraction no zero."""
    text = ""
    for number in numbers:
        short = (
            _number(number / 10).replace("0.", ".", 1) if abs(number) < 10 else _number(number / 10)
        )
        text += short if short.startswith("-") or not text else f",{short}"
    return text


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
