"""`GameRecord`: one game as actions and events; it is replayed whenever it is made.

What chance turns up lies in draws that nobody records. So a record keeps events, and replaying
finds for each a draw that leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, RecordError, shown
from cotulenh_env.game import Events, Game, States
from cotulenh_env.record_arrays import check_option_names
from cotulenh_env.record_fields import RESULTS, check_line, checked_tags, listed
from cotulenh_env.registry import load_game

DERIVED_TAGS = ("Format", "Game", "Rules", "Start", "Result", "Reason")
"""Tags that hold a record's own fields; no free tag has one of these names."""

_MAX_SHOWN_REASON = 100


class PlayedAction(NamedTuple):
    """An action and its event: what chance or an announcement added, as `Game.apply` says."""

    action: int
    event: int


@dataclass(frozen=True)
class GameRecord:
    """One game, which the rules allow. Made by `from_game`, or read by `game_records`.

    Attributes:
        game: its name in the registry.
        played: actions in order, with their events.
        rules: the game's RuleSet.
        start: text of the position it starts from, as `Game.to_text` has it; None for the start of
            the rules.
        result: `1-0` when player 0 has won, `0-1` player 1, `1/2-1/2` a draw, `*` none.
        reason: why it ended: by the rules, in the words of `Game.end_reason`, otherwise in free
            words, such as `resignation`; or empty.
        tags: free tags, such as `("Event", "Club evening")`, in order.
    """

    game: str
    played: tuple[PlayedAction, ...]
    rules: Any
    start: str | None = None
    result: str = "*"
    reason: str = ""
    tags: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_game(
        cls,
        game: Game,
        actions: Iterable[int],
        events: Iterable[int] | None = None,
        *,
        rules: Any | None = None,
        start: str | None = None,
        result: str = "*",
        reason: str = "",
        tags: Sequence[tuple[str, str]] = (),
    ) -> GameRecord:
        """The record of a game given by its actions.

        Args:
            game: any of the registry.
            actions: all actions of both players in order.
            events: those of the actions, as `Game.apply` returned them; None if none of the actions
                leaves anything open.
            rules: the game's RuleSet, or None for the default.
            start: text of the position it starts from, or None for the start of the rules.
            result: of a game that the rules have not ended.
            reason: of such a game, for example `resignation`.
            tags: free tags.

        Raises:
            RecordError: an action is not legal, an event cannot be, or a field cannot be recorded.
        """
        rules = game.make_rules() if rules is None else rules
        numbers = _whole_numbers("actions", actions)
        announced = [None] * len(numbers) if events is None else _whole_numbers("events", events)
        if len(announced) != len(numbers):
            raise RecordError(f"{len(numbers)} actions have as many events, got {len(announced)}")
        replay = Replay(game, rules, start)
        for action, event in zip(numbers, announced, strict=True):
            replay.play(action, event)
        return replay.record(result, reason, tags)

    @property
    def actions(self) -> list[int]:
        """All actions in order."""
        return [action for action, _ in self.played]

    @property
    def events(self) -> list[int]:
        """The events of the actions."""
        return [event for _, event in self.played]

    def validate(self) -> None:
        """Replays the game and compares its end with what is recorded.

        Raises:
            RecordError: the game is not legal, or ended otherwise than recorded.
        """
        again = GameRecord.from_game(
            load_game(self.game),
            self.actions,
            self.events,
            rules=self.rules,
            start=self.start,
            result=self.result,
            reason=self.reason,
            tags=self.tags,
        )
        again.check_result(self.result)
        if again != self:
            raise RecordError(f"the reason is {shown(again.reason)}, not {shown(self.reason)}")

    def check_result(self, recorded: str) -> None:
        """Makes sure that the result of a replayed game is the recorded one.

        Raises:
            RecordError: it is not.
        """
        if self.result != recorded:
            raise RecordError(
                f"the game ends {self.result} {in_brackets(self.reason)}, not {recorded}"
            )

    def replay(self) -> Iterator[States]:
        """Yields the start and the state after every action, uint8 [state_size] each.

        Raises:
            RecordError: see `from_game`.
        """
        replay = Replay(load_game(self.game), self.rules, self.start)
        yield replay.state.copy()
        for action, event in self.played:
            replay.play(action, event)
            yield replay.state.copy()


def rules_from_options(game: Game, options: Mapping[str, Any]) -> Any:
    """The game's RuleSet from options of unknown origin.

    Raises:
        RecordError: there is no such option.
        RulesError: the value of one makes no sense.
    """
    check_option_names(type(game.make_rules()), options)
    return game.make_rules(**options)


def draw_of_event(game: Game, state: States, action: int, event: int) -> float:
    """A draw with which an action has an event.

    Args:
        game: any.
        state: uint8 [state_size].
        action: legal there.
        event: one that `chance_outcomes` names.

    Returns:
        The middle of the draws in [0, 1) that lead to it.

    Raises:
        RecordError: the action never has that event.
    """
    events, probabilities = outcomes_of(game, state, action)
    found = np.flatnonzero(events == event)
    if not len(found):
        words = game.action_text(state, action)
        raise RecordError(f"event {event} cannot follow {words!r} in {game.to_text(state)!r}")
    index = int(found[0])
    return float(probabilities[:index].sum() + probabilities[index] / 2)


