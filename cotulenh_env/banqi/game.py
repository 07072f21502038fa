"""Banqi as a `Game`."""

from __future__ import annotations

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
from cotulenh_env.banqi.board import NUM_COLUMNS, NUM_ROWS
from cotulenh_env.banqi.drawing import draw_picture, draw_text, marks_of
from cotulenh_env.banqi.fen import fen_of, state_from_fen
from cotulenh_env.banqi.kernels.step import step
from cotulenh_env.banqi.loading import new_state, rules_of
from cotulenh_env.banqi.notation import event_text, move_text
from cotulenh_env.banqi.observation import PLANE_NAMES
from cotulenh_env.banqi.outcomes import outcomes_of
from cotulenh_env.banqi.rules import RuleSet
from cotulenh_env.banqi.state import REASONS, STATE_DTYPE, Record, Records, keys_of
from cotulenh_env.banqi.state_checks import check_record
from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Actions, Draws, Events, GameSpec, States
from cotulenh_env.kernel_game import KernelGame, as_row


class Banqi(KernelGame[RuleSet]):
    """4 × 8 dark chess: all pieces lie face down, and a flip turns one up (docs/banqi.md).

    The event of a flip is the piece that it turns up, 0–13 (pieces.py); of other actions 0.
    """

    rule_set = RuleSet
    reasons = REASONS
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
    )

    # --- beginning ------------------------------------------------------------------------------

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: RuleSet
    ) -> None:
        states[:] = as_row(new_state(rules))

    def rules_of(self, state: States) -> RuleSet:
        return rules_of(self._record(state))

    # --- playing --------------------------------------------------------------------------------

    def _step(
        self,
        records: Records,
        actions: Actions,
        draws: Draws | None,
        events: Events,
        arrays: tuple[Any, ...],
    ) -> None:
        if draws is None:
            raise CotulenhError("a turn of banqi needs a draw in [0, 1) for every row, got None")
        step(records, actions, draws, events, *arrays)

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        return [
            outcomes_of(record, int(action))
            for record, action in zip(self._records(states), actions, strict=True)
        ]

    # --- looking --------------------------------------------------------------------------------

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return keys_of(self._records(states))

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        return symmetries()

    def score(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: each player's pieces that have not been captured."""
        records = self._records(states)
        left = records["left"].astype(np.float32)
        swapped = records["first_colour"] == 1
        left[swapped] = left[swapped, ::-1]
        return left

    # --- texts and pictures ---------------------------------------------------------------------

    def to_text(self, state: States) -> str:
        return fen_of(self._record(state))

    def from_text(self, text: str, rules: RuleSet | None = None) -> States:
        return as_row(state_from_fen(text, self._checked_rules(rules)))

    def action_text(self, state: States, action: int) -> str:
        return move_text(self._record(state), action)

    def event_text(self, state: States, action: int, event: int) -> str:
        return event_text(action, event)

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(record["board"], marks_of(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(record["board"], marks_of(record))

    # --- saved states ---------------------------------------------------------------------------

    def check_record(self, record: Record) -> None:
        check_record(record)
