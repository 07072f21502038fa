"""Value targets: the result by player, and TD(λ) over turns by a plain sum."""

from __future__ import annotations

import numpy as np
import pytest

from training.value_targets import value_targets

PLAYERS = np.array([0, 0, 1, 0, 1, 1], np.int32)
TURNS = np.array([3, 3, 4, 5, 6, 6], np.int32)
VALUES = np.array([0.1, -0.2, 0.6, 0.3, -0.9, 0.5], np.float32)


@pytest.mark.parametrize(("result", "column"), [(1, 0), (0, 1), (-1, 2)])
def test_without_decay_targets_are_the_result(result: float, column: int) -> None:
    targets = value_targets(result, PLAYERS, TURNS, VALUES, 7, 1.0)
    for player, target in zip(PLAYERS, targets, strict=True):
        expected = np.zeros(3)
        expected[column if player == 0 else 2 - column] = 1
        np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.9])
def test_decay_weighs_values_by_the_turns_between(decay: float) -> None:
    """A value further on gets what the turns before it let through, and keeps its own share."""
    targets = value_targets(-1, PLAYERS, TURNS, VALUES, 7, decay)
    signs = np.where(PLAYERS == 0, 1, -1)
    ahead = np.append(VALUES * signs, -1.0)  # for player 0, the result at the end
    turns = np.append(TURNS, 7)
    for index in range(len(PLAYERS)):
        expected, left = 0.0, 1.0
        for later in range(index + 1, len(ahead)):
            passed = decay ** int(turns[later] - turns[later - 1])
            share = left if later == len(ahead) - 1 else left * (1 - passed)
            expected += share * ahead[later]
            left *= passed
        got = float(targets[index, 0] - targets[index, 2]) * signs[index]
        assert got == pytest.approx(expected, abs=1e-6)
    np.testing.assert_allclose(targets.sum(axis=1), 1, rtol=1e-6)


def test_last_position_always_knows_the_result() -> None:
    targets = value_targets(1, PLAYERS, TURNS, VALUES, 7, 0.0)
    np.testing.assert_array_equal(targets[-1], [0, 0, 1])


def test_game_without_positions_has_no_targets() -> None:
    empty = np.zeros(0, np.int32)
    assert value_targets(1, empty, empty, empty.astype(np.float32), 7, 0.5).shape == (0, 3)
