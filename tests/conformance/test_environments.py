"""Every game as an environment, by the checkers of PettingZoo and Gymnasium.

- `api_test`, `seed_test`; `check_env`, with every warning an error
- a row of the `VectorEnv` is the single environment
- every game has ids; those are of a module `<name>_v0`
- environments copy themselves exactly
"""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import cotulenh_env  # noqa: F401 - registers the environments
from cotulenh_env import aec, gymnasium_vector, single
from cotulenh_env.game import Game
from cotulenh_env.registry import game_names
from tests.env.games import everything, play_random

IDS = sorted(name for name in pettingzoo.aec_registry if name.startswith("cotulenh/"))
GYMNASIUM_IDS = sorted(name for name in gymnasium.registry if name.startswith("cotulenh/"))

WITHOUT_IDS = {"tictactoe"}
"""Games that are there to test search and learning."""


def test_pettingzoo_api(game: Game) -> None:
    # api_test itself passes an unknown option.
    warnings.filterwarnings("ignore", message="reset ignores unknown options 'options'")
    for maker in (aec.raw_env, aec.env):
        api_test(maker(game), num_cycles=100)


def test_pettingzoo_seeds(game: Game) -> None:
    seed_test(lambda: aec.env(game), num_cycles=200)


def test_rows_of_the_vector_environment_are_single_environments(game: Game) -> None:
    envs = gymnasium_vector.SingleAgentVectorEnv(game, 2, player=1)
    observations, _ = envs.reset(seed=3)
    alone, _ = single.SingleAgentEnv(game, player=1).reset(seed=4)
    for name, seen in alone.items():
        assert np.array_equal(observations[name][1], seen)


def test_copies_share_the_future(game: Game) -> None:
    env = aec.raw_env(game)
    env.reset(seed=1)
    play_random(env, np.random.default_rng(2), 5)
    copies = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    restored = aec.raw_env(game)
    restored.reset(seed=9)
    restored.set_state(env.get_state())
    course = play_random(env, np.random.default_rng(4), 40)
    for twin in (*copies, restored):
        assert play_random(twin, np.random.default_rng(4), 40) == course
        assert everything(twin) == everything(env)


def test_every_game_has_ids() -> None:
    found = {pettingzoo.make("aec", name).unwrapped.game.spec.name for name in IDS}  # type: ignore[attr-defined]
    assert found == set(game_names()) - WITHOUT_IDS
    assert len(GYMNASIUM_IDS) == len(IDS)


@pytest.mark.parametrize("name", IDS)
def test_ids_are_of_modules_with_a_version(name: str) -> None:
    spec = pettingzoo.spec("aec", name)
    base = name.removeprefix("cotulenh/").replace("-", "_")
    assert spec.entry_point == f"cotulenh_env.{base}:env"
    env = pettingzoo.make("aec", name)
    assert str(env) == base
    assert env.metadata["name"] == base


@pytest.mark.parametrize("name", GYMNASIUM_IDS)
def test_gymnasium_ids_make_both_kinds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, player=1).unwrapped)
    alone, _ = gymnasium.make(name).reset(seed=1)
    observations, _ = gymnasium.make_vec(name, num_envs=2).reset(seed=1)
    for part, seen in alone.items():
        assert np.array_equal(observations[part][0], seen)
