"""What a Banqi position looks like: as text, as a picture, as SVG.

    text        4   H   .   ?   ?   g   .   .   ?        Red upper case, Black lower case,
                                                         ? face down, . empty
    picture     discs with the piece's letter; face down they show their backs

Everything here takes plain data, so that positions, environments and notebooks can draw alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.board import COLUMNS, NUM_CELLS, NUM_COLUMNS, NUM_ROWS
from cotulenh_env.banqi.pieces import (
    CODE_LETTERS,
    COLOUR_NAMES,
    EMPTY,
    FACE_DOWN,
    NUM_TYPES,
)
from cotulenh_env.banqi.state import DRAW, NO_COLOUR, REASONS, UNFINISHED, Record, colour_of
from cotulenh_env.render.canvas import Canvas, Color, Point, arrow
from cotulenh_env.render.raster import Picture, RasterCanvas
from cotulenh_env.render.svg import SvgCanvas
from cotulenh_env.render.text import text_grid

Board = npt.NDArray[np.int8]
"""int8 [32]: codes by cell, as in a state record."""


@dataclass(frozen=True)
class Marks:
    """What is shown besides the pieces.

    Attributes:
        caption: a line under the board, or empty.
        colour: the colour of the disc beside it, 0 red, 1 black, or NO_COLOUR for none.
        last_move: (from, to) cells of the last move, the same cell twice for a flip; or None.
    """

    caption: str = ""
    colour: int = NO_COLOUR
    last_move: tuple[int, int] | None = None


NO_MARKS = Marks()


def marks_of(state: Record) -> Marks:
    """What a drawing shows of a record besides the pieces: whose turn it is, or the result."""
    winner = int(state["winner"])
    if winner == DRAW:
        return Marks(f"Draw: {REASONS[state['reason']]}")
    if winner != UNFINISHED:
        colour = colour_of(state, winner)
        reason = REASONS[state["reason"]]
        return Marks(f"{_player_name(winner, colour)} wins: {reason}", colour)
    player = int(state["player"])
    colour = colour_of(state, player)
    return Marks(f"{_player_name(player, colour)} to move", colour)


def _player_name(player: int, colour: int) -> str:
    if colour == NO_COLOUR:
        return f"Player {player} (no colour yet)"
    return f"{COLOUR_NAMES[colour]} (player {player})"


# --- text ---------------------------------------------------------------------------------------


def draw_text(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as a grid of text.

    Args:
        board: int8 [32].
        marks: the caption; the rest is for pictures.

    Returns:
        Lines, the last one being the caption, if there is one.
    """
    cells = [[CODE_LETTERS[code] for code in row] for row in board.reshape(NUM_ROWS, -1).tolist()]
    row_labels = [str(row) for row in range(NUM_ROWS, 0, -1)]
    grid = text_grid(cells, row_labels, list(COLUMNS))
    return "\n".join([grid, *([marks.caption] if marks.caption else [])])


# --- pictures -----------------------------------------------------------------------------------

PITCH = 84
"""Pixels between the middles of neighbouring cells."""

_MARGIN = 44
_CAPTION = 36

WIDTH = NUM_COLUMNS * PITCH + 2 * _MARGIN
HEIGHT = NUM_ROWS * PITCH + 2 * _MARGIN + _CAPTION

_FRAME: Color = (35, 46, 58)
_LABEL: Color = (196, 206, 212)
_WOOD: Color = (226, 196, 146)
_LINE: Color = (122, 88, 48)
_SHADOW: Color = (40, 24, 10, 70)
_CREAM: Color = (250, 240, 216)
_BACK: Color = (150, 104, 58)
_BACK_LINE: Color = (104, 68, 34)
_HIGHLIGHT: Color = (255, 226, 92, 150)
_ARROW: Color = (214, 140, 20, 190)
_INK: tuple[Color, Color] = ((186, 36, 32), (34, 38, 46))

_RADIUS = 0.4 * PITCH


