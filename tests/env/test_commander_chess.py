"""Commander Chess as an environment.

- making it: rules, options, PettingZoo's registry
- a deployment is several steps of one agent (R7.7), with exact copies in the middle of it
- whole games end with a result and a reason of R10.9
- looks: observation, mask, text and picture
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

import cotulenh_env  # noqa: F401 - registers the environments
from cotulenh_env import aec, commander_chess_v0
from cotulenh_env.commander import RuleSet
from cotulenh_env.commander.actions import END
from cotulenh_env.errors import IllegalActionError, PositionError, RulesError
from tests.env.games import everything, play_random

STACK_FEN = "6c4/11/11/11/4a6/11/11/11/1(NFT)9/11/11/6C4 r - - 0 1"
"""A navy with an air force and a tank on b4: Red may deploy."""

REASONS = {"battle", "exposure", "repetition", "quiet", "turn limit", "no move"}


def text_actions(env: aec.GameEnv) -> dict[str, int]:
    return {env.action_text(int(action)): int(action) for action in env.legal_actions()}


def in_deployment(num_steps: int) -> aec.GameEnv:
    """Red selects the air force, moves it away, selects the tank, moves it, ends: so many of it."""
    env = commander_chess_v0.raw_env(battle="full")
    env.reset(seed=1, options={"fen": STACK_FEN})
    for _ in range(num_steps):
        legal = env.legal_actions()
        selects = [action for action in legal if action != END and action % 111 in range(104, 110)]
        env.step(selects[0] if selects else legal[0])
    return env


# --- making it ---


def test_rules_by_option_and_by_rule_set() -> None:
    by_option = commander_chess_v0.raw_env(battle="sea", turn_limit=7)
    by_rules = commander_chess_v0.raw_env(rules=RuleSet(battle="sea", turn_limit=7))
    assert by_option.rules == by_rules.rules == RuleSet(battle="sea", turn_limit=7)
    by_option.reset()
    by_rules.reset()
    assert by_option.get_state()["state"].tobytes() == by_rules.get_state()["state"].tobytes()


def test_rules_reach_the_game() -> None:
    env = commander_chess_v0.raw_env(turn_limit=2)
    env.reset(seed=1)
    play_random(env, np.random.default_rng(0))
    assert env.infos["player_0"]["reason"] == "turn limit"


def test_wrong_rules_are_refused() -> None:
    with pytest.raises(RulesError, match="given twice"):
        commander_chess_v0.raw_env(rules=RuleSet(), battle="sea")
    with pytest.raises(RulesError, match="moon"):
        commander_chess_v0.raw_env(battle="moon")
    with pytest.raises(RulesError, match="colour"):
        commander_chess_v0.env(colour="red")
    with pytest.raises(RulesError, match="max_cycles"):
        commander_chess_v0.env(max_cycles=9)


def test_made_through_the_registry() -> None:
    env = pettingzoo.make("aec", "cotulenh/commander_chess-v0", battle="air", render_mode="ansi")
    assert isinstance(env, OrderEnforcingWrapper)
    assert type(env.env) is aec.GameEnv
    assert str(env) == "commander_chess_v0"
    assert env.rules == RuleSet(battle="air")
    assert env.render_mode == "ansi"
    env.reset(seed=3)
    env.step(0)
    assert env.infos["player_1"] == {"winner": 1, "reason": "illegal action"}


# --- deployments ---


def test_one_agent_acts_several_times_in_a_row_while_it_deploys() -> None:
    env = in_deployment(0)
    for num_steps in range(1, 4):
        env = in_deployment(num_steps)
        assert env.agent_selection == "player_0", num_steps
        assert set(env.infos["player_0"]) == {"legal_actions"}
        assert not env.observe("player_1")["action_mask"].any()
    env.step(END) if END in env.legal_actions() else play_random(env, np.random.default_rng(0), 1)
    while env.agent_selection == "player_0":
        env.step(env.legal_actions()[-1])
    assert env.agent_selection == "player_1"


COPIERS = [aec.GameEnv.clone, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("num_steps", range(4))
def test_copies_in_the_middle_of_a_deployment(
    num_steps: int, copier: Callable[[aec.GameEnv], aec.GameEnv]
) -> None:
    env = in_deployment(num_steps)
    twin = copier(env)
    assert everything(twin) == everything(env)
    assert data_equivalence(twin.last(), env.last())
    course = play_random(env, np.random.default_rng(num_steps))
    assert play_random(twin, np.random.default_rng(num_steps)) == course
    assert everything(twin) == everything(env)


def test_a_copy_knows_the_repetitions_of_its_original() -> None:
    # R10.5: the third occurrence draws, so a copy without history would play on.
    env = commander_chess_v0.raw_env(battle="full")
    env.reset(options={"fen": "6c3i/11/11/11/9t1/11/11/9T1/11/11/11/4C5I r - - 0 1"})

    def shuffle(env: aec.GameEnv, num_turns: int) -> None:
        for turn in range(num_turns):
            red, blue = ("i5", "j5"), ("i8", "j8")
            to = (red, blue)[turn % 2][turn // 2 % 2]
            (action,) = (
                a for text, a in text_actions(env).items() if f"-{to}" in text and "T" in text
            )
            env.step(action)

    shuffle(env, 4)
    twin = pickle.loads(pickle.dumps(env)).clone()
    shuffle(twin, 4)
    assert twin.infos["player_0"] == {"winner": -1, "reason": "repetition"}
    assert not any(env.terminations.values())


def test_an_unfinished_deployment_goes_through_text() -> None:
    env = in_deployment(2)
    twin = commander_chess_v0.raw_env(battle="full")
    twin.reset(options={"fen": env.fen()})
    assert twin.fen() == env.fen()
    assert twin.legal_actions().tolist() == env.legal_actions().tolist()
    assert twin.agent_selection == "player_0"


# --- whole games ---


@pytest.mark.parametrize("battle", ["standard", "sea", "air", "surprise", "full"])
def test_games_end_with_a_result_and_a_reason(battle: str) -> None:
    env = commander_chess_v0.raw_env(battle=battle, turn_limit=120)
    env.reset(seed=1)
    for seed in range(3):
        played = play_random(env, np.random.default_rng(seed))
        assert len(played) > 20
        winner = env.infos["player_0"]["winner"]
        expected = {-1: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[winner]
        assert tuple(env.rewards.values()) == expected
        assert env.infos["player_0"] == env.infos["player_1"]
        assert env.infos["player_0"]["reason"] in REASONS
        env.reset()


def test_illegal_action_is_named_with_its_position() -> None:
    env = commander_chess_v0.raw_env()
    env.reset(seed=1)
    before = everything(env)
    for action in (0, END, *range(5_000, 5_111)):
        if action in env.legal_actions():
            continue
        with pytest.raises(IllegalActionError) as raised:
            env.step(action)
        message = str(raised.value)
        assert message.startswith(f"action {action}")
        assert message.endswith(f"is illegal in {env.fen()!r}")
    assert everything(env) == before


@pytest.mark.parametrize(
    "fen", ["", "x", STACK_FEN.replace("(NFT)", "(NFTT)"), STACK_FEN.replace(" r ", " w ")]
)
def test_malformed_fen_leaves_everything_as_it_was(fen: str) -> None:
    env = in_deployment(2)
    before = everything(env)
    with pytest.raises(PositionError):
        env.reset(seed=9, options={"fen": fen})
    assert everything(env) == before


# --- looks ---


def test_observations_are_those_of_the_game_from_either_side() -> None:
    env = commander_chess_v0.raw_env()
    env.reset(seed=1)
    play_random(env, np.random.default_rng(5), 31)
    game, states = env.game, env.get_state()["state"][None]
    for player, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        assert seen["observation"].shape == (len(game.spec.plane_names), 12, 11)
        assert seen["action_mask"].shape == (14653,)
        expected = game.observe(states, np.array([player], np.int32))[0]
        assert np.array_equal(seen["observation"], expected)
        assert env.observation_space(agent).contains(seen)
        legal = env.legal_actions().tolist() if agent == env.agent_selection else []
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal


def test_text_and_picture() -> None:
    env = commander_chess_v0.raw_env(render_mode="ansi")
    env.reset(options={"fen": STACK_FEN})
    text = env.render()
    assert isinstance(text, str)
    assert "(NFT)" in text
    assert text.endswith("Red to move")
    env = commander_chess_v0.raw_env(render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    env.step(env.legal_actions()[0])
    second = env.render()
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    assert first.dtype == np.uint8
    assert first.shape[2] == 3
    assert (first != second).any()
