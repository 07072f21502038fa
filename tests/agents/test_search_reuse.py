"""Subtree reuse: a search begins with what the last one knows below the position.

- equals a textbook search that goes on from its own child node
- the trees that are left over are whole: visits add up, links lead to each other, chance included
- where nothing is known, after `forget`, and without the setting, a search is a fresh one
- no room is made for what a subtree cannot have
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.errors import AgentError
from agents.noise import gumbel, row_seeds
from agents.search import BatchedSearch, SearchSettings
from agents.search.tree import NO_NODE, Tree
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game
from tests.agents.helpers import NO_SEED, HashEvaluator, assert_same_row, random_positions
from tests.agents.table_game import TableGame
from tests.agents.textbook import TextbookSearch
from tests.agents.trees import GAMES, chance_tree

TICTACTOE = load_game("tictactoe")
REUSE = SearchSettings(num_simulations=40, reuse_subtrees=True)
NUM_ROWS = 12


@pytest.mark.parametrize("name", ["tictactoe", "several actions in a row"])
def test_equals_a_textbook_that_goes_on_from_its_own_node(name: str) -> None:
    game = GAMES[name]
    evaluator = HashEvaluator(game)
    search, textbook = BatchedSearch(game, evaluator, REUSE), TextbookSearch(game, evaluator, REUSE)
    states = random_positions(game, NUM_ROWS, 2)
    roots = [textbook.position(state) for state in states]
    num_reused = 0
    for turn in range(3):
        seeds = row_seeds(len(states), np.random.default_rng(turn))
        found = search.search(states, NO_SEED, seeds=seeds)
        noise = gumbel(seeds, found.legal_actions.shape[1]).astype(np.float64)
        for row, root in enumerate(roots):
            count = int(found.counts[row])
            num_reused += int(root.visits.sum() > 0)
            chosen = textbook.go_on(root, noise[row, :count], REUSE.num_simulations)
            np.testing.assert_array_equal(found.visit_counts[row, :count], root.visits)
            np.testing.assert_allclose(
                found.qvalues[row, :count], textbook.completed(root), atol=1e-5
            )
            np.testing.assert_allclose(
                found.policy[row, :count], textbook.improved(root), atol=1e-4
            )
            assert found.actions[row] == chosen
        # The rows whose game goes on, at their own places; the others begin anew elsewhere.
        states, _ = game.apply(states, found.actions)
        for row, root in enumerate(roots):
            child = root.children.get((root.actions.index(int(found.actions[row])), 0))
            if game.is_terminal(states[row : row + 1])[0]:
                states[row] = game.new_states(1)[0]
                child = None
            roots[row] = child or textbook.position(states[row])
    assert num_reused > NUM_ROWS


def assert_whole(tree: Tree, row: int, game: Game) -> None:
    """Every visit of an edge is a child's own or went on below it; links lead to each other."""
    num_nodes = int(tree.num_nodes[row])
    used = 0
    for node in range(num_nodes):
        first, count = int(tree.first_edges[row, node]), int(tree.num_edges[row, node])
        assert first == used
        used += count
        priors = tree.priors[row, first : first + count]
        assert count == 0 or abs(float(priors.sum()) - 1) < 1e-5
        legal = game.legal_actions(
            np.ascontiguousarray(tree.states[row, node]).view(np.uint8)[None]
        )
        assert (
            tree.actions[row, first : first + count].tolist() == legal[0][0, : legal[1][0]].tolist()
        )
        for edge in range(first, first + count):
            known, num_finished, child = 0, 0, int(tree.children[row, edge])
            while child != NO_NODE:
                assert (tree.parents[row, child], tree.parent_edges[row, child]) == (node, edge)
                begin, end = int(tree.first_edges[row, child]), int(tree.num_edges[row, child])
                if end:
                    known += 1 + int(tree.visits[row, begin : begin + end].sum())
                else:
                    num_finished += 1
                child = int(tree.siblings[row, child])
            # A finished game may have been visited again and again.
            visits = int(tree.visits[row, edge])
            assert visits >= known + num_finished if num_finished else visits == known
    assert tree.num_used_edges[row] == used


