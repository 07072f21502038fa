"""Agents that choose actions in any game of cotulenh_env.

    agent = agents.load("greedy", game="commander")
    actions = agent.act(states, rng)

Importing this package imports neither torch nor a game: each agent brings its own.
"""

from agents.agent import Agent
from agents.errors import AgentError, EvaluationError, WeightsError
from agents.registry import agent_names, load

__all__ = ["Agent", "AgentError", "EvaluationError", "WeightsError", "agent_names", "load"]
