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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cotulenh_env.commander.notation import split_turns
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.records_fields import (
    DERIVED_TAGS,
    check_comment,
    check_remark,
    checked_actions,
    checked_clock,
    checked_points,
)
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import REASONS
from cotulenh_env.errors import (
    IllegalActionError,
    NotationError,
    PositionError,
    RecordError,
    shown,
)
from cotulenh_env.record_fields import RESULTS, check_line, checked_tags, listed


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
        object.__setattr__(self, "actions", checked_actions(self.actions))
        check_remark(self.remark)
        check_comment(self.comment)
        if self.clock is not None:
            object.__setattr__(self, "clock", checked_clock(self.clock))


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
        what = "the turns of a record are RecordedTurns"
        object.__setattr__(self, "turns", listed(what, self.turns))
        for turn in self.turns:
            if not isinstance(turn, RecordedTurn):
                raise RecordError(f"{what}, got {shown(turn)}")
        object.__setattr__(self, "tags", checked_tags(self.tags, DERIVED_TAGS))
        if not isinstance(self.rules, RuleSet):
            raise RecordError(f"the rules of a record are a RuleSet, got {shown(self.rules)}")
        if self.start is not None:
            check_line("start", self.start)
        result: object = self.result
        if not isinstance(result, str) or result not in RESULTS.values():
            results = ", ".join(RESULTS.values())
            raise RecordError(f"a result is one of {results}, got {shown(result)}")
        check_line("reason", self.reason)
        if self.points is not None:
            object.__setattr__(self, "points", checked_points(self.points))
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
        if not isinstance(start, Position):
            raise RecordError(f"a game starts from a Position, got {shown(start)}")
        fen = start.fen()
        if start != _load(fen, start.rules):
            raise RecordError(
                "a record starts from rules or a FEN, but this position has a past or a selected "
                f"group that its FEN does not tell: {fen}"
            )
        is_own_start = start == Position(start.rules)
        try:
            turns = split_turns(start, actions)
        except (IllegalActionError, NotationError) as error:
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
            tags,  # type: ignore[arg-type]  # becomes a tuple
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


def each_record(records: Iterable[object]) -> Iterator[GameRecord]:
    """The games that a caller gave, one after another.

    Raises:
        RecordError: one of them is no GameRecord, or they are no games at all.
    """
    try:
        games = iter(records)
    except TypeError:
        raise RecordError(f"games are GameRecords in a list, got {shown(records)}") from None
    for number, game in enumerate(games, 1):
        if not isinstance(game, GameRecord):
            raise RecordError(f"game {number} is no GameRecord, but {shown(game)}")
        yield game


def _load(fen: str, rules: RuleSet) -> Position:
    try:
        return Position.from_fen(fen, rules)
    except PositionError as error:
        raise RecordError(f"the start is no position: {error}") from None
