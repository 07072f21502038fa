"""`KernelPosition`: the checked, readable view of one state, as all games of `KernelGame` have it.

A game's own position says how it begins, what its FENs are and what else can be read from it.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import IllegalActionError, MoveTextError, RulesError, shown
from cotulenh_env.game import States
from cotulenh_env.kernel_game import UNFINISHED, KernelGame, Record, Records, as_row
from cotulenh_env.rule_options import Rules
from cotulenh_env.saved_states import record_from


class LegalMove(NamedTuple):
    """A legal action with its words."""

    action: int
    text: str


class Past(NamedTuple):
    """The position before an action: a chain, so that copies share it and cost nothing more."""

    states: States
    legal: tuple[int, ...] | None
    action: int
    draw: float | None
    before: Past | None


class KernelPosition(Generic[Rules]):
    """One position of a game, with all that its rules need to know of what came before.

    It can be read, changed by `push` and `pop`, copied, saved and compared. Two positions are equal
    when board, clocks, history and rules are; what `pop` could take back does not count. Copies
    share the past; a pickle holds the first state and the actions since.
    """

    __slots__ = ("_legal", "_past", "_states")

    _game: ClassVar[KernelGame[Any]]

    _states: States  # [1, state_size], replaced by each action and never written: copies share it
    _legal: tuple[int, ...] | None
    _past: Past | None

    def _begin(self, rules: object, rng: np.random.Generator | None = None) -> None:
        """Makes it the beginning of a game."""
        self._take(self._game.new_states(1, rng, self._checked_rules(rules)))

    def _take(self, states: States) -> None:
        self._states, self._legal, self._past = states, None, None

    @classmethod
    def _of(cls, states: States) -> Self:
        position = cls.__new__(cls)
        position._take(states)
        return position

    @classmethod
    def _from_text(cls, text: str, rules: object) -> Self:
        return cls._of(cls._game.from_text(text, cls._checked_rules(rules))[None])

    @classmethod
    def from_state(cls, state: bytes | npt.NDArray[np.uint8]) -> Self:
        """The position of a saved state, as `state` gives it.

        Args:
            state: bytes, or uint8 [state_size].

        Raises:
            StateError: it is no state that a game can be in.
        """
        record = record_from(state, cls._game.spec.state_dtype)
        cls._game.check_record(record)
        return cls._of(as_row(record)[None])

    # --- the game -------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Who is to move: player 0 or 1; in a finished game who would be."""
        return int(self._record["player"])

    @property
    def winner(self) -> int | None:
        """Player 0 or 1, -1 for a draw, None while the game goes on."""
        winner = int(self._record["winner"])
        return None if winner == UNFINISHED else winner

    @property
    def reason(self) -> str:
        """Why the game ended, in the rules' own word; empty while it goes on."""
        reason: str = self._game.reasons[self._record["reason"]]
        return reason

    def is_game_over(self) -> bool:
        """Whether the game is won or drawn; then no action is legal."""
        return self.winner is not None

    @property
    def turns(self) -> int:
        """Turns completed by both players together since the start or the loaded position."""
        return int(self._game.num_turns(self._states)[0])

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        rules: Rules = self._game.record_rules(self._record)
        return rules

    # --- saving ---------------------------------------------------------------------------------

    def fen(self) -> str:
        """The position as text that `from_fen` reads."""
        return self._game.record_text(self._record)

    @property
    def state(self) -> States:
        """uint8 [state_size]: a copy of the state, complete with clocks, history and rules."""
        state: States = self._states[0].copy()
        return state

    @property
    def key(self) -> int:
        """A 64-bit hash of the position without its clocks, the same in other games."""
        return int(self._game.key(self._states)[0])

    # --- moves ----------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        return list(self._legal_actions())

    def legal_moves(self) -> list[LegalMove]:
        """The legal actions with their words, in the order of `legal_actions`."""
        record, text_of = self._record, self._game.record_action_text
        return [LegalMove(action, text_of(record, action)) for action in self._legal_actions()]

    def move_text(self, action: int) -> str:
        """A legal action in words.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        return self._game.record_action_text(self._record, self._checked_action(action))

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        record, text_of = self._record, self._game.record_action_text
        for action in self._legal_actions():
            if text_of(record, action) == text:
                return action
        raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")

    # --- changing -------------------------------------------------------------------------------

    def push(self, action: int) -> None:
        """Plays one legal action; `pop` takes it back.

        Args:
            action: an int or NumPy integer from `legal_actions()`.

        Raises:
            IllegalActionError: the action is no whole number, out of range or not legal; the
                position stays as it is.
        """
        self._play(self._checked_action(action))

    def _play(self, action: int, draw: float | None = None) -> None:
        """Plays a legal action, with its draw in a game with chance."""
        past = Past(self._states, self._legal, action, draw, self._past)
        draws = None if draw is None else np.array([draw])
        states, _ = self._game.apply(self._states, np.array([action], np.int32), draws)
        self._states, self._legal, self._past = states, None, past

    def pop(self) -> int:
        """Takes the last action back: everything is as it was before, clocks and history included.

        Returns:
            The action.

        Raises:
            IllegalActionError: no action has been pushed since the position was made or loaded.
        """
        if self._past is None:
            raise IllegalActionError(f"there is no action to take back in {self.fen()}")
        self._states, self._legal, action, _, self._past = self._past
        return action

    @property
    def actions_played(self) -> list[int]:
        """The actions that `pop` can take back, the first one first."""
        return [past.action for past in self._pasts()]

    def _pasts(self) -> list[Past]:
        """What `pop` can take back, the first action first."""
        pasts = []
        past = self._past
        while past is not None:
            pasts.append(past)
            past = past.before
        return pasts[::-1]

    def copy(self, *, past: bool = True) -> Self:
        """An independent position, equal to this one.

        Args:
            past: whether `pop` can take back in the copy what it can here. The past is shared, so
                that copying it costs nothing; a copy without it does not keep it in memory.
        """
        twin = type(self).__new__(type(self))
        twin._states, twin._legal = self._states, self._legal
        twin._past = self._past if past else None
        return twin

    # --- Python ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self._game.draw(self._states[0])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_fen({self.fen()!r}, {self.rules!r})"

    def __eq__(self, other: object) -> bool:
        """Whether everything is equal, clocks, history and rules included."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        pasts = self._pasts()
        states = pasts[0].states if pasts else self._states
        moves = [(past.action, past.draw) for past in pasts]
        return _replayed, (type(self), states.tobytes(), moves)

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _records(self) -> Records:
        return np.ndarray(1, self._game.spec.state_dtype, self._states)  # faster than a view

    @property
    def _record(self) -> Record:
        return self._records[0]

    def _legal_actions(self) -> tuple[int, ...]:
        if self._legal is None:
            actions, counts = self._game.legal_actions(self._states)
            self._legal = tuple(actions[0, : counts[0]].tolist())
        return self._legal

    def _checked_action(self, action: object) -> int:
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalActionError(
                f"an action is a whole number, got {shown(action)} in {self.fen()}"
            )
        if not 0 <= action < self._game.spec.num_actions:
            last = self._game.spec.num_actions - 1
            raise IllegalActionError(
                f"actions are 0 to {last}, got {shown(int(action))} in {self.fen()}"
            )
        if action not in self._legal_actions():
            over = " (the game is over)" if self.winner is not None else ""
            raise IllegalActionError(f"action {action} is not legal in {self.fen()}{over}")
        return int(action)

    @classmethod
    def _checked_rules(cls, rules: object) -> Any:
        rule_set = cls._game.rule_set
        if not isinstance(rules, rule_set):
            raise RulesError(f"rules are a {rule_set.__name__}, got {shown(rules)}")
        return rules


def _replayed(
    kind: type[KernelPosition[Any]], state: bytes, moves: list[tuple[int, float | None]]
) -> KernelPosition[Any]:
    """A position as it is pickled: its first state, and what has been played since."""
    position = kind.from_state(state)
    for action, draw in moves:
        position._play(position._checked_action(action), draw)
    return position
