"""What is picked out of a network's outputs on a CPU, against NumPy's own arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from agents.inference.gather import gather_outputs
from cotulenh_env.registry import load_game
from tests.agents.helpers import random_positions

GAME = load_game("commander")
SIZE = int(GAME.spec.policy_index.max()) + 1


def outputs(n: int) -> tuple[np.ndarray, ...]:
    """Arbitrary outputs for n positions with unlike lists, and room for what is picked out."""
    rng = np.random.default_rng(3)
    legal_actions, counts = GAME.legal_actions(random_positions(GAME, n, 60))
    assert len(set(counts.tolist())) > 1
    policy = rng.normal(size=(n, SIZE)).astype(np.float32)
    value = rng.normal(scale=20, size=(n, 3)).astype(np.float32)
    room = np.full((n, int(counts.max())), 99, np.float32), np.zeros(n, np.float32)
    return policy, value, GAME.spec.policy_index, legal_actions, counts, *room


def test_logits_and_values() -> None:
    """DESIGN §7: softmax in float32 or better, win minus loss for the player to move."""
    arrays = outputs(4)
    policy, value, index, legal_actions, counts, logits, values = arrays
    assert gather_outputs(*arrays) == -1
    for row in range(4):
        own = legal_actions[row, : counts[row]]
        assert np.array_equal(logits[row, : counts[row]], policy[row, index[own]])
        assert (logits[row, counts[row] :] == 99).all()
        weights = np.exp(value[row].astype(np.float64) - value[row].max())
        expected = (weights[0] - weights[2]) / weights.sum()
        assert values[row] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_the_first_row_that_is_not_finite_is_told(number: float) -> None:
    arrays = outputs(4)
    policy, value, index, legal_actions = arrays[:4]
    policy[2, index[legal_actions[2, 5]]] = number
    assert gather_outputs(*arrays) == 2
    if number != -np.inf:  # an outcome that cannot be is a probability of 0
        value[1, 1] = number
        assert gather_outputs(*arrays) == 1
