"""Luzhanqi in flip mode as a PettingZoo environment, and as Gymnasium environments.

    from cotulenh_env import luzhanqi_flip_v0

    env = luzhanqi_flip_v0.env()
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else info["legal_actions"][0])

`player_0` flips first; the colour of that piece is `player_0`'s. What a flip turns up is drawn by
the environment's generator. `single_env` and `vector_env` play one side against an opponent.

Rule options are the fields of `cotulenh_env.luzhanqi.FlipRuleSet`, for example `hq_lock="none"`;
what `max_cycles` is elsewhere, `quiet_limit` is here.
"""

from __future__ import annotations

from cotulenh_env.environments import Environments

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "luzhanqi_flip_v0"

_environments = Environments("luzhanqi_flip", NAME)

raw_env = _environments.raw_env
env = _environments.env
single_env = _environments.single_env
vector_env = _environments.vector_env
