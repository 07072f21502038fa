"""`WinFinder`: an evaluator that does not overlook a win at once.

A search of a few hundred simulations looks at a reply only if its prior is high enough. One capture
among a hundred replies that ends the game is easily missed, and a position where the opponent has
it counts as even. A game can list such actions (`Game.winning_actions`): where there are any, the
position is won for the player to move, and the prior is theirs alone. So a move that hangs the game
is refuted by the first simulation that goes through it. Wins further ahead are left to the search.
"""

from __future__ import annotations

import numpy as np

from agents.evaluator import Evaluator, Logits, Values
from cotulenh_env.game import Actions, Counts, Game, Players, States

_LOSING_LOGIT = -30.0
"""Of the other actions: a prior of 1e-13, and still a number."""


class WinFinder:
    """Another evaluator's logits and values, but for positions that can be won at once.

    Args:
        game: the game.
        evaluator: of all other positions.
    """

    def __init__(self, game: Game, evaluator: Evaluator) -> None:
        self._game = game
        self._evaluator = evaluator

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """See `Evaluator`."""
        logits, values = self._evaluator.evaluate(states, players, legal_actions, counts)
        wins = self._game.winning_actions(states, legal_actions, counts)
        rows = np.flatnonzero(wins.any(axis=1))
        if len(rows):
            logits, values = logits.copy(), values.copy()
            width = wins.shape[1]
            logits[rows, :width] = np.where(wins[rows], 0.0, _LOSING_LOGIT)
            values[rows] = 1.0
        return logits, values
