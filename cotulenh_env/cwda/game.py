"""Chess with Different Armies as a `Game`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.actions import NUM_ACTIONS, policy_index
from cotulenh_env.cwda.actions import NUM_PLANES as NUM_POLICY_PLANES
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.drawing import draw_picture, draw_text, marks_of
from cotulenh_env.cwda.fen import state_from_fen, text_of
from cotulenh_env.cwda.kernels.notes import NOTE_DTYPE
from cotulenh_env.cwda.kernels.perft import count_sequences
from cotulenh_env.cwda.kernels.step import step
from cotulenh_env.cwda.loading import new_state, rules_of
from cotulenh_env.cwda.notation import move_text, parse_move
from cotulenh_env.cwda.observation import PLANE_NAMES
from cotulenh_env.cwda.pieces import VALUE
from cotulenh_env.cwda.rules import RuleSet, draw_armies
from cotulenh_env.cwda.state import REASONS, STATE_DTYPE, keys_of
from cotulenh_env.cwda.state_checks import check_record
from cotulenh_env.errors import MoveTextError, shown
from cotulenh_env.game import GameSpec, States
from cotulenh_env.kernel_game import KernelGame, as_row

_BOARD_BYTE = STATE_DTYPE.fields["board"][1]  # type: ignore[index]  # it has fields


class DifferentArmies(KernelGame[RuleSet]):
    """Chess, in which each side has an army of its own (docs/cwda.md).

    The armies that the rules leave to chance are drawn when a game begins; without a generator the
    rows of `new_states` take the sixteen pairings in turn. Nothing else is left to chance.
    """

    rule_set = RuleSet
    reasons = REASONS
    kernel = staticmethod(step)
    record_keys = staticmethod(keys_of)
    record_rules = staticmethod(rules_of)
    record_text = staticmethod(text_of)
    record_from_text = staticmethod(state_from_fen)
    record_action_text = staticmethod(move_text)
    check_record = staticmethod(check_record)
    note_dtype = NOTE_DTYPE
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

    def _fill_starts(
        self, states: States, first_row: int, rng: np.random.Generator | None, rules: RuleSet
    ) -> None:
        for row in range(len(states)):
            states[row] = as_row(new_state(draw_armies(rules, rng, first_row + row)))

    # --- playing --------------------------------------------------------------------------------

    def perft(self, states: States, depth: int) -> int:
        """The number of sequences of `depth` legal actions from the given states."""
        return len(states) if depth == 0 else int(count_sequences(self._records(states), depth))

    # --- looking --------------------------------------------------------------------------------

    def score(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: each player's material, a pawn being worth 10."""
        board = states[:, _BOARD_BYTE : _BOARD_BYTE + NUM_SQUARES]
        return np.stack([VALUE[side][board].sum(axis=1) for side in (0, 1)], axis=1)

    # --- texts and pictures ---------------------------------------------------------------------

    def parse_action(self, state: States, text: str) -> int:
        action = parse_move(self._record(state), text)
        legal_actions, counts = self.legal_actions(state[None])
        if action not in legal_actions[0, : counts[0]]:
            raise MoveTextError(f"{shown(text)} is no legal move in {self.to_text(state)!r}")
        return action

    def draw(self, state: States) -> str:
        record = self._record(state)
        return draw_text(record["board"], marks_of(record))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        record = self._record(state)
        return draw_picture(record["board"], marks_of(record))
