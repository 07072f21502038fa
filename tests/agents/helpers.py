"""What the tests of this folder share: evaluators with known answers, positions, comparisons."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from agents.evaluator import Logits, Values
from agents.noise import hashed, uniform
from agents.search import SearchResult
from cotulenh_env.game import Actions, Counts, Game, Players, States

NO_SEED = np.random.default_rng(0)
"""For searches that are given their seeds."""


class HashEvaluator:
    """Arbitrary but fixed opinions: a hash of the position's key, so that ties do not happen."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        keys = hashed(self.game.key(states), np.uint64(7))
        columns = np.arange(1, legal_actions.shape[1] + 1, dtype=np.uint64)
        logits = 3 * uniform(keys[:, None], columns[None]) - 1
        values = 1.6 * uniform(keys, np.uint64(0)) - 0.8
        return logits.astype(np.float32), values.astype(np.float32)


class FixedEvaluator:
    """The same logits everywhere, and value 0."""

    def __init__(self, logits: list[float]) -> None:
        self.logits = np.array(logits, np.float32)

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        width = legal_actions.shape[1]
        logits = np.ascontiguousarray(np.broadcast_to(self.logits[:width], (len(states), width)))
        return logits, np.zeros(len(states), np.float32)


def random_positions(game: Game, n: int, num_actions: int, seed: int = 0) -> States:
    """Unfinished positions after up to `num_actions` random actions."""
    rng = np.random.default_rng(seed)
    states = game.new_states(n, rng)
    lengths = rng.integers(0, num_actions + 1, n)
    for step in range(num_actions):
        legal_actions, counts = game.legal_actions(states)
        actions = legal_actions[np.arange(n), (rng.random(n) * counts).astype(int)]
        after, _ = game.apply(states, actions, rng.random(n))
        going_on = (step < lengths) & ~game.is_terminal(after)
        states = np.where(going_on[:, None], after, states)
    return states


def row_of(result: SearchResult, row: int) -> dict[str, npt.NDArray[np.generic]]:
    """One row without its padding."""
    count = int(result.counts[row])
    found = {}
    for field in dataclasses.fields(result):
        array = getattr(result, field.name)
        found[field.name] = array[row] if array.ndim == 1 else array[row, :count]
    return found


def assert_same_row(one: SearchResult, row: int, other: SearchResult, other_row: int) -> None:
    """Bit by bit."""
    expected = row_of(other, other_row)
    for name, array in row_of(one, row).items():
        np.testing.assert_array_equal(array, expected[name], err_msg=name)
