"""`BasePosition`: what the positions of both modes share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import IllegalActionError, MoveTextError, StateError, shown
from cotulenh_env.game import States
from cotulenh_env.luzhanqi.state import UNFINISHED, Record


class _Past(NamedTuple):
    """The position before an action: a chain, so that copies share it and cost nothing more."""

    states: npt.NDArray[np.uint8]
    event: int
    before: _Past | None


class BasePosition:
    """What both modes share.

    Places are given and come back as `"b3"`. Two positions are equal when board, clocks, history
    and rules are; what `pop` could take back does not count.
    """

    __slots__ = ("_event", "_legal", "_past", "_states")

    _game: ClassVar[Any]
    _states: States  # [1, state_size]
    _legal: tuple[int, ...] | None
    _past: _Past | None
    _event: int  # of the last action

    def _take(self, states: States) -> None:
        self._states, self._legal, self._past, self._event = states, None, None, 0

    @classmethod
    def _of(cls, states: States) -> Self:
        position = cls.__new__(cls)
        position._take(states)
        return position

    @classmethod
    def from_state(cls, state: bytes | npt.NDArray[np.uint8]) -> Self:
        """The position of a saved state, as `state` gives it.

        Raises:
            StateError: it is no state that a game can be in.
        """
        try:
            array = np.frombuffer(bytes(state), np.uint8)
        except (TypeError, ValueError):
            raise StateError(f"a state is bytes or uint8, got {shown(state)}") from None
        return cls._of(cls._game.check_states(array[None]))

    # --- the game -------------------------------------------------------------------------------

    @property
    def _record(self) -> Record:
        return self._states.view(self._game.spec.state_dtype)[0, 0]

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
        """Why the game ended; empty while it goes on."""
        reason: str = self._game.end_reason(self._states)[0]
        return reason

    @property
    def plies(self) -> int:
        """Plies played."""
        return int(self._record["plies"])

    @property
    def quiet_plies(self) -> int:
        """Plies since the last removal."""
        return int(self._record["quiet_plies"])

    @property
    def state(self) -> States:
        """uint8 [state_size]: everything, as a new array."""
        state: States = self._states[0].copy()
        return state

    @property
    def key(self) -> int:
        """64-bit hash of the true position: no clocks."""
        return int(self._game.key(self._states)[0])

    def fen(self) -> str:
        """The position as text that `from_fen` reads."""
        text: str = self._game.to_text(self._states[0])
        return text

    # --- moves ----------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        if self._legal is None:
            actions, counts = self._game.legal_actions(self._states)
            self._legal = tuple(actions[0, : counts[0]].tolist())
        return list(self._legal)

    def legal_moves(self) -> Iterator[tuple[int, str]]:
        """The legal actions with their words, in the order of `legal_actions`."""
        for action in self.legal_actions():
            yield action, self.move_text(action)

    def move_text(self, action: int) -> str:
        """A legal action in words, for example `b3-c3`.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        text: str = self._game.action_text(self._states[0], self._checked(action))
        return text

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        for action, words in self.legal_moves():
            if words == text:
                return action
        raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")

    def _checked(self, action: object) -> int:
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalActionError(
                f"an action is a whole number, got {shown(action)} in {self.fen()}"
            )
        if action not in self.legal_actions():
            over = " (the game is over)" if self.winner is not None else ""
            raise IllegalActionError(f"action {shown(action)} is not legal in {self.fen()}{over}")
        return int(action)

    def _play(self, action: int, draw: float) -> None:
        past = _Past(self._states, self._event, self._past)
        states, events = self._game.apply(
            self._states, np.array([action], np.int32), np.array([draw])
        )
        self._take(states)
        self._past, self._event = past, int(events[0])

    def pop(self) -> None:
        """Takes the last action back: everything is as it was before.

        Raises:
            IllegalActionError: no action has been pushed since the position was made or loaded.
        """
        if self._past is None:
            raise IllegalActionError(f"there is no action to take back in {self.fen()}")
        past = self._past
        self._take(past.states)
        self._event, self._past = past.event, past.before

    def copy(self) -> Self:
        """An independent position, equal to this one, with the same past."""
        twin = self._of(self._states)  # nothing writes into it
        twin._legal, twin._past, twin._event = self._legal, self._past, self._event
        return twin

    # --- Python ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        text: str = self._game.draw(self._states[0])
        return text

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_fen({self.fen()!r}, {self.rules!r})"

    @property
    def rules(self) -> Any:
        """The RuleSet that the position carries."""
        return self._game.rules_of(self._states[0])

    def __eq__(self, other: object) -> bool:
        """Whether everything is equal, clocks, history and rules included."""
        if type(other) is not type(self):
            return NotImplemented
        return self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).from_state, (self._states.tobytes(),)