def draw_picture(board: Board, marks: Marks = NO_MARKS) -> Picture:
    """The position as a picture, uint8 [HEIGHT, WIDTH, 3].

    Args:
        board: int8 [32].
        marks: what to show besides the pieces.
    """
    canvas = RasterCanvas(WIDTH, HEIGHT, _FRAME)
    _draw_position(canvas, board, marks)
    return canvas.picture()


def draw_svg(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as an SVG document.

    Args:
        board: int8 [32].
        marks: what to show besides the pieces.
    """
    canvas = SvgCanvas(WIDTH, HEIGHT, _FRAME)
    _draw_position(canvas, board, marks)
    return canvas.svg()


def _place(cell: int) -> Point:
    row, column = divmod(cell, NUM_COLUMNS)
    return _MARGIN + (column + 0.5) * PITCH, _MARGIN + (row + 0.5) * PITCH


def _draw_position(canvas: Canvas, board: Board, marks: Marks) -> None:
    _draw_board(canvas)
    for cell in sorted(set(marks.last_move or ())):
        x, y = _place(cell)
        half = 0.47 * PITCH
        canvas.rectangle(x - half, y - half, 2 * half, 2 * half, _HIGHLIGHT, 0.1 * PITCH)
    for cell in range(NUM_CELLS):
        if board[cell] != EMPTY:
            _draw_piece(canvas, int(board[cell]), *_place(cell))
    if marks.last_move is not None and marks.last_move[0] != marks.last_move[1]:
        start, end = map(_place, marks.last_move)
        canvas.polygon(arrow(start, end, 0.1 * PITCH, 0.3 * PITCH), _ARROW)
    if marks.caption:
        x, y = WIDTH / 2, HEIGHT - _CAPTION / 2 - 6
        canvas.text(x, y, marks.caption, 17, _LABEL)
        if marks.colour != NO_COLOUR:
            canvas.circle(x - 4.3 * len(marks.caption) - 18, y, 8, _INK[marks.colour], _CREAM, 1.5)


def _draw_board(canvas: Canvas) -> None:
    width, height = NUM_COLUMNS * PITCH, NUM_ROWS * PITCH
    canvas.rectangle(_MARGIN - 8, _MARGIN - 8, width + 16, height + 16, _WOOD, 8)
    for row in range(NUM_ROWS + 1):
        line_y = _MARGIN + row * PITCH
        canvas.line([(_MARGIN, line_y), (_MARGIN + width, line_y)], _LINE, 2)
    for column in range(NUM_COLUMNS + 1):
        line_x = _MARGIN + column * PITCH
        canvas.line([(line_x, _MARGIN), (line_x, _MARGIN + height)], _LINE, 2)
    for row in range(NUM_ROWS):
        for x in (_MARGIN / 2 - 4, WIDTH - _MARGIN / 2 + 4):
            canvas.text(x, _MARGIN + (row + 0.5) * PITCH, str(NUM_ROWS - row), 17, _LABEL)
    for column, letter in enumerate(COLUMNS):
        for y in (_MARGIN / 2 - 4, _MARGIN * 1.5 + height + 4):
            canvas.text(_MARGIN + (column + 0.5) * PITCH, y, letter, 17, _LABEL)


def _draw_piece(canvas: Canvas, code: int, x: float, y: float) -> None:
    r = _RADIUS
    canvas.circle(x, y + 2.5, r + 0.5, _SHADOW)
    if code == FACE_DOWN:
        canvas.circle(x, y, r, _BACK_LINE)
        canvas.circle(x, y, r - 3, _BACK)
        canvas.circle(x, y, 0.55 * r, None, _BACK_LINE, 2)
        canvas.circle(x, y, 0.2 * r, _BACK_LINE)
        return
    ink = _INK[code // NUM_TYPES]
    canvas.circle(x, y, r, ink)
    canvas.circle(x, y, r - 3, _CREAM)
    canvas.circle(x, y, r - 6, None, ink, 1.3)
    canvas.text(x, y, CODE_LETTERS[code].upper(), 0.95 * r, ink, bold=True)
