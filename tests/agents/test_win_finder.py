"""`find_wins`: no reply that wins at once is overlooked, by either algorithm."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchSettings
from agents.win_finder import WinFinder
from cotulenh_env.registry import load_game

GAME = load_game("tictactoe")


@pytest.mark.parametrize("find_wins", [False, True])
def test_one_visit_refutes_what_hangs_the_game(find_wins: bool) -> None:
    """O must stop X at 2. Each of O's six actions is visited once: the other five lose at once."""
    states = GAME.from_text("XX..O....")[None]
    players = GAME.current_player(states).tolist()
    legal, counts = GAME.legal_actions(states)
    assert players == [1]
    settings = SearchSettings(
        num_simulations=int(counts[0]), max_num_considered_actions=16, find_wins=find_wins
    )
    search = BatchedSearch(GAME, UniformEvaluator(), settings)
    result = search.search(states, np.random.default_rng(0), noise_scale=0.0)
    assert result.visit_counts.tolist() == [[1] * counts[0]]
    expected = [0.0 if action == 2 or not find_wins else -1.0 for action in legal[0, : counts[0]]]
    assert result.qvalues[0].tolist() == expected


@pytest.mark.parametrize("algorithm", ["gumbel", "puct"])
def test_a_win_is_taken_with_one_simulation(algorithm: Literal["gumbel", "puct"]) -> None:
    states = GAME.from_text("XX.OO....")[None]
    settings = SearchSettings(num_simulations=1, algorithm=algorithm, find_wins=True)
    search = BatchedSearch(GAME, UniformEvaluator(), settings)
    result = search.search(states, np.random.default_rng(0))
    assert result.actions.tolist() == [2]
    assert result.values[0] > 0.99


def test_other_positions_keep_the_evaluators_numbers() -> None:
    """The first can be won by 2, the second not: X has but one stone in a line with free points."""

    class Numbers:
        def evaluate(self, states, players, legal_actions, counts):  # type: ignore[no-untyped-def]
            assert len(states) == 1  # it is not asked about what is won
            width = int(counts.max())
            logits = np.tile(np.arange(width, dtype=np.float32), (len(states), 1))
            return logits, np.full(len(states), 0.25, np.float32)

    states = np.stack([GAME.from_text("XX.OO...."), GAME.from_text("X...O....")])
    legal, counts = GAME.legal_actions(states)
    finder = WinFinder(GAME, Numbers())
    logits, values = finder.evaluate(states, GAME.current_player(states), legal, counts)
    assert values.tolist() == [1.0, 0.25]
    assert logits[0, : counts[0]].argmax() == 0
    assert logits[0, 1 : counts[0]].max() < -20
    assert logits[1, : counts[1]].tolist() == list(range(counts[1]))
