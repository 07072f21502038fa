"""The form of a turn in official notation: text to parts, whatever the position (R11.2).

(NAfT)4,2_6,2           PIECES POINT SIGN POINT          the sign: _ & @ @"
T3,5@In5,5>             … SIGN PIECES POINT MARKS        the marks: >< > ^
@Af1,4@T5,4             a leading @: a strike
Af4,2_6,4/T4,2_4,3      sub-moves
HQ0,4                   PIECES POINT: placed; before `...` a group that is selected
/T4,2_4,3    /          a turn that goes on from the middle, or only ends
Af4,2_6,4/...           a turn that was not played to its end
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from cotulenh_env.commander.notation_symbols import (
    CHECK_MARK,
    KAMIKAZE_MARK,
    STRIKE_MARK,
    UNFINISHED_MARK,
    WIN_MARK,
    read_point,
)
from cotulenh_env.errors import NotationError, shown

_MAX_CHARACTERS = 250
"""No turn is longer, spaces aside; 3 sub-moves take less than half of it."""

_ALIKE = {
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’′", "'"),
}
"""Characters that typesetting puts in place of others, and Unicode does not hold to be alike."""

_MARK_CHARACTERS = frozenset("+-?=$!><^")

_REMARK = re.compile(r"(?:\+\+|\+|--|-|\?|=|\$|!!)\Z")
_POINT = r"([0-9]{1,2},[0-9]{1,2}|[A-Za-z][0-9]{1,2})(?![0-9,])"
_PIECES_AT_POINT = re.compile(rf"([()+A-Za-z]*?){_POINT}")
_PIECES = re.compile(r"([()+A-Za-z]+)")
_SIGN = re.compile(r'@"|[@_&-]')


@dataclass(frozen=True)
class SubMoveText:
    """One sub-move, or a placement, as it is written.

    Offsets are indices in the text, of what is there.

    Attributes:
        offset: where it begins.
        letters: of the pieces that act.
        origin: their point; None when it is left out.
        is_strike: whether it has a leading `@`.
        sign: `_ & @ @"`, or empty when there is no target.
        sign_offset: of the sign.
        target_letters: of what stands on the target; empty when left out.
        target: the point; -1 when there is none.
        target_offset: of the target, letters included.
        is_kamikaze: whether it has the mark `><`.
        kamikaze_offset: of that mark.
    """

    offset: int
    letters: str
    origin: int | None
    is_strike: bool = False
    sign: str = ""
    sign_offset: int = -1
    target_letters: str = ""
    target: int = -1
    target_offset: int = -1
    is_kamikaze: bool = False
    kamikaze_offset: int = -1


@dataclass(frozen=True)
class TurnText:
    """A turn as it is written.

    Offsets are indices in the text; None when the mark is not there.

    Attributes:
        sub_moves: in order; none when a turn is only ended.
        resumed_offset: of a leading `/`.
        unfinished_offset: of `...` at the end.
        check_offset: of the mark `>`.
        win_offset: of the mark `^`.
        remark: one of `notation_symbols.REMARKS`, or empty.
    """

    sub_moves: tuple[SubMoveText, ...]
    resumed_offset: int | None
    unfinished_offset: int | None
    check_offset: int | None
    win_offset: int | None
    remark: str


def parse_form(text: str) -> TurnText:
    """The parts of a turn.

    Args:
        text: a turn, spaces, typographic characters and a remark as they come.

    Raises:
        NotationError: it has not the form of a turn; with the offset, unless it is no text.
    """
    if not isinstance(text, str):
        raise NotationError(f"a turn is text, got {shown(text)}")
    clean, offsets = _clean(text)
    match = _REMARK.search(clean)
    remark = match[0] if match else ""
    body = clean.removesuffix(remark)
    if body in ("", UNFINISHED_MARK):
        raise NotationError("the text tells no turn", 0)
    body, unfinished = _without(body, UNFINISHED_MARK, offsets)
    body, win = _without(body, WIN_MARK, offsets)
    body, check = _without(body, CHECK_MARK, offsets)
    if not body:
        mark = CHECK_MARK if win is None else WIN_MARK
        raise NotationError(f"no turn stands in front of {mark}", offsets[0])
    sub_moves = [
        _Reader(part, offsets[start : start + len(part) + 1]).sub_move()
        for start, part in _split(body, unfinished is not None, offsets)
    ]
    resumed = offsets[0] if body.startswith("/") else None
    return TurnText(tuple(sub_moves), resumed, unfinished, check, win, remark)


def is_marks(text: str) -> bool:
    """Whether a text consists of marks and remarks alone, which may stand apart from their turn."""
    return all(_MARK_CHARACTERS.issuperset(_plain(char)) for char in text)


def _plain(char: str) -> str:
    """What a character stands for: `5` for the full-width `５`, `...` for `…`."""
    return _ALIKE.get(char) or unicodedata.normalize("NFKC", char)


def _without(body: str, mark: str, offsets: list[int]) -> tuple[str, int | None]:
    """The text without the mark at its end; and where the mark stood, if it did."""
    if not body.endswith(mark):
        return body, None
    body = body.removesuffix(mark)
    return body, offsets[len(body)]


def _clean(text: str) -> tuple[str, list[int]]:
    """The text without spaces, in plain characters; and where each of them stood, and the end."""
    clean = ""
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if char.isspace():
            continue
        if len(clean) >= _MAX_CHARACTERS:
            raise NotationError(
                f"a turn has at most {_MAX_CHARACTERS} characters, spaces not counted", offset
            )
        plain = _plain(char)
        if plain == "'" and clean[-1:] == "'":  # two strokes
            clean = clean[:-1] + '"'
            continue
        # "1 1,5" may be 11,5 or not: better asked than guessed.
        if offsets and offsets[-1] < offset - 1 and plain.isdigit() and clean[-1].isdigit():
            raise NotationError("a space stands inside a number", offset)
        clean += plain
        offsets += [offset] * len(plain)
    return clean, [*offsets, len(text)]


def _split(body: str, is_unfinished: bool, offsets: list[int]) -> list[tuple[int, str]]:
    """The sub-moves between the `/`, each with the index where it begins."""
    parts = []
    start = 0
    for part in body.split("/"):
        parts.append((start, part))
        start += len(part) + 1
    if len(parts) > 1 and not parts[0][1]:  # the turn goes on from the middle
        parts = parts[1:]
        if not parts[-1][1] and (is_unfinished or len(parts) == 1):
            parts = parts[:-1]
    elif len(parts) > 1 and is_unfinished and not parts[-1][1]:
        parts = parts[:-1]
    for start, part in parts:
        if not part:
            raise NotationError("a sub-move is missing beside /", offsets[start])
    return parts


class _Reader:
    """Reads one sub-move from left to right."""

    def __init__(self, text: str, offsets: list[int]) -> None:
        self._text = text
        self._offsets = offsets
        self._index = 0

    def sub_move(self) -> SubMoveText:
        """The whole as a sub-move."""
        sub_move = self._sub_move()
        if self._index < len(self._text):
            raise self._error(f"{shown(self._text[self._index :], 40)} is not understood")
        return sub_move

    def _takes(self, mark: str) -> bool:
        """Whether the mark comes next; it is passed over."""
        found = self._text.startswith(mark, self._index)
        self._index += len(mark) * found
        return found

    def _sub_move(self) -> SubMoveText:
        offset = self._offsets[0]
        is_strike = self._takes(STRIKE_MARK)
        letters, origin = self._pieces_and_point(is_origin=True)
        sign = _SIGN.match(self._text, self._index)
        if not sign:
            if is_strike:
                raise self._error("a strike needs @ and its target")
            return SubMoveText(offset, letters, origin)
        self._index = sign.end()
        target_letters, target = self._pieces_and_point(is_origin=False)
        assert target is not None
        mark_offset = self._offsets[self._index]
        return SubMoveText(
            offset,
            letters,
            origin,
            is_strike,
            sign[0].replace("-", "_"),
            self._offsets[sign.start()],
            target_letters,
            target,
            self._offsets[sign.end()],
            self._takes(KAMIKAZE_MARK),
            mark_offset,
        )

    def _pieces_and_point(self, is_origin: bool) -> tuple[str, int | None]:
        match = _PIECES_AT_POINT.match(self._text, self._index)
        if match:
            try:
                point = read_point(match[2])
            except NotationError as error:
                raise self._error(str(error), match.start(2)) from None
            self._index = match.end()
            if is_origin and not match[1]:
                raise self._error("the letters of the pieces are missing", match.start())
            return match[1], point
        pieces = _PIECES.match(self._text, self._index)
        if pieces and is_origin:
            self._index = pieces.end()
            return pieces[1], None
        what = "a piece and its point" if is_origin else "the target point"
        raise self._error(f"{what} should stand here, such as {'T3,5' if is_origin else '5,5'}")

    def _error(self, reason: str, index: int | None = None) -> NotationError:
        return NotationError(reason, self._offsets[self._index if index is None else index])
