"""What a position looks like: as text, as a picture, as SVG.

    text        8  d  w  f  a  k  f  w  d     White upper case, Black lower case
                2  P  P  P  P  .  P  P  P     the line below says who is to move, and both armies
    picture     silhouettes by the place in an army, with the kind's letter (symbols.py)

Everything here takes plain data, so that positions, environments and notebooks can draw alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from cotulenh_env.cwda.armies import ARMIES
from cotulenh_env.cwda.board import FILES, NUM_SQUARES, SIZE
from cotulenh_env.cwda.loading import SIDE_NAMES, Board
from cotulenh_env.cwda.pieces import BLACK, KING, piece_letter
from cotulenh_env.cwda.state import DRAW, REASONS, UNFINISHED, Record
from cotulenh_env.cwda.symbols import draw_piece
from cotulenh_env.render.canvas import Canvas, Color, Point, arrow
from cotulenh_env.render.raster import Picture, RasterCanvas
from cotulenh_env.render.svg import SvgCanvas
from cotulenh_env.render.text import text_grid


@dataclass(frozen=True)
class Marks:
    """What is shown besides the pieces.

    Attributes:
        player: who is to move (0 White, 1 Black), or None to say nothing.
        armies: White's and Black's, as indexes of `armies.ARMIES`, or None to say nothing.
        is_check: whether the king of `player` is shown to be in check.
        last_move: (from, to) squares of the last move, or None.
        targets: squares that a piece may go to.
        caption: what the line under the board begins with; by default who is to move.
    """

    player: int | None = None
    armies: tuple[int, int] | None = None
    is_check: bool = False
    last_move: tuple[int, int] | None = None
    targets: tuple[int, ...] = ()
    caption: str | None = None


NO_MARKS = Marks()


def marks_of(state: Record) -> Marks:
    """What a drawing shows of a record besides the pieces."""
    player, winner = int(state["player"]), int(state["winner"])
    armies = int(state["armies"][0]), int(state["armies"][1])
    caption = None
    if winner != UNFINISHED:
        result = "Draw" if winner == DRAW else f"{SIDE_NAMES[winner]} wins"
        caption = f"{result}: {REASONS[state['reason']]}"
    return Marks(player, armies, is_check=bool(state["in_check"]), caption=caption)


# --- text ---------------------------------------------------------------------------------------


def draw_text(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as a grid of text.

    Args:
        board: uint8 [64].
        marks: who is to move and with what; the rest is for pictures.

    Returns:
        Lines, the last one saying who is to move and which armies play, if `marks` know.
    """
    cells = [
        [
            piece_letter(int(code)) if code else "."
            for code in board[rank * SIZE : (rank + 1) * SIZE]
        ]
        for rank in range(SIZE - 1, -1, -1)
    ]
    grid = text_grid(cells, [str(rank) for rank in range(SIZE, 0, -1)], list(FILES))
    caption = _caption(marks)
    return f"{grid}\n{caption}" if caption else grid


def _caption(marks: Marks) -> str:
    parts = []
    if marks.caption is not None:
        parts.append(marks.caption)
    elif marks.player is not None:
        check = ", in check" if marks.is_check else ""
        parts.append(f"{SIDE_NAMES[marks.player]} to move{check}")
    if marks.armies is not None:
        white, black = (ARMIES[army].name for army in marks.armies)
        parts.append(f"{white} v {black}")
    return "  ·  ".join(parts)


# --- pictures -----------------------------------------------------------------------------------

PITCH = 72
"""Pixels between the middles of neighbouring squares."""

_MARGIN = 34
_CAPTION_HEIGHT = 34

WIDTH = SIZE * PITCH + 2 * _MARGIN
HEIGHT = SIZE * PITCH + 2 * _MARGIN + _CAPTION_HEIGHT

_FRAME: Color = (46, 52, 60)
_LABEL: Color = (200, 204, 208)
_SQUARE: tuple[Color, Color] = ((150, 166, 146), (226, 226, 208))
"""Dark and light."""
_HIGHLIGHT: Color = (255, 214, 70, 130)
_ARROW: Color = (214, 140, 20, 170)
_CHECK: Color = (220, 40, 30, 150)
_TARGET: Color = (40, 90, 50, 120)


def place(square: int) -> Point:
    """Where the middle of a square lies in the picture."""
    rank, file = divmod(square, SIZE)
    return _MARGIN + (file + 0.5) * PITCH, _MARGIN + (SIZE - rank - 0.5) * PITCH


def draw_picture(board: Board, marks: Marks = NO_MARKS) -> Picture:
    """The position as a picture, uint8 [HEIGHT, WIDTH, 3].

    Args:
        board: uint8 [64].
        marks: what to show besides the pieces.
    """
    canvas = _raster_board().copy()
    _draw_position(canvas, board, marks)
    return canvas.picture()


def draw_svg(board: Board, marks: Marks = NO_MARKS) -> str:
    """The position as an SVG document.

    Args:
        board: uint8 [64].
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


def _draw_board(canvas: Canvas) -> None:
    for square in range(NUM_SQUARES):
        rank, file = divmod(square, SIZE)
        _fill_square(canvas, square, _SQUARE[(rank + file) % 2])
    for index in range(SIZE):
        x, y = place(index * SIZE + index)
        for edge in (_MARGIN / 2, SIZE * PITCH + 1.5 * _MARGIN):
            canvas.text(x, edge, FILES[index], 15, _LABEL)
            canvas.text(edge, y, str(index + 1), 15, _LABEL)


def _fill_square(canvas: Canvas, square: int, color: Color) -> None:
    x, y = place(square)
    canvas.rectangle(x - PITCH / 2, y - PITCH / 2, PITCH, PITCH, color)


def _draw_position(canvas: Canvas, board: Board, marks: Marks) -> None:
    for square in sorted(set(marks.last_move or ())):
        _fill_square(canvas, square, _HIGHLIGHT)
    if marks.is_check and marks.player is not None:
        for square in np.flatnonzero(board == KING + BLACK * marks.player).tolist():
            canvas.circle(*place(square), 0.47 * PITCH, _CHECK)
    for square in np.flatnonzero(board).tolist():
        draw_piece(canvas, int(board[square]), *place(square), 0.44 * PITCH)
    if marks.last_move is not None and marks.last_move[0] != marks.last_move[1]:
        start, end = map(place, marks.last_move)
        canvas.polygon(arrow(start, end, 0.1 * PITCH, 0.3 * PITCH), _ARROW)
    for square in marks.targets:
        x, y = place(square)
        if board[square]:
            canvas.circle(x, y, 0.44 * PITCH, None, _TARGET, 5)
        else:
            canvas.circle(x, y, 0.15 * PITCH, _TARGET)
    canvas.text(WIDTH / 2, HEIGHT - _CAPTION_HEIGHT / 2 - 4, _caption(marks), 16, _LABEL)
