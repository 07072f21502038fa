"""`RandomAgent`: every legal action with equal probability."""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from cotulenh_env.game import Actions, States


class RandomAgent(Agent):
    """Plays uniformly at random; one draw of the generator per row."""

    name = "random"

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """A legal action of every row, uniformly: see `Agent.act`."""
        legal_actions, counts = self.game.legal_actions(states)
        columns = (rng.random(len(states)) * counts).astype(np.int64)
        actions: Actions = legal_actions[np.arange(len(states)), columns]
        return actions
