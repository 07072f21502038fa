"""What a Commander Chess position looks like: as text, as a picture, as SVG.

    text        12   ~   ~   :   .   .   .   c   .        ~ sea  : coast  . land  = reef
                 5   ~  (NF) :   I   .  +T   .   .        Red upper case, Blue lower case, + heroic
    picture     round pieces on the points; the carrier is the large disc of a stack, its passengers
                are the small ones; heroic pieces have a golden ring and star

Everything here takes plain data, so that positions, environments and notebooks can draw alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import (
    FILES,
    IS_COAST,
    IS_SEA,
    NUM_FILES,
    NUM_POINTS,
    NUM_RANKS,
    point_name,
)
from cotulenh_env.commander.landscape import (
    FRAME,
    HEIGHT,
    LABEL,
    PITCH,
    SIDE_COLORS,
    WHOLE_BOARD,
    WIDTH,
    View,
    draw_frame,
    draw_landscape,
    place,
)
from cotulenh_env.commander.pieces import (
    ANTI_AIRCRAFT,
    KIND_LETTERS,
    MISSILE,
    NAVY,
    SIDE_BIT,
    is_heroic,
    piece_text,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.symbols import draw_pictogram
from cotulenh_env.commander.targets import draw_burst, draw_label, draw_sight, draw_target
from cotulenh_env.render.canvas import Canvas, Color, arrow, star
from cotulenh_env.render.raster import Picture, RasterCanvas
from cotulenh_env.render.svg import SvgCanvas
from cotulenh_env.render.text import text_grid

Board = npt.NDArray[np.uint16]
"""uint16 [132]: stacks by point, as in a state record."""

SIDE_NAMES = ("Red", "Blue")


@dataclass(frozen=True)
class Marks:
    """What is shown besides the pieces.

    Attributes:
        player: who is to move (0 Red, 1 Blue), or None to say nothing.
        origin: the point of an unfinished deployment, or None.
        unacted: bit mask of the slots at `origin` that have not acted.
        selected: bit mask of the slots at `origin` that are about to act.
        last_move: (from, to) points of the last move, or None.
        zones: sides whose air-defence zones are shown.
        targets: (point, word) of what a piece may do there; the words are those of `Position`'s
            moves (move, join, capture, strike, hqonly, shot, kamikaze) and `barred`.
        sights: (from, to) points of lines of sight.
        arrows: (from, to) points of other moves.
        labels: (point, text) of words next to points.
        caption: a line under the board; by default it says who is to move.
    """

    player: int | None = None
    origin: int | None = None
    unacted: int = 0
    selected: int = 0
    last_move: tuple[int, int] | None = None
    zones: tuple[int, ...] = ()
    targets: tuple[tuple[int, str], ...] = ()
    sights: tuple[tuple[int, int], ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    caption: str | None = None


NO_MARKS = Marks()


# --- text ---------------------------------------------------------------------------------------


def draw_text(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as a grid of text.

    Args:
        board: uint16 [132].
        marks: who is to move and the unfinished deployment; the rest is for pictures.

    Returns:
        Lines, the last one saying who is to move, if `marks` know.
    """
    cells = [
        [_cell_text(board, rank * NUM_FILES + file) for file in range(NUM_FILES)]
        for rank in range(NUM_RANKS - 1, -1, -1)
    ]
    river = ["~" if file not in "fh" else "=" for file in FILES]
    rank_labels = [str(rank) for rank in range(NUM_RANKS, 0, -1)]
    grid = text_grid(cells, rank_labels, list(FILES), {NUM_RANKS // 2 - 1: river})
    return "\n".join([grid, *_captions(board, marks)])


def _cell_text(board: Board, point: int) -> str:
    stack = int(board[point])
    codes = stack_codes(stack)
    if not codes:
        return "~" if IS_SEA[point] else ":" if IS_COAST[point] else "."
    text = pieces_text(codes) if len(codes) == 1 else f"({pieces_text(codes)})"
    return text.lower() if stack & SIDE_BIT else text


def _captions(board: Board, marks: Marks) -> list[str]:
    if marks.caption is not None:
        return [marks.caption]
    if marks.player is None:
        return []
    caption = f"{SIDE_NAMES[marks.player]} to move"
    if marks.origin is not None:
        codes = stack_codes(int(board[marks.origin]))
        caption += f", deploying {point_name(marks.origin)}"
        for mask, words in ((marks.unacted, "not yet acted"), (marks.selected, "selected")):
            chosen = [code for slot, code in enumerate(codes) if mask >> slot & 1]
            if chosen:
                caption += f", {' '.join(map(piece_text, chosen))} {words}"
    return [caption]


# --- pictures -----------------------------------------------------------------------------------

_CREAM: Color = (250, 244, 228)
_GOLD: Color = (247, 196, 46)
_DARK_GOLD: Color = (120, 84, 8)
_SHADOW: Color = (20, 24, 30, 70)
_HIGHLIGHT: Color = (255, 226, 92, 150)
_ARROW: Color = (214, 140, 20, 190)
_SELECTED: Color = (255, 255, 255)
_FACE: tuple[Color, Color] = ((206, 60, 52), (46, 104, 186))
_ZONE_FILL: tuple[Color, Color] = ((206, 60, 52, 34), (46, 104, 186, 34))
_ZONE_LINE: tuple[Color, Color] = ((206, 60, 52, 120), (46, 104, 186, 120))

_RADIUS = 0.415 * PITCH
_SMALL_RADIUS = 0.185 * PITCH
_SLOT_SHIFTS = ((0.0, 0.0), (0.33, 0.28), (-0.33, 0.28))
"""Where each slot's disc lies, in pitches from the point."""
_LIFT = 0.05 * PITCH
"""How much higher than a single piece a stack stands."""


def draw_picture(board: Board, marks: Marks = NO_MARKS, view: View = WHOLE_BOARD) -> Picture:
    """The position as a picture, uint8 [height, width, 3]; HEIGHT × WIDTH of the whole board.

    Args:
        board: uint16 [132].
        marks: what to show besides the pieces.
        view: the part of the board to show.
    """
    canvas = _raster_landscape().copy()
    _draw_position(canvas, board, marks, view)
    x, y, width, height = map(round, view.window)
    return np.ascontiguousarray(canvas.picture()[y : y + height, x : x + width])


def draw_svg(board: Board, marks: Marks = NO_MARKS, view: View = WHOLE_BOARD) -> str:
    """The position as an SVG document.

    Args:
        board: uint16 [132].
        marks: what to show besides the pieces.
        view: the part of the board to show.
    """
    canvas = SvgCanvas(WIDTH, HEIGHT, FRAME, None if view == WHOLE_BOARD else view.window)
    draw_landscape(canvas)
    _draw_position(canvas, board, marks, view)
    return canvas.svg()


@cache
def _raster_landscape() -> RasterCanvas:
    canvas = RasterCanvas(WIDTH, HEIGHT, FRAME)
    draw_landscape(canvas)
    return canvas


def _place(point: int) -> tuple[float, float]:
    return place(*divmod(point, NUM_FILES))


def _draw_position(canvas: Canvas, board: Board, marks: Marks, view: View) -> None:
    for side in marks.zones:
        _draw_zones(canvas, board, side)
    for sight in marks.sights:
        draw_sight(canvas, *map(_place, sight))
    draw_frame(canvas, view)
    lit = {marks.origin} if marks.origin is not None else set()
    lit |= set(marks.last_move or ())
    for point in sorted(filter(view.shows, lit)):
        x, y = _place(point)
        half = 0.49 * PITCH
        canvas.rectangle(x - half, y - half, 2 * half, 2 * half, _HIGHLIGHT, 0.14 * PITCH)
    for arrow_points in (marks.last_move, *marks.arrows):
        if arrow_points is not None and arrow_points[0] != arrow_points[1]:
            start, end = map(_place, arrow_points)
            canvas.polygon(arrow(start, end, 0.12 * PITCH, 0.3 * PITCH), _ARROW)
    targets = [(point, word) for point, word in marks.targets if view.shows(point)]
    for point, word in targets:
        draw_burst(canvas, *_place(point), word)
    stacks = [point for point in np.flatnonzero(board).tolist() if view.shows(point)]
    for point in stacks:
        _draw_carrier(canvas, int(board[point]), point, marks)
    for point, word in targets:
        draw_target(canvas, *_place(point), word, bool(board[point]))
    for point in stacks:  # over the marks, which would hide their letters
        _draw_passengers(canvas, int(board[point]), point, marks)
    for point, text in marks.labels:
        draw_label(canvas, *_place(point), text)
    _draw_caption(canvas, board, marks, view)


def _draw_zones(canvas: Canvas, board: Board, side: int) -> None:
    for point in range(NUM_POINTS):
        stack = int(board[point])
        reach = _air_defence(stack)
        if reach and bool(stack & SIDE_BIT) == bool(side):
            x, y = _place(point)
            radius = (reach + 0.08) * PITCH
            canvas.circle(x, y, radius, _ZONE_FILL[side], _ZONE_LINE[side], 1.5)


def _air_defence(stack: int) -> int:
    """Radius of the zone of a stack's carrier, 0 for none (R8.1)."""
    carrier = (stack_codes(stack) or [0])[0]
    radius = {ANTI_AIRCRAFT: 1, NAVY: 1, MISSILE: 2}.get(carrier >> 1, 0)
    return radius + 1 if radius and is_heroic(carrier) else radius


def _draw_carrier(canvas: Canvas, stack: int, point: int, marks: Marks) -> None:
    """Draws the carrier of a stack, or a single piece."""
    codes = stack_codes(stack)
    x, y = _place(point)
    lift = _LIFT if len(codes) > 1 else 0.0
    side = 1 if stack & SIDE_BIT else 0
    _draw_piece(canvas, codes[0], side, x, y - lift, *_part_in_turn(marks, point, 0))


def _draw_passengers(canvas: Canvas, stack: int, point: int, marks: Marks) -> None:
    """Draws the passengers of a stack, if there are any."""
    x, y = _place(point)
    side = 1 if stack & SIDE_BIT else 0
    for slot, code in enumerate(stack_codes(stack)[1:], start=1):
        right, down = _SLOT_SHIFTS[slot]
        part = _part_in_turn(marks, point, slot)
        _draw_passenger(canvas, code, side, x + right * PITCH, y + down * PITCH - _LIFT, *part)


def _part_in_turn(marks: Marks, point: int, slot: int) -> tuple[bool, bool]:
    """Whether a piece is selected in the deployment under way, and whether it has acted."""
    if point != marks.origin:
        return False, False
    chosen = bool(marks.selected >> slot & 1)
    return chosen, not (chosen or marks.unacted >> slot & 1)


def _draw_piece(
    canvas: Canvas, code: int, side: int, x: float, y: float, chosen: bool, acted: bool
) -> None:
    r = _RADIUS
    color, face = _colors(side, acted)
    canvas.circle(x, y + 2.5, r + 0.5, _SHADOW)
    if chosen:
        canvas.circle(x, y, r + 3, _SELECTED)
    canvas.circle(x, y, r, _GOLD if is_heroic(code) else color)
    canvas.circle(x, y, r - 3, color)
    canvas.circle(x, y, r - 4, face, _CREAM, 1.3)
    draw_pictogram(canvas, code >> 1, x, y - 0.16 * r, 0.46 * r, _CREAM, face)
    canvas.text(x, y + 0.62 * r, KIND_LETTERS[code >> 1], 0.42 * r, _CREAM, bold=True)
    if is_heroic(code):
        _draw_star(canvas, x + 0.72 * r, y - 0.72 * r, 0.36 * r)


def _draw_passenger(
    canvas: Canvas, code: int, side: int, x: float, y: float, chosen: bool, acted: bool
) -> None:
    r = _SMALL_RADIUS
    color, face = _colors(side, acted)
    canvas.circle(x, y + 1.5, r + 1.5, _SHADOW)
    if chosen:
        canvas.circle(x, y, r + 3.5, _SELECTED)
    canvas.circle(x, y, r + 1, _GOLD if is_heroic(code) else _CREAM)
    canvas.circle(x, y, r - 1.2, face, color, 1.2)
    canvas.text(x, y, KIND_LETTERS[code >> 1], 1.15 * r, _CREAM, bold=True)
    if is_heroic(code):
        _draw_star(canvas, x + 0.8 * r, y - 0.8 * r, 0.5 * r)


def _colors(side: int, acted: bool) -> tuple[Color, Color]:
    """Rim and face of a piece; one that has acted in this turn is greyed."""
    if not acted:
        return SIDE_COLORS[side], _FACE[side]
    return _greyed(SIDE_COLORS[side]), _greyed(_FACE[side])


def _greyed(color: Color) -> Color:
    red, green, blue = (int(0.45 * part + 0.55 * 138) for part in color[:3])
    return red, green, blue


def _draw_star(canvas: Canvas, x: float, y: float, radius: float) -> None:
    canvas.polygon(star(x, y, radius + 1.6), _DARK_GOLD)
    canvas.polygon(star(x, y, radius), _GOLD)


def _draw_caption(canvas: Canvas, board: Board, marks: Marks, view: View) -> None:
    x, y = view.caption
    for caption in _captions(board, marks) if view.has_caption else ():
        canvas.text(x, y, caption, 17, LABEL)
        if marks.player is not None:
            color = _FACE[marks.player]
            canvas.circle(x - 4 * len(caption) - 18, y, 8, color, _CREAM, 1.3)
