"""The signs of the official notation: letters of pieces, points, and the style they are written in.

    piece                English  Vietnamese
    commander            C        Tl   Tư lệnh
    infantry             In       B    Bộ binh
    tank                 T        X    Xe tăng
    militia              M        D    Dân quân
    engineer             E        Cb   Công binh
    artillery            A        P    Pháo binh
    anti-aircraft gun    Aa       Cx   Cao xạ
    missile              Ms       Te   Tên lửa
    air force            Af       K    Không quân
    navy                 N        H    Hải quân
    headquarters         HQ       S    Sở chỉ huy

The inventor's text has B, H, K and P; the other Vietnamese letters are ours. No symbol of one
alphabet is a symbol of another piece in the other, so both are read without being told which it is,
and letters in a row can be taken apart in one way only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cotulenh_env.commander.board import NUM_FILES, NUM_RANKS, parse_point, point_name
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ANTI_AIRCRAFT,
    ARTILLERY,
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    INFANTRY,
    MAX_STACK,
    MILITIA,
    MISSILE,
    NAVY,
    TANK,
    is_heroic,
    piece_code,
)
from cotulenh_env.errors import NotationError, PositionError, shown

ENGLISH_LETTERS = {
    COMMANDER: "C", INFANTRY: "In", TANK: "T", MILITIA: "M", ENGINEER: "E", ARTILLERY: "A",
    ANTI_AIRCRAFT: "Aa", MISSILE: "Ms", AIR_FORCE: "Af", NAVY: "N", HEADQUARTERS: "HQ",
}  # fmt: skip
VIETNAMESE_LETTERS = {
    COMMANDER: "Tl", INFANTRY: "B", TANK: "X", MILITIA: "D", ENGINEER: "Cb", ARTILLERY: "P",
    ANTI_AIRCRAFT: "Cx", MISSILE: "Te", AIR_FORCE: "K", NAVY: "H", HEADQUARTERS: "S",
}  # fmt: skip

_ALPHABETS = {"english": ENGLISH_LETTERS, "vietnamese": VIETNAMESE_LETTERS}
_COORDINATES = ("axes", "points")

REMARKS = ("++", "+", "--", "-", "?", "=", "$", "!!")
"""A player's remarks on a turn (R11.2): excellent, good, bad, very bad turn …; `!!` is a loss."""

SIGNS = {"move": "_", "join": "&", "capture": "@", "kamikaze": "@", "strike": "@", "shot": '@"'}
"""The sign between a group and its target, by the words of words.py; a strike has a leading `@`."""

STRIKE_MARK, KAMIKAZE_MARK, CHECK_MARK, WIN_MARK = "@", "><", ">", "^"
UNFINISHED_MARK = "..."
"""Ends a turn that was not played to its end. Not in the sources."""

MAX_LETTERS = 11
"""The most letters that a stack takes: brackets, and three heroic pieces of two letters."""


@dataclass(frozen=True)
class NotationStyle:
    """How turns are written; reading needs no style.

    Attributes:
        letters: `"english"` (`T`, `Af`) or `"vietnamese"` (`X`, `K`).
        coordinates: `"axes"`, the official reading order vertical,horizontal (`3,5`), or
            `"points"` (`f4`) (R1.1).

    Raises:
        NotationError: one of them is unknown.
    """

    letters: str = "english"
    coordinates: str = "axes"

    def __post_init__(self) -> None:
        parts: tuple[tuple[str, object, tuple[str, ...]], ...] = (
            ("letters", self.letters, tuple(_ALPHABETS)),
            ("coordinates", self.coordinates, _COORDINATES),
        )
        for name, value, choices in parts:
            if not isinstance(value, str) or value not in choices:
                raise NotationError(
                    f"the {name} of a notation are {' or '.join(choices)}, got {shown(value)}"
                )


OFFICIAL_STYLE = NotationStyle()
"""English letters and official coordinates."""


def check_style(style: object) -> None:
    """Makes sure that something is a style.

    Raises:
        NotationError: it is none.
    """
    if not isinstance(style, NotationStyle):
        raise NotationError(f"turns are written in a NotationStyle, got {shown(style)}")


# --- writing ------------------------------------------------------------------------------------


def pieces_symbol(codes: Sequence[int], style: NotationStyle = OFFICIAL_STYLE) -> str:
    """Pieces in the order given, in brackets when there are several, such as `(N+AfT)`."""
    letters = _ALPHABETS[style.letters]
    text = "".join(("+" if is_heroic(code) else "") + letters[code >> 1] for code in codes)
    return f"({text})" if len(codes) > 1 else text


def point_symbol(point: int, style: NotationStyle = OFFICIAL_STYLE) -> str:
    """The point in official reading order, such as `3,5`, or as `f4`."""
    if style.coordinates == "points":
        return point_name(point)
    return f"{point // NUM_FILES},{point % NUM_FILES}"


# --- reading ------------------------------------------------------------------------------------

_AXES = re.compile(r"([0-9]{1,2}),([0-9]{1,2})\Z")


def read_point(text: str) -> int:
    """The point written as `3,5` or `f4`, in upper or lower case.

    Raises:
        NotationError: there is no such point.
    """
    match = _AXES.match(text)
    if match:
        rank, file = int(match[1]), int(match[2])
        if rank < NUM_RANKS and file < NUM_FILES:
            return rank * NUM_FILES + file
        raise NotationError(
            f"{text} is no point: points are 0,0 to {NUM_RANKS - 1},{NUM_FILES - 1}"
        )
    try:
        return parse_point(text.lower())
    except PositionError as error:
        raise NotationError(str(error)) from None


@lru_cache(maxsize=4096)
def piece_readings(text: str, fold_case: bool) -> tuple[tuple[int, ...], ...]:
    """Every way to read letters, with or without brackets, as one to three pieces.

    Args:
        text: letters of either alphabet.
        fold_case: whether upper and lower case are the same.

    Returns:
        The codes of each reading, in canonical order; without repetitions.
    """
    if len(text) > MAX_LETTERS:
        return ()
    letters = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    readings = (tuple(sorted(codes)) for codes in _readings(letters, fold_case))
    return tuple(dict.fromkeys(codes for codes in readings if 1 <= len(codes) <= MAX_STACK))


_SYMBOLS = [(symbol, kind) for letters in _ALPHABETS.values() for kind, symbol in letters.items()]


def _readings(text: str, fold_case: bool) -> Iterator[tuple[int, ...]]:
    if not text:
        yield ()
        return
    heroic = text[0] == "+"
    rest = text[1:] if heroic else text
    for symbol, kind in _SYMBOLS:
        head = rest[: len(symbol)]
        if head == symbol or (fold_case and head.lower() == symbol.lower()):
            for tail in _readings(rest[len(symbol) :], fold_case):
                yield (piece_code(kind, heroic), *tail)


def is_meant(read: Sequence[int], there: Sequence[int], is_lenient: bool) -> bool:
    """Whether pieces as read are these pieces.

    Args:
        read: codes from `piece_readings`.
        there: codes on the board.
        is_lenient: whether heroic marks may have been left out.
    """
    if Counter(read) == Counter(there):
        return True
    if not is_lenient or sorted(code >> 1 for code in read) != sorted(code >> 1 for code in there):
        return False
    heroes_there = Counter(code for code in there if is_heroic(code))
    heroes_read = Counter(code for code in read if is_heroic(code))
    return not heroes_read - heroes_there
