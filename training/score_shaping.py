"""Help for the first iterations: leaf values that also look at the score.

A new network thinks all positions even, so its games are near random and their results say little.
In games with a score (official points, material) an evaluator may mix the current lead into its
values at first. The weight falls to zero, and in games without a score nothing changes.
"""

from __future__ import annotations

import numpy as np

from agents.evaluator import Evaluator, Logits, Values
from agents.score import lead_values
from cotulenh_env.game import Actions, Counts, Game, Players, States


class ScoreShapedEvaluator:
    """An evaluator whose values are mixed with the score's lead.

    Args:
        game: the game.
        evaluator: what is mixed with.

    Attributes:
        weight: share of the lead in the values, in [0, 1]; set from outside.
    """

    def __init__(self, game: Game, evaluator: Evaluator) -> None:
        self.weight = 0.0
        self._game = game
        self._evaluator = evaluator

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """See `Evaluator`."""
        logits, values = self._evaluator.evaluate(states, players, legal_actions, counts)
        if self.weight > 0:
            lead = lead_values(self._game, states, players)
            values = ((1 - self.weight) * values + self.weight * lead).astype(np.float32)
        return logits, values


def score_weight(first: float, num_iterations: int, iteration: int) -> float:
    """The weight in an iteration: falls from `first` in a line to 0 after `num_iterations`."""
    if iteration >= num_iterations:
        return 0.0
    return first * (1 - iteration / num_iterations)
