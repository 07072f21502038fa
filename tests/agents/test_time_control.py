"""Search by time, on a clock that the tests move.

What is checked: the batch's time is used up but not exceeded, from the first call; the memory
allowed bounds a search; the agent takes the searched action; the time must make sense.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agents
from agents import time_control
from agents.errors import AgentError
from agents.search import BatchedSearch, SearchSettings
from agents.time_control import TimeControl
from cotulenh_env.registry import load_game

GAME = load_game("tictactoe")


class FakeSearch:
    """Takes `cost` seconds for a simulation of one position."""

    def __init__(self, cost: float, max_tree_megabytes: int = 4096) -> None:
        self.game = GAME
        self.settings = SearchSettings(max_tree_megabytes=max_tree_megabytes)
        self.cost = cost
        self.now = 0.0
        self.lengths: list[int] = []

    def search(self, states: Any, rng: Any, num_simulations: int) -> Any:
        self.lengths.append(num_simulations)
        self.now += self.cost * len(states) * num_simulations
        return f"result of {num_simulations}"


def timed(
    monkeypatch: pytest.MonkeyPatch, fake: FakeSearch, seconds: float
) -> tuple[TimeControl, FakeSearch]:
    monkeypatch.setattr(time_control, "time", SimpleNamespace(perf_counter=lambda: fake.now))
    search: Any = fake
    return TimeControl(search, seconds), fake


def act(control: TimeControl, n: int) -> Any:
    return control.search(GAME.new_states(n), np.random.default_rng(0))


@pytest.mark.parametrize("n", [1, 10])
def test_the_time_of_all_positions_is_used(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """1 ms a simulation, 2 s a position: some 1900 simulations, less the first probe's."""
    control, fake = timed(monkeypatch, FakeSearch(0.001), 2.0)
    result = act(control, n)
    assert fake.lengths[0] == 8
    assert result == f"result of {fake.lengths[-1]}"
    assert 1880 <= fake.lengths[-1] <= 1900
    assert 0.9 * 2 * n <= fake.now <= 2 * n
    # Now the speed is known, so there is one search alone.
    fake.lengths.clear()
    start = fake.now
    act(control, n)
    assert len(fake.lengths) == 1
    assert fake.lengths[0] == pytest.approx(1900, abs=1)
    assert fake.now - start <= 2 * n


def test_a_search_that_was_too_short_is_followed_by_a_longer_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first search of a process compiles; what it took says little about the next."""
    control, fake = timed(monkeypatch, FakeSearch(1.0), 2.0)
    act(control, 1)
    assert fake.lengths == [8]  # four times the time already
    fake.lengths.clear()
    fake.cost = 0.001
    act(control, 1)
    assert fake.lengths[0] == 1
    assert 1800 <= fake.lengths[-1] <= 1900


def test_memory_bounds_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    control, fake = timed(monkeypatch, FakeSearch(1e-9, max_tree_megabytes=1), 2.0)
    act(control, 4)
    real = BatchedSearch(GAME, agents.evaluator.UniformEvaluator(), fake.settings)
    assert 100 < fake.lengths[-1] < 5000
    real.search(GAME.new_states(4), np.random.default_rng(0), fake.lengths[-1])


def test_the_agent_plays_what_was_found() -> None:
    agent = agents.load("mcts", game=GAME, time_limit_seconds=0.05)
    states = np.stack([GAME.from_text("XX.OO...."), GAME.from_text("OO.XX....")])
    assert agent.act(states, np.random.default_rng(0)).tolist() == [2, 5]
    assert agent.act(states[:0], np.random.default_rng(0)).shape == (0,)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1", 1e9])
def test_times_that_make_no_sense_are_refused(seconds: Any) -> None:
    with pytest.raises(AgentError, match="time_limit_seconds"):
        agents.load("mcts", game=GAME, time_limit_seconds=seconds)
