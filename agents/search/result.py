"""`SearchResult`: what a search found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Counts


@dataclass(frozen=True)
class SearchResult:
    """What a search found; `width` is the largest number of legal actions in the batch.

    All values are for the player to move in the row. Padding: -1 in `legal_actions`, else 0.

    Attributes:
        actions: int32 [n]: the action to play. Gumbel: the one that halving leaves, drawn by the
            noise if there is any. PUCT: the most visited one, of equals that of higher Q-value.
        legal_actions: int32 [n, width], in ascending order.
        counts: int32 [n]: legal actions.
        visit_counts: int32 [n, width]: simulations through each action, kept ones included.
        policy: float32 [n, width], rows sum to 1: the improved policy, the training target.
            Gumbel: prior and completed Q-values together, without the noise. PUCT: shares of this
            search's own simulations; without any, the prior.
        values: float32 [n] in [-1, 1]: the value of playing by `policy`.
        qvalues: float32 [n, width] in [-1, 1]; unvisited actions have the root's value: mixed
            with Gumbel, the mean of its own and of all simulations with PUCT.
    """

    actions: Actions
    legal_actions: Actions
    counts: Counts
    visit_counts: npt.NDArray[np.int32]
    policy: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    qvalues: npt.NDArray[np.float32]


def empty_result() -> SearchResult:
    """Of no positions."""
    return SearchResult(
        actions=np.zeros(0, np.int32),
        legal_actions=np.zeros((0, 0), np.int32),
        counts=np.zeros(0, np.int32),
        visit_counts=np.zeros((0, 0), np.int32),
        policy=np.zeros((0, 0), np.float32),
        values=np.zeros(0, np.float32),
        qvalues=np.zeros((0, 0), np.float32),
    )