def test_what_is_left_over_is_whole() -> None:
    game = TableGame(chance_tree(6, np.random.default_rng(3)))
    search = BatchedSearch(game, HashEvaluator(game), replace(REUSE, num_simulations=60))
    rng = np.random.default_rng(5)
    states = game.new_states(NUM_ROWS)
    most = 0
    for _ in range(4):
        found = search.search(states, rng)
        states, _ = game.apply(states, found.actions, rng.random(NUM_ROWS))
        done = game.is_terminal(states)
        if done.any():
            states[done] = game.new_states(int(done.sum()))
        search.search(states, rng, 0)  # takes over, and adds nothing
        work = search._workspace
        assert work is not None
        for row in range(NUM_ROWS):
            if game.is_terminal(states[row : row + 1])[0]:
                continue
            most = max(most, int(work.tree.num_nodes[row]))
            assert_whole(work.tree, row, game)
    assert most > 10


def test_where_nothing_is_known_the_search_is_a_fresh_one() -> None:
    evaluator = HashEvaluator(TICTACTOE)
    states = random_positions(TICTACTOE, NUM_ROWS, 4, seed=1)
    others = random_positions(TICTACTOE, NUM_ROWS, 4, seed=2)
    seeds = row_seeds(NUM_ROWS, np.random.default_rng(1))
    plain = replace(REUSE, reuse_subtrees=False)
    fresh = BatchedSearch(TICTACTOE, evaluator, plain).search(states, NO_SEED, seeds=seeds)
    search = BatchedSearch(TICTACTOE, evaluator, REUSE)
    first = search.search(states, NO_SEED, seeds=seeds)
    search.forget()
    forgotten = search.search(states, NO_SEED, seeds=seeds)
    search.search(others, NO_SEED, seeds=seeds)
    unknown = [
        row
        for row in range(NUM_ROWS)
        if not (others[row] == states[row]).all() and TICTACTOE.num_turns(others[row : row + 1]) > 1
    ]
    after_others = search.search(states, NO_SEED, seeds=seeds)
    for row in range(NUM_ROWS):
        assert_same_row(first, row, fresh, row)
        assert_same_row(forgotten, row, fresh, row)
    assert unknown
    for row in unknown:
        assert_same_row(after_others, row, fresh, row)


def test_the_same_position_again_keeps_all() -> None:
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), REUSE)
    states = TICTACTOE.new_states(3)
    for total in (40, 80):
        found = search.search(states, np.random.default_rng(0))
        assert found.visit_counts.sum(axis=1).tolist() == [total] * 3


def test_a_subtree_that_leaves_no_room_is_dropped() -> None:
    """Room is for twice the simulations; a third search of one position begins afresh."""
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), REUSE)
    states = TICTACTOE.new_states(2)
    totals = [
        int(search.search(states, np.random.default_rng(0)).visit_counts[0].sum()) for _ in range(4)
    ]
    assert totals[:2] == [40, 80]
    assert totals[2] == 40


def test_the_setting_is_a_truth_value() -> None:
    with pytest.raises(AgentError, match="reuse_subtrees is true or false, got 1"):
        SearchSettings(reuse_subtrees=1)  # type: ignore[arg-type]


def test_a_row_does_not_depend_on_how_much_others_are_searched() -> None:
    """What is kept of a row, too, is decided by that row alone."""
    evaluator = HashEvaluator(TICTACTOE)
    states = random_positions(TICTACTOE, NUM_ROWS, 2, seed=3)
    seeds = [row_seeds(NUM_ROWS, np.random.default_rng(turn)) for turn in range(3)]
    counts = np.full(NUM_ROWS, 10, np.int32)
    mixed = counts.copy()
    mixed[1::2] = 90  # more than the settings' own
    counts[-1] = mixed[-1] = 90  # so that both have the same room
    found = []
    for simulations in (counts, mixed):
        search, current = BatchedSearch(TICTACTOE, evaluator, REUSE), states
        for own in seeds:
            result = search.search(current, NO_SEED, simulations, seeds=own)
            if own is seeds[1]:  # once the same positions again, once the next ones
                current, _ = TICTACTOE.apply(current, result.actions)
                done = TICTACTOE.is_terminal(current)
                current[done] = states[done]
        found.append(result)
    for row in range(0, NUM_ROWS, 2):
        assert_same_row(found[0], row, found[1], row)


def test_seeds_are_one_for_each_row() -> None:
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), REUSE)
    with pytest.raises(AgentError, match=r"seeds are uint64 \[3\], one for each row"):
        search.search(TICTACTOE.new_states(3), NO_SEED, 4, seeds=np.zeros(2, np.uint64))