def event_between(game: Game, state: States, action: int, after: States) -> int:
    """The event of an action that led from one state to another.

    Args:
        game: any.
        state: uint8 [state_size].
        action: legal there.
        after: uint8 [state_size].

    Raises:
        RecordError: the action does not lead there.
    """
    for event in outcomes_of(game, state, action)[0].tolist():
        draws = np.array([draw_of_event(game, state, action, event)])
        found, events = game.apply(state[None], np.array([action], np.int32), draws)
        if np.array_equal(found[0], after):
            return int(events[0])
    words = game.action_text(state, action)
    raise RecordError(
        f"{words!r} does not lead from {game.to_text(state)!r} to {game.to_text(after)!r}"
    )


def outcomes_of(game: Game, state: States, action: int) -> tuple[Events, npt.NDArray[np.float64]]:
    """The events of one legal action of one state, and their probabilities."""
    outcomes: tuple[Events, npt.NDArray[np.float64]]
    (outcomes,) = game.chance_outcomes(state[None], np.array([action], np.int32))
    return outcomes


def in_brackets(reason: str) -> str:
    """A reason as a message has it behind a result."""
    return f"({reason})" if len(reason) <= _MAX_SHOWN_REASON else f"({shown(reason)})"


def _whole_numbers(what: str, values: Iterable[Any]) -> list[int]:
    numbers = listed(f"{what} are whole numbers", values)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
            raise RecordError(f"{what} are whole numbers, got {shown(number)}")
    return [int(number) for number in numbers]


def start_text(game: Game, state: States, rules: Any) -> str | None:
    """What a record says of the state that a game starts from.

    Args:
        game: any.
        state: uint8 [state_size].
        rules: those it is played by.

    Returns:
        The position's text, or None for the start of the rules.

    Raises:
        RecordError: the text does not tell all of the state.
    """
    first = _usual_start(game, rules)
    if first is not None and np.array_equal(first, state):
        return None
    text = game.to_text(state)
    if not np.array_equal(game.from_text(text, rules), state):
        raise RecordError(f"the position {shown(text)} does not tell all of the game's start")
    return text


def _usual_start(game: Game, rules: Any) -> States | None:
    """The start of the rules, uint8 [state_size]; None if it is dealt."""
    first, other = (game.new_states(1, np.random.default_rng(seed), rules)[0] for seed in (0, 1))
    return first if np.array_equal(first, other) else None


class Replay:
    """A game being replayed, every action checked.

    Args:
        game: whose rules are played.
        rules: the game's RuleSet.
        start: text of the position it starts from, or None for the start of the rules.

    Attributes:
        game: whose rules are played.
        state: uint8 [state_size], where it stands.
        played: what led there.
    """

    def __init__(self, game: Game, rules: Any, start: str | None) -> None:
        wanted = type(game.make_rules())
        if not isinstance(rules, wanted):
            raise RecordError(
                f"rules of {game.spec.name} are a {wanted.__name__}, got {shown(rules)}"
            )
        if start is not None:
            check_line("start", start)
        self.game, self._rules, self._start = game, rules, start
        self.state = self._first_state()
        self.played: list[PlayedAction] = []

    def _first_state(self) -> States:
        game, rules = self.game, self._rules
        if self._start is not None:
            try:
                return game.from_text(self._start, rules)
            except CotulenhError as error:
                raise RecordError(f"the start is no position: {error}") from None
        first = _usual_start(game, rules)
        if first is None:
            raise RecordError(f"games of {game.spec.name} are dealt: the record needs a start")
        return first

    @property
    def player(self) -> int:
        """Who is to move."""
        return self.game.current_player_of(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return bool(self.game.is_terminal(self.state[None])[0])

    def play(self, action: int, event: int | None) -> None:
        """Plays an action, with an event, or None for the only one it can have.

        Raises:
            RecordError: the action is not legal, or never has that event.
        """
        game, state = self.game, self.state
        legal, counts = game.legal_actions(state[None])
        if action not in legal[0, : counts[0]]:
            raise RecordError(
                f"action {len(self.played) + 1}, {action}, is illegal in {game.to_text(state)!r}"
            )
        draw = 0.5
        if len(outcomes_of(game, state, action)[0]) > 1:
            if event is None:
                words = game.action_text(state, action)
                raise RecordError(f"the event of {words!r} is missing in {game.to_text(state)!r}")
            draw = draw_of_event(game, state, action, event)
        after, events = game.apply(state[None], np.array([action], np.int32), np.array([draw]))
        if event is not None and event != events[0]:
            words = game.action_text(state, action)
            raise RecordError(f"event {event} cannot follow {words!r} in {game.to_text(state)!r}")
        self.state = after[0]
        self.played.append(PlayedAction(action, int(events[0])))

    def record(self, result: str, reason: str, tags: Iterable[object]) -> GameRecord:
        """The record so far; a game that the rules have ended has their result.

        Raises:
            RecordError: the rules say otherwise, or a field cannot be recorded.
        """
        if result not in RESULTS.values():
            raise RecordError(
                f"a result is one of {', '.join(RESULTS.values())}, got {shown(result)}"
            )
        check_line("reason", reason)
        theirs = self.game.end_reason(self.state[None])[0]
        if self.is_over:
            first, second = self.game.returns(self.state[None])[0]
            winner = -1 if first == second else int(second > first)
            if result not in ("*", RESULTS[winner]) or reason not in ("", theirs):
                told = f"{result} {in_brackets(reason)}"
                raise RecordError(
                    f"the game ends {RESULTS[winner]} ({theirs}), not {told}, "
                    f"in {self.game.to_text(self.state)!r}"
                )
            result, reason = RESULTS[winner], theirs
        return GameRecord(
            self.game.spec.name,
            tuple(self.played),
            self._rules,
            self._start,
            result,
            reason,
            checked_tags(tags, DERIVED_TAGS),
        )
