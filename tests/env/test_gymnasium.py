"""Gymnasium's registry, its checker, and the `VectorEnv`.

- ids are registered on import; `make`, `make_vec` in every mode, rules by keyword
- `check_env` passes without a warning
- row i of the `VectorEnv` is the single environment under seed i: observations, rewards, ends, and
  the last observations and infos of games that ended, as Gymnasium's own `SyncVectorEnv` gives them
- opponents get the positions together; refusals change nothing; threads, copies, render modes
- a simple learner gets above random play through it, on either side
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import agents
import cotulenh_env
from cotulenh_env import commander_chess_v0
from cotulenh_env.commander import RuleSet
from cotulenh_env.errors import CotulenhError, IllegalActionError, PositionError, RulesError
from cotulenh_env.game import Game, States
from cotulenh_env.gymnasium_vector import SingleAgentVectorEnv
from cotulenh_env.opponents import MAX_BEGINNINGS
from cotulenh_env.registry import load_game
from cotulenh_env.single import SingleAgentEnv
from tests.agents.table_game import Node, TableGame
from tests.env.games import NoisyTicTacToe
from tests.env.learner import MonteCarloLearner, play_vector_episodes
from tests.training.games import TwoStep

ID = "cotulenh/CommanderChess-v0"


def tictactoe(num_envs: int = 3, **options: Any) -> SingleAgentVectorEnv:
    envs = SingleAgentVectorEnv(load_game("tictactoe"), num_envs, **options)
    envs.reset(seed=1)
    return envs


def lowest(states: States, rng: np.random.Generator) -> Any:
    """An opponent at tic-tac-toe that takes the lowest empty cell."""
    return load_game("tictactoe").legal_actions(states)[0][:, 0]


def random_actions(infos: dict[str, Any], rng: np.random.Generator) -> Any:
    columns = (rng.random(len(infos["num_legal"])) * infos["num_legal"]).astype(np.int64)
    return infos["legal_actions"][np.arange(len(columns)), columns]


# --- registry and checker ---


def test_registered_on_import() -> None:
    spec = gymnasium.spec(ID)
    assert spec.entry_point == "cotulenh_env.commander_chess_v0:single_env"
    assert spec.vector_entry_point == "cotulenh_env.commander_chess_v0:vector_env"
    assert cotulenh_env.commander_chess_v0.single_env.__name__ == "single_env"


@pytest.mark.parametrize("options", [{}, {"edition": "bga", "player": 1}, {"player": "random"}])
def test_check_env_passes_without_a_warning(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, **options).unwrapped)


def test_make_takes_rules_and_settings() -> None:
    env: Any = gymnasium.make(ID, edition="russian", player=1, render_mode="ansi").unwrapped
    assert isinstance(env, SingleAgentEnv)
    began = env.reset(seed=1)
    assert began[1]["player"] == 1
    russian = commander_chess_v0.single_env(edition="russian", player=1)
    assert data_equivalence(russian.reset(seed=1), began, exact=True)
    official = commander_chess_v0.single_env(player=1)
    assert not data_equivalence(official.reset(seed=1), began, exact=True)
    assert isinstance(env.render(), str)
    with pytest.raises(RulesError, match="moon"):
        gymnasium.make(ID, battle="moon")


def test_a_whole_game_through_make() -> None:
    env = gymnasium.make(ID, turn_limit=12)
    _, info = env.reset(seed=5)
    rng = np.random.default_rng(0)
    terminated = False
    while not terminated:
        _, reward, terminated, truncated, info = env.step(rng.choice(info["legal_actions"]))
        assert not truncated
    assert info["reason"] == "turn limit"
    assert reward in (-1.0, 0.0, 1.0)
    env.close()


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point", None])
def test_make_vec(mode: str | None) -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, vectorization_mode=mode, battle="sea")
    assert isinstance(envs.unwrapped, SyncVectorEnv if mode == "sync" else SingleAgentVectorEnv)
    observations, infos = envs.reset(seed=2)
    assert envs.observation_space.contains(observations)
    for _ in range(3):
        legal = [row[0] for row in infos["legal_actions"]]
        observations, rewards, _, _, infos = envs.step(np.array(legal))
        assert envs.observation_space.contains(observations)
        assert rewards.shape == (3,)
    envs.close()


def test_making_by_module() -> None:
    single = commander_chess_v0.single_env(player=1)
    assert single.reset(seed=1)[1]["player"] == 1
    single.step(0)  # an illegal action loses
    vector = commander_chess_v0.vector_env(2, rules=RuleSet(battle="air"))
    vector.reset(seed=1)
    assert vector.step([0, 0])[1].tolist() == [-1.0, -1.0]


# --- as Gymnasium's own vector environment of single ones ---


def assert_like_sync(game: Game, num_steps: int, seed: Any, **options: Any) -> set[str]:
    """Plays at random in both; returns the reasons for which games ended."""
    num_envs = 4
    native = SingleAgentVectorEnv(game, num_envs, **options)
    one_row = {key: value for key, value in options.items() if key not in ("copy", "num_threads")}
    sync: Any = SyncVectorEnv(
        [lambda: SingleAgentEnv(game, **one_row)] * num_envs,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    assert native.single_observation_space == sync.single_observation_space
    assert native.observation_space == sync.observation_space
    assert native.action_space == sync.action_space
    observations, infos = native.reset(seed=seed)
    expected, sync_infos = sync.reset(seed=seed)
    assert data_equivalence(observations, expected, exact=True)
    rng = np.random.default_rng(2)
    reasons: set[str] = set()
    for number in range(num_steps):
        actions = random_actions(infos, rng)
        if options.get("illegal") == "lose" and number % 3 == 0:
            actions[number % num_envs] = rng.integers(game.spec.num_actions)
        *native_step, infos = native.step(actions)
        *sync_step, sync_infos = sync.step(actions)
        assert data_equivalence(native_step, sync_step, exact=True)
        for row, legal in enumerate(sync_infos["legal_actions"]):
            assert infos["legal_actions"][row, : infos["num_legal"][row]].tolist() == legal
        assert infos["player"].tolist() == sync_infos["player"].tolist()
        for key in ("final_obs", "final_info", "_final_obs", "_final_info"):
            assert (key in infos) == (key in sync_infos)
            if key in infos:
                assert data_equivalence(_listed(infos[key]), _listed(sync_infos[key]), exact=True)
        reasons.update(reason for reason in infos.get("final_info", {}).get("reason", []) if reason)
    return reasons


def _listed(value: Any) -> Any:
    """Arrays of objects as lists: comparable by `data_equivalence`."""
    if isinstance(value, dict):
        return {key: _listed(part) for key, part in value.items()}
    is_objects = isinstance(value, np.ndarray) and value.dtype == object
    return [part or {} for part in value.tolist()] if is_objects else value


@pytest.mark.parametrize("player", [0, 1, "random"])
@pytest.mark.parametrize("game", [load_game("tictactoe"), NoisyTicTacToe(), TwoStep()], ids=repr)
def test_rows_are_single_environments(game: Game, player: Any) -> None:
    assert assert_like_sync(game, 60, 3, player=player)
    assert_like_sync(game, 20, [9, 3, 7, 1], player=player, copy=False, num_threads=2)


def test_illegal_actions_lose_as_in_single_environments() -> None:
    reasons = assert_like_sync(NoisyTicTacToe(), 90, 3, player="random", illegal="lose")
    assert reasons >= {"illegal action", "line"}


def test_commander_rows_are_single_environments() -> None:
    for options in ({"edition": "bga"}, {"placement": True, "battle": "full", "turn_limit": 10}):
        assert assert_like_sync(load_game("commander"), 60, 5, player="random", **options)


def test_rows_are_single_environments_against_an_opponent_without_chance() -> None:
    assert assert_like_sync(load_game("tictactoe"), 60, 3, player="random", opponent=lowest)


# --- opponents ---


def test_opponent_gets_positions_together_and_only_where_it_is_to_move() -> None:
    game = load_game("commander")
    sizes: list[int] = []

    def opponent(states: States, rng: np.random.Generator) -> Any:
        assert game.current_player(states).tolist() == [1] * len(states)
        assert rng is envs.np_random
        sizes.append(len(states))
        actions = game.legal_actions(states)[0][:, 0].copy()
        states.fill(255)
        return actions

    envs = SingleAgentVectorEnv(game, 6, opponent=opponent)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(20):
        _, _, _, _, infos = envs.step(random_actions(infos, rng))
    assert max(sizes) > 3


def test_agents_are_opponents() -> None:
    act = agents.load("greedy", "commander").act
    envs = gymnasium.make_vec(ID, num_envs=4, opponent=act, player="random", turn_limit=6)
    _, infos = envs.reset(seed=1)
    won = np.zeros(4)
    for _ in range(30):
        _, rewards, _, _, infos = envs.step(random_actions(infos, np.random.default_rng(0)))
        won += rewards
    assert won.sum() < 0  # greedy play takes more in six turns than random play
    env = gymnasium.make(ID, opponent=act, player=1)
    assert env.reset(seed=1)[1]["player"] == 1


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ([1, 0, 2], r"the opponent: game 1: action 0 \(a3\) is illegal in 'X........'"),
        ([1, 2, 9], "the opponent: game 2: actions are 0 to 8, got 9"),
        ([1, 2], "the opponent: actions are 3 integers, one per game"),
        (None, "the opponent: actions are 3 integers"),
    ],
)
def test_replies_that_are_no_legal_action(reply: Any, message: str) -> None:
    envs = tictactoe(opponent=lambda states, rng: reply, illegal="lose")
    with pytest.raises(IllegalActionError, match=message):
        envs.step([0, 0, 0])
    with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
        envs.step([1, 1, 1])
    envs.reset()
    assert envs.fens() == ["........."] * 3


def test_same_seed_same_chance_of_the_opponent() -> None:
    def opponent(states: States, rng: np.random.Generator) -> Any:
        legal, counts = load_game("tictactoe").legal_actions(states)
        return legal[np.arange(len(states)), (rng.random(len(states)) * counts).astype(int)]

    def course(seed: Any) -> list[str]:
        envs = tictactoe(4, opponent=opponent, player="random")
        _, infos = envs.reset(seed=seed)
        rng = np.random.default_rng(0)
        fens = []
        for _ in range(20):
            *_, infos = envs.step(random_actions(infos, rng))
            fens += envs.fens()
        return fens

    assert course(5) == course(5)
    assert course(5) != course(6)
    assert course([5, 6, 7, 8]) == course([5, 6, 7, 8])


def test_games_that_end_before_the_learners_first_action_are_no_episodes() -> None:
    wins_at_once = Node(result=1)
    goes_on = Node(1, [Node(result=1), Node(result=-1)])
    assert_like_sync(TableGame(Node(0, [wins_at_once, goes_on])), 30, 4, player=1)
    hopeless = SingleAgentVectorEnv(TableGame(Node(0, [wins_at_once])), 2, player=1)
    with pytest.raises(CotulenhError, match=f"{MAX_BEGINNINGS} games in a row ended before"):
        hopeless.reset(seed=0)
    with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
        hopeless.step([0, 0])


# --- reset, step, arrays ---


def test_metadata_and_spaces() -> None:
    envs = tictactoe(2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(observations)
    assert envs.action_space.contains(np.array([0, 8]))
    assert set(infos) == {
        *("player", "legal_actions", "num_legal"),
        *("_player", "_legal_actions", "_num_legal"),
    }
    assert envs.np_random_seed == 0
    assert envs.action_masks().dtype == np.bool_
    assert envs.action_masks().sum() == 18


def test_observations_are_copies_unless_unwanted() -> None:
    for wanted in (True, False):
        envs = tictactoe(copy=wanted)
        first, _ = envs.reset()
        second = envs.step([0, 1, 2])[0]
        for key in ("observation", "action_mask"):
            assert np.shares_memory(first[key], second[key]) != wanted


def test_positions() -> None:
    envs = tictactoe(2, player=1)
    envs.reset(options={"fen": "X........"})
    assert envs.fens() == ["X........"] * 2
    for fen, message in (
        ("XOOX..X..", "game 0: the game is over in 'XOOX..X..'"),
        ("??", "nine of"),
        (5, "the option fen is text, got 5"),
    ):
        with pytest.raises(PositionError, match=message):
            envs.reset(options={"fen": fen})
        assert envs.fens() == ["X........"] * 2
    with pytest.warns(UserWarning, match="reset ignores unknown options 'fern'") as caught:
        envs.reset(options={"fern": 1})
    assert caught[0].filename == __file__


def test_rules_by_row() -> None:
    envs = SingleAgentVectorEnv(
        load_game("commander"), 2, rules=[RuleSet(), RuleSet(edition="bga", battle="sea")]
    )
    observations, _ = envs.reset(seed=1)
    for row, options in enumerate(({}, {"edition": "bga", "battle": "sea"})):
        expected, _ = commander_chess_v0.single_env(**options).reset(seed=1 + row)
        np.testing.assert_array_equal(observations["observation"][row], expected["observation"])


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "a seed is an integer of at least 0, got -1"),
        ("x", "a seed is an integer of at least 0, got 'x'"),
        ([1, 2], "there are 3 games to seed, got 2 seeds"),
        ([1, 2, -3], "a seed is an integer of at least 0, got -3"),
    ],
)
def test_hostile_seeds_change_nothing(seed: Any, message: str) -> None:
    envs = tictactoe()
    envs.step([0, 0, 0])
    before = envs.fens()
    with pytest.raises(CotulenhError, match=message):
        envs.reset(seed=seed)
    assert envs.fens() == before


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([4, 0, 1], r"game 0: action 4 \(b2\) is illegal in 'O...X....'"),
        ([1, 1, 9], "game 2: actions are 0 to 8, got 9"),
        ([1, 1], "actions are 3 integers, one per game, got int64"),
        (None, "actions are 3 integers"),
    ],
)
def test_illegal_actions_change_nothing(actions: Any, message: str) -> None:
    envs = tictactoe(opponent=lowest)
    envs.step([4, 4, 4])
    with pytest.raises(IllegalActionError, match=message):
        envs.step(actions)
    assert envs.fens() == ["O...X...."] * 3
    envs.step([1, 2, 3])


@pytest.mark.parametrize(
    "options",
    [
        {"num_envs": 0},
        {"player": 3},
        {"opponent": 1},
        {"illegal": "x"},
        {"num_threads": -1},
        {"render_mode": "human"},
        {"rules": [None]},
        {"size": 3},
    ],
)
def test_hostile_settings(options: dict[str, Any]) -> None:
    with pytest.raises(CotulenhError):
        SingleAgentVectorEnv(load_game("tictactoe"), **{"num_envs": 2, **options})


def test_before_the_first_reset() -> None:
    envs = SingleAgentVectorEnv(load_game("tictactoe"), 2)
    for ask in (lambda: envs.step([0, 0]), envs.fens, envs.action_masks, envs.render):
        with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
            ask()


def test_render_modes() -> None:
    assert tictactoe(2, render_mode="ansi").render() == ("3 . . .\n2 . . .\n1 . . .\n  a b c",) * 2
    pictures = tictactoe(2, render_mode="rgb_array").render()
    assert pictures is not None
    assert [picture.dtype for picture in pictures] == [np.uint8] * 2
    with pytest.warns(UserWarning, match="shows nothing without a render_mode") as caught:
        assert tictactoe(2).render() is None
    assert caught[0].filename == __file__


def test_copies_go_on_exactly() -> None:
    for game in (load_game("commander"), NoisyTicTacToe()):
        envs = SingleAgentVectorEnv(game, 3, player="random", num_threads=2)
        _, infos = envs.reset(seed=4)
        rng = np.random.default_rng(0)
        for _ in range(5):
            *_, infos = envs.step(random_actions(infos, rng))
        twin = copy.deepcopy(envs)
        for _ in range(15):
            actions = random_actions(infos, rng)
            *step, infos = envs.step(actions)
            *twin_step, twin_infos = twin.step(actions)
            assert data_equivalence(step, twin_step, exact=True)
            assert data_equivalence(_listed(infos), _listed(twin_infos), exact=True)
        assert envs.fens() == twin.fens()
        envs.close()
        envs.close()
        twin.close()


# --- learning ---


@pytest.mark.parametrize("player", [0, 1])
def test_a_learner_gets_above_random_and_from_the_wrong_reward_below(player: int) -> None:
    envs = SingleAgentVectorEnv(load_game("tictactoe"), 32, player=player)
    random = play_vector_episodes(envs, MonteCarloLearner(), 600, epsilon=1.0, learning=False)
    scores = []
    for sign in (1.0, -1.0):
        learner = MonteCarloLearner(sign=sign)
        play_vector_episodes(envs, learner, 4000, epsilon=0.2, learning=True)
        scores.append(play_vector_episodes(envs, learner, 600, epsilon=0, learning=False, seed=1))
    assert scores[0] > random + 0.4
    assert scores[1] < random - 0.3
