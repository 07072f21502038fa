"""What the single-agent environment promises.

- rewards are the learner's, in the step that ends the game, whoever ended it
- the learner is to move whenever `reset` or `step` returns; either side may act again and again
- opponents: what they are handed, whose chance they use, refusals
- sides, seeds, positions, rules
- illegal actions of the learner, actions that are none
- observations and infos from the learner's own side; masks for MaskablePPO; render modes
- copies go on exactly
- a simple learner gets above random play through it, on either side
"""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from cotulenh_env.commander import RuleSet
from cotulenh_env.errors import CotulenhError, IllegalActionError, PositionError, RulesError
from cotulenh_env.game import Game, States
from cotulenh_env.opponents import MAX_BEGINNINGS
from cotulenh_env.registry import load_game
from cotulenh_env.single import SingleAgentEnv
from tests.agents.table_game import Node, TableGame
from tests.env.games import NoisyTicTacToe
from tests.env.learner import MonteCarloLearner, play_episodes
from tests.training.games import TwoStep


def scripted(*actions: int) -> Callable[[States, np.random.Generator], list[int]]:
    """An opponent that plays these, one after the other."""
    left = list(actions)
    return lambda states, rng: [left.pop(0)]


def lowest(states: States, rng: np.random.Generator) -> Any:
    """An opponent at tic-tac-toe that takes the lowest empty cell."""
    return load_game("tictactoe").legal_actions(states)[0][:, 0]


def tictactoe(**options: Any) -> SingleAgentEnv:
    env = SingleAgentEnv(load_game("tictactoe"), **options)
    env.reset(seed=1)
    return env


def everything(env: SingleAgentEnv) -> list[Any]:
    bits = env.np_random.bit_generator.state
    return [env.fen(), env.player, env.legal_actions().tolist(), bits]


# --- rewards ---


@pytest.mark.parametrize(
    ("player", "own", "replies", "reward", "winner"),
    [
        (0, (0, 1, 2), (3, 4), 1.0, 0),  # the learner ends it and wins
        (0, (0, 1, 8), (3, 4, 5), -1.0, 1),  # the opponent ends it and wins
        (1, (3, 4, 5), (0, 1, 8), 1.0, 1),
        (1, (3, 4), (0, 1, 2), -1.0, 0),
        (0, (0, 2, 3, 7, 8), (1, 4, 5, 6), 0.0, -1),
        (1, (1, 4, 5, 6), (0, 2, 3, 7, 8), 0.0, -1),
    ],
)
def test_reward_is_the_learners_whoever_ends_the_game(
    player: int, own: tuple[int, ...], replies: tuple[int, ...], reward: float, winner: int
) -> None:
    env = tictactoe(player=player, opponent=scripted(*replies))
    for action in own[:-1]:
        observation, given, terminated, truncated, info = env.step(action)
        assert (given, terminated, truncated) == (0.0, False, False)
        assert info["legal_actions"] == np.flatnonzero(observation["action_mask"]).tolist()
    observation, given, terminated, truncated, info = env.step(own[-1])
    assert (given, terminated, truncated) == (reward, True, False)
    assert [type(part) for part in (given, terminated, truncated)] == [float, bool, bool]
    reason = "full board" if winner == -1 else "line"
    assert info == {"player": player, "winner": winner, "reason": reason}
    assert not observation["action_mask"].any()
    assert env.observation_space.contains(observation)


def test_several_actions_in_a_row_of_either_side() -> None:
    handed: list[int] = []

    def opponent(states: States, rng: np.random.Generator) -> Any:
        game = TwoStep()
        handed.extend(game.current_player(states).tolist())
        return game.legal_actions(states)[0][:, -1] * 0 + 5

    for player in (0, 1):
        env = SingleAgentEnv(TwoStep(), player=player, opponent=opponent)
        env.reset(seed=0)
        handed.clear()
        num_replies = []
        for step in range(6):
            before = len(handed)
            _, reward, terminated, _, _ = env.step(5 if step else 4)
            num_replies.append(len(handed) - before)
            assert terminated == (step == 5)
        assert set(handed) <= {1 - player}
        assert num_replies == ([0, 2] * 3 if player == 0 else [0, 2, 0, 2, 0, 0])
        assert reward == (-1.0 if player == 0 else 1.0)  # the sum is odd: player 1 wins


