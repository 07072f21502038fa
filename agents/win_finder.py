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
        wins = self._game.winning_actions(states, legal_actions, counts)
        is_won = wins.any(axis=1)
        if not is_won.any():
            return self._evaluator.evaluate(states, players, legal_actions, counts)
        values = np.ones(len(states), np.float32)
        logits = np.where(wins, np.float32(0), np.float32(_LOSING_LOGIT))
        others = np.flatnonzero(~is_won)
        if len(others):
            found, values[others] = self._evaluator.evaluate(
                states[others], players[others], legal_actions[others], counts[others]
            )
            width = int(counts[others].max())
            logits[others, :width] = found[:, :width]
        return logits, values
