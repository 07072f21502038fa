"""Search on games with known answers, and the ways in which rows must not depend on each other."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from agents.errors import AgentError
from agents.evaluator import RolloutEvaluator, UniformEvaluator
from agents.noise import row_seeds
from agents.search import BatchedSearch, SearchSettings
from agents.search.tree import bytes_for, new_tree, num_bytes
from cotulenh_env.errors import StateError
from cotulenh_env.game import Game
from cotulenh_env.registry import game_names, load_game
from tests.agents.helpers import (
    NO_SEED,
    FixedEvaluator,
    HashEvaluator,
    assert_same_row,
    random_positions,
)
from tests.agents.table_game import Node, TableGame

TICTACTOE = load_game("tictactoe")


def coin(*results: float, player: int = 0) -> Node:
    """A node whose actions end the game."""
    return Node(player, [Node(1 - player, result=result) for result in results])


def quiet(**changes: Any) -> SearchSettings:
    return dataclasses.replace(SearchSettings(gumbel_scale=0.0), **changes)


# --- bandits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_bandit_has_exact_qvalues_and_the_schedule_of_sequential_halving(player: int) -> None:
    results = [0.1, -0.5, 0.9, 0.3]
    game = TableGame(coin(*results, player=player))
    search = BatchedSearch(game, UniformEvaluator(), quiet(num_simulations=16))
    found = search.search(game.new_states(1), NO_SEED)
    sign = 1 if player == 0 else -1
    np.testing.assert_allclose(found.qvalues[0], sign * np.array(results), atol=1e-6)
    # 16 simulations: all four twice, then the better two four times each.
    better = np.argsort(sign * np.array(results))[2:]
    expected = np.full(4, 2)
    expected[better] = 6
    np.testing.assert_array_equal(found.visit_counts[0], expected)
    assert found.actions[0] == better[1]


def test_policy_of_a_bandit_is_the_softmax_of_logits_and_completed_qvalues() -> None:
    results, logits = [0.5, -0.5, 0.0], [0.3, 1.0, -0.2]
    game = TableGame(coin(*results))
    for rescale in (True, False):
        settings = quiet(num_simulations=2, max_num_considered_actions=2, rescale_values=rescale)
        found = BatchedSearch(game, FixedEvaluator(logits), settings).search(
            game.new_states(1), NO_SEED
        )
        np.testing.assert_array_equal(found.visit_counts[0], [1, 1, 0])
        prior = np.exp(logits) / np.exp(logits).sum()
        weighted = (prior[0] * 0.5 + prior[1] * -0.5) / (prior[0] + prior[1])
        v_mix = (0.0 + 2 * weighted) / 3
        q = np.array([0.5, -0.5, v_mix])
        np.testing.assert_allclose(found.qvalues[0], q, atol=1e-6)
        scaled = (q + 0.5) / 1.0 if rescale else q
        weights = np.exp(np.array(logits) + (50 + 1) * 0.1 * scaled)
        np.testing.assert_allclose(found.policy[0], weights / weights.sum(), atol=1e-6)
        np.testing.assert_allclose(found.values[0], (weights * q).sum() / weights.sum(), atol=1e-6)


def test_without_simulations_the_prior_decides() -> None:
    game = TableGame(coin(1, -1, 1))
    found = BatchedSearch(game, FixedEvaluator([0.0, 1.0, 0.5]), quiet()).search(
        game.new_states(2), NO_SEED, num_simulations=0
    )
    np.testing.assert_array_equal(found.actions, [1, 1])
    np.testing.assert_array_equal(found.visit_counts, np.zeros((2, 3)))
    weights = np.exp([0.0, 1.0, 0.5])
    np.testing.assert_allclose(found.policy[0], weights / weights.sum(), atol=1e-6)


def test_gumbel_noise_samples_from_the_prior_when_nothing_distinguishes_actions() -> None:
    logits = [0.0, 1.0, -1.0]
    game = TableGame(coin(0, 0, 0))
    search = BatchedSearch(game, FixedEvaluator(logits), SearchSettings(num_simulations=4))
    n = 20_000
    actions = search.search(game.new_states(n), np.random.default_rng(3)).actions
    expected = np.exp(logits) / np.exp(logits).sum()
    # Four standard deviations of the largest frequency.
    np.testing.assert_allclose(np.bincount(actions) / n, expected, atol=4 * 0.5 / np.sqrt(n))


def test_noise_is_fresh_for_every_search() -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), SearchSettings(num_simulations=4))
    rng = np.random.default_rng(0)
    states = TICTACTOE.new_states(64)
    assert (search.search(states, rng).actions != search.search(states, rng).actions).any()


# --- values go by player ------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_values_follow_the_player_through_several_actions_in_a_row(player: int) -> None:
    """The same player acts three times; a sign that flips by depth would prefer the loss."""
    other, win = 1 - player, 1.0 if player == 0 else -1.0

    def last(result: float) -> Node:
        return Node(player, [Node(other, result=result), Node(other, result=result)])

    long_win = Node(player, [Node(player, [last(win), last(win)])])
    long_loss = Node(player, [Node(player, [last(-win), last(-win)])])
    # The opponent chooses here, and loses for us whatever we hope.
    trap = Node(other, [Node(player, [last(win)]), Node(player, [last(-win), last(-win)])])
    game = TableGame(Node(player, [long_loss, trap, long_win]))
    search = BatchedSearch(game, UniformEvaluator(), quiet(num_simulations=120))
    found = search.search(game.new_states(1), NO_SEED)
    assert found.actions[0] == 2
    q_loss, q_trap, q_win = found.qvalues[0]
    assert q_win > 0.7
    assert q_loss < -0.5
    assert q_trap < 0
    assert found.values[0] > 0.7


def test_a_finished_game_is_worth_its_result_whoever_would_be_to_move() -> None:
    for would_move in (0, 1):
        root = Node(0, [Node(would_move, result=-1), Node(would_move, result=1)])
        game = TableGame(root)
        found = BatchedSearch(game, UniformEvaluator(), quiet(num_simulations=8)).search(
            game.new_states(1), NO_SEED
        )
        np.testing.assert_array_equal(found.qvalues[0], [-1, 1])


# --- chance -------------------------------------------------------------------------------------


def test_chance_is_averaged_and_every_event_has_its_own_child() -> None:
    lottery = [(0.5, Node(1, result=1)), (0.25, Node(1, result=-1)), (0.25, coin(-1, -1))]
    sure = Node(1, [Node(0, result=0.1)])
    game = TableGame(Node(0, [lottery, sure]))
    search = BatchedSearch(game, UniformEvaluator(), quiet(num_simulations=2000))
    found = search.search(game.new_states(2), np.random.default_rng(1))
    # About 1000 visits each: four standard deviations are 0.13.
    np.testing.assert_allclose(found.qvalues[:, 0], 0.0, atol=0.14)
    np.testing.assert_allclose(found.qvalues[:, 1], 0.1, atol=1e-2)
    # Root, three outcomes, two ends below the third, and the two nodes of the sure thing.
    assert search._workspace is not None
    np.testing.assert_array_equal(search._workspace.tree.num_nodes, [8, 8])


def test_chance_below_chance_and_equal_results_for_equal_seeds() -> None:
    inner = Node(1, [[(0.5, Node(0, result=1)), (0.5, Node(0, result=-1))]])
    root = Node(0, [[(0.3, inner), (0.7, Node(0, [inner, coin(-1)]))], coin(-0.5)])
    game = TableGame(root)
    seeds = row_seeds(3, np.random.default_rng(5))
    search = BatchedSearch(game, UniformEvaluator(), SearchSettings(num_simulations=200))
    together = search.search(game.new_states(3), NO_SEED, seeds=seeds)
    for row in range(3):
        alone = search.search(game.new_states(1), NO_SEED, seeds=seeds[row : row + 1])
        assert_same_row(together, row, alone, 0)
    assert (together.visit_counts.sum(axis=1) == 200).all()
    assert (together.actions == 0).all()


# --- tic-tac-toe --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "winning"),
    [("XX.OO....", 2), ("XX.OO.X..", 5), ("X.O.XO...", 8), ("XO.XO...X", 7)],
)
def test_finds_the_win_in_one_of_either_player(board: str, winning: int) -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), quiet(num_simulations=32))
    found = search.search(TICTACTOE.from_text(board)[None], NO_SEED)
    assert found.actions[0] == winning
    assert found.values[0] > 0.5


@pytest.mark.parametrize(("board", "block"), [("XX..O....", 2), ("O.XXO....", 8)])
def test_blocks_the_opponents_win(board: str, block: int) -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), quiet(num_simulations=256))
    assert search.search(TICTACTOE.from_text(board)[None], NO_SEED).actions[0] == block


def test_finds_every_win_in_one_there_is() -> None:
    positions = np.unique(random_positions(TICTACTOE, 3000, 8), axis=0)
    legal_actions, counts = TICTACTOE.legal_actions(positions)
    legal = np.arange(9) < counts[:, None]
    rows = np.repeat(np.arange(len(positions)), counts)
    after, _ = TICTACTOE.apply(positions[rows], legal_actions[legal])
    movers = TICTACTOE.current_player(positions)[rows]
    wins = TICTACTOE.returns(after)[np.arange(len(rows)), movers] == 1
    with_win = np.unique(rows[wins])
    assert len(with_win) > 200
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), quiet(num_simulations=32))
    found = search.search(positions[with_win], NO_SEED)
    after, _ = TICTACTOE.apply(positions[with_win], found.actions)
    movers = TICTACTOE.current_player(positions[with_win])
    assert (TICTACTOE.returns(after)[np.arange(len(movers)), movers] == 1).all()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", ["uniform", "rollout"])
def test_never_loses_tictactoe_against_any_reply(seat: int, kind: str) -> None:
    """Exhaustive: the opponent tries everything, all lines are searched as one batch per move."""
    if kind == "uniform":
        search = BatchedSearch(TICTACTOE, UniformEvaluator(), quiet(num_simulations=5000))
    else:
        # Trusting single playouts less lets the search come back to an unlucky action.
        settings = quiet(num_simulations=400, value_scale=0.03)
        search = BatchedSearch(TICTACTOE, RolloutEvaluator(TICTACTOE, num_rollouts=8), settings)
    states = TICTACTOE.new_states(1)
    num_games = 0
    while len(states):
        if TICTACTOE.current_player(states)[0] == seat:
            actions = search.search(states, NO_SEED).actions
            states, _ = TICTACTOE.apply(states, actions)
        else:
            legal_actions, counts = TICTACTOE.legal_actions(states)
            legal = np.arange(9) < counts[:, None]
            states, _ = TICTACTOE.apply(np.repeat(states, counts, axis=0), legal_actions[legal])
            states = np.unique(states, axis=0)
        done = TICTACTOE.is_terminal(states)
        lost = TICTACTOE.returns(states)[:, seat] < 0
        assert not lost.any(), TICTACTOE.draw(states[lost][0])
        num_games += int(done.sum())
        states = states[~done]
    assert num_games > 10


# --- rows and batches ---------------------------------------------------------------------------


def searched_alone_and_together(game: Game, num_simulations: list[int]) -> None:
    n = len(num_simulations)
    states = random_positions(game, n, 5)
    seeds = row_seeds(n, np.random.default_rng(1))
    simulations = np.array(num_simulations, np.int32)
    search = BatchedSearch(game, HashEvaluator(game), SearchSettings())
    together = search.search(states, NO_SEED, simulations, seeds=seeds)
    np.testing.assert_array_equal(together.visit_counts.sum(axis=1), simulations)
    for row in range(n):
        alone = search.search(
            states[row : row + 1], NO_SEED, num_simulations[row], seeds=seeds[row : row + 1]
        )
        assert_same_row(together, row, alone, 0)
    backwards = search.search(
        states[::-1].copy(), NO_SEED, simulations[::-1].copy(), seeds=seeds[::-1]
    )
    for row in range(n):
        assert_same_row(together, row, backwards, n - 1 - row)


@pytest.mark.parametrize("name", game_names())
def test_a_row_does_not_depend_on_the_others(name: str) -> None:
    searched_alone_and_together(load_game(name), [32] * 12)


def test_a_row_does_not_depend_on_the_others_simulations() -> None:
    searched_alone_and_together(TICTACTOE, [5, 64, 0, 1, 33, 64, 2, 16])


def test_other_rows_do_not_disturb_the_seeds_of_a_generator() -> None:
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), SearchSettings())
    states = random_positions(TICTACTOE, 6, 6)
    changed = np.concatenate([states[:3], TICTACTOE.new_states(5)])
    one = search.search(states, np.random.default_rng(2))
    other = search.search(changed, np.random.default_rng(2))
    for row in range(3):
        assert_same_row(one, row, other, row)


def test_arrays_kept_from_larger_searches_leave_no_trace() -> None:
    states = random_positions(TICTACTOE, 5, 4)
    seeds = row_seeds(5, np.random.default_rng(8))
    fresh = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE))
    expected = fresh.search(states, NO_SEED, 40, seeds=seeds)
    used = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE))
    used.search(random_positions(TICTACTOE, 30, 2), np.random.default_rng(1), 500)
    memory = used.num_bytes()
    again = used.search(states, NO_SEED, 40, seeds=seeds)
    for row in range(5):
        assert_same_row(expected, row, again, row)
    assert used.num_bytes() == memory > fresh.num_bytes()


def test_a_search_that_needs_too_much_memory_is_refused_in_a_sentence() -> None:
    """Before it is begun, and when its edges have outgrown the limit."""
    states = random_positions(TICTACTOE, 30, 2)
    small = SearchSettings(max_tree_megabytes=1)
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), small)
    with pytest.raises(AgentError, match=r"30 trees of 5001 nodes need \d+ MB, more than"):
        search.search(states, np.random.default_rng(0), 5000)
    assert search.search(states, np.random.default_rng(0), 50).actions.shape == (30,)

    # Every node of a wide game has many edges: they grow past what was made room for.
    wide = load_game("commander")
    roots = wide.new_states(2)
    limit = SearchSettings(max_tree_megabytes=2)
    search = BatchedSearch(wide, UniformEvaluator(), limit)
    with pytest.raises(AgentError, match="max_tree_megabytes = 2"):
        search.search(roots, np.random.default_rng(0), 600)


def test_memory_is_counted_as_it_is_taken() -> None:
    tree = new_tree(3, 10, 50, 1376)
    assert num_bytes(tree) == bytes_for(3, 10, 50, 1376)


def test_edges_grow_when_they_run_out() -> None:
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE))
    search.search(TICTACTOE.new_states(1), np.random.default_rng(0), 100)
    assert search._workspace is not None
    tree = search._workspace.tree
    assert int(tree.num_used_edges[0]) > max(256, 9 * (1 + 101 // 4))
    assert int(tree.num_used_edges[0]) <= tree.actions.shape[1]
    # Every edge but the unvisited leads to a child of its own.
    used = int(tree.num_used_edges[0])
    children = tree.children[0, :used]
    assert len(np.unique(children[children >= 0])) == int(tree.num_nodes[0]) - 1
    assert ((children >= 0) == (tree.visits[0, :used] > 0)).all()


def test_states_are_left_unchanged_and_nothing_is_shared() -> None:
    states = random_positions(TICTACTOE, 4, 4)
    before = states.copy()
    search = BatchedSearch(TICTACTOE, UniformEvaluator())
    first = search.search(states, np.random.default_rng(0))
    saved = first.legal_actions.copy(), first.visit_counts.copy()
    search.search(random_positions(TICTACTOE, 4, 6, seed=9), np.random.default_rng(0))
    np.testing.assert_array_equal(states, before)
    np.testing.assert_array_equal(first.legal_actions, saved[0])
    np.testing.assert_array_equal(first.visit_counts, saved[1])


def test_shapes_dtypes_and_padding() -> None:
    states = np.concatenate([TICTACTOE.new_states(1), TICTACTOE.from_text("XOXOXO...")[None]])
    found = BatchedSearch(TICTACTOE, UniformEvaluator()).search(states, np.random.default_rng(0))
    assert found.actions.dtype == found.counts.dtype == found.legal_actions.dtype == np.int32
    assert found.policy.dtype == found.values.dtype == found.qvalues.dtype == np.float32
    np.testing.assert_array_equal(found.counts, [9, 3])
    np.testing.assert_array_equal(found.legal_actions[1], [6, 7, 8, -1, -1, -1, -1, -1, -1])
    np.testing.assert_array_equal(found.policy[1, 3:], 0)
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, rtol=1e-6)


def test_an_empty_batch_is_searched_at_once() -> None:
    found = BatchedSearch(TICTACTOE, UniformEvaluator()).search(
        np.zeros((0, TICTACTOE.spec.state_size), np.uint8), NO_SEED
    )
    assert len(found.actions) == len(found.values) == 0


# --- refusals -----------------------------------------------------------------------------------


def test_a_finished_game_is_refused_with_its_position() -> None:
    states = np.stack([TICTACTOE.from_text("........."), TICTACTOE.from_text("XO.XO.X..")])
    with pytest.raises(StateError, match=r"finished game.*XO.XO.X"):
        BatchedSearch(TICTACTOE, UniformEvaluator()).search(states, NO_SEED)


@pytest.mark.parametrize("simulations", [-1, np.array([1, 2, 3], np.int32)])
def test_numbers_of_simulations_that_make_no_sense_are_refused(simulations: Any) -> None:
    with pytest.raises(AgentError, match="num_simulations"):
        BatchedSearch(TICTACTOE, UniformEvaluator()).search(
            TICTACTOE.new_states(2), NO_SEED, simulations
        )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_simulations", -1),
        ("num_simulations", 1.5),
        ("max_num_considered_actions", 0),
        ("max_num_considered_actions", True),
        ("gumbel_scale", float("nan")),
        ("value_scale", -0.1),
        ("maxvisit_init", "50"),
        ("rescale_values", 1),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: Any) -> None:
    with pytest.raises(AgentError, match=name):
        SearchSettings(**{name: value})
