"""Marks on points that say what a piece may do there, for diagrams of the rules.

    move       green dot                     shot       small flame: the flight ends here in fire
    join       green ring                    kamikaze   large flame, red ring: both are lost
    capture    red ring                      barred     cross: not allowed
    strike     red cross-hairs: the attacker stays where it is; hqonly likewise

A capture that may also be a strike shows ring and cross-hairs. Flames lie under the pieces, all
else over them, but under the passengers.
"""

from __future__ import annotations

import math

from cotulenh_env.commander.landscape import PITCH
from cotulenh_env.render.canvas import Canvas, Color, Point, star

WORDS = ("move", "join", "capture", "strike", "hqonly", "shot", "kamikaze", "barred")

_GREEN: Color = (24, 138, 62)
_RED: Color = (226, 24, 84)
_FLAME: Color = (240, 112, 16)
_EMBER: Color = (255, 214, 64)
_BARRED: Color = (120, 40, 40)
_HALO: Color = (255, 255, 255)
_SIGHT: Color = (112, 52, 160)
_INK: Color = (30, 36, 44)
_PLATE: Color = (250, 244, 228)

_RING = 0.465 * PITCH
_DASH = 0.16 * PITCH


def draw_burst(canvas: Canvas, x: float, y: float, word: str) -> None:
    """Draws the flame of a flight that is lost, and nothing for other words."""
    if word == "kamikaze":
        canvas.polygon(star(x, y, 0.78 * PITCH, 12), _FLAME)
        canvas.polygon(star(x, y, 0.62 * PITCH, 12), _EMBER)
    elif word == "shot":
        canvas.polygon(star(x, y, 0.36 * PITCH, 9), _FLAME)
        canvas.polygon(star(x, y, 0.22 * PITCH, 9), _EMBER)


def draw_target(canvas: Canvas, x: float, y: float, word: str, occupied: bool = False) -> None:
    """Draws the mark of one of `WORDS` but for its flame.

    Args:
        canvas: where to draw.
        x: of the point.
        y: of the point.
        word: which mark.
        occupied: whether a piece stands there, which a cross should not hide.
    """
    if word == "move":
        canvas.circle(x, y, 0.15 * PITCH, _GREEN, _HALO, 2)
    elif word == "join":
        _ring(canvas, x, y, _GREEN)
    elif word in ("capture", "kamikaze"):
        _ring(canvas, x, y, _RED)
    elif word in ("strike", "hqonly"):
        _cross_hairs(canvas, x, y)
    elif word == "barred":
        r = 0.17 * PITCH
        if occupied:
            r, x, y = 0.14 * PITCH, x + 0.31 * PITCH, y - 0.31 * PITCH
        for color, width in ((_HALO, 8.0), (_BARRED, 4.5)):
            canvas.line([(x - r, y - r), (x + r, y + r)], color, width)
            canvas.line([(x - r, y + r), (x + r, y - r)], color, width)


def draw_sight(canvas: Canvas, start: Point, end: Point) -> None:
    """Draws a line of sight, dashed."""
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    num_dashes = max(1, round(length / (2 * _DASH)))
    for dash in range(num_dashes):
        ends = [
            (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            for share in ((dash + 0.25) / num_dashes, (dash + 0.75) / num_dashes)
        ]
        canvas.line(ends, _SIGHT, 5)


def draw_label(canvas: Canvas, x: float, y: float, text: str) -> None:
    """Draws a word on a plate, above the point."""
    half = 4.6 * len(text) + 7
    canvas.rectangle(x - half, y - 0.2 * PITCH - 11, 2 * half, 22, _PLATE, 6)
    canvas.text(x, y - 0.2 * PITCH, text, 15, _INK, bold=True)


def _ring(canvas: Canvas, x: float, y: float, color: Color) -> None:
    canvas.circle(x, y, _RING, None, _HALO, 7)
    canvas.circle(x, y, _RING, None, color, 4.5)


def _cross_hairs(canvas: Canvas, x: float, y: float) -> None:
    near, below_letter, far = 0.27 * PITCH, 0.43 * PITCH, 0.62 * PITCH
    for color, width in ((_HALO, 8.5), (_RED, 5.5)):
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            start = below_letter if down == 1 else near
            hair = [(x + reach * right, y + reach * down) for reach in (start, far)]
            canvas.line(hair, color, width)
