"""`RandomAgent`: every legal action with equal probability."""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from cotulenh_env.game import Actions, Counts, States


def random_actions(legal_actions: Actions, counts: Counts, rng: np.random.Generator) -> Actions:
    """One uniformly random legal action per row, int32 [n].

    Args:
        legal_actions: int32 [n, width].
        counts: int32 [n], at least 1.
        rng: the stream that draws, once per row.
    """
    choices = (rng.random(len(counts)) * counts).astype(np.int64)
    chosen: Actions = legal_actions[np.arange(len(counts)), choices]
    return chosen


class RandomAgent(Agent):
    """Plays uniformly at random; one draw of the generator per row."""

    name = "random"

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """A legal action of every row, uniformly: see `Agent.act`."""
        return random_actions(*self.game.legal_actions(states), rng)
