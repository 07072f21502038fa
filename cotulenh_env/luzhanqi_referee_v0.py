"""Luzhanqi in referee mode as a PettingZoo environment, and as Gymnasium environments.

    from cotulenh_env import luzhanqi_referee_v0

    env = luzhanqi_referee_v0.env()
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else info["legal_actions"][0])

`player_0` is red and moves first. Each agent observes what its player knows; `fen()`, `get_state()`
and the states that opponents are given hold everything, and belong to the referee. `single_env` and
`vector_env` play one side against an opponent.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cotulenh_env import aec, gymnasium_vector, single
from cotulenh_env.registry import load_game

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "luzhanqi_referee_v0"


def raw_env(
    *,
    rules: Any | None = None,
    illegal: str = "raise",
    render_mode: str | None = None,
    render_player: int | None = None,
    **rule_options: Any,
) -> aec.GameEnv:
    """The environment without wrappers.

    Args:
        rules: a `cotulenh_env.luzhanqi.RefereeRuleSet`; None for the default, or for the one that
            `rule_options` make.
        illegal: what an illegal action does: `"raise"` an `IllegalActionError` and leave everything
            as it was, or `"lose"` the game for the agent that tried it.
        render_mode: `"human"` (a window, needs pygame), `"ansi"`, `"rgb_array"` or None.
        render_player: as whom the game is shown: 0 or 1, or None as the referee sees it.
        rule_options: fields of RefereeRuleSet, for example `hq_lock="none"`; only without `rules`.
            PettingZoo's `max_cycles` is none of them: set `quiet_limit` instead.

    Raises:
        RulesError: both `rules` and `rule_options` are given, or a value makes no sense.
        CotulenhError: `illegal`, `render_mode` or `render_player` is unknown.
    """
    return aec.raw_env(
        load_game("luzhanqi_referee"),
        rules=rules,
        illegal=illegal,
        render_mode=render_mode,
        render_player=render_player,
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
            `rules` or the fields of RefereeRuleSet, and `illegal`, here `"lose"` by default.
    """
    named = {"illegal": "lose", "name": NAME, **options}
    return single.SingleAgentEnv(load_game("luzhanqi_referee"), **named)


def vector_env(num_envs: int = 1, **options: Any) -> gymnasium_vector.SingleAgentVectorEnv:
    """One side in many games as a Gymnasium `VectorEnv`, in which an illegal action loses.

    Args:
        num_envs: how many games.
        options: as for `cotulenh_env.gymnasium_vector.SingleAgentVectorEnv`: `player`, `opponent`,
            `render_mode`, `copy`, `num_threads`, `rules` or the fields of RefereeRuleSet, and
            `illegal`, here `"lose"` by default.
    """
    named = {"illegal": "lose", "name": NAME, **options}
    return gymnasium_vector.SingleAgentVectorEnv(load_game("luzhanqi_referee"), num_envs, **named)
