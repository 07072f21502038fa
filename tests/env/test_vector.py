"""What the batched environment promises.

- every row plays as an AEC environment does: observations, masks, lists, rewards, ends, chance
- the same for any number of threads, any other games in the batch, any size of it
- games that end: the next one in the same step, what is told of the last one, only its row redone
- arrays: reused, left out, not to be written
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from cotulenh_env import aec
from cotulenh_env.commander import RuleSet
from cotulenh_env.errors import (
    IllegalActionError,
)
from cotulenh_env.game import Game, States, StepBuffers
from cotulenh_env.registry import load_game
from cotulenh_env.tictactoe import TicTacToe
from cotulenh_env.vector import BatchedEnv
from tests.env.batched_games import course, random_actions, tictactoe
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
        step = env.step([(0, 1, 3, 4)[column], (0, 1, 3, 4)[column], column])
        assert not step.terminations.any()
        assert not step.rewards.any()
        assert step.finished.rows.size == 0
        assert env.final_observations(step.finished).shape == (0, 3, 3, 3)
    step = env.step([6, 5, 4])  # X wins in the first column
    assert step.terminations.tolist() == [True, False, False]
    assert step.rewards.tolist() == [[1, -1], [0, 0], [0, 0]]
    assert step.players.tolist() == [0, 1, 1]
    assert step.counts.tolist() == [9, 4, 4]
    assert step.finished.rows.tolist() == [0]
    assert step.finished.winners.tolist() == [0]
    assert step.finished.reasons == ["line"]
    assert env.game.to_text(step.finished.states[0]) == "XO.XO.X.."
    own = env.final_observations(step.finished, 1)[0, 0]
    assert own.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert env.final_observations(step.finished).tolist() == [
        env.game.observe(step.finished.states, np.array([1], np.int32))[0].tolist()
    ]
    kept = step.finished
    step = env.step([0, 2, 5])
    assert not step.terminations.any()
    assert not step.rewards.any()
    assert env.game.to_text(kept.states[0]) == "XO.XO.X.."


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


# --- other processes ---


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
