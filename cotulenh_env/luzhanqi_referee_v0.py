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

Rule options are the fields of `cotulenh_env.luzhanqi.RefereeRuleSet`, for example `hq_lock="none"`;
what `max_cycles` is elsewhere, `quiet_limit` is here.
"""

from __future__ import annotations

from cotulenh_env.environments import Environments

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "luzhanqi_referee_v0"

_environments = Environments("luzhanqi_referee", NAME)

raw_env = _environments.raw_env
env = _environments.env
single_env = _environments.single_env
vector_env = _environments.vector_env
