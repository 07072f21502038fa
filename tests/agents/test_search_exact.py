"""The compiled search equals a slow textbook search, and itself as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.noise import gumbel, row_seeds
from agents.search import BatchedSearch, SearchSettings
from agents.search.sequential_halving import considered_visits, considered_visits_by_row
from agents.search.tree import new_tree
from agents.search.walk import towards_improved_policy
from tests.agents.helpers import NO_SEED, HashEvaluator, random_positions
from tests.agents.textbook import TextbookSearch, draws_of
from tests.agents.trees import GAMES

SETTINGS = [
    SearchSettings(num_simulations=50),
    SearchSettings(num_simulations=33, max_num_considered_actions=4),
    SearchSettings(num_simulations=64, rescale_values=False, value_scale=0.5, maxvisit_init=10),
    SearchSettings(num_simulations=20, max_num_considered_actions=1),
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", GAMES)
def test_equals_the_textbook(name: str, settings: SearchSettings) -> None:
    game, evaluator = GAMES[name], HashEvaluator(GAMES[name])
    n = 4 if name == "commander" else 12
    states = random_positions(game, n, 4)
    seeds = row_seeds(n, np.random.default_rng(6))
    found = BatchedSearch(game, evaluator, settings).search(states, NO_SEED, seeds=seeds)
    noise = gumbel(seeds, game.spec.max_legal_actions).astype(np.float64)
    textbook = TextbookSearch(game, evaluator, settings)
    for row in range(n):
        count = int(found.counts[row])
        own_noise = noise[row, :count]
        draws = draws_of(seeds[row])
        root = textbook.search(states[row], own_noise, settings.num_simulations, draws)
        np.testing.assert_array_equal(found.legal_actions[row, :count], root.actions)
        np.testing.assert_array_equal(found.visit_counts[row, :count], root.visits)
        policy, q = textbook.improved(root), textbook.completed(root)
        np.testing.assert_allclose(found.qvalues[row, :count], q, atol=1e-5)
        np.testing.assert_allclose(found.policy[row, :count], policy, atol=1e-4)
        np.testing.assert_allclose(found.values[row], (policy * q).sum(), atol=1e-4)
        assert found.actions[row] == textbook.choice(root, own_noise)


_PLAIN = """
import sys
import numpy as np
from agents.evaluator import RolloutEvaluator
from agents.search import BatchedSearch, SearchSettings
from cotulenh_env.registry import load_game
from tests.agents.helpers import HashEvaluator, random_positions
from tests.agents.table_game import Node, TableGame

lottery = [(0.5, Node(1, result=1)), (0.5, Node(0, [Node(1, result=-1), Node(1, result=0.5)]))]
chance = TableGame(Node(0, [lottery, Node(0, [lottery, Node(1, result=0.2)]), lottery]))
arrays = []
for game in (load_game("tictactoe"), chance):
    for evaluator in (HashEvaluator(game), RolloutEvaluator(game)):
        for algorithm in ("gumbel", "puct"):
            states = random_positions(game, 6, 3)
            rng = np.random.default_rng(11)
            settings = SearchSettings(algorithm=algorithm)
            found = BatchedSearch(game, evaluator, settings).search(states, rng)
            arrays += list(vars(found).values())
np.savez(sys.argv[1], *arrays)
"""


def test_equals_itself_without_compilation(tmp_path: Path) -> None:
    files = []
    for disable in ("0", "1"):
        file = tmp_path / f"{disable}.npz"
        root = Path(__file__).parents[2]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable}
        subprocess.run(
            [sys.executable, "-W", "error", "-c", _PLAIN, str(file)],
            check=True,
            env=environment,
            cwd=root,
        )
        with np.load(file) as saved:
            files.append([saved[name] for name in saved.files])
    compiled, plain = files
    assert len(compiled) == len(plain) > 0
    for one, other in zip(compiled, plain, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_node_whose_edges_are_all_visited_may_itself_be_worth_something_else() -> None:
    """Once: its mixed value, far outside the Q-values, overflowed an exponential nobody needs."""
    tree = new_tree(1, 1, 2, 8)
    tree.raw_values[:] = 1.0
    tree.first_edges[:] = 0
    tree.num_edges[:] = 2
    tree.priors[:] = [0.4, 0.6]
    tree.visits[:] = 1
    tree.value_sums[:] = 0.1
    as_python = getattr(towards_improved_policy, "py_func", towards_improved_policy)
    for choose in (towards_improved_policy, as_python):
        # 0.4 and 0.6 wanted, a third each had: the second lacks more.
        assert choose(tree, 0, 0, 50.0, 0.1, True) == 1


# --- sequential halving -------------------------------------------------------------------------


def test_sequential_halving_by_hand() -> None:
    assert considered_visits(4, 12) == (0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4)
    assert considered_visits(4, 16) == (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    assert considered_visits(1, 4) == (0, 1, 2, 3)
    assert considered_visits(0, 3) == (0, 1, 2)
    assert considered_visits(16, 8) == (0,) * 8
    assert considered_visits(3, 5) == (0, 0, 0, 1, 1)
    assert considered_visits(2, 0) == ()


@pytest.mark.parametrize("num_simulations", [1, 2, 7, 50, 200])
def test_sequential_halving_can_always_be_followed(num_simulations: int) -> None:
    """There is always an action with the visits that are asked for."""
    for num_considered in range(1, 20):
        visits = [0] * num_considered
        for wanted in considered_visits(num_considered, num_simulations):
            assert wanted in visits
            visits[visits.index(wanted)] += 1


def test_sequential_halving_by_row() -> None:
    table = considered_visits_by_row(np.array([4, 1, 4], np.int32), np.array([12, 3, 0], np.int32))
    assert table.shape == (3, 12)
    np.testing.assert_array_equal(table[0], considered_visits(4, 12))
    np.testing.assert_array_equal(table[1], [0, 1, 2] + [0] * 9)
    np.testing.assert_array_equal(table[2], 0)
