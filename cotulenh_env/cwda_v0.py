"""Chess with Different Armies as a PettingZoo environment, and as Gymnasium environments.

    from cotulenh_env import cwda_v0

    env = cwda_v0.env(white_army="FF", black_army="random")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else info["legal_actions"][0])

`player_0` is White and moves first, `player_1` is Black. `single_env` and `vector_env` play one
side against an opponent.

Rule options are the fields of `cotulenh_env.cwda.RuleSet`, for example `white_army="CC"`; by
default both armies are drawn for every game.
"""

from __future__ import annotations

from cotulenh_env.environments import Environments

__all__ = ["env", "raw_env", "single_env", "vector_env"]

NAME = "cwda_v0"

_environments = Environments("cwda", NAME)

raw_env = _environments.raw_env
env = _environments.env
single_env = _environments.single_env
vector_env = _environments.vector_env
