"""Moves and what chance adds to them, in words.

flip c3     turns up the piece on c3; what it was is told apart: `H`, a red horse
c3-c4       a step to an empty cell
c3xc4       a capture, by a step or by a cannon's jump
"""

from __future__ import annotations

from collections.abc import Iterable

from cotulenh_env.banqi.actions import FIRST_STEP, START, TARGET
from cotulenh_env.banqi.board import cell_name
from cotulenh_env.banqi.fen import fen_of
from cotulenh_env.banqi.pieces import CODE_LETTERS, EMPTY, NUM_PIECES
from cotulenh_env.banqi.state import Record
from cotulenh_env.errors import MoveTextError, shown


def move_text(state: Record, action: int) -> str:
    """A legal action in words.

    Args:
        state: the record before it.
        action: its number.
    """
    start, target = int(START[action]), int(TARGET[action])
    if action < FIRST_STEP:
        return f"flip {cell_name(start)}"
    sign = "-" if state["board"][target] == EMPTY else "x"
    return f"{cell_name(start)}{sign}{cell_name(target)}"


def parse_move(state: Record, legal: Iterable[int], text: str) -> int:
    """The legal action that `move_text` writes as `text`.

    Args:
        state: a record.
        legal: its legal actions.
        text: in words; space around it does not count.

    Raises:
        MoveTextError: no legal action has that text.
    """
    if not isinstance(text, str):
        raise MoveTextError(f"a move is text, got {shown(text)}")
    words = text.strip()
    for action in legal:
        if move_text(state, action) == words:
            return action
    raise MoveTextError(f"{shown(text)} is no legal move in {fen_of(state)!r}")


def event_text(action: int, event: int) -> str:
    """The letter of the piece that a flip turns up; empty for other actions."""
    return CODE_LETTERS[event] if action < FIRST_STEP else ""


def parse_piece(text: object) -> int:
    """The piece of a letter, for example 4 for `H`.

    Raises:
        MoveTextError: there is no such piece.
    """
    if isinstance(text, str) and len(text) == 1 and text in CODE_LETTERS[:NUM_PIECES]:
        return CODE_LETTERS.index(text)
    raise MoveTextError(f"{shown(text)} is no piece: pieces are {CODE_LETTERS[:NUM_PIECES]}")
