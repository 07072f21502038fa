"""`Evaluator`: all that search knows of a network; and two evaluators that need none.

Others: `agents.network_evaluator` (a network) and `agents.score_evaluator` (the score).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from agents.errors import AgentError
from agents.noise import hashed, uniform
from cotulenh_env.game import Actions, Counts, Game, Players, States

Logits = npt.NDArray[np.float32]
Values = npt.NDArray[np.float32]


class Evaluator(Protocol):
    """Says how good positions are, and which of their actions look good."""

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Evaluates unfinished games. The arguments are the caller's and must not be kept.

        Args:
            states: uint8 [n, state_size]. In a game with hidden information a search hands in
                worlds that it has drawn; `Game.observe` keeps to what `players` know of them.
            players: int32 [n]: who is to move.
            legal_actions: int32 [n, max_legal_actions], padded with -1.
            counts: int32 [n], each at least 1.

        Returns:
            prior_logits: float32 [n, width], C-contiguous, with `width` at least the largest count
                and at most max_legal_actions; column j belongs to legal_actions[:, j], and only the
                first counts[i] entries of row i mean something.
            values: float32 [n] in [-1, 1] for `players[i]`: 1 = this player wins.

            What is not finite, or not in [-1, 1], a search refuses with `EvaluationError`.
        """


class UniformEvaluator:
    """The null evaluator: every action equally likely, every position even."""

    def __init__(self) -> None:
        self._logits = np.zeros((0, 0), np.float32)
        self._values = np.zeros(0, np.float32)

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Zeros, shared by all calls."""
        n, width = legal_actions.shape
        if self._logits.shape[0] < n or self._logits.shape[1] != width:
            self._logits = np.zeros((n, width), np.float32)
            self._values = np.zeros(n, np.float32)
        return self._logits[:n], self._values[:n]


class RolloutEvaluator:
    """Plays to the end at random: every action equally likely, the value a mean of results.

    The chance in a playout is a hash of `seed` and the position's key: the same position gets the
    same value, whatever else is in the batch.

    Args:
        game: with finite games.
        seed: another seed, other playouts.
        num_rollouts: playouts per position, at least 1.
    """

    def __init__(self, game: Game, seed: int = 0, num_rollouts: int = 1) -> None:
        if num_rollouts < 1:
            raise AgentError(f"num_rollouts is at least 1, got {num_rollouts!r}")
        self.game = game
        self.num_rollouts = num_rollouts
        # hashed() gives streams; one of its numbers is the key of this evaluator's own.
        self._seed = hashed(np.array([seed % 2**64], np.uint64), np.uint64(0))

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Zero logits, and the mean result of the playouts: see `Evaluator`."""
        n = len(states)
        rollouts = np.arange(self.num_rollouts, dtype=np.uint64)
        seeds = hashed(self.game.key(states)[:, None] ^ self._seed, rollouts).reshape(-1)
        results = self._play_out(np.repeat(states, self.num_rollouts, axis=0), seeds)
        own = results[np.arange(len(results)), np.repeat(players, self.num_rollouts)]
        values: Values = own.reshape(n, self.num_rollouts).mean(axis=1, dtype=np.float32)
        return np.zeros(legal_actions.shape, np.float32), values

    def _play_out(self, states: States, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
        """Results float32 [n, 2] of random games from `states`, one stream of chance each."""
        game = self.game
        results = np.zeros((len(states), 2), np.float32)
        alive = np.arange(len(states))
        step = 0
        while len(alive):
            done = game.is_terminal(states)
            if done.any():
                results[alive[done]] = game.returns(states[done])
                states, alive, seeds = states[~done], alive[~done], seeds[~done]
                continue
            legal_actions, counts = game.legal_actions(states)
            columns = (uniform(seeds, np.uint64(2 * step)) * counts).astype(np.int64)
            draws = uniform(seeds, np.uint64(2 * step + 1)) if game.spec.has_chance else None
            actions = legal_actions[np.arange(len(alive)), columns]
            states, _ = game.apply(states, actions, draws)
            step += 1
        return results
