"""Luzhanqi as two `Game`s: the flip mode and the referee mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Draws, Events, GameSpec, Players, States
from cotulenh_env.kernel_game import KernelGame, check_generator
from cotulenh_env.luzhanqi import belief
from cotulenh_env.luzhanqi.actions import (
    FLIP_POLICY_INDEX,
    MIRRORED_FLIP_ACTION,
    MIRRORED_PLACE,
    MIRRORED_REFEREE_ACTION,
    NUM_FLIP_ACTIONS,
    NUM_POLICY_PLANES,
    NUM_REFEREE_ACTIONS,
    REFEREE_POLICY_INDEX,
)
from cotulenh_env.luzhanqi.board import NUM_COLUMNS, NUM_ROWS
from cotulenh_env.luzhanqi.bounds import MAX_FLIP_ACTIONS, MAX_REFEREE_ACTIONS
from cotulenh_env.luzhanqi.chance import outcomes_of
from cotulenh_env.luzhanqi.drawing import draw_picture, draw_text
from cotulenh_env.luzhanqi.flip_fen import flip_fen_of, flip_state_of
from cotulenh_env.luzhanqi.kernels.flip_step import flip_step
from cotulenh_env.luzhanqi.kernels.referee_step import referee_step
from cotulenh_env.luzhanqi.notation import (
    announcement_words,
    flip_move_text,
    piece_text,
    referee_move_text,
)
from cotulenh_env.luzhanqi.observation import FLIP_PLANE_NAMES, REFEREE_PLANE_NAMES
from cotulenh_env.luzhanqi.pieces import NUM_PIECES, VALUE
from cotulenh_env.luzhanqi.referee_fen import referee_fen_of, referee_state_of
from cotulenh_env.luzhanqi.rules import FlipRuleSet, RefereeRuleSet
from cotulenh_env.luzhanqi.setup import (
    flip_rules_of,
    new_flip_records,
    new_referee_records,
    referee_rules_of,
)
from cotulenh_env.luzhanqi.state import (
    FLIP_DTYPE,
    REASONS,
    REFEREE_DTYPE,
    Records,
    as_states,
    codes_of,
    flip_keys_of,
    referee_keys_of,
    word_hashes,
)
from cotulenh_env.luzhanqi.state_checks import check_flip_record, check_referee_record
from cotulenh_env.luzhanqi.views import flip_marks, referee_marks, shown_codes

_VALUE_BY_CODE = np.concatenate([VALUE, VALUE[1:]])


class LuzhanqiFlip(KernelGame[FlipRuleSet]):
    """All 50 pieces begin face down (docs/luzhanqi.md). An event is the piece that is turned up."""

    rule_set = FlipRuleSet
    reasons = REASONS
    kernel = staticmethod(flip_step)
    record_keys = staticmethod(flip_keys_of)
    record_rules = staticmethod(flip_rules_of)
    record_text = staticmethod(flip_fen_of)
    record_from_text = staticmethod(flip_state_of)
    record_action_text = staticmethod(flip_move_text)
    check_record = staticmethod(check_flip_record)
    has_events = True
    spec = GameSpec(
        name="luzhanqi_flip",
        num_actions=NUM_FLIP_ACTIONS,
        state_dtype=FLIP_DTYPE,
        max_legal_actions=MAX_FLIP_ACTIONS,
        board_shape=(NUM_ROWS, NUM_COLUMNS),
        plane_names=FLIP_PLANE_NAMES,
        policy_planes=NUM_POLICY_PLANES,
        num_global_logits=0,
        policy_index=FLIP_POLICY_INDEX,
        has_chance=True,
        score_scale=60.0,
    )

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: FlipRuleSet
    ) -> None:
        states[:] = as_states(new_flip_records(len(states), rules))

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        records = self._records(states)
        turns: npt.NDArray[np.int32] = records["plies"] - records["first_ply"]
        return turns

    def score(self, states: States) -> npt.NDArray[np.float32]:
        records = self._records(states)
        board = records["board"]
        on_board = np.where(board < len(_VALUE_BY_CODE), board, 0)
        values = np.zeros((len(states), 2), np.float32)
        half = len(VALUE) - 1
        for colour in (0, 1):
            is_own = (on_board > colour * half) & (on_board <= (colour + 1) * half)
            values[:, colour] = (_VALUE_BY_CODE[on_board] * is_own).sum(axis=1)
            codes = slice(colour * half + 1, (colour + 1) * half + 1)
            values[:, colour] += records["remaining"][:, codes] @ VALUE[1:]
        swapped = records["first_colour"] == 1
        values[swapped] = values[swapped][:, ::-1]
        return values

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        return [(MIRRORED_PLACE, MIRRORED_FLIP_ACTION)]

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        records = self._records(states)
        return [outcomes_of(state, int(a)) for state, a in zip(records, actions, strict=True)]

    def event_text(self, state: States, action: int, event: int) -> str:
        return piece_text(action, event)

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(record["board"], flip_marks(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(record["board"], flip_marks(record))


class LuzhanqiReferee(KernelGame[RefereeRuleSet]):
    """Two hidden armies and a referee (docs/luzhanqi.md). An event is what the referee says.

    `key` is of the true position, which no player knows; what a player knows is `info_key`.
    """

    rule_set = RefereeRuleSet
    reasons = REASONS
    record_keys = staticmethod(referee_keys_of)
    record_rules = staticmethod(referee_rules_of)
    record_text = staticmethod(referee_fen_of)
    record_from_text = staticmethod(referee_state_of)
    record_action_text = staticmethod(referee_move_text)
    check_record = staticmethod(check_referee_record)
    has_events = True
    spec = GameSpec(
        name="luzhanqi_referee",
        num_actions=NUM_REFEREE_ACTIONS,
        state_dtype=REFEREE_DTYPE,
        max_legal_actions=MAX_REFEREE_ACTIONS,
        board_shape=(NUM_ROWS, NUM_COLUMNS),
        plane_names=REFEREE_PLANE_NAMES,
        policy_planes=NUM_POLICY_PLANES,
        num_global_logits=0,
        policy_index=REFEREE_POLICY_INDEX,
        has_hidden_information=True,
        score_scale=30.0,
    )

    @staticmethod
    def kernel(
        records: Records, actions: Actions, draws: Draws | None, events: Events, *arrays: Any
    ) -> None:
        """`referee_step`, which takes no draws."""
        referee_step(records, actions, events, *arrays)

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: RefereeRuleSet
    ) -> None:
        states[:] = as_states(new_referee_records(len(states), rng, rules))

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        records = self._records(states)
        turns = records["plies"] - records["first_ply"]
        placed: npt.NDArray[np.int32] = turns + records["num_placed"] // NUM_PIECES
        return placed

    def score(self, states: States) -> npt.NDArray[np.float32]:
        codes = codes_of(self._records(states))
        known = np.where(codes < len(_VALUE_BY_CODE), codes, 0)
        values = _VALUE_BY_CODE[known]
        is_second = known > len(VALUE) - 1
        sums = [(values * ~is_second).sum(axis=1), (values * is_second).sum(axis=1)]
        return np.stack(sums, axis=1).astype(np.float32)

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        return [(MIRRORED_PLACE, MIRRORED_REFEREE_ACTION)]

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        _, events = self.apply(states, actions)
        return [(event, np.ones(1)) for event in events[:, None]]

    # --- hidden information ---------------------------------------------------------------------

    def resample_hidden(self, states: States, players: Players, rng: np.random.Generator) -> States:
        check_generator(rng)
        return as_states(belief.draw_worlds(self._records(states), players.astype(np.int32), rng))

    def as_seen(self, states: States, players: Players) -> States:
        return as_states(belief.hide_from(self._records(states), players.astype(np.int32)))

    def info_key(self, states: States, players: Players) -> npt.NDArray[np.uint64]:
        viewer = players.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return word_hashes(self.as_seen(states, players)) ^ viewer

    # --- texts and pictures ---------------------------------------------------------------------

    def event_text(self, state: States, action: int, event: int) -> str:
        return announcement_words(event)

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(shown_codes(record), referee_marks(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(shown_codes(record), referee_marks(record))
