"""What the batched environment promises.

- every row plays as an AEC environment does: observations, masks, lists, rewards, ends, chance
- the same for any number of threads, any other games in the batch, any size of it
- games that end: the next one in the same step, what is told of the last one, only its row redone
- arrays: reused, left out, not to be written
- refusals that change nothing: actions, seeds, rows, positions, rules, saved states
- copies go on exactly
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cotulenh_env import aec
from cotulenh_env.commander import RuleSet
from cotulenh_env.errors import (
    CotulenhError,
    IllegalActionError,
    PositionError,
    RulesError,
    StateError,
)
from cotulenh_env.game import Game, States, StepBuffers
from cotulenh_env.registry import load_game
from cotulenh_env.tictactoe import TicTacToe
from cotulenh_env.vector import BatchedEnv, BatchedStep
from tests.env.games import NoisyTicTacToe
from tests.training.games import TwoStep

RULES = [
    RuleSet(),
    RuleSet(edition="bga"),
    RuleSet(edition="russian", battle="full"),
    RuleSet(placement=True, battle="sea"),
    RuleSet(enforce_check=True),
    RuleSet(battle="air", turn_limit=11),
    RuleSet(edition="bga", placement=True, turn_limit=8),
]

SAVED_KEYS = {"game", "states", "generators"}


def tictactoe(num_games: int = 4, **options: Any) -> BatchedEnv:
    env = BatchedEnv(load_game("tictactoe"), num_games, **options)
    env.reset(seed=1)
    return env


def random_actions(step: BatchedStep, rng: np.random.Generator) -> Any:
    columns = (rng.random(len(step.counts)) * step.counts).astype(np.int64)
    return step.legal_actions[np.arange(len(columns)), columns]


def seen(step: BatchedStep) -> list[Any]:
    """All of a step, comparable and safe from later ones."""
    arrays = [None if part is None else part.tobytes() for part in step[:-1]]
    finished = step.finished
    told = (finished.rows.tolist(), finished.winners.tolist(), finished.reasons)
    return [arrays, told, finished.states.tobytes()]


def course(env: BatchedEnv, step: BatchedStep, num_steps: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    steps = [seen(step)]
    for _ in range(num_steps):
        steps.append(seen(env.step(random_actions(step, rng))))
        step = env.step(random_actions(step, rng))
        steps.append(seen(step))
    return steps


def everything(env: BatchedEnv) -> Any:
    saved = env.get_state()
    saved["states"] = saved["states"].tobytes()
    return saved


# --- as an AEC environment ---


def assert_rows_are_games(env: BatchedEnv, twins: list[aec.GameEnv], num_steps: int) -> int:
    """Plays at random in both; returns how often a player went on acting."""
    step = env.reset(seed=list(range(len(twins))))
    for seed, twin in enumerate(twins):
        twin.reset(seed=seed)
    rng = np.random.default_rng(5)
    num_again = 0
    for _ in range(num_steps):
        fresh = env.game.new_buffers(len(twins))
        env.game.refresh(env.states, fresh)
        np.testing.assert_array_equal(step.observations, fresh.observations)
        np.testing.assert_array_equal(step.action_masks, fresh.mask)
        for row, twin in enumerate(twins):
            agent = twin.agent_selection
            expected = twin.observe(agent)
            assert aec.AGENTS[step.players[row]] == agent
            assert step.observations is not None
            assert step.action_masks is not None
            np.testing.assert_array_equal(step.observations[row], expected["observation"])
            np.testing.assert_array_equal(step.action_masks[row], expected["action_mask"])
            count = step.counts[row]
            np.testing.assert_array_equal(step.legal_actions[row, :count], twin.legal_actions())
            assert (step.legal_actions[row, count:] == -1).all()
        actions = random_actions(step, rng)
        before = step.players.copy()
        step = env.step(actions)
        finished = dict(zip(step.finished.rows.tolist(), range(env.num_games), strict=False))
        for row, twin in enumerate(twins):
            twin.step(actions[row])
            assert step.rewards[row].tolist() == list(twin.rewards.values())
            over = twin.terminations["player_0"]
            assert (bool(step.terminations[row]), row in finished) == (over, over)
            if over:
                index, info = finished[row], twin.infos["player_0"]
                assert step.finished.winners[index] == info["winner"]
                assert step.finished.reasons[index] == info["reason"]
                last = twin.get_state()["state"]
                assert step.finished.states[index].tobytes() == last.tobytes()
                for player, agent in enumerate(aec.AGENTS):
                    final = env.final_observations(step.finished, player)[index]
                    np.testing.assert_array_equal(final, twin.observe(agent)["observation"])
                twin.reset()
            else:
                num_again += int(before[row] == step.players[row])
            assert env.states[row].tobytes() == twin.get_state()["state"].tobytes()
    return num_again


def test_commander_rows_are_games_under_their_own_rules() -> None:
    game = load_game("commander")
    env = BatchedEnv(game, len(RULES), rules=RULES)
    num_again = assert_rows_are_games(env, [aec.raw_env(game, rules=each) for each in RULES], 250)
    assert num_again > 30  # deployments and placements are several actions of one player


@pytest.mark.parametrize("game", [TicTacToe(), NoisyTicTacToe(), TwoStep()], ids=repr)
def test_rows_are_games(game: Game) -> None:
    assert_rows_are_games(BatchedEnv(game, 5), [aec.raw_env(game) for _ in range(5)], 60)


@pytest.mark.parametrize("dense", [True, False])
def test_illegal_actions_lose_as_in_single_games(dense: bool) -> None:
    game = NoisyTicTacToe()
    env = BatchedEnv(game, 3, illegal="lose", observations=dense, action_masks=dense)
    twins = [aec.raw_env(game, illegal="lose") for _ in range(3)]
    step = env.reset(seed=[0, 1, 2])
    for seed, twin in enumerate(twins):
        twin.reset(seed=seed)
    rng = np.random.default_rng(0)
    reasons = set()
    for _ in range(200):
        actions = rng.integers(0, 9, 3)
        step = env.step(actions)
        reasons.update(step.finished.reasons)
        for row, twin in enumerate(twins):
            twin.step(actions[row])
            assert step.rewards[row].tolist() == list(twin.rewards.values())
            if twin.terminations["player_0"]:
                index = step.finished.rows.tolist().index(row)
                assert step.finished.reasons[index] == twin.infos["player_0"]["reason"]
                twin.reset()
            assert step.legal_actions[row, : step.counts[row]].tolist() == list(
                twin.legal_actions()
            )
            assert env.states[row].tobytes() == twin.get_state()["state"].tobytes()
        if dense:
            assert step.action_masks is not None
            assert step.action_masks.sum(axis=1).tolist() == step.counts.tolist()
    assert reasons >= {"illegal action", "line"}


def test_commander_rows_hold_what_they_should_after_illegal_ends() -> None:
    game = load_game("commander")
    env = BatchedEnv(game, 4, illegal="lose")
    bare = BatchedEnv(game, 4, illegal="lose", observations=False, action_masks=False)
    step, bare_step = env.reset(seed=0), bare.reset(seed=0)
    rng = np.random.default_rng(0)
    for number in range(60):
        actions = random_actions(step, rng)
        actions[number % 4] = rng.integers(game.spec.num_actions)
        if number % 7 == 0:
            actions[:] = -actions % game.spec.num_actions
        step, bare_step = env.step(actions), bare.step(actions)
        fresh = game.new_buffers(4)
        game.refresh(env.states, fresh)
        np.testing.assert_array_equal(step.observations, fresh.observations)
        np.testing.assert_array_equal(step.action_masks, fresh.mask)
        for lists in (step, bare_step):
            np.testing.assert_array_equal(lists.legal_actions, fresh.legal_actions)
            np.testing.assert_array_equal(lists.counts, fresh.counts)
        assert env.states.tobytes() == bare.states.tobytes()


# --- independence ---


@pytest.mark.parametrize("num_threads", [2, 3, 16])
def test_any_number_of_threads_gives_the_same(num_threads: int) -> None:
    for game, rules in ((load_game("commander"), RULES), (NoisyTicTacToe(), None)):
        one = BatchedEnv(game, len(RULES), rules=rules)
        many = BatchedEnv(game, len(RULES), rules=rules, num_threads=num_threads)
        assert course(many, many.reset(seed=4), 20) == course(one, one.reset(seed=4), 20)
        many.close()
        many.reset()  # the threads start again
        many.close()


class FailsInOneRow(TicTacToe):
    def step_into(self, states: States, actions: Any, draws: Any, buffers: StepBuffers) -> None:
        if (actions == 8).any():
            raise RuntimeError("a broken kernel")
        super().step_into(states, actions, draws, buffers)


@pytest.mark.parametrize("row", [0, 3])
def test_errors_in_threads_reach_the_caller(row: int) -> None:
    env = BatchedEnv(FailsInOneRow(), 4, num_threads=2)
    env.reset()
    actions = np.zeros(4, np.int32)
    actions[row] = 8
    with pytest.raises(RuntimeError, match="a broken kernel"):
        env.step(actions)


def test_a_game_depends_on_its_own_seed_and_actions_alone() -> None:
    small, large = BatchedEnv(NoisyTicTacToe(), 2), BatchedEnv(NoisyTicTacToe(), 6)
    step, other_step = small.reset(seed=8), large.reset(seed=8)
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = random_actions(other_step, rng)
        np.testing.assert_array_equal(other_step.legal_actions[:2], step.legal_actions)
        step, other_step = small.step(actions[:2]), large.step(actions)
        assert small.states.tobytes() == large.states[:2].tobytes()


def test_seeds() -> None:
    def courses(seed: Any) -> list[Any]:
        env = BatchedEnv(NoisyTicTacToe(), 3)
        return course(env, env.reset(seed=seed), 15)

    assert courses(3) == courses(3) == courses(np.int64(3))
    assert courses(3) != courses(4)
    assert courses([3, 4, 5]) == courses(np.array([3, 4, 5]))
    assert courses(None) != courses(None)
    env = BatchedEnv(NoisyTicTacToe(), 4)
    env.reset(seed=0)
    states = [bits["state"] for bits in env.get_state()["generators"]]
    assert len({repr(bits) for bits in states}) == 4
    env.reset()  # no seed: the streams go on from where they stand
    assert [bits["state"] for bits in env.get_state()["generators"]] == states
    env.reset(seed=[None, None, 9, None])
    kept = [bits["state"] for bits in env.get_state()["generators"]]
    assert [a == b for a, b in zip(kept, states, strict=True)] == [True, True, False, True]


# --- the end ---


def test_the_next_game_begins_in_the_same_step() -> None:
    env = tictactoe(3)
    for column in range(4):
        step = env.step([(0, 3, 1, 4)[column], (0, 3, 1, 4)[column], column])
        assert not step.terminations.any()
        assert not step.rewards.any()
        assert step.finished.rows.size == 0
        assert env.final_observations(step.finished).shape == (0, 3, 3, 3)
    step = env.step([2, 5, 4])  # X wins in the first row
    assert step.terminations.tolist() == [True, False, False]
    assert step.rewards.tolist() == [[1, -1], [0, 0], [0, 0]]
    assert step.players.tolist() == [0, 1, 1]
    assert step.counts.tolist() == [9, 4, 4]
    assert step.finished.rows.tolist() == [0]
    assert step.finished.winners.tolist() == [0]
    assert step.finished.reasons == ["line"]
    assert env.game.to_text(step.finished.states[0]) == "XXXOO...."
    assert env.final_observations(step.finished, 1)[0, 0].tolist() == [[0] * 3, [1, 1, 0], [0] * 3]
    assert env.final_observations(step.finished).tolist() == [
        env.game.observe(step.finished.states, np.array([1], np.int32))[0].tolist()
    ]
    kept = step.finished
    step = env.step([0, 2, 5])
    assert not step.terminations.any()
    assert not step.rewards.any()
    assert env.game.to_text(kept.states[0]) == "XXXOO...."


class CountsLooks(TicTacToe):
    def __init__(self) -> None:
        self.looked: list[int] = []

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        self.looked.append(len(states))
        super().refresh(states, buffers)


def test_only_rows_whose_game_ended_are_looked_at_again() -> None:
    game = CountsLooks()
    env = BatchedEnv(game, 8)
    env.reset()
    for action in (0, 3, 1, 4):
        env.step([action] * 8)
    game.looked.clear()
    env.step([2, 2, 5, 5, 5, 5, 5, 5])
    assert game.looked == [8, 1, 1]  # the step itself, then one row each


# --- arrays ---


def test_arrays_are_reused_and_those_of_the_game_are_not_written() -> None:
    env = tictactoe()
    first = env.reset()
    second = env.step([0, 1, 2, 3])
    for name in ("observations", "action_masks", "legal_actions", "counts", "events"):
        assert np.shares_memory(getattr(first, name), getattr(second, name)), name
        with pytest.raises(ValueError, match="read-only"):
            getattr(second, name).fill(0)
    for name in ("players", "rewards", "terminations"):
        assert np.shares_memory(getattr(first, name), getattr(second, name)), name
        getattr(second, name).fill(1)
    with pytest.raises(IllegalActionError):
        env.step([0, 1, 2, 3])
    env.states.fill(7)
    step = env.step([1, 2, 3, 4])
    assert step.counts.tolist() == [7, 7, 7, 7]
    assert step.players.tolist() == [0, 0, 0, 0]
    assert not step.rewards.any()
    assert not step.terminations.any()


def test_dtypes_and_shapes() -> None:
    step = BatchedEnv(load_game("commander"), 2).reset()
    found = {
        name: (str(part.dtype), part.shape)
        for name, part in step._asdict().items()
        if isinstance(part, np.ndarray)
    }
    assert found == {
        "observations": ("float32", (2, 96, 12, 11)),
        "action_masks": ("int8", (2, 14653)),
        "legal_actions": ("int32", (2, load_game("commander").spec.max_legal_actions)),
        "counts": ("int32", (2,)),
        "players": ("int32", (2,)),
        "rewards": ("float32", (2, 2)),
        "terminations": ("bool", (2,)),
        "events": ("int32", (2,)),
    }


@pytest.mark.parametrize("game", [load_game("commander"), NoisyTicTacToe()], ids=["c", "n"])
def test_what_is_left_out_changes_nothing_else(game: Game) -> None:
    full, bare = BatchedEnv(game, 3), BatchedEnv(game, 3, observations=False, action_masks=False)
    courses = course(full, full.reset(seed=2), 30), course(bare, bare.reset(seed=2), 30)
    for step, bare_step in zip(*courses, strict=True):
        assert bare_step[0][:2] == [None, None]
        assert step[0][2:] == bare_step[0][2:]
        assert step[1:] == bare_step[1:]


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
        ({"fen": "XXXOO...."}, PositionError, "game 0: the game is over in 'XXXOO....'"),
        ({"rows": [1], "fen": ["XXXOO...."]}, PositionError, "game 1: the game is over"),
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
    over[1] = env.game.from_text("XXXOO....")
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


@pytest.mark.parametrize("players", [2, -1, 1000, 2**31, 1.5, "x", [0, 1, 0, 1, 0], True, None])
def test_final_observations_are_of_players(players: object) -> None:
    """Any other number would be read as a place in memory."""
    env = BatchedEnv(load_game("tictactoe"), 3)
    step = env.reset(seed=1)
    while not len(step.finished.rows):
        step = env.step(step.legal_actions[:, 0].copy())
    if players is None:
        assert env.final_observations(step.finished).shape[0] == len(step.finished.rows)
        return
    with pytest.raises(CotulenhError, match="players are 0 or 1, one for all or"):
        env.final_observations(step.finished, players)  # type: ignore[arg-type]


def test_a_seed_may_be_an_array_without_dimensions() -> None:
    env = BatchedEnv(load_game("tictactoe"), 3)
    assert env.reset(seed=np.array(5)).counts.tolist() == [9] * 3  # type: ignore[arg-type]


_FORK = """
import os
from cotulenh_env import load_game
from cotulenh_env.vector import BatchedEnv
env = BatchedEnv(load_game("tictactoe"), 4, num_threads=2)
step = env.reset(seed=1)
step = env.step(step.legal_actions[:, 0].copy())
child = os.fork()
step = env.step(step.legal_actions[:, 0].copy())
env.close()
if child == 0:
    os._exit(int(step.counts.sum()))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(step.counts.sum()))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_threads_of_its_own() -> None:
    """It inherits a pool whose threads stayed behind, for which it would wait for ever."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORK],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    child, parent = done.stdout.split()
    assert child == parent == "28"
