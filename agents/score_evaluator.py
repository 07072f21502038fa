"""`ScoreEvaluator`: priors and values from the score alone, for search without a network."""

from __future__ import annotations

import numpy as np

from agents.evaluator import Logits, Values
from agents.greedy import WIN, action_gains
from agents.score import LEAD_SCALE, leads
from cotulenh_env.game import Actions, Counts, Game, Players, States


class ScoreEvaluator:
    """Likes actions that gain at once, and positions where it is ahead.

    Args:
        game: one whose `score` says something.
        gain_scale: a gain of this much multiplies an action's prior by e.
    """

    def __init__(self, game: Game, gain_scale: float = 10.0) -> None:
        self.game = game
        self.gain_scale = gain_scale

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Logits from each action's own gain, the value from the score: see `Evaluator`."""
        gains = action_gains(self.game, states, legal_actions, counts, num_actions_ahead=1)
        # A win at once settles the value; it must not drive the others' priors to zero.
        wins = gains.max(axis=1) >= WIN
        logits = np.clip(gains / self.gain_scale, -10.0, 10.0).astype(np.float32)
        lead = leads(self.game, states, players)
        values = np.where(wins, 1.0, np.tanh(lead / LEAD_SCALE)).astype(np.float32)
        return logits, values
