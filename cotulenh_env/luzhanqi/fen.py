"""What the texts of both modes share: boards, numbers, fields (flip_fen.py, referee_fen.py).

A board is twelve rows from row 12 down, separated by slashes: letters of pieces (pieces.py; upper
case red or player 0, lower case black or player 1), `?` for a piece that is not known, numbers for
so many empty places.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import rows_text, split_fields
from cotulenh_env.luzhanqi.board import NUM_COLUMNS, NUM_PLACES, NUM_ROWS, place_name
from cotulenh_env.luzhanqi.pieces import code_letter, letter_code
from cotulenh_env.luzhanqi.state import FACE_DOWN

UNKNOWN = "?"
_MAX_LENGTH = 4000
"""Characters of a text; the longest of a game has about 900."""

Board = npt.NDArray[np.int8]
"""int8 [60]: codes by place; 0 empty, FACE_DOWN and above what is not known."""


def board_text(board: Board) -> str:
    """The board as text."""
    rows = board.reshape(NUM_ROWS, NUM_COLUMNS)[::-1].tolist()
    return rows_text([_piece_text(code) for code in row] for row in rows)


def _piece_text(code: int) -> str:
    if code == 0:
        return ""
    return UNKNOWN if code >= FACE_DOWN else code_letter(code)


def parse_board(text: str) -> Board:
    """The board of a text.

    Raises:
        PositionError: the text is malformed.
    """
    rows = text.split("/")
    if len(rows) != NUM_ROWS:
        raise PositionError(f"a board has {NUM_ROWS} rows, not {len(rows)}")
    board = np.zeros(NUM_PLACES, np.int8)
    for index, row_text in enumerate(rows):
        row = NUM_ROWS - 1 - index
        column = 0
        for letter in row_text:
            if "1" <= letter <= str(NUM_COLUMNS):
                column += int(letter)
                continue
            code = FACE_DOWN if letter == UNKNOWN else letter_code(letter)
            if code == 0:
                raise PositionError(f"row {row + 1}: {letter!r} is no piece")
            if column < NUM_COLUMNS:
                board[row * NUM_COLUMNS + column] = code
            column += 1
        if column != NUM_COLUMNS:
            raise PositionError(f"row {row + 1}: {column} places, not {NUM_COLUMNS}")
    return board


def position_fields(text: object, numbers: tuple[int, ...], names: str) -> list[str]:
    """The fields of a text.

    Args:
        text: as it came from outside.
        numbers: how many fields it may have.
        names: of the fields, for the message.

    Raises:
        PositionError: it is no text, too long, has odd characters or another number of fields.
    """
    if not isinstance(text, str):
        raise PositionError(f"a position is text, got {shown(text)}")
    if len(text) > _MAX_LENGTH:
        raise PositionError(f"the text of a position has at most {_MAX_LENGTH} characters")
    return split_fields(text, numbers, "position", names)


def parse_player(text: str) -> int:
    """The player to move.

    Raises:
        PositionError: it is neither 0 nor 1.
    """
    if text not in ("0", "1"):
        raise PositionError(f"the player to move is 0 or 1, got {shown(text)}")
    return int(text)


def piece_place(code: int, place: int) -> str:
    """A piece and where it stands, for messages."""
    return f"{code_letter(code)} at {place_name(place)}"
