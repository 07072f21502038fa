"""What the AEC environment promises beyond PettingZoo's tests.

- actions: accepted types, refusals that change nothing, both policies on illegal ones
- the end: rewards for both in one step, infos, removal, and a clean next game
- observations: new arrays, own side, any agent, any time
- seeds: the same seed the same game, no reseeding without one
- rules and options: names, both given, unknown ones
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from cotulenh_env import aec
from cotulenh_env.errors import CotulenhError, IllegalActionError, PositionError, RulesError
from cotulenh_env.registry import load_game
from cotulenh_env.tictactoe import RuleSet
from tests.env.games import everything, make, play_random

X_WINS = (0, 3, 1, 4, 2)
DRAWN = (0, 1, 2, 4, 3, 5, 7, 6, 8)


def started(**options: Any) -> aec.GameEnv:
    env = make("tictactoe", **options)
    env.reset(seed=1)
    return env


# --- actions ---


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint8])
def test_integers_of_any_kind_are_actions(kind: Any) -> None:
    env = started()
    env.step(kind(4))
    assert env.fen() == "....X...."


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(
    "action", [None, 1.0, np.float64(1), True, np.bool_(True), "1", np.array(1), np.array([1]), [1]]
)
def test_other_types_are_refused_and_change_nothing(action: Any, illegal: str) -> None:
    env = started(illegal=illegal)
    env.step(0)
    before = everything(env)
    with pytest.raises(IllegalActionError, match="an action is an int or a NumPy integer, got"):
        env.step(action)
    assert everything(env) == before


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize("action", [-1, 9, 2**31, -(2**70), np.int64(2**40)])
def test_actions_out_of_range_are_refused_and_change_nothing(action: Any, illegal: str) -> None:
    env = started(illegal=illegal)
    before = everything(env)
    with pytest.raises(IllegalActionError, match=f"actions are 0 to 8, got {action}"):
        env.step(action)
    assert everything(env) == before


def test_illegal_action_raises_with_words_and_position_and_changes_nothing() -> None:
    env = started()
    env.step(0)
    before = everything(env)
    with pytest.raises(IllegalActionError) as raised:
        env.step(0)
    assert str(raised.value) == "action 0 (a3) is illegal in 'X........'"
    assert everything(env) == before
    env.step(1)
    assert env.fen() == "XO......."


def test_illegal_action_loses() -> None:
    env = started(illegal="lose")
    env.step(0)
    env.step(0)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    for info in env.infos.values():
        assert info == {"winner": 0, "reason": "illegal action"}
    assert env.legal_actions().size == 0
    assert not env.observe("player_0")["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any()
    assert env.fen() == "X........"


def test_next_game_is_clean_after_an_illegal_end() -> None:
    # PettingZoo issue 1176: a wrapper left the wrong agent selected for the next game.
    env = started(illegal="lose")
    env.step(0)
    env.step(0)
    for removed in range(3):
        env.reset()
        assert env.agents == ["player_0", "player_1"]
        assert env.agent_selection == "player_0"
        assert env.legal_actions().tolist() == list(range(9))
        play_random(env, np.random.default_rng(removed))
        for _ in range(removed):
            env.step(None)
    assert env.agents == []


def test_actions_without_a_game_are_refused() -> None:
    env = make("tictactoe")
    with pytest.raises(IllegalActionError, match=r"call reset\(\)"):
        env.step(0)
    for ask in (env.legal_actions, env.fen, env.get_state, lambda: env.observe("player_0")):
        with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
            ask()


def test_dead_agents_only_take_none() -> None:
    env = started()
    for action in X_WINS:
        env.step(action)
    with pytest.raises(IllegalActionError, match=r"step\(None\), not 5"):
        env.step(5)
    assert len(env.agents) == 2
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(IllegalActionError, match="no game is going on"):
        env.step(None)


# --- the end ---


@pytest.mark.parametrize(
    ("actions", "rewards", "winner", "reason"),
    [(X_WINS, (1.0, -1.0), 0, "line"), (DRAWN, (0.0, 0.0), -1, "full board")],
)
def test_both_agents_get_their_reward_in_the_last_step(
    actions: tuple[int, ...], rewards: tuple[float, float], winner: int, reason: str
) -> None:
    env = started()
    for action in actions:
        assert list(env.rewards.values()) == [0.0, 0.0]
        assert env.last()[1] == 0.0
        env.step(action)
    assert tuple(env.rewards.values()) == rewards
    seen = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert env.observation_space(agent).contains(observation)
        assert (termination, truncation) == (True, False)
        assert info == {"winner": winner, "reason": reason}
        seen[agent] = reward
        env.step(None)
    assert seen == dict(zip(("player_0", "player_1"), rewards, strict=True))


def test_infos_tell_the_mover_its_legal_actions() -> None:
    env = started()
    env.step(4)
    assert set(env.infos) == {"player_0", "player_1"}
    assert env.infos["player_0"] == {}
    legal = env.infos["player_1"]["legal_actions"]
    assert legal.dtype == np.int32
    assert legal.tolist() == env.legal_actions().tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    kept = legal.copy()
    env.step(0)
    assert legal.tolist() == kept.tolist()


def test_changing_what_was_handed_out_changes_no_legality() -> None:
    env = started()
    env.step(4)
    env.infos["player_1"]["legal_actions"][:] = 4
    env.legal_actions()[:] = 4
    env.observe("player_1")["action_mask"][:] = 1
    with pytest.raises(IllegalActionError):
        env.step(4)
    assert env.observe("player_1")["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]


# --- observations ---


def test_observations_are_from_each_agents_own_side_at_any_time() -> None:
    env = started()
    env.step(4)
    first, second = env.observe("player_0"), env.observe("player_1")
    assert first["observation"].dtype == np.float32
    assert first["action_mask"].dtype == np.int8
    assert first["observation"][0, 1, 1] == 1
    assert second["observation"][1, 1, 1] == 1
    assert not first["action_mask"].any()
    assert np.flatnonzero(second["action_mask"]).tolist() == env.legal_actions().tolist()
    play_random(env, np.random.default_rng(0))
    for _ in range(3):
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent))
            assert not env.observe(agent)["action_mask"].any()
        if env.agents:
            env.step(None)


def test_observations_are_never_overwritten() -> None:
    env = started()
    seen = env.last()[0]
    assert seen is not None
    kept = {name: array.copy() for name, array in seen.items()}
    env.step(4)
    env.last()
    env.reset()
    for name, array in seen.items():
        assert np.array_equal(array, kept[name])
        assert array.flags.writeable


def test_unknown_agents_are_refused() -> None:
    env = started()
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(CotulenhError, match="agents are player_0 and player_1, got 'red'"):
            ask("red")


# --- seeds ---


def test_reset_without_a_seed_does_not_reseed() -> None:
    def three_games(env: aec.GameEnv) -> list[str]:
        env.reset(seed=5)
        fens = []
        for _ in range(3):
            while not any(env.terminations.values()):
                env.step(env.legal_actions()[-1])
            fens.append(env.fen())
            env.reset()
        return fens

    first, second = three_games(make("noisy")), three_games(make("noisy"))
    assert first == second
    assert len(set(first)) > 1, "every game saw the same chance: reset reseeded"


def test_games_without_chance_leave_the_generator_alone() -> None:
    env = started()
    before = env.np_random.bit_generator.state
    play_random(env, np.random.default_rng(0))
    assert env.np_random.bit_generator.state == before


# --- rules and options ---


def test_rules_may_be_a_rule_set() -> None:
    assert make("tictactoe", rules=RuleSet()).rules == RuleSet()


def test_rules_given_wrongly_are_refused() -> None:
    with pytest.raises(RulesError, match="given twice"):
        make("tictactoe", rules=RuleSet(), battle="sea")
    with pytest.raises(RulesError, match=r"rules of tictactoe are a RuleSet, got \{'size': 4\}"):
        make("tictactoe", rules={"size": 4})
    with pytest.raises(RulesError, match="size"):
        make("tictactoe", size=4)
    with pytest.raises(RulesError, match="games end by their own rules"):
        make("tictactoe", max_cycles=100)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(CotulenhError, match="illegal is 'raise' or 'lose', got 'ignore'"):
        make("tictactoe", illegal="ignore")
    with pytest.raises(CotulenhError, match="got 'rgb'"):
        make("tictactoe", render_mode="rgb")


def test_reset_from_a_position() -> None:
    env = make("tictactoe")
    env.reset(options={"fen": "XX.OO...."})
    assert env.legal_actions().tolist() == [2, 5, 6, 7, 8]
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    env.reset(options={"fen": None})
    assert env.fen() == "........."


def test_reset_from_a_finished_position_is_over_at_once() -> None:
    env = make("tictactoe")
    env.reset(options={"fen": "XOOX..X.."})
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos["player_1"] == {"winner": 0, "reason": "line"}
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    assert rewards == {"player_0": 1.0, "player_1": -1.0}


@pytest.mark.parametrize("fen", ["XX", "X" * 9, 5])
def test_malformed_fen_leaves_everything_as_it_was(fen: Any) -> None:
    env = make("noisy")
    env.reset(seed=3)
    env.step(4)
    before = everything(env)
    with pytest.raises(PositionError):
        env.reset(seed=8, options={"fen": fen})
    assert everything(env) == before


def test_unknown_options_give_one_warning() -> None:
    env = make("tictactoe")
    with pytest.warns(UserWarning, match="unknown options") as caught:
        env.reset(options={"board": 1, "clock": 2, "fen": "X........"})
    (warning,) = caught
    assert str(warning.message) == "reset ignores unknown options 'board', 'clock'; it knows 'fen'"
    assert warning.filename == __file__
    assert env.fen() == "X........"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(options={})
    with pytest.raises(CotulenhError, match="options of reset are a dictionary, got 5"):
        env.reset(options=5)  # type: ignore[arg-type]


def test_action_text_is_for_legal_actions() -> None:
    env = started()
    env.step(0)
    assert env.action_text(8) == "c1"
    with pytest.raises(IllegalActionError, match=r"action 0 \(a3\)"):
        env.action_text(0)


def test_game_is_loaded_once() -> None:
    assert make("tictactoe").game is load_game("tictactoe")


# --- rendering ---


def test_ansi_is_the_games_drawing() -> None:
    env = started(render_mode="ansi")
    env.step(4)
    assert env.render() == "3 . . .\n2 . X .\n1 . . .\n  a b c"


def test_rgb_array_is_a_new_picture_each_time() -> None:
    env = started(render_mode="rgb_array")
    first = env.render()
    env.step(4)
    second = env.render()
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    assert first.shape == second.shape
    assert (first != second).any()


def test_render_without_a_mode_says_so() -> None:
    env = started()
    with pytest.warns(UserWarning, match="shows nothing without a render_mode"):
        assert env.render() is None


def test_a_closed_environment_can_be_used_again() -> None:
    env = started(render_mode="ansi")
    env.close()
    env.step(0)
    assert isinstance(env.render(), str)
