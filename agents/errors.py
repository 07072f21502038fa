"""Errors of the agents: one sentence each, saying what is wrong, the value, and where."""

from __future__ import annotations

from cotulenh_env.errors import CotulenhError


class AgentError(CotulenhError):
    """An agent's name is unknown, or one of its options is unknown or makes no sense."""


class EvaluationError(CotulenhError):
    """An evaluator, such as a network, gave numbers that a search cannot use."""


class WeightsError(CotulenhError):
    """A folder of weights is missing, damaged, foreign, or does not fit its game."""
