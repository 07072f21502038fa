"""The empty board as a landscape: sea, beach, land, river with its mouth and reefs, grid, labels.

The shore follows file c, where all points are coast, and turns inland along ranks 6 and 7 as far as
file e: there the river has its mouth. From f to k the river is narrower than the gap between the
ranks, and reefs cross it on f and h.

    ~~~~~~~~|...............................
    ~~~~~~~~|--------------.................   rank 7
    ~~~~~~~~~~~~~~~~~~~~~~~~╲=~~~~~~=~~~~~~~
    ~~~~~~~~~~~~~~~~~~~~~~~~╱=~~~~~~=~~~~~~~
    ~~~~~~~~|--------------.................   rank 6
    ~~~~~~~~|...............................
            c              e f      h
"""

from __future__ import annotations

import math
from typing import NamedTuple

from cotulenh_env.commander.board import FILES, NUM_FILES, NUM_POINTS, NUM_RANKS
from cotulenh_env.render.canvas import Canvas, Color, Point
from cotulenh_env.render.clip import Window

PITCH = 66
"""Pixels between neighbouring points."""

_MARGIN = 62
_BORDER = 36
"""From the outermost points to the edge of the landscape."""

_CAPTION = 40

WIDTH = (NUM_FILES - 1) * PITCH + 2 * _MARGIN
HEIGHT = (NUM_RANKS - 1) * PITCH + 2 * _MARGIN + _CAPTION

_LEFT = _TOP = _MARGIN - _BORDER
_RIGHT = _LEFT + (NUM_FILES - 1) * PITCH + 2 * _BORDER
_BOTTOM = _TOP + (NUM_RANKS - 1) * PITCH + 2 * _BORDER

FRAME: Color = (35, 46, 58)
LABEL: Color = (196, 206, 212)
SIDE_COLORS: tuple[Color, Color] = ((188, 44, 40), (30, 82, 158))
"""Red and Blue."""

_SEA: Color = (133, 190, 214)
_SHALLOWS: Color = (164, 211, 226)
_BEACH: Color = (240, 225, 178)
_LAND: Color = (216, 220, 176)
_SEA_LINE: Color = (99, 158, 187)
_LAND_LINE: Color = (142, 136, 104)
_FAINT_LINE: Color = (120, 176, 200)
_STONE: Color = (150, 142, 128)
_STONE_LIGHT: Color = (190, 182, 166)

_MOUTH_FILE = 4
_REEF_FILES = (5, 7)
_RIVER_HALF_WIDTH = 0.27


def place(rank: float, file: float) -> Point:
    """Where a point, or a place between points, lies in the picture; both count from zero."""
    return _MARGIN + file * PITCH, _MARGIN + (NUM_RANKS - 1 - rank) * PITCH


class View(NamedTuple):
    """The part of the board that a picture shows, between two points.

    Attributes:
        first: index of the lower left point.
        last: index of the upper right point.
        has_caption: whether there is room for a caption under the board.
    """

    first: int = 0
    last: int = NUM_POINTS - 1
    has_caption: bool = True

    @property
    def window(self) -> Window:
        """The picture's place in the drawing of the whole board, frame included."""
        x, bottom = place(*divmod(self.first, NUM_FILES))
        right, y = place(*divmod(self.last, NUM_FILES))
        height = bottom - y + 2 * _MARGIN + (_CAPTION if self.has_caption else 0)
        return Window(x - _MARGIN, y - _MARGIN, right - x + 2 * _MARGIN, height)

    @property
    def caption(self) -> Point:
        """Where the caption is centred."""
        x, y, width, height = self.window
        return x + width / 2, y + height - 24

    def shows(self, point: int) -> bool:
        """Whether a point is in the picture."""
        low, high = divmod(self.first, NUM_FILES), divmod(self.last, NUM_FILES)
        rank, file = divmod(point, NUM_FILES)
        return low[0] <= rank <= high[0] and low[1] <= file <= high[1]


WHOLE_BOARD = View()


def draw_landscape(canvas: Canvas) -> None:
    """Draws the landscape; what reaches beyond it is for `draw_frame` to cover.

    Args:
        canvas: WIDTH × HEIGHT, in the colour FRAME.
    """
    canvas.rectangle(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, _SEA)
    for inland, color in ((-0.26, _SHALLOWS), (0.0, _BEACH), (0.24, _LAND)):
        for north in (True, False):
            far = _TOP if north else _BOTTOM
            canvas.polygon([*_smooth(_shore(inland, north)), (_RIGHT, far)], color)
    _draw_waves(canvas)
    _draw_reefs(canvas)
    _draw_grid(canvas)


def _shore(inland: float, north: bool) -> list[Point]:
    """Control points of a shoreline, moved inland: from the far end of file c to the east edge."""
    edge = _BORDER / PITCH
    far = NUM_RANKS - 1 + edge
    points = [(far, 2 + inland - 0.02)]
    for half in range(21, 13, -1):
        points.append((half / 2, 2 + inland + 0.09 * math.sin(2.1 * half)))
    bank = 6 + inland * 0.8
    points += [(bank + 0.3, 2.02 + inland), (bank + 0.02, 2.25 + inland * 0.7)]
    points += [(bank + 0.03, 3.0), (bank - 0.03, 3.6), (bank, _MOUTH_FILE + 0.1)]
    middle = 5.5
    river = middle + _RIVER_HALF_WIDTH + inland * 0.6
    points += [(river + 0.05, _MOUTH_FILE + 0.55)]
    for half in range(10, 22):
        points.append((river + 0.04 * math.sin(1.7 * half), half / 2))
    points.append((river, NUM_FILES - 1 + edge))
    if not north:
        points = [(NUM_RANKS - 1 - rank, file) for rank, file in points]
    return [place(rank, file) for rank, file in points]


