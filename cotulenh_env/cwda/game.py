"""Chess with Different Armies as a `Game`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.actions import NUM_ACTIONS, policy_index
from cotulenh_env.cwda.actions import NUM_PLANES as NUM_POLICY_PLANES
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.drawing import draw_picture, draw_text
from cotulenh_env.cwda.fen import state_from_fen, text_of
from cotulenh_env.cwda.kernels.notes import NOTE_DTYPE
from cotulenh_env.cwda.kernels.perft import count_sequences
from cotulenh_env.cwda.kernels.step import (
    NO_INTEGERS,
    NO_MASK,
    NO_NOTES,
    NO_PLANES,
    Notes,
    apply_actions,
    fill_legal_actions,
    fill_observations,
    observe_again,
    step,
)
from cotulenh_env.cwda.loading import new_state, rules_of
from cotulenh_env.cwda.notation import move_text, parse_move
from cotulenh_env.cwda.observation import NUM_PLANES, PLANE_NAMES
from cotulenh_env.cwda.pieces import VALUE
from cotulenh_env.cwda.position import marks_of
from cotulenh_env.cwda.rules import RuleSet, draw_armies, make_rules
from cotulenh_env.cwda.state import (
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
    Records,
    keys_of,
)
from cotulenh_env.cwda.state_checks import check_record
from cotulenh_env.errors import MoveTextError, RulesError, StateError, shown
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
_BOARD_BYTE = STATE_DTYPE.fields["board"][1]  # type: ignore[index]


class DifferentArmies(Game):
    """Chess, in which each side has an army of its own (docs/cwda.md).

    The armies that the rules leave to chance are drawn when a game begins; without a generator the
    rows of `new_states` take the sixteen pairings in turn. Nothing else is left to chance.
    """

    spec = GameSpec(
        name="cwda",
        num_actions=NUM_ACTIONS,
        state_dtype=STATE_DTYPE,
        max_legal_actions=MAX_LEGAL_ACTIONS,
        board_shape=(SIZE, SIZE),
        plane_names=PLANE_NAMES,
        policy_planes=NUM_POLICY_PLANES,
        num_global_logits=0,
        policy_index=policy_index(),
        score_scale=100.0,
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
        if rules is None or isinstance(rules, RuleSet):
            rules = [_checked_rules(rules)] * n
        elif len(rules) != n:
            raise RulesError(f"rules are one RuleSet or one per row, got {len(rules)} for {n} rows")
        states = np.empty((n, STATE_DTYPE.itemsize), np.uint8)
        for row, row_rules in enumerate(rules):
            armies = draw_armies(_checked_rules(row_rules), rng, row)
            states[row] = _as_row(new_state(armies))
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
        apply_actions(_records(out), actions)
        return out, np.zeros(len(states), np.int32)

    def new_notes(self, n: int) -> Notes:
        return np.zeros(n, NOTE_DTYPE)

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        self._step(states, NO_INTEGERS, buffers)

    def step_into(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        self._step(states, actions, buffers)  # events stay 0: nothing is left to chance

    def _step(self, states: States, actions: Actions, buffers: StepBuffers) -> None:
        step(_records(states), actions, *_kernel_arrays(buffers))

    def stepper(
        self, states: States, buffers: StepBuffers
    ) -> Callable[[Actions, Draws | None], None]:
        records, arrays = _records(states), _kernel_arrays(buffers)

        def play(actions: Actions, draws: Draws | None) -> None:
            step(records, actions, *arrays)

        return play

    def perft(self, states: States, depth: int) -> int:
        """The number of sequences of `depth` legal actions from the given states."""
        return len(states) if depth == 0 else int(count_sequences(_records(states), depth))

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
        white = (winner == 0).astype(np.float32) - (winner == 1).astype(np.float32)
        return np.stack([white, np.float32(0) - white], axis=1)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        if out is None:
            out = np.empty((len(states), *self.spec.observation_shape), np.float32)
        fill_observations(_records(states), players, _flat(out))
        return out

    def observe_again(
        self, states: States, players: Players, out: Planes, notes: npt.NDArray[Any] | None
    ) -> None:
        if notes is None:
            self.observe(states, players, out)
        else:
            observe_again(_records(states), players, _flat(out), notes)

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return keys_of(_records(states))

    def end_reason(self, states: States) -> list[str]:
        return [REASONS[reason] for reason in _records(states)["reason"]]

    def score(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: each player's material, a pawn being worth 10."""
        board = states[:, _BOARD_BYTE : _BOARD_BYTE + NUM_SQUARES]
        return np.stack([VALUE[side][board].sum(axis=1) for side in (0, 1)], axis=1)

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        turns: npt.NDArray[np.int32] = _records(states)["turns"].astype(np.int32)
        return turns

    # --- texts and pictures ---------------------------------------------------------------------

    def to_text(self, state: States) -> str:
        return text_of(_record(state))

    def from_text(self, text: str, rules: RuleSet | None = None) -> States:
        return _as_row(state_from_fen(text, _checked_rules(rules))).copy()

    def action_text(self, state: States, action: int) -> str:
        return move_text(_record(state), action)

    def parse_action(self, state: States, text: str) -> int:
        action = parse_move(_record(state), text)
        legal_actions, counts = self.legal_actions(state[None])
        if action not in legal_actions[0, : counts[0]]:
            raise MoveTextError(f"{shown(text)} is no legal move in {self.to_text(state)!r}")
        return action

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
    """The arguments of `step` behind states and actions."""
    planes = buffers.observations
    return (
        buffers.legal_actions,
        buffers.counts,
        NO_MASK if buffers.mask is None else buffers.mask,
        NO_PLANES if planes is None else _flat(planes),
        NO_INTEGERS,
        NO_NOTES if buffers.notes is None else buffers.notes,
    )


def _record(state: States) -> Record:
    return state.view(STATE_DTYPE)[0]


def _as_row(record: Record) -> States:
    return np.frombuffer(record.tobytes(), np.uint8)


def _flat(planes: Planes) -> Planes:
    """The same memory as float32 [n, planes, 64]; a copy would be filled in vain."""
    flat: Planes = planes.view()
    flat.shape = (len(planes), NUM_PLANES, NUM_SQUARES)
    return flat


def _checked_rules(rules: object) -> RuleSet:
    if rules is None:
        return _DEFAULT_RULES
    if not isinstance(rules, RuleSet):
        raise RulesError(f"rules of cwda are a RuleSet, got {shown(rules)}")
    return rules
