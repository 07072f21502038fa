"""Banqi as PettingZoo and Gymnasium environments.

- ids and rule options work
- chance comes from the seed
- what is to come can be read nowhere: two environments that differ only in it look alike
"""

from __future__ import annotations

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import cotulenh_env
from cotulenh_env import aec, banqi_v0
from cotulenh_env.banqi import RuleSet
from cotulenh_env.errors import RulesError
from cotulenh_env.vector import BatchedEnv
from tests.env.games import play_random

REASONS = {"all captured", "no move", "repetition", "quiet"}


def test_made_by_name() -> None:
    env = pettingzoo.make("aec", "cotulenh/banqi-v0", quiet_limit=9, render_mode="ansi")
    assert isinstance(env, OrderEnforcingWrapper)
    assert type(env.env) is aec.GameEnv
    assert str(env) == "banqi_v0"
    assert env.rules == RuleSet(quiet_limit=9)
    env.reset(seed=3)
    assert "no colour yet" in str(env.render())
    envs = gymnasium.make_vec("cotulenh/Banqi-v0", num_envs=3)
    observation, _ = envs.reset(seed=3)
    assert observation["observation"].shape == (3, 35, 4, 8)
    assert observation["action_mask"].shape == (3, 352)
    assert cotulenh_env.banqi_v0 is banqi_v0
    with pytest.raises(RulesError, match="colour"):
        banqi_v0.env(colour="red")


def test_whole_games() -> None:
    env = banqi_v0.raw_env()
    for seed in range(5):
        env.reset(seed=seed)
        assert len(play_random(env, np.random.default_rng(seed))) > 32
        info = env.infos["player_0"]
        assert info == env.infos["player_1"]
        assert info["reason"] in REASONS
        expected = {-1: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[info["winner"]]
        assert tuple(env.rewards.values()) == expected


def test_the_seed_is_all_chance() -> None:
    games = []
    for seed in (5, 5, 6):
        env = banqi_v0.raw_env()
        env.reset(seed=seed)
        for cell in range(8):
            env.step(cell)
        games.append(env.fen())
    assert games[0] == games[1] != games[2]


def test_what_is_to_come_shows_nowhere() -> None:
    envs = [banqi_v0.raw_env() for _ in range(8)]
    for seed, env in enumerate(envs):
        env.reset(seed=seed, options={"fen": "1?2g3/8/2S5/6?? r b HRs 3"})
    for agent in envs[0].possible_agents:
        seen = {env.observe(agent)["observation"].tobytes() for env in envs}
        assert len(seen) == 1
    assert len({env.get_state()["state"].tobytes() for env in envs}) == 1
    for env in envs:
        env.step(1)
    assert len({env.fen() for env in envs}) > 1


def test_a_batch_plays_as_single_games_do() -> None:
    """Rows are independent of each other and of the number of threads."""
    steps = []
    for num_threads in (1, 2):
        env = BatchedEnv(cotulenh_env.load_game("banqi"), 8, num_threads=num_threads)
        step = env.reset(seed=9)
        rng = np.random.default_rng(1)
        for _ in range(150):
            columns = (rng.random(8) * step.counts).astype(int)
            step = env.step(step.legal_actions[np.arange(8), columns])
        assert step.observations is not None
        assert step.action_masks is not None
        steps.append((step.observations.copy(), step.action_masks.copy()))
    for first, second in zip(*steps, strict=True):
        assert np.array_equal(first, second)
