"""The check of agents in settings: a run is the same again, so they may not play by the clock."""

from __future__ import annotations

from agents.errors import AgentError
from agents.specs import AgentSpec, parse_agent_spec
from cotulenh_env.errors import shown
from training.errors import ConfigError


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
