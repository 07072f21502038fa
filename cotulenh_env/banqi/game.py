"""Banqi as a `Game`."""

from __future__ import annotations

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
from cotulenh_env.banqi.state import REASONS, STATE_DTYPE, keys_of
from cotulenh_env.banqi.state_checks import check_record
from cotulenh_env.game import Actions, Events, GameSpec, States
from cotulenh_env.kernel_game import KernelGame, as_row


class Banqi(KernelGame[RuleSet]):
    """4 × 8 dark chess: all pieces lie face down, and a flip turns one up (docs/banqi.md).

    The event of a flip is the piece that it turns up, 0–13 (pieces.py); of other actions 0.
    """

    rule_set = RuleSet
    reasons = REASONS
    kernel = staticmethod(step)
    record_keys = staticmethod(keys_of)
    record_rules = staticmethod(rules_of)
    record_text = staticmethod(fen_of)
    record_from_text = staticmethod(state_from_fen)
    record_action_text = staticmethod(move_text)
    check_record = staticmethod(check_record)
    has_events = True
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

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: RuleSet
    ) -> None:
        states[:] = as_row(new_state(rules))

    # --- playing --------------------------------------------------------------------------------

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        return [
            outcomes_of(record, int(action))
            for record, action in zip(self._records(states), actions, strict=True)
        ]

    # --- looking --------------------------------------------------------------------------------

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

    def event_text(self, state: States, action: int, event: int) -> str:
        return event_text(action, event)

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(record["board"], marks_of(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(record["board"], marks_of(record))
