"""`KernelGame`: a `Game` whose rules are one compiled kernel over state records.

What such games share lies here: records behind bytes, rules by row, calls of the kernel, results
and checks row by row. A game adds its kernel, its start, its keys and its texts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, RulesError, StateError, shown
from cotulenh_env.game import (
    Actions,
    Counts,
    Draws,
    Events,
    Game,
    Planes,
    Players,
    States,
    StepBuffers,
)
from cotulenh_env.kernel_arrays import NO_DRAWS, NO_INTEGERS, NO_LISTS, NO_MASK, NO_PLANES
from cotulenh_env.rule_options import Rules, rules_from

Record = Any
"""One state record, `np.void`."""

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""

_INTEGER = np.dtype(np.int32)
_NUMBER = np.dtype(np.float64)

UNFINISHED = -2
"""The `winner` of a game that goes on; -1 is a draw, 0 and 1 are players."""


def check_generator(rng: object) -> None:
    """Refuses what is no generator.

    Raises:
        CotulenhError: it is none.
    """
    if not isinstance(rng, np.random.Generator):
        raise CotulenhError(f"rng is a NumPy Generator, got {shown(rng)}")


class KernelGame(Game, Generic[Rules]):
    """A game over records of `spec.state_dtype`.

    Its records have the fields `player` (int8, who is to move), `winner` (UNFINISHED, -1, 0 or 1),
    `reason` (index in `reasons`) and `turns`; a game whose records count otherwise has a
    `num_turns` of its own.
    """

    rule_set: type[Rules]
    """The game's RuleSet; called without arguments it gives the default."""

    reasons: ClassVar[tuple[str, ...]]
    """Why a game ended, in words; the first one is empty."""

    kernel: ClassVar[Callable[..., None]]
    """The entry point of the rules, as a static method.

    It plays in place, then fills what is wanted of the states it leads to: `kernel(records,
    actions, [draws, events,] legal_actions, counts, mask, planes, players, [notes])`, with planes
    as float32 [n, planes, squares], and each array empty where nothing is played or wanted
    (kernel_arrays.py). Events come in as zeros or those of an earlier step.
    """

    has_events: ClassVar[bool] = False
    """Whether the kernel takes draws and events. Draws are None where none is given or needed."""

    note_dtype: ClassVar[np.dtype[Any] | None] = None
    """The record of a row's notes, if the kernel takes some."""

    # --- what a game adds -----------------------------------------------------------------------

    @abstractmethod
    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: Rules
    ) -> None:
        """Writes starting states, all by the same rules; `first_row` is the first one's number."""

    @staticmethod
    @abstractmethod
    def record_keys(records: Records, /) -> npt.NDArray[np.uint64]:
        """`key` of records."""

    @staticmethod
    @abstractmethod
    def record_rules(record: Record, /) -> Any:
        """`rules_of` a record."""

    @staticmethod
    @abstractmethod
    def record_text(record: Record, /) -> str:
        """`to_text` of a record."""

    @staticmethod
    @abstractmethod
    def record_from_text(text: str, rules: Any, /) -> Record:
        """The record of a text, by rules of `rule_set`.

        Raises:
            PositionError: the text is malformed, with the reason and the place.
        """

    @staticmethod
    @abstractmethod
    def record_action_text(record: Record, action: int, /) -> str:
        """`action_text` of an action in a record."""

    @staticmethod
    @abstractmethod
    def check_record(record: Record, /) -> None:
        """Refuses a record that no game can be in.

        Raises:
            StateError: with the reason.
        """

    # --- beginning ------------------------------------------------------------------------------

    def make_rules(self, /, **options: Any) -> Rules:
        return rules_from(self.rule_set, options)

    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: Rules | Sequence[Rules] | None = None,
    ) -> States:
        if rng is not None:
            check_generator(rng)
        states = np.empty((n, self.spec.state_size), np.uint8)
        if not isinstance(rules, Sequence):
            self._fill_starts(states, 0, rng, self._checked_rules(rules))
            return states
        if len(rules) != n:
            raise RulesError(
                f"rules are one {self.rule_set.__name__} or one per row, "
                f"got {len(rules)} for {n} rows"
            )
        for row, row_rules in enumerate(rules):
            self._fill_starts(states[row : row + 1], row, rng, self._checked_rules(row_rules))
        return states

    def rules_of(self, state: States) -> Rules:
        rules: Rules = self.record_rules(self._record(state))
        return rules

    @cached_property
    def _default_rules(self) -> Rules:
        return self.rule_set()  # once: its checks take longer than a step

    def _checked_rules(self, rules: object) -> Rules:
        if rules is None:
            return self._default_rules
        if not isinstance(rules, self.rule_set):
            raise RulesError(
                f"rules of {self.spec.name} are a {self.rule_set.__name__}, got {shown(rules)}"
            )
        return rules

    # --- playing --------------------------------------------------------------------------------

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, self.spec.max_legal_actions), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        wanted = (out, counts, NO_MASK, NO_PLANES, NO_INTEGERS)
        self.kernel(self._records(states), *self._no_play, *wanted, *self._no_notes)
        return out, counts

    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        if out is None:
            out = states.copy()
        elif out is not states:
            out[:] = states
        events = np.zeros(len(states), np.int32)
        if actions.dtype is not _INTEGER or not actions.flags.carray:
            actions = np.array(actions, _INTEGER)  # kernels would be compiled once more
        if draws is not None and (draws.dtype is not _NUMBER or not draws.flags.carray):
            draws = np.array(draws, _NUMBER)
        self._play(self._records(out), actions, draws, events, self._nothing)
        return out, events

    def new_notes(self, n: int) -> npt.NDArray[Any] | None:
        return None if self.note_dtype is None else np.zeros(n, self.note_dtype)

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        self.kernel(self._records(states), *self._no_play, *self._buffer_arrays(buffers))

    def step_into(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        arrays = self._buffer_arrays(buffers)
        self._play(self._records(states), actions, draws, buffers.events, arrays)

    def stepper(
        self, states: States, buffers: StepBuffers
    ) -> Callable[[Actions, Draws | None], None]:
        records, arrays = self._records(states), self._buffer_arrays(buffers)
        if self.has_events:
            play, events = self._play, buffers.events
            return lambda actions, draws: play(records, actions, draws, events, arrays)
        kernel = self.kernel
        return lambda actions, draws: kernel(records, actions, *arrays)

    def _play(
        self,
        records: Records,
        actions: Actions,
        draws: Draws | None,
        events: Events,
        arrays: tuple[Any, ...],
    ) -> None:
        if not self.has_events:
            self.kernel(records, actions, *arrays)  # events stay 0: nothing is left to chance
            return
        if draws is None and self.spec.has_chance:
            raise CotulenhError(
                f"{self.spec.name} needs draws: a draw in [0, 1) for every row, got None"
            )
        self.kernel(records, actions, draws, events, *arrays)

    # --- looking --------------------------------------------------------------------------------

    @cached_property
    def _player_byte(self) -> int:
        offset: int = self.spec.state_dtype.fields["player"][1]  # type: ignore[index]
        return offset

    def current_player(self, states: States) -> Players:
        players: Players = states[:, self._player_byte].astype(np.int32)
        return players

    def current_player_of(self, state: States) -> int:
        return int(state.item(self._player_byte))

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = self._records(states)["winner"] != UNFINISHED
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        winner = self._records(states)["winner"]
        first = (winner == 0).astype(np.float32) - (winner == 1).astype(np.float32)
        return np.stack([first, np.float32(0) - first], axis=1)

    def end_reason(self, states: States) -> list[str]:
        return [self.reasons[reason] for reason in self._records(states)["reason"]]

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        turns: npt.NDArray[np.int32] = self._records(states)["turns"].astype(np.int32)
        return turns

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        if out is None:
            out = np.empty((len(states), *self.spec.observation_shape), np.float32)
        self.observe_again(states, players, out, None)
        return out

    def observe_again(
        self, states: States, players: Players, out: Planes, notes: npt.NDArray[Any] | None
    ) -> None:
        if players.dtype is not _INTEGER or not players.flags.carray:
            players = np.array(players, _INTEGER)
        wanted = (NO_LISTS, NO_INTEGERS, NO_MASK, _flat(out), players)
        notes_too = self._no_notes if notes is None else (notes,)
        self.kernel(self._records(states), *self._no_play, *wanted, *notes_too)

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return self.record_keys(self._records(states))

    # --- texts ----------------------------------------------------------------------------------

    def to_text(self, state: States) -> str:
        return self.record_text(self._record(state))

    def from_text(self, text: str, rules: Rules | None = None) -> States:
        return as_row(self.record_from_text(text, self._checked_rules(rules)))

    def action_text(self, state: States, action: int) -> str:
        return self.record_action_text(self._record(state), action)

    # --- saved states ---------------------------------------------------------------------------

    def check_states(self, states: npt.ArrayLike) -> States:
        checked = super().check_states(states)
        for row, record in enumerate(self._records(checked)):
            try:
                self.check_record(record)
            except StateError as error:
                raise StateError(f"row {row}: {error}") from None
        return checked

    # --- arrays ---------------------------------------------------------------------------------

    def _records(self, states: States) -> Records:
        if not states.flags.carray:
            if not states.flags.c_contiguous:
                raise StateError("states are C-contiguous arrays: copy the rows first")
            states = states.copy()  # kernels would be compiled once more for what is read-only
        # Several times faster than a view: NumPy looks through all fields of a dtype to allow one.
        return np.ndarray(len(states), self.spec.state_dtype, states)

    def _record(self, state: States) -> Record:
        return np.ndarray(1, self.spec.state_dtype, state)[0]

    def _buffer_arrays(self, buffers: StepBuffers) -> tuple[Any, ...]:
        return (
            buffers.legal_actions,
            buffers.counts,
            NO_MASK if buffers.mask is None else buffers.mask,
            NO_PLANES if buffers.observations is None else _flat(buffers.observations),
            NO_INTEGERS,
            *(self._no_notes if buffers.notes is None else (buffers.notes,)),
        )

    @cached_property
    def _no_play(self) -> tuple[npt.NDArray[Any], ...]:
        """The kernel's first arrays behind the records where nothing is played."""
        return (NO_INTEGERS, NO_DRAWS, NO_INTEGERS) if self.has_events else (NO_INTEGERS,)

    @cached_property
    def _nothing(self) -> tuple[Any, ...]:
        """The kernel's further arrays where nothing is wanted."""
        return (NO_LISTS, NO_INTEGERS, NO_MASK, NO_PLANES, NO_INTEGERS, *self._no_notes)

    @cached_property
    def _no_notes(self) -> tuple[npt.NDArray[Any], ...]:
        """The kernel's last array, if it takes notes, where there are none."""
        return () if self.note_dtype is None else (np.empty(0, self.note_dtype),)


def as_row(record: Record) -> States:
    """A record's bytes as a state of its own, uint8 [state_size]."""
    return np.frombuffer(bytearray(record.tobytes()), np.uint8)


def _flat(planes: Planes) -> Planes:
    """The same memory as float32 [n, planes, squares]; a copy would be filled in vain."""
    n, num_planes, height, width = planes.shape
    flat: Planes = planes.view()
    flat.shape = (n, num_planes, height * width)
    return flat
