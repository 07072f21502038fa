"""What both modes of Luzhanqi share as `Game`s: records, clocks, results."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import RulesError, StateError, shown
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
from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.kernels.workspace import NO_INTEGERS, NO_LISTS, NO_MASK, NO_PLANES
from cotulenh_env.luzhanqi.rules import Rules, make_rules
from cotulenh_env.luzhanqi.state import REASONS, UNFINISHED, Record, Records, as_states


class Mode(Game, Generic[Rules]):
    """A mode over records of `spec.state_dtype`; its kernel is `_step`."""

    rule_set: type[Rules]
    """The RuleSet of the mode."""

    # Documented in Game.

    def make_rules(self, /, **options: Any) -> Rules:
        return make_rules(self.rule_set, **options)

    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: Rules | Sequence[Rules] | None = None,
    ) -> States:
        if rules is None or isinstance(rules, self.rule_set):
            return as_states(self._new_records(n, rng, self._checked_rules(rules)))
        if not isinstance(rules, Sequence) or len(rules) != n:
            raise RulesError(
                f"rules of {self.spec.name} are one {self.rule_set.__name__} or one per row, "
                f"got {shown(rules)} for {n} rows"
            )
        states = np.empty((n, self.spec.state_size), np.uint8)
        for row, row_rules in enumerate(rules):
            checked = self._checked_rules(row_rules)
            states[row] = as_states(self._new_records(1, rng, checked))[0]
        return states

    @abstractmethod
    def _new_records(self, n: int, rng: np.random.Generator | None, rules: Rules) -> Records:
        """Starting records [n], all by the same rules."""

    def _checked_rules(self, rules: object) -> Rules:
        if rules is None:
            return self.rule_set()
        if not isinstance(rules, self.rule_set):
            raise RulesError(
                f"rules of {self.spec.name} are a {self.rule_set.__name__}, got {shown(rules)}"
            )
        return rules

    # --- playing --------------------------------------------------------------------------------

    @abstractmethod
    def _step(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None,
        events: Events,
        arrays: tuple[Any, ...],
    ) -> None:
        """The mode's kernel: arrays are legal actions, counts, mask, planes and players."""

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, self.spec.max_legal_actions), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        arrays = (out, counts, NO_MASK, NO_PLANES, NO_INTEGERS)
        self._step(states, NO_INTEGERS, None, NO_INTEGERS, arrays)
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
        arrays = (NO_LISTS, NO_INTEGERS, NO_MASK, NO_PLANES, NO_INTEGERS)
        self._step(out, actions, draws, events, arrays)
        return out, events

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        self._step(states, NO_INTEGERS, None, NO_INTEGERS, _kernel_arrays(buffers))

    def step_into(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        self._step(states, actions, draws, buffers.events, _kernel_arrays(buffers))

    # --- looking --------------------------------------------------------------------------------

    def current_player(self, states: States) -> Players:
        players: Players = self._records(states)["player"].astype(np.int32)
        return players

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = self._records(states)["winner"] != UNFINISHED
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        winner = self._records(states)["winner"]
        first = (winner == 0).astype(np.float32) - (winner == 1).astype(np.float32)
        return np.stack([first, np.float32(0) - first], axis=1)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        if out is None:
            out = np.empty((len(states), *self.spec.observation_shape), np.float32)
        arrays = (NO_LISTS, NO_INTEGERS, NO_MASK, _flat(out), players.astype(np.int32))
        self._step(states, NO_INTEGERS, None, NO_INTEGERS, arrays)
        return out

    def end_reason(self, states: States) -> list[str]:
        return [REASONS[reason] for reason in self._records(states)["reason"]]

    # --- inside ---------------------------------------------------------------------------------

    def _records(self, states: States) -> Records:
        if not states.flags.c_contiguous:
            raise StateError("states are C-contiguous arrays: copy the rows first")
        # Compiled kernels would be compiled once more for arrays that cannot be written.
        states = states if states.flags.writeable else states.copy()
        # Several times faster than a view: NumPy looks through all fields of a dtype to allow one.
        return np.ndarray(len(states), self.spec.state_dtype, states)

    def _record(self, state: States) -> Record:
        return state.view(self.spec.state_dtype)[0]


def _kernel_arrays(buffers: StepBuffers) -> tuple[Any, ...]:
    """Legal actions, counts, mask, planes and players as the kernels take them."""
    planes = buffers.observations
    return (
        buffers.legal_actions,
        buffers.counts,
        NO_MASK if buffers.mask is None else buffers.mask,
        NO_PLANES if planes is None else _flat(planes),
        NO_INTEGERS,
    )


def _flat(planes: Planes) -> Planes:
    """The same memory as float32 [n, planes, 60]; a copy would be filled in vain."""
    flat: Planes = planes.view()
    flat.shape = (len(planes), planes.shape[1], NUM_PLACES)
    return flat
