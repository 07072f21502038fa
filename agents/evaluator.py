"""`Evaluator`: all that search knows of a network, and the evaluator that knows nothing.

Others: `agents.network_evaluator` (a network), `agents.playouts` (random playouts and the score).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Counts, Players, States

Logits = npt.NDArray[np.float32]
Values = npt.NDArray[np.float32]


class Evaluator(Protocol):
    """Says how good positions are, and which of their actions look good."""

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """Evaluates unfinished games. The arguments are the caller's and must not be kept.

        Args:
            states: uint8 [n, state_size].
            players: int32 [n]: who is to move.
            legal_actions: int32 [n, max_legal_actions], padded with -1.
            counts: int32 [n], each at least 1.

        Returns:
            prior_logits: float32 [n, width], C-contiguous, with `width` at least the largest count
                and at most max_legal_actions; column j belongs to legal_actions[:, j], and only the
                first counts[i] entries of row i mean something.
            values: float32 [n] in [-1, 1] for `players[i]`: 1 = this player wins.
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
