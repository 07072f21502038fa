"""Positions as text: one line to state record and back.

????????/??H?????/????????/???????? b r GAAEERRHCCSSSSSgaaeerrhhccsssss 0      after one flip
4g3/8/2S5/8 r b - 17                                                           nothing face down

    1   the board, its rows from the top: letters as in pieces.py, `?` face down, digits that many
        empty cells
    2   the colour to move: r, b, or - before the first flip
    3   the colour of player 0, likewise
    4   the pieces face down, in the order of their numbers; - for none
    5   quiet turns: since the last flip or capture
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.board import COLUMNS, NUM_CELLS, NUM_COLUMNS, NUM_ROWS
from cotulenh_env.banqi.loading import Setup, load
from cotulenh_env.banqi.pieces import (
    CODE_LETTERS,
    COLOUR_LETTERS,
    EMPTY,
    FACE_DOWN,
    INITIAL_COUNTS,
    NUM_PIECES,
)
from cotulenh_env.banqi.rules import RuleSet
from cotulenh_env.banqi.state import NO_COLOUR, Record, colour_of
from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import parse_number, read_fen, rows_text, split_fields

START_FEN = "????????/????????/????????/???????? - - GAAEERRHHCCSSSSSgaaeerrhhccsssss 0"

_NUM_FIELDS = 5
_MAX_DIGITS = 4
_PIECES = CODE_LETTERS[:NUM_PIECES]


def state_from_fen(text: str, rules: RuleSet) -> Record:
    """The record of a position: `turns` is 0, its history holds this position only.

    Args:
        text: a FEN.
        rules: the rules to play by.

    Raises:
        PositionError: the text is malformed or no game can have come to the position, with the
            reason and the place.
    """
    return read_fen(text, lambda fen: load(_parse(fen), rules))


# --- writing ------------------------------------------------------------------------------------


def fen_of(state: Record) -> str:
    """The FEN of a record."""
    colours = [_colour_text(colour_of(state, int(player))) for player in (state["player"], 0)]
    return (
        f"{board_text(state['board'])} {' '.join(colours)} "
        f"{pieces_text(state['hidden'])} {state['quiet']}"
    )


def board_text(board: npt.NDArray[np.int8]) -> str:
    """The first field of a FEN.

    Args:
        board: int8 [32].
    """
    rows = board.reshape(NUM_ROWS, NUM_COLUMNS).tolist()
    return rows_text(["" if code == EMPTY else CODE_LETTERS[code] for code in row] for row in rows)


def pieces_text(counts: npt.NDArray[np.int8]) -> str:
    """The letters of pieces, `-` for none.

    Args:
        counts: int8 [14], how many of each.
    """
    letters = zip(_PIECES, counts.tolist(), strict=True)
    return "".join(letter * count for letter, count in letters) or "-"


def _colour_text(colour: int) -> str:
    return "-" if colour == NO_COLOUR else COLOUR_LETTERS[colour]


# --- reading ------------------------------------------------------------------------------------


def _parse(text: str) -> Setup:
    fields = split_fields(text, (_NUM_FIELDS,))
    board = _parse_board(fields[0])
    to_move = _parse_colour(fields[1], "colour to move")
    first_colour = _parse_colour(fields[2], "colour of player 0")
    if (to_move == NO_COLOUR) != (first_colour == NO_COLOUR):
        raise PositionError("either both players have a colour, or neither")
    return Setup(
        board=board,
        hidden=_parse_pieces(fields[3]),
        player=int(to_move != first_colour),
        first_colour=first_colour,
        quiet=parse_number("number of quiet turns", fields[4], _MAX_DIGITS),
    )


def _parse_board(text: str) -> npt.NDArray[np.int8]:
    rows = text.split("/")
    if len(rows) != NUM_ROWS:
        raise PositionError(f"a board has {NUM_ROWS} rows, not {len(rows)}")
    board = np.empty(NUM_CELLS, np.int8)
    for index, row in enumerate(rows):
        try:
            codes = _parse_row(row)
        except PositionError as error:
            raise PositionError(f"row {NUM_ROWS - index}: {error}") from None
        board[index * NUM_COLUMNS : (index + 1) * NUM_COLUMNS] = codes
    return board


def _parse_row(text: str) -> list[int]:
    codes: list[int] = []
    was_digit = False
    for letter in text:
        place = f" at column {COLUMNS[len(codes)]}" if len(codes) < NUM_COLUMNS else ""
        is_digit = letter in "12345678"
        if is_digit and was_digit:
            raise PositionError(f"two numbers of empty cells in a row{place}")
        if is_digit:
            codes += [EMPTY] * int(letter)
        elif letter in _PIECES or letter == CODE_LETTERS[FACE_DOWN]:
            codes.append(CODE_LETTERS.index(letter))
        else:
            raise PositionError(f"{letter!r} is no piece{place}")
        was_digit = is_digit
        if len(codes) > NUM_COLUMNS:
            raise PositionError(f"more than {NUM_COLUMNS} cells")
    if len(codes) < NUM_COLUMNS:
        raise PositionError(f"{len(codes)} cells, not {NUM_COLUMNS}")
    return codes


def _parse_colour(text: str, name: str) -> int:
    if text not in ("r", "b", "-"):
        raise PositionError(f"the {name} is 'r', 'b' or '-', got {shown(text)}")
    return NO_COLOUR if text == "-" else COLOUR_LETTERS.index(text)


def _parse_pieces(text: str) -> npt.NDArray[np.int8]:
    counts = np.zeros(NUM_PIECES, np.int8)
    if text == "-":
        return counts
    if len(text) > INITIAL_COUNTS.sum():
        raise PositionError(f"{len(text)} pieces are face down, there are {NUM_CELLS}")
    for letter in text:
        if letter not in _PIECES:
            raise PositionError(f"{letter!r} is no piece that could lie face down")
        counts[_PIECES.index(letter)] += 1
    return counts