# --- opponents ---


def test_opponent_is_handed_a_copy_of_a_position_in_which_it_is_to_move() -> None:
    game = load_game("commander")
    generators = []

    def opponent(states: States, rng: np.random.Generator) -> Any:
        assert states.dtype == np.uint8
        assert states.shape == (1, game.spec.state_size)
        assert game.current_player(states).tolist() == [0]
        generators.append(rng)
        action = game.legal_actions(states)[0][:, 0].astype(np.int64)
        states.fill(255)
        return action

    env = SingleAgentEnv(game, player=1, opponent=opponent)
    _, info = env.reset(seed=4)
    for _ in range(5):
        _, _, _, _, info = env.step(info["legal_actions"][-1])
    assert all(rng is env.np_random for rng in generators)


def test_default_opponent_plays_every_legal_action_alike() -> None:
    env = SingleAgentEnv(load_game("tictactoe"), player=1)
    env.reset(seed=0)
    firsts = np.zeros(9)
    for _ in range(1800):
        firsts[env.fen().index("X")] += 1
        env.reset()
    assert (abs(firsts - 200) < 60).all()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ([0], r"the opponent: action 0 \(a3\) is illegal in 'X........'"),
        ([9], "the opponent: game 0: actions are 0 to 8, got 9"),
        ([1, 2], "the opponent: actions are 1 integers, one per game"),
        (1, "the opponent: actions are 1 integers"),
        ([1.0], "the opponent: actions are 1 integers, one per game, got float64"),
        (None, "the opponent: actions are 1 integers"),
    ],
)
def test_replies_that_are_no_legal_action(reply: Any, message: str) -> None:
    env = tictactoe(opponent=lambda states, rng: reply, illegal="lose")
    with pytest.raises(IllegalActionError, match=message):
        env.step(0)
    with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
        env.step(1)
    env.reset()
    assert env.fen() == "........."


def test_errors_of_an_opponent_are_its_own() -> None:
    def opponent(states: States, rng: np.random.Generator) -> Any:
        raise IllegalActionError("its own words")

    with pytest.raises(IllegalActionError, match=r"^its own words$"):
        tictactoe(opponent=opponent, player=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": 5}, r"an opponent is a function \(states, rng\) -> actions, .* got 5"),
        ({"player": 2}, "player is 0, 1 or 'random', got 2"),
        ({"player": True}, "player is 0, 1 or 'random', got True"),
        ({"player": "red"}, "player is 0, 1 or 'random', got 'red'"),
        ({"player": None}, "player is 0, 1 or 'random', got None"),
        ({"illegal": None}, "illegal is 'raise' or 'lose', got None"),
        ({"render_mode": "video"}, "render_mode is 'human', 'ansi', 'rgb_array' or None"),
        ({"rules": 3}, "rules of tictactoe are a RuleSet, got 3"),
        ({"size": 4}, "tictactoe has no rule options, got 'size'"),
    ],
)
def test_hostile_settings(options: dict[str, Any], message: str) -> None:
    with pytest.raises(CotulenhError, match=message):
        SingleAgentEnv(load_game("tictactoe"), **options)


# --- sides, seeds, positions, rules ---


def test_the_side_is_drawn_for_every_episode() -> None:
    env = tictactoe(player="random")
    sides = []
    for _ in range(200):
        observation, info = env.reset()
        sides.append(info["player"])
        assert info["player"] == env.player
        assert env.fen().count("X") == env.player
        assert observation["observation"][2].all()  # the learner is to move
    assert 60 < sum(sides) < 140


