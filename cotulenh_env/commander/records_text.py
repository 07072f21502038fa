"""Game records as text, in the spirit of PGN: any number of games, one after another.

    [Format "1"]                                     first in every game: the version
    [Event "Club evening"]                           free tags
    [Rules "edition=official battle=full …"]
    [Start "…"]                                      a FEN, when it is not the rules' own start
    [Result "1-0"]
    [Reason "battle"]
    [Points "180 20"]

    {on the game}
    1. T3,5_5,5 ++ {[%clk 0:14:58] on the turn} In7,2_6,2
    2. T5,5@T6,5^
    1-0

Turns are in official notation (notation.py), Red's and Blue's of one number on one line; the first
of a game that Blue begins has the number `7...`, placements have the number 0. docs/records.md
describes the format.

>>> from cotulenh_env.commander import Position
>>> position = Position()
>>> for turn in ("T f4-f6 move", "T f9-f7 move"):
...     position.push(position.parse_move(turn))
>>> record = GameRecord.from_game(Position(), position.actions_played, tags=[("Red", "An")])
>>> print(write_records([record]))
[Format "1"]
[Red "An"]
[Rules "edition=official battle=standard placement=false enforce_check=false \
allow_shoot_down=true repetition=3 quiet_limit=100 turn_limit=400"]
[Result "*"]
[Points "0 0"]
<BLANKLINE>
1. T3,5_5,5 T8,5_6,5
*
<BLANKLINE>
>>> read_records(write_records([record])) == [record]
True
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TextIO

from cotulenh_env.commander.notation import play_turn
from cotulenh_env.commander.notation_reading import read_turn
from cotulenh_env.commander.notation_symbols import OFFICIAL_STYLE, NotationStyle
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.records import (
    CLOCK_TEXT,
    DERIVED_TAGS,
    RESULTS,
    GameRecord,
    RecordedTurn,
    check_result,
)
from cotulenh_env.commander.records_source import load_text
from cotulenh_env.commander.rules_text import parse_rules, rules_text
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.errors import (
    CotulenhError,
    NotationError,
    RecordError,
    shown,
)

FORMAT_VERSION = "1"

# --- writing ------------------------------------------------------------------------------------


def write_records(records: Iterable[GameRecord], style: NotationStyle = OFFICIAL_STYLE) -> str:
    """The text of games; reading it gives equal records.

    Args:
        records: the games.
        style: alphabet and coordinates of the turns.

    Raises:
        RecordError: a game is not legal, or ended otherwise than recorded.
    """
    return "\n".join(_record_text(record, style) for record in records)


def _record_text(record: GameRecord, style: NotationStyle) -> str:
    tags = [("Format", FORMAT_VERSION), *record.tags, ("Rules", rules_text(record.rules))]
    if record.start is not None:
        tags.append(("Start", record.start))
    tags.append(("Result", record.result))
    if record.reason:
        tags.append(("Reason", record.reason))
    if record.points is not None:
        tags.append(("Points", f"{record.points[0]} {record.points[1]}"))
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags]
    lines.append("")
    if record.comment:
        lines.append(f"{{{record.comment}}}")
    lines += _turn_lines(record, style)
    lines.append(record.result)
    return "\n".join(lines) + "\n"


def _turn_lines(record: GameRecord, style: NotationStyle) -> list[str]:
    record.validate()
    position = record.start_position()
    lines: list[str] = []
    for turn in record.turns:
        number = _turn_number(position)
        is_red = position.turn == 0
        text = play_turn(position, turn.actions, style)
        words = [text, *([turn.remark] if turn.remark else []), *_comment_words(turn)]
        if is_red or not lines:
            lines.append(" ".join([number, *words]))
        else:
            lines[-1] = " ".join([lines[-1], *words])
    return lines


def _turn_number(position: Position) -> str:
    """What stands before a turn: `7.` when Red is to move, `7...` when Blue is."""
    state = position.state.view(STATE_DTYPE)[0]
    number = 0 if state["placing"] else int(state["move_number"])
    return f"{number}." if position.turn == 0 else f"{number}..."


def _comment_words(turn: RecordedTurn) -> list[str]:
    words = [] if turn.clock is None else [f"{CLOCK_TEXT} {_clock_text(turn.clock)}]"]
    words += [turn.comment] if turn.comment else []
    return [f"{{{' '.join(words)}}}"] if words else []


def _clock_text(clock: float) -> str:
    seconds, milliseconds = divmod(round(clock * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    fraction = f".{milliseconds:03}".rstrip("0") if milliseconds else ""
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}{fraction}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


# --- reading ------------------------------------------------------------------------------------


def read_records(source: str | os.PathLike[str] | TextIO) -> list[GameRecord]:
    """The games of a text or a file, each replayed and compared with its recorded end.

    Args:
        source: the text itself; or a `Path`, or an open text file. The name of a file is no text:
            give `Path("games.txt")`.

    Raises:
        RecordError: a game is malformed, not legal, or ended otherwise than recorded; with the
            reason, line and column. Or the file cannot be read, is no UTF-8, or is too large; or
            `source` is the name of a file.
    """
    return list(_Reader(load_text(source)).games())


def validate_records(source: str | os.PathLike[str] | TextIO) -> list[RecordError]:
    """What is wrong with the games of a text or a file: the first error of every game.

    Args:
        source: the text itself; or a `Path`, or an open text file. The name of a file is no text:
            give `Path("games.txt")`.

    Returns:
        The errors in order; empty when all games are right.

    Raises:
        RecordError: the file cannot be read, is no UTF-8, or is too large; or
            `source` is the name of a file.
    """
    reader = _Reader(load_text(source))
    errors = []
    while not reader.is_at_end():
        try:
            reader.game()
        except RecordError as error:
            errors.append(error)
            reader.skip_to_next_game()
    return errors


class _Notes(NamedTuple):
    """What stands in braces behind a turn."""

    comment: str = ""
    clock: float | None = None


_SPACE = re.compile(r"\s*")
_TAG = re.compile(r'\[[ \t]*([^\s"\[\]]+)[ \t]+"((?:[^"\\\n]|\\["\\])*)"[ \t]*\]')
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|\*)(?=[\s{\[]|\Z)")
_NUMBER = re.compile(r"([0-9]+)(\.\.\.|…|\.)")
_TURN = re.compile(r"[^\s{}\[\]]+(?:\s+[-+><^?=$!‐‑‒–—―−＞＜]+(?=[\s{]|\Z))*")
_COMMENT = re.compile(r"\{([^{}]*)\}")
_CLOCK = re.compile(r"\[%clk\s+([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,3}))?\]")
_NEXT_GAME = re.compile(r"^[ \t]*\[[ \t]*Format\b", re.MULTILINE)


class _Reader:
    """Reads games from a text, one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._index = 0
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def games(self) -> Iterator[GameRecord]:
        """All games from here."""
        while not self.is_at_end():
            yield self.game()

    def is_at_end(self) -> bool:
        """Whether nothing but space is left, which is passed over."""
        match = _SPACE.match(self._text, self._index)
        self._index = match.end() if match else self._index
        return self._index == len(self._text)

    def skip_to_next_game(self) -> None:
        """Goes on behind an error: to the next line with a tag Format."""
        match = _NEXT_GAME.search(self._text, self._index + 1)
        self._index = match.start() if match else len(self._text)

    def game(self) -> GameRecord:
        """One game."""
        start_index = self._index
        tags, places = self._tags()
        parts: dict[str, Any] = {"start": tags.get("Start")}
        if "Rules" in tags:
            parts["rules"] = self._made(places["Rules"], parse_rules, tags["Rules"])
        if "Points" in tags:
            parts["points"] = self._points(tags["Points"], places["Points"])
        parts["reason"] = tags.get("Reason", "")
        parts["tags"] = tuple(tag for tag in tags.items() if tag[0] not in DERIVED_TAGS)
        record: GameRecord = self._made(start_index, GameRecord, **parts)
        position = self._made(places.get("Start", start_index), record.start_position)
        comment, turns = self._turns(position)
        result_index = self._index
        result = self._result()
        if tags.get("Result", result) != result:
            raise self._error(
                f"the game ends with {result}, but its tag Result is {shown(tags['Result'])}",
                result_index,
            )
        parts |= {"comment": comment, "turns": turns, "result": result}
        record = self._made(start_index, GameRecord, **parts)
        self._made(result_index, check_result, record, position)
        return record

    def _made(self, index: int, make: Any, *args: Any, **options: Any) -> Any:
        """What a call gives; an error of ours gets the place in the text."""
        try:
            return make(*args, **options)
        except CotulenhError as error:
            raise self._error(str(error), index) from None

    def _error(self, reason: str, index: int | None = None) -> RecordError:
        index = self._index if index is None else index
        line = bisect_right(self._lines, index)
        column = index - self._lines[line - 1] + 1
        return RecordError(f"{reason}, at line {line}, column {column}", line, column)

    # --- tags -----------------------------------------------------------------------------------

    def _tags(self) -> tuple[dict[str, str], dict[str, int]]:
        """Values of the tags by name, and where they stand."""
        tags: dict[str, str] = {}
        places: dict[str, int] = {}
        while not self.is_at_end() and self._text[self._index] == "[":
            match = _TAG.match(self._text, self._index)
            if not match:
                raise self._error('a tag is written [Name "value"] on one line')
            name, value = match[1], re.sub(r"\\(.)", r"\1", match[2])
            if name in tags:
                raise self._error(f"the tag {shown(name)} is there twice")
            if not tags:
                self._check_version(name, value)
            tags[name], places[name] = value, self._index
            self._index = match.end()
        if not tags:
            raise self._error(f'a game begins with the tag [Format "{FORMAT_VERSION}"]')
        return tags, places

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
        if not match:
            raise self._error(
                f"the points are two numbers, Red's and Blue's, got {shown(text)}", index
            )
        return int(match[1]), int(match[2])

    # --- turns ----------------------------------------------------------------------------------

    def _turns(self, position: Position) -> tuple[str, tuple[RecordedTurn, ...]]:
        """The comment on the game and its turns, which are played on the position."""
        comment = " ".join(self._comments())
        turns: list[RecordedTurn] = []
        is_unfinished = False
        while not self.is_at_end() and not _RESULT.match(self._text, self._index):
            number = _NUMBER.match(self._text, self._index)
            if number:
                self._check_number(number, position)
                self._index = number.end()
                continue
            index = self._index
            if is_unfinished:
                raise self._error("only the last turn of a game may be unfinished")
            mover = position.turn
            actions, remark = self._turn(position)
            is_unfinished = position.turn == mover and position.winner is None
            notes = self._notes()
            turns.append(
                self._made(index, RecordedTurn, actions, remark, notes.comment, notes.clock)
            )
        return comment, tuple(turns)

    def _turn(self, position: Position) -> tuple[tuple[int, ...], str]:
        match = _TURN.match(self._text, self._index)
        if not match:
            found = self._text[self._index]
            raise self._error(f"a turn or the result of the game should stand here, got {found!r}")
        try:
            reading = read_turn(position, match[0])
        except NotationError as error:
            raise self._error(str(error), self._index + (error.offset or 0)) from None
        for action in reading.actions:
            position.push(action)
        self._index = match.end()
        return reading.actions, reading.remark

    def _check_number(self, match: re.Match[str], position: Position) -> None:
        expected = _turn_number(position)
        if f"{match[1]}{match[2].replace('…', '...')}" != expected:
            raise self._error(f"the number of this turn is {expected}, got {shown(match[0])}")

    def _comments(self) -> list[str]:
        """The texts in braces from here, each on one line."""
        texts = []
        while not self.is_at_end() and self._text[self._index] == "{":
            match = _COMMENT.match(self._text, self._index)
            if not match:
                raise self._error("a comment is not closed, or has a brace inside")
            texts.append(re.sub(r"[ \t]*\n\s*|\t", " ", match[1]).strip())
            self._index = match.end()
        return [text for text in texts if text]

    def _notes(self) -> _Notes:
        self.is_at_end()  # passes over space
        index = self._index
        text = " ".join(self._comments())
        match = _CLOCK.search(text)
        if not match:
            return _Notes(text)
        hours, minutes, seconds = (int(match[group]) for group in (1, 2, 3))
        if minutes > 59 or seconds > 59:
            raise self._error(f"{shown(match[0])} is no clock time", index)
        milliseconds = int((match[4] or "0").ljust(3, "0"))
        clock = ((hours * 60 + minutes) * 60_000 + seconds * 1000 + milliseconds) / 1000
        rest = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
        return _Notes(rest, clock)

    def _result(self) -> str:
        match = None if self.is_at_end() else _RESULT.match(self._text, self._index)
        if not match:
            results = ", ".join(RESULTS.values())
            raise self._error(f"the game does not end with its result, one of {results}")
        self._index = match.end()
        return match[0]
