"""Chess with Different Armies as a PettingZoo environment, and as Gymnasium environments.

    from cotulenh_env import cwda_v0

    env = cwda_v0.env(white_army="FF", black_army="random")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else info["legal_actions"][0])

`player_0` is White and moves first, `player_1` is Black. `single_env` and `vector_env` play one
side against an opponent.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cotulenh_env import aec, gymnasium_vector, single
from cotulenh_env.registry import load_game

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "cwda_v0"


def raw_env(
    *,
    rules: Any | None = None,
    illegal: str = "raise",
    render_mode: str | None = None,
    **rule_options: Any,
) -> aec.GameEnv:
    """The environment without wrappers.

    Args:
        rules: a `cotulenh_env.cwda.RuleSet`; None for the default (both armies drawn for every
            game), or for the one that `rule_options` make.
        illegal: what an illegal action does: `"raise"` an `IllegalActionError` and leave everything
            as it was, or `"lose"` the game for the agent that tried it.
        render_mode: `"human"` (a window, needs pygame), `"ansi"`, `"rgb_array"` or None.
        rule_options: fields of RuleSet, for example `white_army="CC"`; only without `rules`.

    Raises:
        RulesError: both `rules` and `rule_options` are given, or a value makes no sense.
        CotulenhError: `illegal` or `render_mode` is unknown.
    """
    return aec.raw_env(
        load_game("cwda"),
        rules=rules,
        illegal=illegal,
        render_mode=render_mode,
        name=NAME,
        **rule_options,
    )


def env(**options: Any) -> OrderEnforcingWrapper[str, aec.Observation, int]:
    """`raw_env(illegal="lose")` in PettingZoo's `OrderEnforcingWrapper`, and nothing else.

    Args:
        options: as for `raw_env`.
    """
    return OrderEnforcingWrapper(raw_env(**{"illegal": "lose", **options}))


def single_env(**options: Any) -> single.SingleAgentEnv:
    """One side as a Gymnasium environment, in which an illegal action loses.

    Args:
        options: as for `cotulenh_env.single.SingleAgentEnv`: `player`, `opponent`, `render_mode`,
            `rules` or the fields of RuleSet, and `illegal`, here `"lose"` by default.
    """
    named = {"illegal": "lose", "name": NAME, **options}
    return single.SingleAgentEnv(load_game("cwda"), **named)


def vector_env(num_envs: int = 1, **options: Any) -> gymnasium_vector.SingleAgentVectorEnv:
    """One side in many games as a Gymnasium `VectorEnv`, in which an illegal action loses.

    Args:
        num_envs: how many games.
        options: as for `cotulenh_env.gymnasium_vector.SingleAgentVectorEnv`: `player`, `opponent`,
            `render_mode`, `copy`, `num_threads`, `rules` or the fields of RuleSet, and `illegal`,
            here `"lose"` by default.
    """
    named = {"illegal": "lose", "name": NAME, **options}
    return gymnasium_vector.SingleAgentVectorEnv(load_game("cwda"), num_envs, **named)
