"""Agents that choose actions in any game of cotulenh_env.

    agent = agents.load("greedy", game="commander")
    actions = agent.act(states, rng)

Importing this package imports neither torch nor a game: each agent brings its own.
"""

from agents.agent import Agent
from agents.errors import AgentError, EvaluationError, WeightsError
from agents.registry import agent_names, load, option_names
from agents.specs import AgentSpec, parse_agent_spec

__all__ = [
    "Agent",
    "AgentError",
    "AgentSpec",
    "EvaluationError",
    "WeightsError",
    "agent_names",
    "load",
    "option_names",
    "parse_agent_spec",
]
