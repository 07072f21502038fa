"""The batched environment in careless and hostile hands, and its copies.

- where games begin: rows, positions, seeds
- refusals that change nothing: actions, seeds, rows, positions, rules, players, saved states
- copies go on exactly
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cotulenh_env.commander import RuleSet
from cotulenh_env.errors import (
    CotulenhError,
    IllegalActionError,
    PositionError,
    RulesError,
    StateError,
)
from cotulenh_env.registry import load_game
from cotulenh_env.vector import BatchedEnv
from tests.env.batched_games import course, everything, random_actions, seen, tictactoe
from tests.env.games import NoisyTicTacToe

SAVED_KEYS = {"game", "states", "generators"}


# --- beginning ---


def test_rows_and_positions() -> None:
    env = tictactoe(3)
    env.step([0, 1, 2])
    step = env.reset(rows=[2, 0], fen=["XO.......", None])
    texts = [env.game.to_text(state) for state in env.states]
    assert texts == [".........", ".X.......", "XO......."]
    assert step.counts.tolist() == [9, 8, 7]
    env.reset(fen="XOX......")
    assert [env.game.to_text(state) for state in env.states] == ["XOX......"] * 3
    env.reset(rows=[])
    assert [env.game.to_text(state) for state in env.states] == ["XOX......"] * 3


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seed": -1}, CotulenhError, "a seed is an integer of at least 0, got -1"),
        ({"seed": 1.5}, CotulenhError, "a seed is an integer of at least 0, got 1.5"),
        ({"seed": True}, CotulenhError, "a seed is an integer of at least 0, got True"),
        ({"seed": [1]}, CotulenhError, "there are 3 rows to seed, got 1 seeds"),
        ({"seed": [1, 2, "x"]}, CotulenhError, "a seed is an integer of at least 0, got 'x'"),
        ({"rows": [3]}, CotulenhError, "rows are 0 to 2, each at most once"),
        ({"rows": [-1]}, CotulenhError, "rows are 0 to 2, each at most once"),
        ({"rows": [1, 1]}, CotulenhError, "each at most once"),
        ({"rows": [0.5]}, CotulenhError, "rows are a list of integers"),
        ({"rows": [[0], [0, 1]]}, CotulenhError, "rows are a list of integers"),
        ({"rows": 1}, CotulenhError, "rows are a list of integers"),
        ({"fen": ["........."]}, PositionError, "one text or one per row, got 1 for 3 rows"),
        ({"fen": [None, None, 5]}, PositionError, "game 2: the option fen is text, got 5"),
        ({"fen": 5}, PositionError, "game 0: the option fen is text, got 5"),
        ({"fen": "?"}, PositionError, "nine of"),
        ({"fen": "XO.XO.X.."}, PositionError, "game 0: the game is over in 'XO.XO.X..'"),
        ({"rows": [1], "fen": ["XO.XO.X.."]}, PositionError, "game 1: the game is over"),
    ],
)
def test_hostile_resets_change_nothing(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    env = tictactoe(3)
    env.step([0, 1, 2])
    before = everything(env)
    with pytest.raises(error, match=message):
        env.reset(**{"seed": 5, **options})
    assert everything(env) == before
    env.step([3, 3, 3])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_games": 0}, CotulenhError, "num_games is an integer of at least 1, got 0"),
        ({"num_games": 2.0}, CotulenhError, "num_games is an integer of at least 1, got 2.0"),
        ({"num_games": True}, CotulenhError, "num_games is an integer of at least 1, got True"),
        ({"num_threads": 0}, CotulenhError, "num_threads is an integer of at least 1, got 0"),
        ({"illegal": "ignore"}, CotulenhError, "illegal is 'raise' or 'lose', got 'ignore'"),
        ({"illegal": ["raise"]}, CotulenhError, "illegal is 'raise' or 'lose'"),
        ({"rules": [RuleSet()]}, RulesError, "one RuleSet or one per game, got 1 for 2"),
        ({"rules": [RuleSet(), "bga"]}, RulesError, "rules of commander are a RuleSet, got 'bga'"),
        ({"rules": [RuleSet()] * 2, "battle": "sea"}, RulesError, "given twice"),
        ({"rules": RuleSet(), "battle": "sea"}, RulesError, "given twice"),
        ({"max_cycles": 5}, RulesError, "max_cycles is no option"),
        ({"moon": 5}, RulesError, "moon"),
    ],
)
def test_hostile_settings(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BatchedEnv(load_game("commander"), **{"num_games": 2, **options})


def test_before_the_first_reset() -> None:
    env = BatchedEnv(load_game("tictactoe"), 2)
    for ask in (
        lambda: env.step([0, 0]),
        env.get_state,
        lambda: env.reset(rows=[0]),
        lambda: env.states,
    ):
        with pytest.raises(CotulenhError, match=r"call reset\(\) first"):
            ask()
    assert env.rules == [load_game("tictactoe").make_rules()] * 2


# --- actions ---


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (0, "actions are 3 integers, one per game, got int64"),
        ([0, 0], r"got int64 \[2\]"),
        ([[0], [0], [0]], r"got int64 \[3, 1\]"),
        ([0.0, 0.0, 0.0], "got float64"),
        ([True, False, True], "got bool"),
        ([0, 0, 2**70], "got object"),
        (["0", "0", "0"], "got <U1"),
        ([[0], [0, 1], []], "actions are 3 integers"),
        (None, "got object"),
        ([0, -1, 0], "game 1: actions are 0 to 8, got -1"),
        ([0, 0, 9], "game 2: actions are 0 to 8, got 9"),
        (np.array([0, 2**40, 0]), f"game 1: actions are 0 to 8, got {2**40}"),
        (np.array([0, 0, 2**63], np.uint64), f"game 2: actions are 0 to 8, got {2**63}"),
    ],
)
def test_what_is_no_action_is_refused_and_changes_nothing(
    actions: Any, message: str, illegal: str
) -> None:
    env = tictactoe(3, illegal=illegal)
    env.step([0, 1, 2])
    before = everything(env)
    with pytest.raises(IllegalActionError, match=message):
        env.step(actions)
    assert everything(env) == before


def test_illegal_action_names_row_and_action_and_changes_nothing() -> None:
    env = BatchedEnv(NoisyTicTacToe(), 3)
    env.reset(seed=0, fen="X........")
    before = everything(env)
    with pytest.raises(IllegalActionError) as raised:
        env.step([1, 0, 0])
    assert str(raised.value) == "game 1: action 0 (a3) is illegal in 'X........'"
    assert everything(env) == before
    env.step([1, 2, 3])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_integers_of_any_kind_are_actions(dtype: Any) -> None:
    env = tictactoe(2)
    actions = np.array([4, 5], dtype)
    env.step(actions)
    assert [env.game.to_text(state) for state in env.states] == ["....X....", ".....X..."]
    strided = np.array([0, 9, 1, 9], dtype)[::2]
    env.step(strided)
    assert [env.game.to_text(state) for state in env.states] == ["O...X....", ".O...X..."]


# --- copies ---


def through_saved_state(env: BatchedEnv) -> BatchedEnv:
    twin = BatchedEnv(env.game, env.num_games, num_threads=2)
    twin.set_state(env.get_state())
    return twin


def through_pickle(env: BatchedEnv) -> BatchedEnv:
    twin = pickle.loads(pickle.dumps(env))
    assert isinstance(twin, BatchedEnv)
    return twin


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize(
    "copier", [BatchedEnv.clone, copy.deepcopy, through_pickle, through_saved_state]
)
def test_copies_go_on_exactly(copier: Callable[[BatchedEnv], BatchedEnv], num_threads: int) -> None:
    for game in (load_game("commander"), NoisyTicTacToe()):
        env = BatchedEnv(game, 3, num_threads=num_threads)
        step = env.reset(seed=3)
        rng = np.random.default_rng(1)
        for _ in range(23):
            step = env.step(random_actions(step, rng))
        twin = copier(env)
        actions = random_actions(step, rng)
        step, twin_step = env.step(actions), twin.step(actions)
        before = seen(twin_step)
        assert course(env, step, 15) == [before, *course(twin, twin_step, 15)[1:]]
        env.close()
        twin.close()


def test_hostile_saved_games_change_nothing() -> None:
    env = tictactoe(2)
    step = env.step([0, 1])
    saved, before = env.get_state(), everything(env)
    over = saved["states"].copy()
    over[1] = env.game.from_text("XO.XO.X..")
    for change, message in (
        ({"game": "chess"}, "the saved game is 'chess', not 'tictactoe'"),
        ({"game": 1}, "the saved game is 1"),
        ({"states": saved["states"][:1]}, "2 games have as many states"),
        ({"states": saved["states"].astype(np.int64)}, "states of tictactoe are uint8"),
        ({"states": [[1], [1, 2]]}, "the saved states are no array"),
        ({"states": np.full_like(saved["states"], 255)}, "row 0 is no state of tictactoe"),
        ({"states": over}, "the saved game 1 is over"),
        ({"generators": saved["generators"][:1]}, "got 2 states and 1 generators"),
        ({"generators": None}, "no generators"),
        ({"generators": [{}, {}]}, "the saved generators cannot be read"),
        ({"generators": [5, 5]}, "the saved generators cannot be read"),
        ({"more": 1}, "saved games have the keys game, states, generators"),
    ):
        with pytest.raises(StateError, match=message):
            env.set_state({**saved, **change})
        assert everything(env) == before
    with pytest.raises(StateError, match="got list"):
        env.set_state([])  # type: ignore[arg-type]
    assert set(saved) == SAVED_KEYS
    assert env.step(random_actions(step, np.random.default_rng(0))).counts.tolist() == [7, 7]


@pytest.mark.parametrize("players", [2, -1, 1000, 2**31, 1.5, "x", [0, 1, 0, 1, 0], True])
def test_final_observations_are_of_players(players: object) -> None:
    """Any other number would be read as a place in memory."""
    env = BatchedEnv(load_game("tictactoe"), 3)
    step = env.reset(seed=1)
    while not len(step.finished.rows):
        step = env.step(step.legal_actions[:, 0].copy())
    with pytest.raises(CotulenhError, match="players are 0 or 1, one for all or"):
        env.final_observations(step.finished, players)  # type: ignore[arg-type]


def test_a_seed_may_be_an_array_without_dimensions() -> None:
    env = BatchedEnv(load_game("tictactoe"), 3)
    assert env.reset(seed=np.array(5)).counts.tolist() == [9] * 3  # type: ignore[arg-type]


@pytest.mark.parametrize("finished", [None, 5, "step", "another game"])
def test_final_observations_are_of_games_of_this_environment(finished: Any) -> None:
    env = tictactoe(3)
    step = env.step(np.zeros(3, np.int32))
    if finished == "step":
        finished = step
    elif finished == "another game":
        other = BatchedEnv(load_game("commander"), 1, turn_limit=1)
        finished = other.step(other.reset(seed=1).legal_actions[:, 0].copy()).finished
        assert len(finished.rows) == 1
    with pytest.raises(CotulenhError, match="finished games are those of a step") as error:
        env.final_observations(finished)
    assert "\n" not in str(error.value)
