"""Numbers of an evaluator that no search can use, and those so large that it only just can."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

import agents
from agents.errors import AgentError, EvaluationError
from agents.evaluator import Logits, UniformEvaluator, Values
from agents.search import BatchedSearch, SearchSettings
from agents.search.puct import best_by_puct
from agents.search.rule import rule_of
from agents.search.settings import ALGORITHMS
from agents.search.tree import new_tree
from agents.search.walk import Leaves, descend, towards_improved_policy
from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.game import Actions, Counts, Game, Players, States
from cotulenh_env.registry import game_names, load_game
from tests.agents.helpers import (
    NO_SEED,
    FixedEvaluator,
    HashEvaluator,
    assert_same_row,
    random_positions,
)

TICTACTOE = load_game("tictactoe")
RULES = [rule_of(SearchSettings(algorithm=name)) for name in ALGORITHMS]


class FaultyEvaluator(HashEvaluator):
    """Arbitrary opinions; in the last row of call `when`, one of them is put in place of its own.

    Args:
        game: any.
        when: number of the call, from 0.
        value: None leaves the value.
        logit: of the row's last legal action; None leaves it.
    """

    def __init__(
        self, game: Game, when: int, value: float | None = None, logit: float | None = None
    ) -> None:
        super().__init__(game)
        self.when, self.value, self.logit = when, value, logit
        self.num_calls = 0

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        logits, values = super().evaluate(states, players, legal_actions, counts)
        if self.num_calls == self.when:
            if self.value is not None:
                values[-1] = self.value
            if self.logit is not None:
                logits[-1, counts[-1] - 1] = self.logit
        self.num_calls += 1
        # Padding means nothing, so it may be anything.
        logits[np.arange(logits.shape[1]) >= counts[:, None]] = math.nan
        return logits, values


@pytest.mark.parametrize("when", [0, 1, 5])
@pytest.mark.parametrize(
    ("value", "logit", "message"),
    [
        (math.nan, None, r"gave a value that is not finite \(nan\)"),
        (math.inf, None, r"gave a value that is not finite \(inf\)"),
        (-math.inf, None, r"gave a value that is not finite \(-inf\)"),
        (1.01, None, r"gave the value 1\.01, which is not in \[-1, 1\]"),
        (-1e30, None, r"gave the value -1e\+30, which is not in \[-1, 1\]"),
        (None, math.nan, r"gave a legal action a logit that is not finite \(nan\)"),
        (None, math.inf, r"gave a legal action a logit that is not finite \(inf\)"),
        (None, -math.inf, r"gave a legal action a logit that is not finite \(-inf\)"),
    ],
)
@pytest.mark.parametrize("name", game_names())
def test_what_no_search_can_use_is_refused(
    name: str, value: float | None, logit: float | None, message: str, when: int
) -> None:
    game = load_game(name)
    states = random_positions(game, 4, 3)
    seeds = np.arange(4, dtype=np.uint64)
    search = BatchedSearch(game, FaultyEvaluator(game, when, value, logit))
    with pytest.raises(EvaluationError, match=f"^the evaluator {message}.* in position ") as caught:
        search.search(states, NO_SEED, 16, seeds=seeds)
    assert "\n" not in str(caught.value)
    # The trees it was refused in leave no trace.
    again = search.search(states, NO_SEED, 16, seeds=seeds)
    fresh = BatchedSearch(game, HashEvaluator(game)).search(states, NO_SEED, 16, seeds=seeds)
    for row in range(4):
        assert_same_row(again, row, fresh, row)


def test_values_may_leave_their_range_by_rounding() -> None:
    for value in (1.00001, -1.00001):
        search = BatchedSearch(TICTACTOE, FaultyEvaluator(TICTACTOE, 0, value))
        search.search(TICTACTOE.new_states(2), NO_SEED, 4)


def test_too_few_logits_are_refused() -> None:
    class Narrow(UniformEvaluator):
        def evaluate(
            self, states: States, players: Players, legal_actions: Actions, counts: Counts
        ) -> tuple[Logits, Values]:
            return super().evaluate(states, players, legal_actions[:, :5], counts)

    search = BatchedSearch(TICTACTOE, Narrow())
    with pytest.raises(EvaluationError, match="5 logits for 9 legal actions"):
        search.search(TICTACTOE.new_states(2), NO_SEED, 4)


def test_the_error_is_one_of_the_projects() -> None:
    assert issubclass(EvaluationError, CotulenhError)
    assert agents.EvaluationError is EvaluationError


@pytest.mark.parametrize("rescale_values", [True, False])
@pytest.mark.parametrize("largest", [1e30, float(np.finfo(np.float32).max)])
@pytest.mark.filterwarnings("error")
def test_finite_logits_may_be_as_large_as_they_like(largest: float, rescale_values: bool) -> None:
    logits = [-largest, 0.0, largest, -1.0, largest, -largest, 1.0, -1e-30, 1e20]
    settings = SearchSettings(rescale_values=rescale_values)
    search = BatchedSearch(TICTACTOE, FixedEvaluator(logits), settings)
    found = search.search(TICTACTOE.new_states(3), NO_SEED, 40)
    assert set(found.actions.tolist()) <= {2, 4}
    assert (found.visit_counts.sum(axis=1) == 40).all()
    np.testing.assert_allclose(found.policy[:, [2, 4]].sum(axis=1), 1)
    assert np.isfinite(found.values).all()
    assert np.isfinite(found.qvalues).all()


@pytest.mark.parametrize(
    "changes", [{"gumbel_scale": 1e9}, {"maxvisit_init": 1e9, "value_scale": 1e9}]
)
@pytest.mark.filterwarnings("error")
def test_scales_may_be_as_large_as_the_settings_allow(changes: dict[str, Any]) -> None:
    settings = dataclasses.replace(SearchSettings(), **changes)
    search = BatchedSearch(TICTACTOE, HashEvaluator(TICTACTOE), settings)
    found = search.search(TICTACTOE.new_states(3), NO_SEED, 40)
    assert (found.visit_counts.sum(axis=1) == 40).all()
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, rtol=1e-5)


# --- of the caller ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "simulations",
    [
        10**15,
        10**30,
        pytest.param(10**5000, id="digits"),
        np.array([1, 10**15]),
        np.array([1, 2**64 - 1], np.uint64),
        [1, 2**40],
        [1, [2, 3]],
        1.5,
        True,
        "7",
    ],
)
def test_numbers_of_simulations_are_shown_as_they_were_given(simulations: Any) -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator())
    with pytest.raises(AgentError, match="num_simulations is one integer in 0–1000000") as caught:
        search.search(TICTACTOE.new_states(2), NO_SEED, simulations)
    assert shown(simulations) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("num_simulations", 10**15),
        pytest.param("num_simulations", 10**5000, id="digits"),
        ("max_num_considered_actions", 10**15),
        ("value_scale", 1e300),
        ("gumbel_scale", 10**400),
    ],
)
def test_settings_that_are_too_large_are_refused(name: str, number: Any) -> None:
    with pytest.raises(AgentError, match=f"^{name} is ") as caught:
        SearchSettings(**{name: number})
    assert shown(number) in str(caught.value)


@pytest.mark.parametrize("scale", [-1, 1.5, math.nan, 10**400, "1", [0, 1, 1], [[1], []]])
def test_shares_of_noise_that_make_no_sense_are_refused(scale: Any) -> None:
    search = BatchedSearch(TICTACTOE, UniformEvaluator())
    with pytest.raises(AgentError, match="noise_scale is one number in 0–1") as caught:
        search.search(TICTACTOE.new_states(2), NO_SEED, noise_scale=scale)
    assert shown(scale) in str(caught.value)


# --- kernels by themselves ----------------------------------------------------------------------


def leaves_of(num_trees: int) -> Leaves:
    rows, nodes, edges, actions = np.full((4, num_trees), -7, np.int32)
    return Leaves(rows, nodes, edges, actions, np.zeros((num_trees, 1), np.uint64))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("visits", [0, 3])
def test_an_edge_of_the_node_is_chosen_whatever_its_numbers(number: float, visits: int) -> None:
    tree = new_tree(1, 2, 12, 8)
    tree.first_edges[0, 1], tree.num_edges[0, 1] = 4, 5
    tree.raw_values[:] = tree.priors[:] = tree.value_sums[:] = number
    tree.visits[:] = visits
    rule = rule_of(SearchSettings())
    for scale in (0.1, 1e308, math.inf, math.nan):
        for rescale in (True, False):
            assert 4 <= towards_improved_policy(tree, 0, 1, 50.0, scale, rescale) < 9
            how = rule._replace(c_puct=scale, rescale_values=rescale)
            assert 4 <= best_by_puct(tree, 0, 1, tree.priors, tree.visits, 4, how) < 9


def test_a_walk_ends_even_in_a_circle() -> None:
    tree = new_tree(1, 2, 2, 8)
    tree.num_nodes[0] = 2
    tree.num_edges[:] = 1
    tree.first_edges[0] = [0, 1]
    tree.children[0] = [1, 0]
    tree.visits[:], tree.priors[:] = 1, 1.0
    tree.value_sums[:] = tree.raw_values[:] = 0.0
    row, node, edge = np.zeros((3, 1), np.int32)
    for rule in RULES:
        assert descend(tree, row, node, edge, False, rule, leaves_of(1), 0) == 0
