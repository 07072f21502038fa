"""Pictures as arrays, drawn with Pillow: smooth edges by supersampling, its own bundled font."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from cotulenh_env.render.canvas import CAP_HEIGHT, Color, Point

Picture = npt.NDArray[np.uint8]
"""uint8 [height, width, 3]: red, green, blue."""

_SUPERSAMPLING = 3


class RasterCanvas:
    """A `Canvas` that ends as an array."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        size = (width * _SUPERSAMPLING, height * _SUPERSAMPLING)
        self._use(Image.new("RGB", size, background[:3]))

    def _use(self, image: Image.Image) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image, "RGBA")  # blends colours that have an opacity

    def copy(self) -> RasterCanvas:
        """An independent canvas with the same picture so far."""
        twin = RasterCanvas.__new__(RasterCanvas)
        twin._use(self._image.copy())
        return twin

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: Color, radius: float = 0.0
    ) -> None:
        """See `Canvas`."""
        s = _SUPERSAMPLING
        box = (x * s, y * s, (x + width) * s - 1, (y + height) * s - 1)
        self._draw.rounded_rectangle(box, radius * s, fill)

    def polygon(
        self,
        points: Sequence[Point],
        fill: Color | None,
        stroke: Color | None = None,
        width: float = 0.0,
    ) -> None:
        """See `Canvas`."""
        if fill is not None:
            self._draw.polygon(_scaled(points), fill)
        if stroke is not None:
            self.line([*points, points[0]], stroke, width)

    def line(self, points: Sequence[Point], color: Color, width: float) -> None:
        """See `Canvas`. Opaque colours only: an end covers a part of its line again."""
        scaled = _scaled(points)
        thickness = max(1, round(width * _SUPERSAMPLING))
        self._draw.line(scaled, color, thickness, joint="curve")
        r = (thickness - 1) / 2
        if r >= 1:
            for x, y in (scaled[0], scaled[-1]):
                self._draw.ellipse((x - r, y - r, x + r, y + r), color)

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
        s = _SUPERSAMPLING
        r = (radius + (width / 2 if stroke is not None else 0.0)) * s
        box = (x * s - r, y * s - r, x * s + r, y * s + r)
        self._draw.ellipse(box, fill, stroke, max(1, round(width * s)) if stroke is not None else 0)

    def text(
        self, x: float, y: float, text: str, size: float, color: Color, bold: bool = False
    ) -> None:
        """See `Canvas`."""
        s = _SUPERSAMPLING
        self._draw.text(
            (x * s, (y + CAP_HEIGHT * size / 2) * s),
            text,
            color,
            _font(round(size * s)),
            anchor="ms",
            stroke_width=size * s * 0.025 if bold else 0,
        )

    def picture(self) -> Picture:
        """The picture so far, uint8 [height, width, 3]: a new array."""
        return np.asarray(self._image.reduce(_SUPERSAMPLING), np.uint8).copy()


def text_picture(text: str, size: int = 20) -> Picture:
    """Lines of text, dark on light, every character in a cell of the same width.

    Args:
        text: lines separated by newlines.
        size: font size in pixels.

    Returns:
        uint8 [height, width, 3].
    """
    lines = text.split("\n")
    cell_width, cell_height = round(0.74 * size), round(1.4 * size)
    width = cell_width * (max(map(len, lines)) + 2)
    height = cell_height * (len(lines) + 1)
    canvas = RasterCanvas(width, height, _PAPER)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            if not character.isspace():
                x, y = (column + 1.5) * cell_width, (row + 1) * cell_height
                canvas.text(x, y, character, size, _INK)
    return canvas.picture()


_PAPER, _INK = (250, 248, 242), (32, 34, 40)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in points]