def _smooth(points: list[Point], num_steps: int = 6) -> list[Point]:
    """A curve through all points (Catmull–Rom)."""
    curve = []
    padded = [points[0], *points, points[-1]]
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(num_steps):
            t = step / num_steps
            curve.append(
                (_catmull_rom(p0[0], p1[0], p2[0], p3[0], t),
                 _catmull_rom(p0[1], p1[1], p2[1], p3[1], t))
            )  # fmt: skip
    return [*curve, points[-1]]


def _catmull_rom(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )


def _draw_waves(canvas: Canvas) -> None:
    crests = [(rank + 0.5, file + 0.5) for rank in range(NUM_RANKS - 1) for file in (0, 1)]
    crests += [(5.5, 2.5), (5.5, 3.5)]
    for rank, file in crests:
        for shift in (-0.1, 0.1):
            x, y = place(rank + shift, file + shift * 0.9)
            curve = [
                (x + PITCH * 0.17 * t / 6, y - 2.2 * math.sin(math.pi * t / 3))
                for t in range(-6, 7)
            ]
            canvas.line(curve, _SHALLOWS, 1.8)


def _draw_reefs(canvas: Canvas) -> None:
    stones = [
        (-0.30, -0.13, 0.075), (-0.31, 0.12, 0.085), (-0.12, -0.15, 0.09), (-0.11, 0.13, 0.075),
        (0.08, -0.13, 0.08), (0.09, 0.15, 0.09), (0.28, -0.15, 0.085), (0.29, 0.12, 0.075),
    ]  # fmt: skip
    for file in _REEF_FILES:
        x, y = place(5.5, file)
        canvas.rectangle(
            x - 0.17 * PITCH, y - 0.4 * PITCH, 0.34 * PITCH, 0.8 * PITCH, _BEACH, 0.12 * PITCH
        )
        for up, right, radius in stones:
            a, b, r = x + right * PITCH, y + up * PITCH, radius * PITCH
            canvas.circle(a, b, r, _STONE)
            canvas.circle(a - 0.2 * r, b - 0.25 * r, 0.62 * r, _STONE_LIGHT)


def _draw_grid(canvas: Canvas) -> None:
    for rank in range(NUM_RANKS):
        canvas.line([place(rank, 0), place(rank, 2)], _SEA_LINE, 1.4)
        canvas.line([place(rank, 2), place(rank, NUM_FILES - 1)], _LAND_LINE, 1.4)
    for file in range(NUM_FILES):
        if file < 2:
            canvas.line([place(0, file), place(NUM_RANKS - 1, file)], _SEA_LINE, 1.4)
            continue
        canvas.line([place(0, file), place(5, file)], _LAND_LINE, 1.4)
        canvas.line([place(6, file), place(NUM_RANKS - 1, file)], _LAND_LINE, 1.4)
        across = [place(5, file), place(6, file)]
        if file in _REEF_FILES:
            canvas.line(across, _LAND_LINE, 1.4)
        else:
            for start in (0.04, 0.24, 0.44, 0.64, 0.84):
                dash = [place(5 + start, file), place(5 + start + 0.1, file)]
                canvas.line(dash, _SEA_LINE, 1.2)


def draw_frame(canvas: Canvas, view: View = WHOLE_BOARD) -> None:
    """Draws the frame and its labels, over whatever reaches beyond the landscape.

    Args:
        canvas: the one with the landscape.
        view: the part of the board to frame.
    """
    x, y, width, height = view.window
    strip = _MARGIN - _BORDER
    left, top, right = x + strip, y + strip, x + width - strip
    bottom = y + height - strip - (_CAPTION if view.has_caption else 0)
    canvas.rectangle(x, y, width, strip, FRAME)
    canvas.rectangle(x, bottom, width, y + height - bottom, FRAME)
    canvas.rectangle(x, y, strip, height, FRAME)
    canvas.rectangle(right, y, strip, height, FRAME)
    first_rank, first_file = divmod(view.first, NUM_FILES)
    last_rank, last_file = divmod(view.last, NUM_FILES)
    # Red's and Blue's line are at the ends of the board, not where a picture of a part ends.
    if first_rank == 0:
        canvas.rectangle(left, bottom, right - left, 4, SIDE_COLORS[0])
    if last_rank == NUM_RANKS - 1:
        canvas.rectangle(left, top - 4, right - left, 4, SIDE_COLORS[1])
    for file in range(first_file, last_file + 1):
        label_x, _ = place(0, file)
        canvas.text(label_x, top - 15, FILES[file], 15, LABEL)
        canvas.text(label_x, bottom + 15, FILES[file], 15, LABEL)
    for rank in range(first_rank, last_rank + 1):
        _, label_y = place(rank, 0)
        canvas.text(left - 13, label_y, str(rank + 1), 15, LABEL)
        canvas.text(right + 13, label_y, str(rank + 1), 15, LABEL)
