"""What a position looks like: as text, as a picture, as SVG.

    text       5   +  (K)  .  ( )  +      + post on the railway  . post  ( ) camp  [ ] headquarters
               1   m  [F]  m  [ ]  .      red upper case, black lower case, ? not known
    picture    pieces are tiles with the letter of the kind; what is not known has a blank face, in
               its owner's colour where that is known

Everything here takes plain data, so that positions, environments and notebooks can draw alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from cotulenh_env.luzhanqi.board import (
    COLUMNS,
    IS_CAMP,
    IS_HEADQUARTERS,
    IS_RAIL,
    NUM_COLUMNS,
    NUM_PLACES,
    NUM_ROWS,
    RAIL_EDGES,
    ROAD_EDGES,
)
from cotulenh_env.luzhanqi.fen import UNKNOWN, Board
from cotulenh_env.luzhanqi.pieces import NUM_KINDS, code_letter
from cotulenh_env.luzhanqi.state import DRAW, FACE_DOWN, REASONS, UNFINISHED, UNKNOWN_RED, Record
from cotulenh_env.render.canvas import Canvas, Color, Point, arrow
from cotulenh_env.render.raster import Picture, RasterCanvas
from cotulenh_env.render.svg import SvgCanvas
from cotulenh_env.render.text import text_grid


@dataclass(frozen=True)
class Marks:
    """What is shown besides the pieces.

    Attributes:
        caption: a line under the board.
        last_move: (from, to) places of the last move, or None.
    """

    caption: str = ""
    last_move: tuple[int, int] | None = None


NO_MARKS = Marks()


def result_words(state: Record) -> str:
    """How a finished game ended; empty while it goes on."""
    winner = int(state["winner"])
    if winner == UNFINISHED:
        return ""
    result = "Draw" if winner == DRAW else f"Player {winner} wins"
    return f"{result}: {REASONS[state['reason']]}"


# --- text ---------------------------------------------------------------------------------------


def draw_text(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as a grid of text, row 12 first.

    Args:
        board: int8 [60]: codes by place.
        marks: its caption is the last line.
    """
    cells = [
        [_cell_text(int(board[row * NUM_COLUMNS + column]), row * NUM_COLUMNS + column)
         for column in range(NUM_COLUMNS)]
        for row in range(NUM_ROWS - 1, -1, -1)
    ]  # fmt: skip
    labels = [str(row) for row in range(NUM_ROWS, 0, -1)]
    mountains = ["|", "^", "|", "^", "|"]
    grid = text_grid(cells, labels, list(COLUMNS), {NUM_ROWS // 2 - 1: mountains})
    return f"{grid}\n{marks.caption}" if marks.caption else grid


def _cell_text(code: int, place: int) -> str:
    letter = UNKNOWN if code >= FACE_DOWN else code_letter(code) if code else ""
    if IS_CAMP[place]:
        return f"({letter or ' '})"
    if IS_HEADQUARTERS[place]:
        return f"[{letter or ' '}]"
    return letter or ("+" if IS_RAIL[place] else ".")


# --- pictures -----------------------------------------------------------------------------------

_PITCH_X, _PITCH_Y = 92, 54
_GAP = 26
"""Between the halves, where the mountains are."""
_MARGIN = 54
_CAPTION = 40

WIDTH = (NUM_COLUMNS - 1) * _PITCH_X + 2 * _MARGIN
HEIGHT = (NUM_ROWS - 1) * _PITCH_Y + _GAP + 2 * _MARGIN + _CAPTION

_FRAME: Color = (38, 46, 40)
_LAND: Color = (222, 213, 180)
_HILL: Color = (168, 158, 122)
_ROAD: Color = (150, 134, 98)
_RAIL: Color = (66, 66, 70)
_SLEEPER: Color = (232, 228, 214)
_POST: Color = (246, 241, 222)
_CAMP: Color = (150, 186, 136)
_HEADQUARTERS: Color = (206, 160, 104)
_LINE: Color = (96, 86, 62)
_LABEL: Color = (206, 212, 200)
_CREAM: Color = (250, 244, 228)
_SHADOW: Color = (20, 24, 20, 70)
_ARROW: Color = (214, 140, 20, 190)
_BACK: Color = (112, 118, 124)
_FACE: tuple[Color, Color] = ((190, 48, 42), (44, 50, 58))
"""Red and black."""

_HALF_WIDTH, _HALF_HEIGHT = 29.0, 19.0


def draw_picture(board: Board, marks: Marks = NO_MARKS) -> Picture:
    """The position as a picture, uint8 [HEIGHT, WIDTH, 3].

    Args:
        board: int8 [60]: codes by place.
        marks: what to show besides the pieces.
    """
    canvas = _raster_board().copy()
    _draw_position(canvas, board, marks)
    return canvas.picture()


def draw_svg(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as an SVG document.

    Args:
        board: int8 [60]: codes by place.
        marks: what to show besides the pieces.
    """
    canvas = SvgCanvas(WIDTH, HEIGHT, _FRAME)
    _draw_board(canvas)
    _draw_position(canvas, board, marks)
    return canvas.svg()


@cache
def _raster_board() -> RasterCanvas:
    canvas = RasterCanvas(WIDTH, HEIGHT, _FRAME)
    _draw_board(canvas)
    return canvas


def _where(place: int) -> Point:
    row, column = divmod(place, NUM_COLUMNS)
    gap = _GAP if row < NUM_ROWS // 2 else 0
    return _MARGIN + column * _PITCH_X, _MARGIN + (NUM_ROWS - 1 - row) * _PITCH_Y + gap


def _draw_board(canvas: Canvas) -> None:
    border = 30
    left, top = _MARGIN - border, _MARGIN - border
    width = (NUM_COLUMNS - 1) * _PITCH_X + 2 * border
    height = (NUM_ROWS - 1) * _PITCH_Y + _GAP + 2 * border
    canvas.rectangle(left, top, width, height, _LAND, 10)
    for column in (1, 3):
        x, y = _where(30 + column)
        middle = y + (_PITCH_Y + _GAP) / 2
        canvas.polygon([(x - 34, middle + 16), (x - 8, middle - 20), (x + 8, middle + 2),
                        (x + 16, middle - 10), (x + 36, middle + 16)], _HILL)  # fmt: skip
    for edge in ROAD_EDGES:
        canvas.line([_where(edge[0]), _where(edge[1])], _ROAD, 2)
    for edge in RAIL_EDGES:
        canvas.line([_where(edge[0]), _where(edge[1])], _RAIL, 7)
        canvas.line([_where(edge[0]), _where(edge[1])], _SLEEPER, 3)
    for place in range(NUM_PLACES):
        x, y = _where(place)
        if IS_CAMP[place]:
            canvas.circle(x, y, 20, _CAMP, _LINE, 1.5)
        elif IS_HEADQUARTERS[place]:
            canvas.rectangle(x - 33, y - 22, 66, 44, _HEADQUARTERS, 14)
        else:
            canvas.rectangle(x - 22, y - 13, 44, 26, _LINE, 4)
            canvas.rectangle(x - 20.5, y - 11.5, 41, 23, _POST, 3)
    for column, name in enumerate(COLUMNS):
        x, bottom = _where(column)
        canvas.text(x, bottom + 42, name, 15, _LABEL)
        canvas.text(x, _where(NUM_PLACES - 1)[1] - 42, name, 15, _LABEL)
    for row in range(NUM_ROWS):
        x, y = _where(row * NUM_COLUMNS)
        canvas.text(x - 42, y, str(row + 1), 15, _LABEL)
        canvas.text(WIDTH - x + 42, y, str(row + 1), 15, _LABEL)


def _draw_position(canvas: Canvas, board: Board, marks: Marks) -> None:
    for place in np.flatnonzero(board).tolist():
        _draw_piece(canvas, int(board[place]), *_where(place))
    if marks.last_move is not None and marks.last_move[0] >= 0:
        start, end = map(_where, marks.last_move)
        canvas.polygon(arrow(start, end, 7, 16), _ARROW)
    if marks.caption:
        canvas.text(WIDTH / 2, HEIGHT - 24, marks.caption, 17, _LABEL)


def _draw_piece(canvas: Canvas, code: int, x: float, y: float) -> None:
    if code == FACE_DOWN:
        face, letter = _BACK, ""
    elif code > FACE_DOWN:
        face, letter = _FACE[code - UNKNOWN_RED], UNKNOWN
    else:
        face, letter = _FACE[code > NUM_KINDS], code_letter(code).upper()
    w, h = _HALF_WIDTH, _HALF_HEIGHT
    canvas.rectangle(x - w, y - h + 2.5, 2 * w, 2 * h, _SHADOW, 6)
    canvas.rectangle(x - w, y - h, 2 * w, 2 * h, _CREAM, 6)
    canvas.rectangle(x - w + 2, y - h + 2, 2 * w - 4, 2 * h - 4, face, 5)
    if letter:
        canvas.text(x, y, letter, 22, _CREAM, bold=True)
