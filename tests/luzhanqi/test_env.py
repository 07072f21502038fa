"""Both modes as PettingZoo and Gymnasium environments, and the agents that play them.

- their own checkers pass; ids and rule options work
- chance comes from the seed, and copies share the future
- records of whole games are read back
- every agent plays; a position is drawn as text, picture and SVG
"""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import agents
import cotulenh_env
from cotulenh_env import aec, luzhanqi_flip_v0, luzhanqi_referee_v0
from cotulenh_env.errors import CotulenhError, RulesError
from cotulenh_env.game import Game
from cotulenh_env.game_records import GameRecord, read_records, write_records
from cotulenh_env.luzhanqi import FlipRuleSet, RefereeRuleSet
from cotulenh_env.luzhanqi.drawing import HEIGHT, WIDTH, Marks, draw_svg
from cotulenh_env.vector import BatchedEnv
from tests.env.games import everything, play_random
from tests.luzhanqi.helpers import FLIP, GAMES, REFEREE, random_states

both_modules = pytest.mark.parametrize(
    "module", [luzhanqi_flip_v0, luzhanqi_referee_v0], ids=["flip", "referee"]
)


@both_modules
def test_checkers(module: Any) -> None:
    with warnings.catch_warnings():
        # api_test itself passes an unknown option.
        warnings.filterwarnings("ignore", message="reset ignores unknown options 'options'")
        api_test(module.raw_env(), num_cycles=60)
    seed_test(module.env, num_cycles=150)
    name = {luzhanqi_flip_v0: "Flip", luzhanqi_referee_v0: "Referee"}[module]
    check_env(gymnasium.make(f"cotulenh/Luzhanqi{name}-v0", player="random").unwrapped)


def test_made_by_name() -> None:
    env = pettingzoo.make("aec", "cotulenh/luzhanqi_flip-v0", quiet_limit=9, render_mode="ansi")
    assert isinstance(env, OrderEnforcingWrapper)
    assert type(env.env) is aec.GameEnv
    assert str(env) == "luzhanqi_flip_v0"
    assert env.rules == FlipRuleSet(quiet_limit=9)
    env.reset(seed=3)
    assert "50 face down" in str(env.render())
    referee = pettingzoo.make("aec", "cotulenh/luzhanqi_referee-v0", placement="agents").unwrapped
    assert isinstance(referee, aec.GameEnv)
    assert referee.rules == RefereeRuleSet(placement="agents")
    for name, planes, num_actions in (("Flip", 61, 1248), ("Referee", 45, 1218)):
        envs = gymnasium.make_vec(f"cotulenh/Luzhanqi{name}-v0", num_envs=3, player=1)
        observation, _ = envs.reset(seed=3)
        assert observation["observation"].shape == (3, planes, 12, 5)
        assert observation["action_mask"].shape == (3, num_actions)
    assert cotulenh_env.luzhanqi_flip_v0 is luzhanqi_flip_v0
    assert cotulenh_env.luzhanqi_referee_v0 is luzhanqi_referee_v0
    with pytest.raises(RulesError, match="colour"):
        luzhanqi_flip_v0.env(colour="red")
    with pytest.raises(CotulenhError, match="render_player is 0, 1 or None, got 2"):
        luzhanqi_referee_v0.raw_env(render_player=2)


@both_modules
def test_whole_games(module: Any) -> None:
    env = module.raw_env()
    for seed in range(3):
        env.reset(seed=seed)
        play_random(env, np.random.default_rng(seed))
        info = env.infos["player_0"]
        assert info == env.infos["player_1"]
        assert info["reason"] in {"flag", "no move", "both immobile", "quiet"}
        expected = {-1: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[info["winner"]]
        assert tuple(env.rewards.values()) == expected


@both_modules
def test_the_seed_is_all_chance_and_copies_share_the_future(module: Any) -> None:
    games = []
    for seed in (5, 5, 6):
        env = module.raw_env()
        env.reset(seed=seed)
        play_random(env, np.random.default_rng(1), 12)
        games.append(env.fen())
    assert games[0] == games[1] != games[2]
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        here, there = env.clone(), twin
        assert everything(there) == everything(here)
        played = play_random(here, np.random.default_rng(2), 20)
        assert play_random(there, np.random.default_rng(2), 20) == played
        assert here.fen() == there.fen()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_threads_change_nothing(game: Game) -> None:
    """The same games in one thread and in two."""
    courses = []
    for num_threads in (1, 2):
        env = BatchedEnv(game, 6, num_threads=num_threads)
        step = env.reset(seed=7)
        rng = np.random.default_rng(7)
        for _ in range(60):
            columns = (rng.random(6) * step.counts).astype(int)
            step = env.step(step.legal_actions[np.arange(6), columns])
        courses.append(env.states)
        env.close()
    assert np.array_equal(courses[0], courses[1])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_records_are_read_back(game: Game) -> None:
    rng = np.random.default_rng(11)
    rules = game.make_rules()
    states = game.new_states(1, rng, rules)
    start = game.to_text(states[0]) if game is REFEREE else None
    actions, events = [], []
    while not game.is_terminal(states)[0]:
        legal, counts = game.legal_actions(states)
        action = legal[:, int(rng.integers(counts[0]))].copy()
        states, event = game.apply(states, action, rng.random(1))
        actions.append(int(action[0]))
        events.append(int(event[0]))
    record = GameRecord.from_game(game, actions, events, rules=rules, start=start)
    assert record.reason == game.end_reason(states)[0]
    assert read_records(write_records([record])) == [record]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
@pytest.mark.parametrize("name", ["random", "greedy", "mcts"])
def test_agents_play_legally_and_see_no_more_than_they_may(name: str, game: Game) -> None:
    """A world that the players cannot tell apart, the same seed: the same actions (not of mcts)."""
    options = {"num_simulations": 8} if name == "mcts" else {}
    agent = agents.load(name, game.spec.name, **options)
    states = random_states(game, 4, 40, seed=13)
    actions = agent.act(states, np.random.default_rng(3))
    legal, _ = game.legal_actions(states)
    assert (legal == actions[:, None]).any(axis=1).all()
    if name != "mcts":
        players = game.current_player(states)
        twins = game.resample_hidden(states, players, np.random.default_rng(4))
        assert np.array_equal(agent.act(twins, np.random.default_rng(3)), actions)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_drawings(game: Game) -> None:
    for state in random_states(game, 6, 60, seed=14):
        text = game.draw(state)
        assert len(text.split("\n")) == 16
        board = game.to_text(state).split()[0]
        letters = [letter for letter in board if letter.isalpha()]
        assert sum(text.split("\n")[row].count("[") for row in range(16)) == 4
        assert len([x for x in "".join(text.split("\n")[1:-2]) if x.isalpha()]) == len(letters)
        picture = game.picture(state)
        assert picture.shape == (HEIGHT, WIDTH, 3)
        assert picture.dtype == np.uint8
    assert (game.picture(state) != FLIP.picture(FLIP.new_states(1)[0])).any()
    codes = np.zeros(60, np.int8)
    codes[[0, 59]] = 1, 25
    document = draw_svg(codes, Marks("caption", (0, 5)))
    assert document.startswith("<svg")
    assert "caption" in document
