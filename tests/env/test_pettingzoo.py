"""What PettingZoo's users rely on, besides its own tests, which tests/conformance runs.

- `render_test` and the pickle test of its classic games, with every warning an error but the two
  that name PettingZoo's own environments;
- names in its registry, attributes before and after `reset`, spaces.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import render_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import cotulenh_env
from cotulenh_env import aec
from cotulenh_env.registry import load_game
from tests.env.games import make

GAMES = ["tictactoe", "commander"]


def makers() -> list[Any]:
    found = []
    for name in GAMES:
        game = load_game(name)
        for maker in (aec.raw_env, aec.env):

            def build(maker: Any = maker, game: Any = game, **options: Any) -> Any:
                return maker(game, **options)

            found.append(pytest.param(build, id=f"{name}-{maker.__name__}"))
    return found


@pytest.mark.parametrize("build", makers())
def test_render_modes(build: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def build_without_waiting(**options: Any) -> Any:
        env = build(**options)
        env.metadata["render_fps"] = 1000
        return env

    render_test(build_without_waiting)


@pytest.mark.parametrize("build", makers())
def test_pickled_environment_plays_the_same(build: Callable[..., Any]) -> None:
    env = build()
    env.reset(seed=42)
    twin = pickle.loads(pickle.dumps(env))
    twin.reset(seed=42)
    for agent in env.agents:
        env.action_space(agent).seed(3)
        twin.action_space(agent).seed(3)
    for agent in env.agent_iter():
        assert twin.agent_selection == agent
        seen, seen_by_twin = env.last(), twin.last()
        assert data_equivalence(seen, seen_by_twin)
        mask = seen[0]["action_mask"]
        done = seen[2] or seen[3]
        action = None if done else env.action_space(agent).sample(mask)
        assert done or action == twin.action_space(agent).sample(mask)
        env.step(action)
        twin.step(action)
    assert twin.agents == []


def test_registered_by_name() -> None:
    spec = pettingzoo.spec("aec", "cotulenh/commander_chess-v0")
    assert spec.entry_point == "cotulenh_env.commander_chess_v0:env"
    assert str(cotulenh_env.commander_chess_v0.env()) == "commander_chess_v0"


def test_env_is_one_wrapper() -> None:
    env = aec.env(load_game("tictactoe"))
    assert isinstance(env, OrderEnforcingWrapper)
    assert type(env.env) is aec.GameEnv
    env.reset()
    env.step(0)
    env.step(0)
    assert env.infos["player_0"]["reason"] == "illegal action"


def test_metadata() -> None:
    env = make("tictactoe")
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_fps"] > 0
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert str(env) == env.metadata["name"] == "tictactoe"


def test_spaces_are_exact_and_always_the_same_objects() -> None:
    env = make("tictactoe")
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert isinstance(space, spaces.Dict)
        assert space["observation"] == spaces.Box(0, 1, (3, 3, 3), np.float32)
        assert space["action_mask"] == spaces.Box(0, 1, (9,), np.int8)
        assert env.observation_space(agent) is space
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == spaces.Discrete(9)


def test_flags_are_python_bools_after_every_step() -> None:
    env = make("tictactoe")
    env.reset(seed=0)
    for action in (0, 3, 1, 4, 2):
        for flags in (env.terminations, env.truncations):
            assert list(flags) == env.agents
            assert all(type(flag) is bool for flag in flags.values())
        assert not any(env.terminations.values())
        env.step(action)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
