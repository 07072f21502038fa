"""PUCT: scores by hand, equality with the textbook, and noise that is a row's own and fresh.

- visits of a bandit, and first-play urgency at the root and below it, worked out by hand
- equality with a slow textbook: fresh and on kept subtrees, several actions in a turn, chance
- the policy is the share of this search's own visits; the value belongs to it
- noise: in the priors of the root only, mixed anew into a kept root, none where none is wanted
- a row does not depend on its neighbours, noise included
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents.errors import AgentError
from agents.evaluator import UniformEvaluator
from agents.noise import dirichlet, row_seeds
from agents.search import BatchedSearch, SearchResult, SearchSettings
from agents.search.settings import ALGORITHMS, Algorithm
from cotulenh_env.registry import game_names, load_game
from tests.agents.helpers import (
    NO_SEED,
    FixedEvaluator,
    HashEvaluator,
    assert_same_row,
    random_positions,
)
from tests.agents.table_game import Node, TableGame
from tests.agents.textbook import TextbookPuct, draws_of
from tests.agents.trees import GAMES

TICTACTOE = load_game("tictactoe")
PUCT = SearchSettings(algorithm="puct")
PLAIN = replace(
    PUCT, rescale_values=False, c_puct=1.0, c_puct_base=0.0, dirichlet_fraction=0.0, fpu_reduction=0
)
PRIORS = [0.5, 0.3, 0.2]


def bandit(*results: float, player: int = 0) -> Node:
    return Node(player, [Node(1 - player, result=result) for result in results])


def searched(game: TableGame, settings: SearchSettings, num_simulations: int) -> SearchResult:
    search = BatchedSearch(game, FixedEvaluator(np.log(PRIORS).tolist()), settings)
    return search.search(game.new_states(1), NO_SEED, num_simulations)


# --- by hand ------------------------------------------------------------------------------------

# Results −1, 0, 1 are Q-values 0, ½, 1; an unvisited action counts as the mean V of the node's own
# 0 and what came back. Simulation 2, N = 2, V = −½: 0 + ½ √2 / 2 = 0.354, ¼ + 0.3 √2 = 0.674,
# ¼ + 0.2 √2 = 0.533. Simulation 4, N = 4, V = −¼: 0.5, ½ + 0.3 × 2 / 3 = 0.7, 0.375 + 0.4 = 0.775.
VISITS = [(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 2, 2), (1, 2, 3)]
# With a reduction of ½ the third action counts as (1 − ¼ − ½ √0.8) / 2 = 0.151 then, and 0.4 more
# is below 0.7; in simulation 6, N = 6, V = −1/6, it is 0.193 + 0.2 √6 = 0.683 against 0.647.
REDUCED = [(1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0), (1, 4, 0), (1, 4, 1)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("reduction", "expected"), [(0.0, VISITS), (0.5, REDUCED)])
def test_visits_of_a_bandit_by_hand(
    player: int, reduction: float, expected: list[tuple[int, ...]]
) -> None:
    sign = 1 if player == 0 else -1
    game = TableGame(bandit(-sign, 0, sign, player=player))
    settings = replace(PLAIN, root_fpu_reduction=reduction, fpu_reduction=9.0)
    for num_simulations, visits in enumerate(expected, 1):
        found = searched(game, settings, num_simulations)
        assert tuple(found.visit_counts[0]) == visits


@pytest.mark.parametrize(("reduction", "expected"), [(0.0, VISITS), (0.5, REDUCED)])
def test_first_play_urgency_below_the_root_by_hand(
    reduction: float, expected: list[tuple[int, ...]]
) -> None:
    """The root has one action; its first simulation only makes the bandit's node."""
    game = TableGame(Node(0, [bandit(-1, 0, 1)]))
    settings = replace(PLAIN, root_fpu_reduction=9.0, fpu_reduction=reduction)
    for num_simulations, visits in enumerate(expected, 2):
        search = BatchedSearch(game, FixedEvaluator(np.log(PRIORS).tolist()), settings)
        search.search(game.new_states(1), NO_SEED, num_simulations)
        assert search._workspace is not None
        tree = search._workspace.tree
        first = int(tree.first_edges[0, 1])
        assert tuple(tree.visits[0, first : first + 3]) == visits


def test_urgency_is_never_below_the_lowest_value() -> None:
    """However large the reduction: −1 is 0 of [0, 1], and the third action waits for 0.2 √N."""
    game = TableGame(bandit(0, 0, 0))
    settings = replace(PLAIN, root_fpu_reduction=1e9)
    # Two are visited in turn, at ½ + 0.5 √N / (1 + n); 0.2 √8 = 0.566 is below, 0.2 √40 is above.
    assert searched(game, settings, 8).visit_counts[0, 2] == 0
    assert searched(game, settings, 40).visit_counts[0, 2] > 0


