"""`RandomisedAgent`: another agent that now and then plays at random.

Agents of very different strength do not measure each other, for one wins every game; such agents
stand between them.
"""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from agents.checks import checked_number
from agents.random_agent import random_actions
from cotulenh_env.game import Actions, States


class RandomisedAgent(Agent):
    """Plays a share of its actions uniformly at random, the others as another agent.

    Args:
        agent: the other one.
        random_fraction: the share, in 0–1.

    Raises:
        AgentError: the share makes no sense.
    """

    def __init__(self, agent: Agent, random_fraction: float) -> None:
        super().__init__(agent.game)
        self.name = agent.name
        self.agent = agent
        self.random_fraction = checked_number("random_fraction", random_fraction, largest=1)

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """One action of either kind for every row: see `Agent.act`."""
        is_random = rng.random(len(states)) < self.random_fraction
        actions = random_actions(*self.game.legal_actions(states), rng)
        rows = np.flatnonzero(~is_random)
        if len(rows):
            actions[rows] = self.agent.act(states[rows], rng)
        return actions

    def forget(self) -> None:
        """What the other agent keeps is dropped."""
        self.agent.forget()