@pytest.mark.parametrize("game", [load_game("commander"), NoisyTicTacToe()], ids=["c", "n"])
def test_same_seed_same_episodes(game: Game) -> None:
    def courses(seed: int) -> list[Any]:
        env = SingleAgentEnv(game, player="random")
        rng = np.random.default_rng(0)
        seen: list[Any] = [env.reset(seed=seed)]
        for _ in range(40):
            info = seen[-1][-1]
            over = "winner" in info
            seen.append(env.reset() if over else env.step(rng.choice(info["legal_actions"])))
        return seen

    assert data_equivalence(courses(3), courses(3), exact=True)
    assert not data_equivalence(courses(3), courses(4), exact=True)


def test_positions() -> None:
    env = tictactoe(player=1)
    env.reset(options={"fen": "XO......."})
    assert env.fen().count("X") == 2  # the opponent, X, has moved
    env.reset(options={"fen": "X........"})
    assert env.fen() == "X........"
    before = everything(env)
    for fen, message in (
        ("XO.XO.X..", "the game is over in 'XO.XO.X..'"),
        ("??", "nine of"),
        (5, "the option fen is text, got 5"),
    ):
        with pytest.raises(PositionError, match=message):
            env.reset(seed=9, options={"fen": fen})
        assert everything(env) == before
    with pytest.warns(UserWarning, match="reset ignores unknown options 'fern'; it knows 'fen'"):
        env.reset(options={"fern": 1})


def test_rules() -> None:
    game = load_game("commander")
    by_rules = SingleAgentEnv(game, rules=RuleSet(battle="sea"))
    by_option = SingleAgentEnv(game, battle="sea")
    assert data_equivalence(by_rules.reset(seed=1), by_option.reset(seed=1), exact=True)
    with pytest.raises(RulesError, match="given twice"):
        SingleAgentEnv(game, rules=RuleSet(), battle="sea")


