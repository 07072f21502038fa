"""`RandomisedAgent`: another agent that now and then plays at random.

Agents of very different strength do not measure each other, for one wins every game; such agents
stand between them.
"""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from agents.checks import checked_number
from agents.errors import AgentError
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
        if checked_number("random_fraction", random_fraction) > 1:
            raise AgentError(f"random_fraction is in 0–1, got {random_fraction!r}")
        self.name = agent.name
        self.agent = agent
        self.random_fraction = random_fraction

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """One action of either kind for every row: see `Agent.act`."""
        draws = rng.random((2, len(states)))
        is_random = draws[0] < self.random_fraction
        legal_actions, counts = self.game.legal_actions(states)
        columns = (draws[1] * counts).astype(np.int64)
        actions: Actions = legal_actions[np.arange(len(states)), columns]
        rows = np.flatnonzero(~is_random)
        if len(rows):
            actions[rows] = self.agent.act(states[rows], rng)
        return actions

    def forget(self) -> None:
        """What the other agent keeps is dropped."""
        self.agent.forget()
