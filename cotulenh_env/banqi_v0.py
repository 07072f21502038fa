"""Banqi as a PettingZoo environment, and as Gymnasium environments.

    from cotulenh_env import banqi_v0

    env = banqi_v0.env()
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else info["legal_actions"][0])

`player_0` moves first, and has the colour of the first piece it turns up. Chance comes from the
environment's own generator, which `reset(seed=7)` seeds. `single_env` and `vector_env` play one
side against an opponent.

Rule options are the fields of `cotulenh_env.banqi.RuleSet`, for example `preset="taiwanese"`; what
`max_cycles` is elsewhere, `quiet_limit` is here.
"""

from __future__ import annotations

from cotulenh_env.environments import Environments

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "banqi_v0"

_environments = Environments("banqi", NAME)

raw_env = _environments.raw_env
env = _environments.env
single_env = _environments.single_env
vector_env = _environments.vector_env