def test_games_that_end_before_the_learners_first_action_are_no_episodes() -> None:
    wins_at_once = Node(result=1)
    goes_on = Node(1, [Node(result=1), Node(result=-1)])
    env = SingleAgentEnv(TableGame(Node(0, [wins_at_once, goes_on])), player=1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["legal_actions"] == [0, 1]
    assert env.step(1)[1:4] == (1.0, True, False)
    hopeless = SingleAgentEnv(TableGame(Node(0, [wins_at_once])), player=1)
    with pytest.raises(CotulenhError, match=f"{MAX_BEGINNINGS} games in a row ended before"):
        hopeless.reset(seed=0)
    with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
        hopeless.step(0)


# --- actions ---


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize("action", [None, 1.0, True, "1", [1], np.array([1]), -1, 9, 2**70])
def test_what_is_no_action_is_refused_and_changes_nothing(action: Any, illegal: str) -> None:
    env = tictactoe(illegal=illegal)
    env.step(0)
    before = everything(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert everything(env) == before


def test_illegal_action_raises_and_changes_nothing() -> None:
    env = tictactoe(opponent=lowest)
    env.step(4)
    before = everything(env)
    with pytest.raises(IllegalActionError) as raised:
        env.step(4)
    assert str(raised.value) == "action 4 (b2) is illegal in 'O...X....'"
    assert everything(env) == before


@pytest.mark.parametrize("player", [0, 1])
def test_illegal_action_loses(player: int) -> None:
    env = tictactoe(opponent=lowest, player=player, illegal="lose")
    env.step(4)
    observation, reward, terminated, _, info = env.step(4)
    assert (reward, terminated) == (-1.0, True)
    assert info == {"player": player, "winner": 1 - player, "reason": "illegal action"}
    assert not observation["action_mask"].any()
    with pytest.raises(CotulenhError, match=r"the episode is over: call reset\(\)"):
        env.step(5)
    assert env.reset()[1]["legal_actions"] == list(range(player, 9))


def test_before_the_first_reset() -> None:
    env = SingleAgentEnv(load_game("tictactoe"))
    for ask in (lambda: env.step(0), env.fen, env.legal_actions, env.action_masks, env.render):
        with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
            ask()


# --- looks ---


def test_observations_are_from_the_learners_side() -> None:
    env = tictactoe(player=1, opponent=lowest)
    observation, info = env.reset()
    own, other, to_move = observation["observation"]
    assert (own.sum(), other[0, 0], to_move.min()) == (0, 1, 1)
    assert observation["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    assert env.observation_space.contains(observation)
    assert info == {"player": 1, "legal_actions": list(range(1, 9))}
    assert env.legal_actions().dtype == np.int32
    observation = env.step(8)[0]
    assert observation["observation"][0, 2, 2] == 1


def test_masks_where_maskable_ppo_looks_for_them() -> None:
    env = tictactoe(opponent=lowest)
    env.step(4)
    mask = env.action_masks()
    assert mask.dtype == np.bool_
    assert np.flatnonzero(mask).tolist() == env.legal_actions().tolist() == [1, 2, 3, 5, 6, 7, 8]
    assert env.get_wrapper_attr("action_masks")().shape == (9,)


def test_render_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = tictactoe(render_mode="ansi")
    assert env.render() == "3 . . .\n2 . . .\n1 . . .\n  a b c"
    picture = tictactoe(render_mode="rgb_array").render()
    assert (picture.dtype, picture.shape[2]) == (np.uint8, 3)
    env = SingleAgentEnv(load_game("tictactoe"), render_mode="human")
    env.metadata["render_fps"] = 1000
    env.reset()
    env.step(0)
    assert env.render() is None
    twin = copy.deepcopy(env)
    env.close()
    env.close()
    twin.step(twin.legal_actions()[0])
    twin.close()
    env = tictactoe()
    with pytest.warns(UserWarning, match="shows nothing without a render_mode") as caught:
        assert env.render() is None
    assert caught[0].filename == __file__


# --- copies ---


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", [load_game("commander"), NoisyTicTacToe()], ids=["c", "n"])
def test_copies_go_on_exactly(game: Game, copier: Callable[..., Any]) -> None:
    env = SingleAgentEnv(game, player="random", illegal="lose")
    _, info = env.reset(seed=6)
    env.action_space.seed(3)
    for _ in range(3):
        _, _, terminated, _, info = env.step(info["legal_actions"][-1])
        if terminated:
            _, info = env.reset()
    twin = copier(env)
    assert env.action_space.sample() == twin.action_space.sample()
    for _ in range(60):
        action = info["legal_actions"][0]
        step, twin_step = env.step(action), twin.step(action)
        assert data_equivalence(step, twin_step, exact=True)
        info = step[-1]
        if step[2]:
            began = env.reset()
            assert data_equivalence(began, twin.reset(), exact=True)
            info = began[-1]
    assert everything(twin) == everything(env)


def test_copies_share_the_opponent_and_nothing_else() -> None:
    env = tictactoe(opponent=scripted(1, 2, 3))
    twin = copy.deepcopy(env)
    env.step(0)
    twin.step(0)
    assert (env.fen(), twin.fen()) == ("XO.......", "X.O......")
    assert twin.game is env.game


# --- learning ---


@pytest.mark.parametrize("player", [0, 1])
def test_a_learner_gets_above_random_and_from_the_wrong_reward_below(player: int) -> None:
    # PettingZoo's tutorial for Stable-Baselines3 once trained on the opponent's reward.
    env = SingleAgentEnv(load_game("tictactoe"), player=player)
    random = play_episodes(env, MonteCarloLearner(), 600, epsilon=1.0, learning=False)
    scores = []
    for sign in (1.0, -1.0):
        learner = MonteCarloLearner(sign=sign)
        play_episodes(env, learner, 4000, epsilon=0.2, learning=True)
        scores.append(play_episodes(env, learner, 600, epsilon=0.0, learning=False, seed=1))
    assert scores[0] > random + 0.4
    assert scores[1] < random - 0.3


def test_nothing_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = tictactoe(player="random")
        env.step(env.legal_actions()[0])
