"""Copies of an environment go on exactly like the original: clone, pickle, deepcopy, saved states.

Exact means the same observations, infos, rewards and chance, whenever the copy is made: before the
first reset, in the middle, after the last action, after an offence, between the removals.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from cotulenh_env import aec
from cotulenh_env.errors import StateError
from cotulenh_env.registry import load_game
from tests.env.games import everything, make, play_random


def through_saved_state(env: aec.GameEnv) -> aec.GameEnv:
    twin = aec.raw_env(env.game, illegal="lose")
    twin.set_state(env.get_state())
    return twin


def through_pickle(env: aec.GameEnv) -> aec.GameEnv:
    twin = pickle.loads(pickle.dumps(env))
    assert isinstance(twin, aec.GameEnv)
    return twin


COPIERS = [aec.GameEnv.clone, copy.deepcopy, through_pickle, through_saved_state]


def step_randomly(env: aec.GameEnv, rng: np.random.Generator) -> None:
    over = env.terminations[env.agent_selection]
    env.step(None if over else int(rng.choice(env.legal_actions())))


def assert_same_course(env: aec.GameEnv, twin: aec.GameEnv) -> None:
    """Both go on alike to the end, and through a whole next game."""
    rng, twin_rng = np.random.default_rng(9), np.random.default_rng(9)
    for _ in range(2):
        while env.agents:
            assert everything(twin) == everything(env)
            assert data_equivalence(twin.last(), env.last())
            step_randomly(env, rng)
            step_randomly(twin, twin_rng)
        assert twin.agents == []
        env.reset()
        twin.reset()


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize(
    ("name", "counts"),
    [("tictactoe", range(12)), ("noisy", range(12)), ("commander", (0, 1, 50, 300))],
)
def test_copies_go_on_alike_from_any_step(
    name: str, counts: Sequence[int], copier: Callable[[aec.GameEnv], aec.GameEnv]
) -> None:
    for num_steps in counts:
        env = make(name, illegal="lose")
        env.reset(seed=num_steps)
        rng = np.random.default_rng(num_steps)
        for _ in range(num_steps):
            if env.agents:
                step_randomly(env, rng)
        assert_same_course(env, copier(env))


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("num_removed", [0, 1, 2])
def test_copies_after_an_offence(
    num_removed: int, copier: Callable[[aec.GameEnv], aec.GameEnv]
) -> None:
    env = make("tictactoe", illegal="lose")
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    for _ in range(num_removed):
        env.step(None)
    twin = copier(env)
    assert everything(twin) == everything(env)
    assert_same_course(env, twin)


@pytest.mark.parametrize("copier", COPIERS)
def test_a_copy_is_independent(copier: Callable[[aec.GameEnv], aec.GameEnv]) -> None:
    env = make("tictactoe")
    env.reset(seed=1)
    env.step(4)
    before = everything(env)
    twin = copier(env)
    play_random(twin, np.random.default_rng(0))
    assert everything(env) == before


@pytest.mark.parametrize("copier", COPIERS[:3])
def test_copies_sample_their_spaces_alike(copier: Callable[[aec.GameEnv], aec.GameEnv]) -> None:
    env = make("tictactoe")
    env.reset(seed=1)
    env.action_space("player_0").seed(4)
    env.observation_space("player_1").seed(4)
    twin = copier(env)
    for _ in range(5):
        assert twin.action_space("player_0").sample() == env.action_space("player_0").sample()
        samples = [e.observation_space("player_1").sample() for e in (twin, env)]
        assert data_equivalence(*samples)


@pytest.mark.parametrize("copier", COPIERS[:3])
def test_copies_keep_their_settings(copier: Callable[[aec.GameEnv], aec.GameEnv]) -> None:
    game = load_game("tictactoe")
    env = aec.raw_env(game, illegal="lose", render_mode="ansi", name="some_name_v0")
    twin = copier(env)
    assert (twin.render_mode, twin.metadata, str(twin)) == ("ansi", env.metadata, "some_name_v0")
    assert twin.game is env.game
    twin.reset()
    twin.step(0)
    twin.step(0)
    assert twin.infos["player_0"]["reason"] == "illegal action"


def test_wrapped_environments_are_copied_whole() -> None:
    env = aec.env(load_game("tictactoe"))
    env.reset(seed=1)
    env.step(4)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(0)
        assert twin.fen() == "O...X...."
    assert env.fen() == "....X...."


def test_saved_states_are_plain_data() -> None:
    env = make("noisy")
    env.reset(seed=1)
    env.step(4)
    saved = env.get_state()
    assert saved["state"].dtype == np.uint8
    written = json.loads(json.dumps({**saved, "state": saved["state"].tolist()}))
    twin = make("noisy")
    twin.set_state({**written, "state": np.array(written["state"], np.uint8)})
    assert everything(twin) == everything(env)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"game": "chess"}, "the saved game is 'chess'"),
        ({"state": np.zeros(5, np.uint8)}, "uint8"),
        ({"state": np.zeros(16, np.float32)}, "float32"),
        ({"offender": 2}, "offender"),
        ({"offender": True}, "offender"),
        ({"agents": ["player_0"]}, "agents"),
        ({"agent_selection": "player_0"}, "agents"),
        ({"agent_selection": "red"}, "agents"),
        ({"generator": {"bit_generator": "PCG64"}}, "generator"),
        ({"generator": None}, "generator"),
        ({"extra": 1}, "keys"),
    ],
)
def test_states_that_do_not_fit_are_refused_and_change_nothing(
    change: dict[str, Any], complaint: str
) -> None:
    env = make("tictactoe")
    env.reset(seed=1)
    env.step(4)
    saved = {**env.get_state(), **change}
    env.step(0)
    before = everything(env)
    with pytest.raises(StateError, match=complaint):
        env.set_state(saved)
    with pytest.raises(StateError, match="keys"):
        env.set_state({"state": saved["state"]})
    with pytest.raises(StateError, match="keys"):
        env.set_state(b"bytes")  # type: ignore[arg-type]
    assert everything(env) == before
