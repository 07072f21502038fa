"""What the FENs of all games share: fields, plain numbers, and rows with numbers for empty places.

4g3/8/2S5/8 r b - 17      rows from the top, then fields; `4` are four empty places
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cotulenh_env.errors import PositionError, shown


def read_fen(text: object, read: Callable[[str], Any]) -> Any:
    """What a FEN says, by the game's own reader, whose errors then name the FEN.

    Args:
        text: as it came from outside.
        read: makes a state record of it, or raises a PositionError.

    Raises:
        PositionError: it is no text, or its reader refuses it.
    """
    if not isinstance(text, str):
        raise PositionError(f"a FEN is text, got {shown(text)}")
    try:
        return read(text)
    except PositionError as error:
        raise PositionError(f"{error}, in FEN {shown(text)}") from None


def split_fields(
    text: str, numbers: Sequence[int], kind: str = "FEN", names: str = ""
) -> list[str]:
    """The fields of a text, which space separates.

    Args:
        text: as it stands in a file: space around it does not count.
        numbers: how many fields it may have.
        kind: what the text is, for messages.
        names: of the fields, for messages.

    Raises:
        PositionError: it has characters other than printable ASCII, or another number of fields.
    """
    text = text.strip(" \t\r\n")
    for place, char in enumerate(text):
        if not char.isascii() or not char.isprintable():
            raise PositionError(f"character {place + 1}, {char!r}, belongs in no {kind}")
    fields = text.split()
    if len(fields) not in numbers:
        expected = " or ".join(map(str, numbers)) + " fields" + (f" ({names})" if names else "")
        raise PositionError(f"a {kind} has {expected}, not {len(fields)}")
    return fields


def parse_number(name: str, text: str, max_digits: int = 5) -> int:
    """A plain number: digits, without a zero in front.

    Args:
        name: of the field, for the message.
        text: the field.
        max_digits: how long it may be.

    Raises:
        PositionError: it is none.
    """
    if not text.isdigit() or len(text) > max_digits or (text[0] == "0" and text != "0"):
        raise PositionError(
            f"the {name} is a plain number of at most {max_digits} digits, got {shown(text)}"
        )
    return int(text)


def rows_text(rows: Iterable[Iterable[str]]) -> str:
    """A board as text, its rows between slashes.

    Args:
        rows: from the first in the text to the last; what stands on each place of a row, empty
            where nothing does.
    """
    return "/".join(map(_row_text, rows))


def _row_text(places: Iterable[str]) -> str:
    text, num_empty = "", 0
    for piece in places:
        if not piece:
            num_empty += 1
            continue
        text += (str(num_empty) if num_empty else "") + piece
        num_empty = 0
    return text + (str(num_empty) if num_empty else "")
