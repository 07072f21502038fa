"""Layouts as text, and books of them.

A layout is six rows of five as its owner sees them, the front row first and the back row last, with
dots for camps and letters of pieces.py:

    DTARB/C.K.D/PX.XE/R.T.E/BKKMP/PEMFM

A book is a text file with one layout a line; empty lines and what follows a `#` are ignored.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, RulesError, shown
from cotulenh_env.luzhanqi.board import CAMPS, DEAL_PLACES, NUM_COLUMNS, place_name
from cotulenh_env.luzhanqi.pieces import COUNT, KIND_LETTERS, KIND_NAMES, NUM_KINDS, NUM_PIECES
from cotulenh_env.luzhanqi.placement import START_KINDS, TOKEN_OF_PLACE, Layouts

_NUM_HALF_ROWS = 6
_SHIPPED_BOOK = Path(__file__).parent / "data" / "layouts.txt"
_MAX_BOOK_BYTES = 1_000_000


def layout_text(layout: npt.ArrayLike) -> str:
    """A layout, int8 [25], as text."""
    kinds = np.asarray(layout)
    rows = []
    for row in range(_NUM_HALF_ROWS - 1, -1, -1):
        tokens = TOKEN_OF_PLACE[row * NUM_COLUMNS : (row + 1) * NUM_COLUMNS]
        rows.append("".join(KIND_LETTERS[kinds[t]] if t >= 0 else "." for t in tokens.tolist()))
    return "/".join(rows)


def parse_layout(text: str) -> npt.NDArray[np.int8]:
    """A layout from its text.

    Returns:
        int8 [25]: the kind of each token (placement.py).

    Raises:
        PositionError: the text is malformed, or the layout is not legal.
    """
    if not isinstance(text, str):
        raise PositionError(f"a layout is text, got {shown(text)}")
    rows = text.strip().split("/")
    if len(rows) != _NUM_HALF_ROWS or any(len(row) != NUM_COLUMNS for row in rows):
        raise PositionError(f"a layout is six rows of five, got {shown(text)}")
    layout = np.zeros(NUM_PIECES, np.int8)
    for place, letter in enumerate("".join(reversed(rows))):
        name = place_name(place)
        if place in CAMPS:
            if letter != ".":
                raise PositionError(f"{name} is a camp, where no piece begins, in {shown(text)}")
            continue
        kind = KIND_LETTERS.find(letter)
        if kind < 1:
            raise PositionError(f"{letter!r} at {name} is no piece, in {shown(text)}")
        layout[TOKEN_OF_PLACE[place]] = kind
    problem = layout_problem(layout)
    if problem:
        raise PositionError(f"{problem}, in {shown(text)}")
    return layout


def layout_problem(layout: npt.ArrayLike) -> str:
    """Why 25 kinds in the order of tokens are no legal layout; empty if they are one."""
    kinds = np.asarray(layout)
    counts = np.bincount(kinds, minlength=NUM_KINDS + 1)
    for kind in range(1, NUM_KINDS + 1):
        if counts[kind] != COUNT[kind]:
            return f"a layout has {COUNT[kind]} pieces {KIND_LETTERS[kind]}, not {counts[kind]}"
    for token, kind in enumerate(kinds.tolist()):
        if not int(START_KINDS[token]) >> kind & 1:
            place = place_name(int(DEAL_PLACES[token]))
            return f"a {KIND_NAMES[kind]} cannot begin at {place} of the own half"
    return ""


@lru_cache(maxsize=16)
def read_book(path: str | None) -> Layouts:
    """The layouts of a book.

    Args:
        path: of the file; None for the book that is shipped.

    Returns:
        int8 [n, 25]: the same array at every call, not to be written.

    Raises:
        RulesError: the file cannot be read, holds no layout, or a line is none.
    """
    file = _SHIPPED_BOOK if path is None else Path(path)
    try:
        with open(file, "rb") as stream:
            data = stream.read(_MAX_BOOK_BYTES + 1)
        if len(data) > _MAX_BOOK_BYTES:
            raise RulesError(f"the book of layouts {path} has more than {_MAX_BOOK_BYTES} bytes")
        text = data.decode("utf-8")
    except (OSError, ValueError) as error:
        if isinstance(error, RulesError):
            raise
        raise RulesError(f"the book of layouts {path} cannot be read: {error}") from None
    layouts = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        try:
            layouts.append(parse_layout(words))
        except PositionError as error:
            raise RulesError(f"the book of layouts {path}, line {number}: {error}") from None
    if not layouts:
        raise RulesError(f"the book of layouts {path} holds no layout")
    book = np.stack(layouts)
    book.flags.writeable = False
    return book
