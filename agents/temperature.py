"""Drawing actions from policies, wilder or tamer than they are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Counts


def drawn_columns(
    policy: npt.NDArray[np.floating],
    counts: Counts,
    temperatures: npt.NDArray[np.float64],
    rng: np.random.Generator,
) -> npt.NDArray[np.int64]:
    """Draws with probabilities in proportion to policy ** (1 / temperature).

    Args:
        policy: float [n, width], n at least 1; 0 from column `counts` on.
        counts: int32 [n]: legal actions.
        temperatures: float64 [n], above 0: 1 draws from the policy itself.
        rng: the stream that draws, once per row.

    Returns:
        int64 [n], below `counts`.
    """
    with np.errstate(divide="ignore"):  # log 0 = −inf, whose weight is 0 again
        logits = np.log(policy.astype(np.float64)) / temperatures[:, None]
    limits = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
    draws = rng.random(len(policy)) * limits[:, -1]
    columns: npt.NDArray[np.int64] = (limits <= draws[:, None]).sum(axis=1)
    return np.minimum(columns, counts - 1)
