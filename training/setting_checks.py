"""Checks that settings and flags share: numbers in their range, agents that play the same again."""

from __future__ import annotations

from typing import Any

from agents.errors import AgentError
from agents.specs import AgentSpec, parse_agent_spec
from cotulenh_env.errors import shown
from training.errors import ConfigError


def check_range(settings: Any, name: str, low: float, high: float = 10**15) -> None:
    """Makes sure that a setting is in range.

    Args:
        settings: the dataclass that holds it.
        name: of the setting with its group, for example `learner.batch_size`.
        low: the smallest value.
        high: the largest value.

    Raises:
        ConfigError: it is not.
    """
    check_number(name, getattr(settings, name.rpartition(".")[2]), low, high)


def check_number(name: str, value: float, low: float, high: float) -> None:
    """Makes sure that a number is in range.

    Args:
        name: as the user writes it, for example `--seed`.
        value: the number.
        low: the smallest value.
        high: the largest value.

    Raises:
        ConfigError: it is not.
    """
    if not low <= value <= high:  # also true for NaN
        raise ConfigError(f"{name} must be from {low:,} to {high:,}, got {value}")


def check_repeatable_agent(name: str, text: str) -> AgentSpec:
    """Makes sure that an agent of a run plays the same again: by counts, not by the clock.

    Args:
        name: of the setting, for example `self_play.teacher`.
        text: the agent.

    Returns:
        The agent, read.

    Raises:
        ConfigError: the text is no agent's, or its play depends on the speed of the machine.
    """
    try:
        spec = parse_agent_spec(text)
    except AgentError as error:
        raise ConfigError(f"{name}: {error}") from error
    if spec.options.get("time_limit_seconds") is not None:
        raise ConfigError(
            f"{name}: {shown(spec.text)} plays by seconds, and a run is to be the same again: "
            "limit it by a count (num_simulations, depth or num_nodes)"
        )
    if spec.options.get("inference") == "auto":
        raise ConfigError(
            f"{name}: {shown(spec.text)} is computed as a measurement says, and a run is to be the "
            "same again: name the inference"
        )
    return spec