def test_the_weight_of_the_prior_grows_by_a_logarithm() -> None:
    """With base 1 it is c + ln(N + 2): about 3.7 at N = 12, where c alone is 0."""
    game = TableGame(bandit(1, 1, -1))
    frozen = searched(game, replace(PLAIN, c_puct=0.0), 12)
    growing = searched(game, replace(PLAIN, c_puct=0.0, c_puct_base=1.0), 12)
    assert frozen.visit_counts[0].tolist() == [12, 0, 0]
    assert growing.visit_counts[0].min() > 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("rescale_values", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_finds_the_best_arm_whatever_the_noise(
    algorithm: Algorithm, rescale_values: bool, player: int
) -> None:
    results = [0.1, -0.5, 0.9, 0.3, -1.0, 0.6]
    best = 2 if player == 0 else 4
    game = TableGame(bandit(*results, player=player))
    settings = SearchSettings(algorithm=algorithm, rescale_values=rescale_values)
    search = BatchedSearch(game, UniformEvaluator(), settings)
    found = search.search(game.new_states(64), np.random.default_rng(0), 300)
    if algorithm == "puct":
        assert (found.actions == best).all()
    np.testing.assert_array_equal(found.policy.argmax(axis=1), best)
    signed = np.array(results) if player == 0 else -np.array(results)
    visited = found.visit_counts > 0
    np.testing.assert_allclose(
        found.qvalues[visited], np.broadcast_to(signed, visited.shape)[visited], atol=1e-5
    )


# --- the result ---------------------------------------------------------------------------------


def test_policy_and_value_are_those_of_the_visits() -> None:
    found = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), PUCT).search(
        random_positions(TICTACTOE, 30, 6), np.random.default_rng(0), 50
    )
    np.testing.assert_allclose(found.policy, found.visit_counts / 50, rtol=1e-6)
    np.testing.assert_allclose(found.values, (found.policy * found.qvalues).sum(axis=1), atol=1e-5)
    chosen = found.legal_actions == found.actions[:, None]
    np.testing.assert_array_equal(found.visit_counts[chosen], found.visit_counts.max(axis=1))


def test_without_simulations_the_prior_decides() -> None:
    game = TableGame(bandit(1, -1, 1))
    found = searched(game, replace(PUCT, dirichlet_fraction=1.0), 0)
    np.testing.assert_allclose(found.policy[0], PRIORS, atol=1e-6)
    assert found.actions[0] == 0
    assert found.values[0] == 0


def test_of_equal_visits_the_better_action_is_played() -> None:
    game = TableGame(bandit(-1, 0, 1))
    found = searched(game, PLAIN, 2)
    assert found.visit_counts[0].tolist() == [1, 1, 0]
    assert found.actions[0] == 1


# --- the textbook -------------------------------------------------------------------------------

SETTINGS = [
    replace(PUCT, num_simulations=60),
    replace(PUCT, num_simulations=60, rescale_values=False, dirichlet_alpha=0.3),
    replace(PUCT, num_simulations=45, c_puct=3.0, c_puct_base=20.0, fpu_reduction=1.5),
    replace(PUCT, num_simulations=30, root_fpu_reduction=0.7, dirichlet_fraction=0.6),
]


def noise_of(settings: SearchSettings, found: SearchResult, seeds: Any) -> Any:
    alpha = settings.dirichlet_alpha
    alphas = 10 / found.counts if alpha is None else np.full(len(seeds), alpha)
    return dirichlet(seeds, found.counts, alphas)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", GAMES)
def test_equals_the_textbook(name: str, settings: SearchSettings) -> None:
    game, evaluator = GAMES[name], HashEvaluator(GAMES[name])
    n = 4 if name == "commander" else 10
    states = random_positions(game, n, 4)
    seeds = row_seeds(n, np.random.default_rng(6))
    found = BatchedSearch(game, evaluator, settings).search(states, NO_SEED, seeds=seeds)
    noise = noise_of(settings, found, seeds)
    textbook = TextbookPuct(game, evaluator, settings)
    for row in range(n):
        count = int(found.counts[row])
        root = textbook.position(states[row])
        own_noise, draws = noise[row, :count], draws_of(seeds[row])
        textbook.go_on(root, own_noise, settings.num_simulations, draws)
        np.testing.assert_array_equal(found.legal_actions[row, :count], root.actions)
        np.testing.assert_array_equal(found.visit_counts[row, :count], root.visits)
        visited = root.visits > 0
        np.testing.assert_allclose(
            found.qvalues[row, :count][visited],
            (root.sums / np.maximum(root.visits, 1))[visited],
            atol=1e-5,
        )


