"""Game records: the rules, the start, every turn, and how the game ended.

A record is plain data. `records_text.py` writes and reads it as text, `records_npz.py` as arrays;
`replay` plays it.

>>> from cotulenh_env.commander import Position, RuleSet, parse_turn
>>> start = Position(RuleSet(battle="full"))
>>> record = GameRecord.from_game(start, parse_turn(start, "T3,5_5,5"))
>>> [position.turn for position in record.replay()]
[0, 1]
>>> record.result, record.points
('*', (0, 0))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cotulenh_env.commander.notation import split_turns
from cotulenh_env.commander.notation_symbols import REMARKS
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import REASONS
from cotulenh_env.errors import IllegalActionError, PositionError, RecordError, shown

RESULTS = {0: "1-0", 1: "0-1", -1: "1/2-1/2", None: "*"}
"""The result of a game by its winner, Red's points first; `*` is a game without result."""

DERIVED_TAGS = ("Format", "Rules", "Start", "Result", "Reason", "Points")
"""Tags that hold a record's own fields; no free tag has one of these names."""

CLOCK_TEXT = "[%clk"
"""Begins a clock time in the text form; a comment cannot contain it."""

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MAX_CLOCK = 360_000.0
_MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class RecordedTurn:
    """One turn of a game, or one placement of the advanced battle.

    Attributes:
        actions: what the player did, in order; at least one.
        remark: the recorder's judgement (R11.2): `++` excellent, `+` good, `-` bad, `--` very bad,
            `?` doubtful, `$` illegal, `=` a draw, `!!` a loss; or empty.
        comment: one line without braces, or empty.
        clock: seconds left to the player after the turn, to the millisecond, less than 100 hours;
            None when no clock was kept.

    Raises:
        RecordError: one of them cannot be recorded.

    >>> from cotulenh_env.commander import Position, parse_turn
    >>> actions = parse_turn(Position(), "T3,5_5,5")
    >>> turn = RecordedTurn(tuple(actions), remark="+", comment="To the bank.", clock=898.5)
    >>> len(turn.actions), turn.clock
    (1, 898.5)
    """

    actions: tuple[int, ...]
    remark: str = ""
    comment: str = ""
    clock: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "actions", _checked_actions(self.actions))
        if self.remark not in ("", *REMARKS):
            raise RecordError(
                f"a remark is one of {' '.join(REMARKS)}, or empty, got {shown(self.remark)}"
            )
        check_comment(self.comment)
        if self.clock is not None:
            object.__setattr__(self, "clock", _checked_clock(self.clock))


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Attributes:
        turns: in order; only the last may be unfinished, and only in a game that the rules have
            not ended.
        rules: the rules it is played by.
        start: FEN of the position it starts from; None for the rules' own start.
        result: `1-0` when Red has won, `0-1` Blue, `1/2-1/2` a draw, `*` none.
        reason: why it ended: by the rules, in the words of R10.9, otherwise in free words, such as
            `resignation`; or empty.
        points: official points of Red and Blue at the end (R10.6); None when not recorded.
        tags: free tags, such as `("Event", "Club evening")`, in order.
        comment: on the game, one line without braces, or empty.

    Raises:
        RecordError: one of them cannot be recorded. Whether the game is legal is only looked at by
            `validate` and `replay`.

    A game that was played with `push` is recorded so:

    >>> from cotulenh_env.commander import Position
    >>> position = Position()
    >>> for move in ("T f4-f6 move", "T f9-f7 move"):
    ...     position.push(position.parse_move(move))
    >>> record = GameRecord.from_game(
    ...     Position(), position.actions_played, tags=[("Red", "An")], result="1-0"
    ... )
    >>> len(record.turns), record.result, record.final_position() == position
    (2, '1-0', True)
    """

    turns: tuple[RecordedTurn, ...] = ()
    rules: RuleSet = RuleSet()  # noqa: RUF009 - a frozen value
    start: str | None = None
    result: str = "*"
    reason: str = ""
    points: tuple[int, int] | None = None
    tags: tuple[tuple[str, str], ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        object.__setattr__(self, "tags", _checked_tags(self.tags))
        if not all(isinstance(turn, RecordedTurn) for turn in self.turns):
            raise RecordError("the turns of a record are RecordedTurns")
        if not isinstance(self.rules, RuleSet):
            raise RecordError(f"the rules of a record are a RuleSet, got {shown(self.rules)}")
        if self.start is not None:
            _check_line("start", self.start)
        if self.result not in RESULTS.values():
            results = ", ".join(RESULTS.values())
            raise RecordError(f"a result is one of {results}, got {shown(self.result)}")
        _check_line("reason", self.reason)
        if self.points is not None:
            object.__setattr__(self, "points", _checked_points(self.points))
        check_comment(self.comment)

    @classmethod
    def from_game(
        cls,
        start: Position,
        actions: Iterable[int],
        *,
        tags: Sequence[tuple[str, str]] = (),
        result: str = "*",
        reason: str = "",
    ) -> GameRecord:
        """The record of a game given by its actions.

        Args:
            start: where it starts: fresh from rules or from a FEN.
            actions: all actions of both sides in order.
            tags: free tags.
            result: of a game that the rules have not ended.
            reason: of such a game, for example `resignation`.

        Raises:
            RecordError: `start` has a past that its FEN does not tell, or an action is illegal.
        """
        fen = start.fen()
        if start != _load(fen, start.rules):
            raise RecordError(
                "a record starts from rules or a FEN, but this position has a past or a selected "
                f"group that its FEN does not tell: {fen}"
            )
        is_own_start = start == Position(start.rules)
        try:
            turns = split_turns(start, actions)
        except IllegalActionError as error:
            raise RecordError(f"the game cannot be recorded: {error}") from None
        final = start.copy()
        for turn in turns:
            for action in turn:
                final.push(action)
        if final.winner is not None:
            result, reason = RESULTS[final.winner], final.reason
        record = cls(
            tuple(RecordedTurn(tuple(turn)) for turn in turns),
            start.rules,
            None if is_own_start else fen,
            result,
            reason,
            final.points,
            tuple(tags),
        )
        check_result(record, final)
        return record

    @property
    def actions(self) -> list[int]:
        """All actions in order."""
        return [action for turn in self.turns for action in turn.actions]

    def start_position(self) -> Position:
        """The position that the game starts from.

        Raises:
            RecordError: the start is no position of these rules.
        """
        if self.start is None:
            return Position(self.rules)
        return _load(self.start, self.rules)

    def replay(self) -> Iterator[Position]:
        """Yields the start, and the position after every turn; each is the caller's own.

        Raises:
            RecordError: the start is no position of these rules, an action is not legal, or a turn
                ends too early or too late.
        """
        position = self.start_position()
        yield position.copy()
        for number, turn in enumerate(self.turns, 1):
            mover = position.turn
            for index, action in enumerate(turn.actions):
                if position.turn != mover:
                    raise RecordError(
                        f"turn {number}: it is over after {index} actions, not "
                        f"{len(turn.actions)}, in {position.fen()}"
                    )
                try:
                    position.push(action)
                except IllegalActionError as error:
                    raise RecordError(f"turn {number}: {error}") from None
            is_over = position.turn != mover or position.winner is not None
            if not is_over and number < len(self.turns):
                raise RecordError(
                    f"turn {number}: only the last turn of a record may be unfinished, "
                    f"in {position.fen()}"
                )
            yield position.copy()

    def final_position(self) -> Position:
        """The position after the last turn.

        Raises:
            RecordError: see `replay`.
        """
        position = None
        for after in self.replay():
            position = after
        assert position is not None
        return position

    def validate(self) -> None:
        """Replays the game and compares its end with what is recorded.

        Raises:
            RecordError: the game is not legal, or ended otherwise than recorded.
        """
        check_result(self, self.final_position())

    def without_notes(self) -> GameRecord:
        """The game alone: no free tags, remarks, comments and clock times."""
        turns = tuple(RecordedTurn(turn.actions) for turn in self.turns)
        return replace(self, turns=turns, tags=(), comment="")


def check_result(record: GameRecord, final: Position) -> None:
    """Makes sure that result, reason and points are those of the final position.

    Raises:
        RecordError: they are not.
    """
    if record.points is not None and record.points != final.points:
        raise RecordError(
            f"the points are {final.points[0]} {final.points[1]}, "
            f"not {record.points[0]} {record.points[1]} as recorded"
        )
    if final.winner is None:
        if record.reason in REASONS[1:]:
            raise RecordError(
                f"the reason is recorded as {record.reason!r}, but the rules have not ended the "
                f"game, in {final.fen()}"
            )
        return
    result = RESULTS[final.winner]
    if record.result != result:
        raise RecordError(
            f"the result is {result} ({final.reason}), not {record.result} as recorded, "
            f"in {final.fen()}"
        )
    if record.reason and record.reason != final.reason:
        raise RecordError(
            f"the reason is {final.reason!r}, not {shown(record.reason)} as recorded, "
            f"in {final.fen()}"
        )


def check_comment(text: str) -> None:
    """Makes sure that a comment can be written and read back.

    Raises:
        RecordError: it cannot.
    """
    _check_line("comment", text)
    for part in ("{", "}", CLOCK_TEXT):
        if part in text:
            raise RecordError(f"a comment cannot contain {part!r}, got {shown(text)}")


def _check_line(name: str, text: object) -> None:
    if not isinstance(text, str):
        raise RecordError(f"a {name} is text, got {shown(text)}")
    if _CONTROL.search(text) or text != text.strip():
        raise RecordError(
            f"a {name} is one line without control characters and without spaces around it, "
            f"got {shown(text)}"
        )


def _checked_actions(actions: Iterable[object]) -> tuple[int, ...]:
    checked = []
    for action in actions:
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise RecordError(f"an action is a whole number, got {shown(action)}")
        checked.append(int(action))
    if not checked:
        raise RecordError("a turn has at least one action")
    return tuple(checked)


def _checked_clock(clock: object) -> float:
    is_number = isinstance(clock, (int, float)) and not isinstance(clock, bool)
    if not is_number or not math.isfinite(clock) or not 0 <= clock < _MAX_CLOCK:  # type: ignore[arg-type, operator]
        raise RecordError(
            f"a clock shows 0 to {_MAX_CLOCK:.0f} seconds, the end excluded, got {shown(clock)}"
        )
    return min(round(float(clock), 3), _MAX_CLOCK - 0.001)  # type: ignore[arg-type]


def _checked_points(points: Iterable[object]) -> tuple[int, int]:
    checked = tuple(points)
    for number in checked:
        if type(number) is not int or not 0 <= number <= _MAX_POINTS:
            raise RecordError(f"points are 0 to {_MAX_POINTS}, got {shown(number)}")
    if len(checked) != 2:
        raise RecordError(f"points are those of Red and Blue, got {shown(checked)}")
    red, blue = checked
    return red, blue  # type: ignore[return-value]


def _checked_tags(tags: Iterable[Sequence[object]]) -> tuple[tuple[str, str], ...]:
    checked: dict[str, str] = {}
    for tag in tags:
        if len(tag) != 2:
            raise RecordError(f"a tag is a name and a value, got {shown(tag)}")
        name, value = tag
        if not isinstance(name, str) or not _TAG_NAME.match(name):
            raise RecordError(
                f"the name of a tag is a letter and then letters, digits and _, got {shown(name)}"
            )
        if name in DERIVED_TAGS or name in checked:
            why = "holds a field of the record" if name in DERIVED_TAGS else "is there twice"
            raise RecordError(f"the tag {name} {why}")
        _check_line(f"tag {name}", value)
        checked[name] = str(value)
    return tuple(checked.items())


def _load(fen: str, rules: RuleSet) -> Position:
    try:
        return Position.from_fen(fen, rules)
    except PositionError as error:
        raise RecordError(f"the start is no position: {error}") from None
