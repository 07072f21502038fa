"""`ScoreEvaluator`: priors and values from the score alone, for search without a network."""

from __future__ import annotations

import numpy as np

from agents.evaluator import Logits, Values
from agents.greedy import WIN, action_gains
from agents.score import lead_values
from cotulenh_env.game import Actions, Counts, Game, Players, States


class ScoreEvaluator:
    """Likes actions that gain at once, and positions where it is ahead.

    Args:
        game: one whose `score` says something.
        gain_scale: a gain of this much multiplies an action's prior by e; None: a tenth of the
            game's `score_scale`.
    """

    def __init__(self, game: Game, gain_scale: float | None = None) -> None:
        self.game = game
        self.gain_scale = game.spec.score_scale / 10 if gain_scale is None else gain_scale

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Logits from each action's own gain, the value from the score: see `Evaluator`."""
        gains = action_gains(self.game, states, legal_actions, counts, num_actions_ahead=1)
        # A win at once settles the value; it must not drive the others' priors to zero.
        wins = gains.max(axis=1) >= WIN
        logits = np.clip(gains / self.gain_scale, -10.0, 10.0).astype(np.float32)
        by_score = lead_values(self.game, states, players)
        values = np.where(wins, np.float32(1), by_score)
        return logits, values
