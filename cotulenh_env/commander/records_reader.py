"""Reads game records from text, one game after another; records_text.py shows the format.

Takes time in proportion to the text, and little memory besides it, whatever stands in it: no
expression is matched against more than a word, a tag or a comment, and none of them tries the same
characters twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

from cotulenh_env.commander.notation_reading import find_turn
from cotulenh_env.commander.notation_syntax import is_marks
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.records import GameRecord, RecordedTurn, check_result
from cotulenh_env.commander.records_fields import DERIVED_TAGS, MAX_POINTS, check_comment
from cotulenh_env.commander.rules_text import parse_rules
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.errors import CotulenhError, NotationError, RecordError, shown
from cotulenh_env.record_fields import (
    FORMAT_VERSION,
    MAX_LENGTH,
    RESULTS,
    TAG,
    check_line,
    check_tag,
    tag_value,
)

_MAX_TAG = 2 * MAX_LENGTH + 1000
"""The most characters of a tag as it is written, a `\\` before every character of its value."""

_MAX_COMMENT = 1 << 20
"""The most characters of a comment as it is written, with the space at the ends of its lines."""

_MAX_SAID = MAX_LENGTH + 1000
"""The most characters of what comments say, with a clock among them."""

_MAX_MARKS = 8
"""The most marks and remarks behind a turn with space between them: `> < > + +` is five."""

_SPACE = re.compile(r"\s*")
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)(?=[\s{\[]|\Z)")
_NUMBER = re.compile(r"[0-9０-９]++(?:\.\.\.|…|．．．|\.|．)")
_WORD = re.compile(r"[^\s{}\[\]]++")
_MARKS = re.compile(r"\s++([^\s{}\[\]]{1,8}+)(?=[\s{]|\Z)")
_COMMENT = re.compile(r"\{([^{}]*+)\}")
_BRACE = re.compile(r"[{}]")
_SPACES = re.compile(r"\s++")
_CLOCK = re.compile(r"\[%clk\s+([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,3}))?\]")
_NEXT_GAME = re.compile(r"^[ \t]*+(\[)[ \t]*+Format\b", re.MULTILINE)


def turn_number(position: Position) -> str:
    """What stands before a turn: `7.` when Red is to move, `7...` when Blue is."""
    state = position.state.view(STATE_DTYPE)[0]
    number = 0 if state["placing"] else int(state["move_number"])
    return f"{number}." if position.turn == 0 else f"{number}..."


class _Comment(NamedTuple):
    """What stands in braces: its lines as one, and where it begins."""

    text: str
    place: int


class RecordReader:
    """Reads games from a text.

    Args:
        text: of any number of games; lines end with newlines.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._index = 0
        self._game_index = 0
        self._counted = (0, 1)  # an index, and the number of its line

    def games(self) -> Iterator[GameRecord]:
        """All games from here.

        Raises:
            RecordError: see `game`.
        """
        while not self.is_at_end():
            yield self.game()

    def is_at_end(self) -> bool:
        """Whether nothing but space is left, which is passed over."""
        match = _SPACE.match(self._text, self._index)
        self._index = match.end() if match else self._index
        return self._index == len(self._text)

    def skip_to_next_game(self) -> None:
        """Goes on behind an error: to the next line with a tag Format.

        The error may stand at that very tag, when the game before it lacks its end.
        """
        line_index = self._text.rfind("\n", 0, self._index) + 1
        for match in _NEXT_GAME.finditer(self._text, line_index):
            if match.start(1) > self._game_index:
                self._index = match.start(1)
                return
        self._index = len(self._text)

    def game(self) -> GameRecord:
        """One game, replayed and compared with its recorded end.

        Raises:
            RecordError: it is malformed, not legal, or ended otherwise; with line and column.
        """
        self._game_index = start_index = self._index
        tags, places = self._tags()
        parts: dict[str, Any] = {"start": tags.get("Start")}
        if "Rules" in tags:
            parts["rules"] = self._made(places["Rules"], parse_rules, tags["Rules"])
        if "Points" in tags:
            parts["points"] = self._points(tags["Points"], places["Points"])
        parts["reason"] = tags.get("Reason", "")
        parts["tags"] = tuple(tag for tag in tags.items() if tag[0] not in DERIVED_TAGS)
        record: GameRecord = self._made(start_index, GameRecord, **parts)
        start = self._made(places.get("Start", start_index), record.start_position)
        parts["comment"] = self._joined(self._comments())
        parts["turns"], final = self._turns(start)
        result_index = self._index
        parts["result"] = result = self._result()
        if tags.get("Result", result) != result:
            raise self._error(
                f"the game ends with {result}, but its tag Result is {shown(tags['Result'])}",
                result_index,
            )
        record = self._made(start_index, GameRecord, **parts)
        self._made(result_index, check_result, record, final)
        return record

    def _made(self, index: int, make: Any, *args: Any, **options: Any) -> Any:
        """What a call gives; an error of ours gets the place in the text."""
        try:
            return make(*args, **options)
        except CotulenhError as error:
            raise self._error(str(error), index) from None

    def _error(self, reason: str, index: int | None = None) -> RecordError:
        index = self._index if index is None else index
        start, line = self._counted if self._counted[0] <= index else (0, 1)
        line += self._text.count("\n", start, index)
        self._counted = index, line  # many errors count the lines once
        column = index - self._text.rfind("\n", 0, index)
        return RecordError(f"{reason}, at line {line}, column {column}", line, column)

    # --- tags -----------------------------------------------------------------------------------

    def _tags(self) -> tuple[dict[str, str], dict[str, int]]:
        """Values of the tags by name, and where they stand."""
        tags: dict[str, str] = {}
        places: dict[str, int] = {}
        while not self.is_at_end() and self._text[self._index] == "[":
            name, value, end = self._tag()
            if name in tags:
                raise self._error(f"the tag {shown(name)} is there twice")
            if not tags:
                self._check_version(name, value)
            if name in DERIVED_TAGS:
                self._made(self._index, check_line, f"tag {name}", value)
            else:
                self._made(self._index, check_tag, name, value, DERIVED_TAGS)
            tags[name], places[name] = value, self._index
            self._index = end
        if not tags:
            raise self._error(f'a game begins with the tag [Format "{FORMAT_VERSION}"]')
        return tags, places

    def _tag(self) -> tuple[str, str, int]:
        """Name and value of the tag that begins here, and where it ends."""
        limit = self._index + _MAX_TAG
        match = TAG.match(self._text, self._index, limit)
        if match:
            return match[1], tag_value(match[2]), match.end()
        if limit < len(self._text) and self._text.find("\n", self._index, limit) < 0:
            raise self._error(f"a tag has at most {MAX_LENGTH} characters")
        raise self._error('a tag is written [Name "value"] on one line')

    def _check_version(self, name: str, value: str) -> None:
        if name != "Format":
            raise self._error(
                f'the first tag of a game is [Format "{FORMAT_VERSION}"], got {shown(name)}'
            )
        if value != FORMAT_VERSION:
            raise self._error(
                f"the format's version is {FORMAT_VERSION}, got {shown(value)}, "
                "which this program cannot read"
            )

    def _points(self, text: str, index: int) -> tuple[int, int]:
        match = re.fullmatch(r"([0-9]{1,7}) ([0-9]{1,7})", text)
        if not match or max(int(match[1]), int(match[2])) > MAX_POINTS:
            raise self._error(
                f"the points are two numbers from 0 to {MAX_POINTS}, Red's and Blue's, "
                f"got {shown(text)}",
                index,
            )
        return int(match[1]), int(match[2])

    # --- turns ----------------------------------------------------------------------------------

    def _turns(self, position: Position) -> tuple[tuple[RecordedTurn, ...], Position]:
        """The turns from here, and the position that they lead to."""
        turns: list[RecordedTurn] = []
        is_unfinished = False
        while True:
            comments = self._number(position)
            if not self._is_turn_next():
                return tuple(turns), position
            if is_unfinished:
                raise self._error("only the last turn of a game may be unfinished")
            index = self._index
            mover = position.turn
            actions, remark, position = self._turn(position)
            is_unfinished = position.turn == mover and position.winner is None
            comment, clock = self._notes([*comments, *self._comments()])
            turns.append(self._made(index, RecordedTurn, actions, remark, comment, clock))

    def _is_turn_next(self) -> bool:
        return not self.is_at_end() and not _RESULT.match(self._text, self._index)

    def _number(self, position: Position) -> list[_Comment]:
        """Passes over the number of a turn, if there is one; the comments between both."""
        match = None if self.is_at_end() else _NUMBER.match(self._text, self._index)
        if not match:
            return []
        index = self._index
        expected = turn_number(position)
        if unicodedata.normalize("NFKC", match[0]) != expected:
            raise self._error(f"the number of this turn is {expected}, got {shown(match[0])}")
        self._index = match.end()
        comments = self._comments()
        if not self._is_turn_next() or _NUMBER.match(self._text, self._index):
            raise self._error(f"no turn stands behind the number {match[0]}", index)
        return comments

    def _turn(self, position: Position) -> tuple[tuple[int, ...], str, Position]:
        """Actions and remark of the turn that stands here, and the position after it."""
        match = _WORD.match(self._text, self._index)
        if not match:
            found = self._text[self._index]
            raise self._error(f"a turn or the result of the game should stand here, got {found!r}")
        end = match.end()
        for _ in range(_MAX_MARKS):
            marks = _MARKS.match(self._text, end)
            if not marks or not is_marks(marks[1]):
                break
            end = marks.end()
        try:
            reading = find_turn(position, self._text[self._index : end])
        except NotationError as error:
            reason = f"{error}, in {position.fen()}"
            raise self._error(reason, self._index + (error.offset or 0)) from None
        self._index = end
        # Nobody takes anything back here, and the past of a long game is large.
        return reading.actions, reading.remark, reading.position.copy(past=False)

    def _result(self) -> str:
        match = None if self.is_at_end() else _RESULT.match(self._text, self._index)
        if not match:
            results = ", ".join(RESULTS.values())
            raise self._error(f"the game does not end with its result, one of {results}")
        self._index = match.end()
        return match[0]

    # --- comments -------------------------------------------------------------------------------

    def _comments(self) -> list[_Comment]:
        """The comments from here that say something."""
        comments: list[_Comment] = []
        length = 0
        while not self.is_at_end() and self._text[self._index] == "{":
            limit = self._index + _MAX_COMMENT
            match = _COMMENT.match(self._text, self._index, limit)
            if not match and (
                limit >= len(self._text) or _BRACE.search(self._text, self._index + 1, limit)
            ):
                raise self._error("a comment is not closed, or has a brace inside")
            text = _SPACES.sub(_on_one_line, match[1]).strip() if match else ""
            length += len(text)
            if not match or length > _MAX_SAID:  # refused before more of them are kept
                reason = f"a comment has at most {MAX_LENGTH} characters"
                raise self._error(reason if match else f"{reason}, or is not closed")
            if text:
                comments.append(_Comment(text, self._index))
            self._index = match.end()
        return comments

    def _joined(self, comments: list[_Comment]) -> str:
        """Comments as one, each looked at."""
        for comment in comments:
            self._made(comment.place, check_comment, comment.text)
        text = " ".join(comment.text for comment in comments if comment.text)
        if comments:
            self._made(comments[0].place, check_comment, text)  # it may be too long now
        return text

    def _notes(self, comments: list[_Comment]) -> tuple[str, float | None]:
        """Comment and clock of a turn."""
        clock = None
        rest = []
        for text, place in comments:
            match = _CLOCK.search(text) if clock is None else None
            if match:
                clock = self._clock(match, place)
                text = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
            rest.append(_Comment(text, place))
        return self._joined(rest), clock

    def _clock(self, match: re.Match[str], index: int) -> float:
        hours, minutes, seconds = (int(match[group]) for group in (1, 2, 3))
        if minutes > 59 or seconds > 59:
            raise self._error(f"{shown(match[0])} is no clock time", index)
        milliseconds = int((match[4] or "0").ljust(3, "0"))
        return ((hours * 60 + minutes) * 60_000 + seconds * 1000 + milliseconds) / 1000


def _on_one_line(space: re.Match[str]) -> str:
    return " " if "\n" in space[0] else space[0].replace("\t", " ")
