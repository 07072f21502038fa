"""Commander Chess as a `Game`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import NUM_ACTIONS, policy_index
from cotulenh_env.commander.actions import NUM_PLANES as NUM_POLICY_PLANES
from cotulenh_env.commander.board import NUM_FILES, NUM_RANKS
from cotulenh_env.commander.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.commander.drawing import draw_picture, draw_text
from cotulenh_env.commander.fen import fen_of, new_state, state_from_fen
from cotulenh_env.commander.kernels.notes import NOTE_DTYPE
from cotulenh_env.commander.kernels.step import step
from cotulenh_env.commander.loading import rules_of
from cotulenh_env.commander.marks import marks_of
from cotulenh_env.commander.observation import PLANE_NAMES
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import REASONS, STATE_DTYPE, keys_of
from cotulenh_env.commander.state_checks import check_record
from cotulenh_env.commander.wins import winning_actions
from cotulenh_env.commander.words import move_text
from cotulenh_env.game import Actions, Counts, GameSpec, States
from cotulenh_env.kernel_game import KernelGame, as_row
from cotulenh_env.played_game import GameWriter


class CommanderChess(KernelGame[RuleSet]):
    """11 × 12 points, land, sea and air; stacks deploy group by group (docs/rules.md)."""

    rule_set = RuleSet
    reasons = REASONS
    kernel = staticmethod(step)
    record_keys = staticmethod(keys_of)
    record_rules = staticmethod(rules_of)
    record_text = staticmethod(fen_of)
    record_from_text = staticmethod(state_from_fen)
    record_action_text = staticmethod(move_text)
    check_record = staticmethod(check_record)
    note_dtype = NOTE_DTYPE
    spec = GameSpec(
        name="commander",
        num_actions=NUM_ACTIONS,
        state_dtype=STATE_DTYPE,
        max_legal_actions=MAX_LEGAL_ACTIONS,
        board_shape=(NUM_RANKS, NUM_FILES),
        plane_names=PLANE_NAMES,
        policy_planes=NUM_POLICY_PLANES,
        num_global_logits=1,
        policy_index=policy_index(),
    )

    # --- beginning ------------------------------------------------------------------------------

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: RuleSet
    ) -> None:
        states[:] = as_row(new_state(rules))

    # --- playing --------------------------------------------------------------------------------

    # --- looking --------------------------------------------------------------------------------

    def score(self, states: States) -> npt.NDArray[np.float32]:
        points: npt.NDArray[np.float32] = self._records(states)["points"].astype(np.float32)
        return points

    def winning_actions(
        self, states: States, legal_actions: Actions, counts: Counts
    ) -> npt.NDArray[np.bool_]:
        """Captures that win, by themselves or by a group that is selected for it."""
        return winning_actions(self, states, legal_actions, counts)

    # --- texts and pictures ---------------------------------------------------------------------

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(record["board"], marks_of(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(record["board"], marks_of(record))

    def game_writer(self) -> GameWriter:
        from cotulenh_env.commander.played import write_played_games

        return write_played_games