@pytest.mark.parametrize("name", ["tictactoe", "several actions in a row", "chance"])
def test_on_kept_subtrees_it_equals_a_textbook_that_goes_on_from_its_own_node(name: str) -> None:
    """Fresh noise in the priors as they were; the bonus and the policy count own visits alone."""
    settings = replace(PUCT, num_simulations=40, reuse_subtrees=True)
    game, evaluator, n = GAMES[name], HashEvaluator(GAMES[name]), 12
    search, textbook = (
        BatchedSearch(game, evaluator, settings),
        TextbookPuct(game, evaluator, settings),
    )
    states = random_positions(game, n, 2)
    roots = [textbook.position(state) for state in states]
    num_reused = 0
    rng = np.random.default_rng(9)
    for turn in range(3):
        seeds = row_seeds(n, np.random.default_rng(turn))
        found = search.search(states, NO_SEED, seeds=seeds)
        noise = noise_of(settings, found, seeds)
        places = (found.legal_actions == found.actions[:, None]).argmax(axis=1)
        states, events = game.apply(states, found.actions, rng.random(n))
        for row, root in enumerate(roots):
            count = int(found.counts[row])
            num_reused += int(root.visits.sum() > 0)
            new = textbook.go_on(root, noise[row, :count], 40, draws_of(seeds[row]))
            np.testing.assert_array_equal(found.visit_counts[row, :count], root.visits)
            np.testing.assert_allclose(found.policy[row, :count], new / 40, rtol=1e-6)
            child = root.children.get((int(places[row]), int(events[row])))
            if game.is_terminal(states[row : row + 1])[0]:
                states[row] = game.new_states(1)[0]
                child = None
            roots[row] = child or textbook.position(states[row])
    assert num_reused > n


# --- noise --------------------------------------------------------------------------------------


def test_noise_is_in_the_roots_priors_and_not_in_the_tree() -> None:
    """Noise alone decides: a search visits what its noise likes, the next one other things."""
    game = TableGame(bandit(*[0.0] * 8))
    settings = replace(
        PLAIN, dirichlet_fraction=1.0, dirichlet_alpha=0.1, reuse_subtrees=True, num_simulations=50
    )
    search = BatchedSearch(game, UniformEvaluator(), settings)
    states = game.new_states(20)
    for turn in range(2):
        seeds = row_seeds(20, np.random.default_rng(turn))
        found = search.search(states, NO_SEED, seeds=seeds)
        noise = dirichlet(seeds, found.counts, np.full(20, 0.1))
        # As far as it goes: the values are all equal, so visits follow the priors.
        np.testing.assert_allclose(found.policy, noise, atol=0.12)
        assert search._workspace is not None
        np.testing.assert_allclose(search._workspace.tree.priors[:20, :8], 1 / 8)


def test_noise_is_fresh_for_every_search() -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator(), PUCT)
    rng = np.random.default_rng(0)
    states = TICTACTOE.new_states(64)
    one, other = (search.search(states, rng, 40).visit_counts for _ in range(2))
    assert (one != other).any(axis=1).mean() > 0.9


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_noise_can_be_left_out_row_by_row(algorithm: Algorithm) -> None:
    settings = SearchSettings(algorithm=algorithm)
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), settings)
    states = np.repeat(random_positions(TICTACTOE, 8, 4), 2, axis=0)
    seeds = row_seeds(16, np.random.default_rng(0))
    scales = np.tile([0.0, 1.0], 8)
    mixed = search.search(states, NO_SEED, 40, noise_scale=scales, seeds=seeds)
    noisy = search.search(states, NO_SEED, 40, seeds=seeds)
    silent = search.search(states, NO_SEED, 40, noise_scale=0.0, seeds=seeds[::-1])
    for row in range(16):
        assert_same_row(mixed, row, noisy if row % 2 else silent, row)
    assert (noisy.visit_counts != silent.visit_counts).any()


# --- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_a_row_does_not_depend_on_the_others(name: str) -> None:
    game, simulations = load_game(name), np.array([5, 64, 0, 1, 33, 64, 2, 16], np.int32)
    states = random_positions(game, 8, 5)
    seeds = row_seeds(8, np.random.default_rng(1))
    search = BatchedSearch(game, HashEvaluator(game), PUCT)
    together = search.search(states, NO_SEED, simulations, seeds=seeds)
    np.testing.assert_array_equal(together.visit_counts.sum(axis=1), simulations)
    backwards = search.search(
        states[::-1].copy(), NO_SEED, simulations[::-1].copy(), seeds=seeds[::-1]
    )
    for row in range(8):
        own = slice(row, row + 1)
        alone = search.search(states[own], NO_SEED, simulations[own], seeds=seeds[own])
        assert_same_row(together, row, alone, 0)
        assert_same_row(together, row, backwards, 7 - row)


# --- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("algorithm", "alphazero", "algorithm is gumbel or puct, got 'alphazero'"),
        ("algorithm", ["puct"], "algorithm is gumbel or puct"),
        ("c_puct", -1, "c_puct is a finite number"),
        ("c_puct_base", float("inf"), "c_puct_base is a finite number"),
        ("fpu_reduction", "0.2", "fpu_reduction is a finite number"),
        ("root_fpu_reduction", float("nan"), "root_fpu_reduction is a finite number"),
        ("dirichlet_alpha", 0, "dirichlet_alpha is a number in 1e-06–1e\\+06, got 0"),
        ("dirichlet_alpha", "0.3", "dirichlet_alpha is a finite number"),
        (
            "dirichlet_fraction",
            1.5,
            "dirichlet_fraction is a finite number .* at most 1, got 1.5",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: Any, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        SearchSettings(**{name: value})
