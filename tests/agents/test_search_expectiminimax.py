"""Search converges to the value that a plain recursion finds, chance included.

On random trees with chance, and on tiny Banqi endgames with pieces face down, whose quiet limit
makes the recursion short.
"""

from __future__ import annotations

import numpy as np
import pytest

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchSettings
from agents.search.settings import ALGORITHMS, Algorithm
from cotulenh_env.game import Game, States
from cotulenh_env.registry import load_game
from tests.agents.table_game import Node, TableGame
from tests.agents.trees import chance_tree


def expectation_of_tree(node: Node | list[tuple[float, Node]]) -> float:
    """Of player 0's result, when both play best: from the tree as it is written down."""
    if not isinstance(node, Node):
        return sum(p * expectation_of_tree(child) for p, child in node)
    if not node.children:
        return node.result
    values = [expectation_of_tree(child) for child in node.children]
    return max(values) if node.player == 0 else min(values)


def expectations(game: Game, state: States, memory: dict[bytes, float]) -> list[float]:
    """Of the mover's result after each legal action, when both play best."""
    mover = game.current_player_of(state)
    legal_actions, counts = game.legal_actions(state[None])
    values = []
    for action in legal_actions[0, : counts[0]]:
        actions = np.array([action], np.int32)
        ((_, probabilities),) = game.chance_outcomes(state[None], actions)
        starts = np.concatenate([[0.0], np.cumsum(probabilities)[:-1]])
        value = 0.0
        for start, probability in zip(starts, probabilities, strict=True):
            after, _ = game.apply(state[None], actions, np.array([start + probability / 2]))
            value += probability * _value(game, after[0], mover, memory)
        values.append(value)
    return values


def _value(game: Game, state: States, player: int, memory: dict[bytes, float]) -> float:
    if game.is_terminal(state[None])[0]:
        return float(game.returns(state[None])[0, player])
    seen = state.tobytes()
    if seen not in memory:
        memory[seen] = max(expectations(game, state, memory))
    return memory[seen] if game.current_player_of(state) == player else -memory[seen]


def settings_of(algorithm: Algorithm, num_simulations: int) -> SearchSettings:
    """Trusts values more the more visits there are, so that it does converge.

    Not too soon, for the sake of Gumbel: with 0.1 an action whose first result was bad luck may
    never be looked at again below the root, as two of the twelve trees showed.
    """
    return SearchSettings(
        algorithm=algorithm,
        num_simulations=num_simulations,
        max_num_considered_actions=64,
        gumbel_scale=0.0,
        dirichlet_fraction=0.0,
        rescale_values=False,
        value_scale=0.02,
        maxvisit_init=20.0,
        c_puct=1.0,
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_random_trees(algorithm: Algorithm) -> None:
    """The first twelve, side by side."""
    roots = [chance_tree(3, np.random.default_rng(seed)) for seed in range(12)]
    game = TableGame(Node(0, roots))
    signs = [1 if root.player == 0 else -1 for root in roots]
    expected = np.array(
        [
            [sign * expectation_of_tree(child) for child in root.children]
            for sign, root in zip(signs, roots, strict=True)
        ]
    )
    search = BatchedSearch(game, UniformEvaluator(), settings_of(algorithm, 10_000))
    found = search.search(game.states_of(*roots), np.random.default_rng(1))
    best = expected.max(axis=1)
    np.testing.assert_allclose(expected[np.arange(len(roots)), found.actions], best)
    # Chance: four standard deviations of 3000 results are 0.07. Exploring costs both players some.
    np.testing.assert_allclose(found.qvalues.max(axis=1), best, atol=0.1)


ENDGAMES = [
    ("8/8/??6/Ha6 r r Ch 0", 3),  # a flip gives even chances of losing, whatever else loses
    ("8/8/sH6/??6 r r Hs 0", 2),  # one action in five wins, in half of the cases
]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("fen", "quiet_limit"), ENDGAMES)
def test_banqi_endgames(algorithm: Algorithm, fen: str, quiet_limit: int) -> None:
    game = load_game("banqi")
    rules = game.make_rules(quiet_limit=quiet_limit)
    state = game.from_text(fen, rules)
    expected = np.array(expectations(game, state, {}))
    search = BatchedSearch(game, UniformEvaluator(), settings_of(algorithm, 2500))
    found = search.search(state[None], np.random.default_rng(7))
    chosen = int(np.flatnonzero(found.legal_actions[0] == found.actions[0])[0])
    assert expected[chosen] == pytest.approx(expected.max())
    # Four standard deviations of 1000 results would be 0.13.
    assert found.qvalues[0, chosen] == pytest.approx(expected.max(), abs=0.05)
