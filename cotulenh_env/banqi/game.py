"""Banqi as a `Game`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import (
    MAX_LEGAL_ACTIONS,
    NUM_ACTIONS,
    NUM_POLICY_PLANES,
    policy_index,
    symmetries,
)
from cotulenh_env.banqi.board import NUM_CELLS, NUM_COLUMNS, NUM_ROWS
from cotulenh_env.banqi.drawing import draw_picture, draw_text, marks_of
from cotulenh_env.banqi.fen import fen_of, state_from_fen
from cotulenh_env.banqi.kernels.step import (
    NO_DRAWS,
    NO_INTEGERS,
    NO_MASK,
    NO_PLANES,
    apply_actions,
    fill_legal_actions,
    fill_observations,
    step,
)
from cotulenh_env.banqi.loading import new_state, rules_of
from cotulenh_env.banqi.notation import event_text, move_text
from cotulenh_env.banqi.observation import NUM_PLANES, PLANE_NAMES
from cotulenh_env.banqi.outcomes import outcomes_of
from cotulenh_env.banqi.rules import RuleSet, make_rules
from cotulenh_env.banqi.state import (
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
    Records,
    keys_of,
)
from cotulenh_env.banqi.state_checks import check_record
from cotulenh_env.errors import CotulenhError, RulesError, StateError, shown
from cotulenh_env.game import (
    Actions,
    Counts,
    Draws,
    Events,
    Game,
    GameSpec,
    Planes,
    Players,
    States,
    StepBuffers,
)

_DEFAULT_RULES = RuleSet()
_PLAYER_BYTE = STATE_DTYPE.fields["player"][1]  # type: ignore[index]  # it has fields


class Banqi(Game):
    """4 × 8 dark chess: all pieces lie face down, and a flip turns one up (docs/banqi.md).

    The event of a flip is the piece that it turns up, 0–13 (pieces.py); of other actions 0.
    """

    spec = GameSpec(
        name="banqi",
        num_actions=NUM_ACTIONS,
        state_dtype=STATE_DTYPE,
        max_legal_actions=MAX_LEGAL_ACTIONS,
        board_shape=(NUM_ROWS, NUM_COLUMNS),
        plane_names=PLANE_NAMES,
        policy_planes=NUM_POLICY_PLANES,
        num_global_logits=0,
        policy_index=policy_index(),
        has_chance=True,
        score_scale=5.0,
    )

    # --- beginning ------------------------------------------------------------------------------

    def make_rules(self, **options: Any) -> RuleSet:
        return make_rules(**options)

    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: RuleSet | Sequence[RuleSet] | None = None,
    ) -> States:
        states = np.empty((n, STATE_DTYPE.itemsize), np.uint8)
        if rules is None or isinstance(rules, RuleSet):
            states[:] = _as_row(new_state(_checked_rules(rules)))
            return states
        if len(rules) != n:
            raise RulesError(f"rules are one RuleSet or one per row, got {len(rules)} for {n} rows")
        for row, row_rules in enumerate(rules):
            states[row] = _as_row(new_state(_checked_rules(row_rules)))
        return states

    def rules_of(self, state: States) -> RuleSet:
        return rules_of(_record(state))

    # --- playing --------------------------------------------------------------------------------

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, MAX_LEGAL_ACTIONS), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        fill_legal_actions(_records(states), out, counts)
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
        if actions.dtype != np.int32 or not actions.flags.carray:
            actions = np.array(actions, np.int32)  # kernels would be compiled once more
        events = np.empty(len(states), np.int32)
        apply_actions(_records(out), actions, _checked_draws(draws), events)
        return out, events

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        return [
            outcomes_of(record, int(action))
            for record, action in zip(_records(states), actions, strict=True)
        ]

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        step(_records(states), NO_INTEGERS, NO_DRAWS, *_kernel_arrays(buffers))

    def step_into(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        step(_records(states), actions, _checked_draws(draws), *_kernel_arrays(buffers))

    def stepper(
        self, states: States, buffers: StepBuffers
    ) -> Callable[[Actions, Draws | None], None]:
        records, arrays = _records(states), _kernel_arrays(buffers)

        def play(actions: Actions, draws: Draws | None) -> None:
            step(records, actions, _checked_draws(draws), *arrays)

        return play

    # --- looking --------------------------------------------------------------------------------

    def current_player(self, states: States) -> Players:
        players: Players = states[:, _PLAYER_BYTE].astype(np.int32)
        return players

    def current_player_of(self, state: States) -> int:
        return int(state.item(_PLAYER_BYTE))

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = _records(states)["winner"] != UNFINISHED
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        winner = _records(states)["winner"]
        first = (winner == 0).astype(np.float32) - (winner == 1).astype(np.float32)
        return np.stack([first, np.float32(0) - first], axis=1)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        if out is None:
            out = np.empty((len(states), *self.spec.observation_shape), np.float32)
        fill_observations(_records(states), players, _flat(out))
        return out

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return keys_of(_records(states))

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        return symmetries()

    def end_reason(self, states: States) -> list[str]:
        return [REASONS[reason] for reason in _records(states)["reason"]]

    def score(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: each player's pieces that have not been captured."""
        records = _records(states)
        left = records["left"].astype(np.float32)
        swapped = records["first_colour"] == 1
        left[swapped] = left[swapped, ::-1]
        return left

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        turns: npt.NDArray[np.int32] = _records(states)["turns"].astype(np.int32)
        return turns

    # --- texts and pictures ---------------------------------------------------------------------

    def to_text(self, state: States) -> str:
        return fen_of(_record(state))

    def from_text(self, text: str, rules: RuleSet | None = None) -> States:
        return _as_row(state_from_fen(text, _checked_rules(rules))).copy()

    def action_text(self, state: States, action: int) -> str:
        return move_text(_record(state), action)

    def event_text(self, state: States, action: int, event: int) -> str:
        return event_text(action, event)

    def draw(self, state: States) -> str:
        record = _record(state)
        return draw_text(record["board"], marks_of(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = _record(state)
        return draw_picture(record["board"], marks_of(record))

    # --- saved states ---------------------------------------------------------------------------

    def check_states(self, states: npt.ArrayLike) -> States:
        checked = super().check_states(states)
        for row, record in enumerate(_records(checked)):
            try:
                check_record(record)
            except StateError as error:
                raise StateError(f"row {row}: {error}") from None
        return checked


def _records(states: States) -> Records:
    if not states.flags.c_contiguous:
        raise StateError("states are C-contiguous arrays: copy the rows first")
    # Compiled kernels would be compiled once more for arrays that cannot be written.
    states = states if states.flags.writeable else states.copy()
    # Several times faster than a view: NumPy looks through all fields of a dtype to allow one.
    return np.ndarray(len(states), STATE_DTYPE, states)


def _kernel_arrays(buffers: StepBuffers) -> tuple[Any, ...]:
    """The arguments of `step` behind states, actions and draws."""
    planes = buffers.observations
    return (
        buffers.events,
        buffers.legal_actions,
        buffers.counts,
        NO_MASK if buffers.mask is None else buffers.mask,
        NO_PLANES if planes is None else _flat(planes),
        NO_INTEGERS,
    )


def _checked_draws(draws: Draws | None) -> Draws:
    if draws is None:
        raise CotulenhError("a turn of banqi needs a draw in [0, 1) for every row, got None")
    return draws


def _record(state: States) -> Record:
    return state.view(STATE_DTYPE)[0]


def _as_row(record: Record) -> States:
    return np.frombuffer(record.tobytes(), np.uint8)


def _flat(planes: Planes) -> Planes:
    """The same memory as float32 [n, planes, 32]; a copy would be filled in vain."""
    flat: Planes = planes.view()
    flat.shape = (len(planes), NUM_PLANES, NUM_CELLS)
    return flat


def _checked_rules(rules: object) -> RuleSet:
    if rules is None:
        return _DEFAULT_RULES
    if not isinstance(rules, RuleSet):
        raise RulesError(f"rules of banqi are a RuleSet, got {shown(rules)}")
    return rules
