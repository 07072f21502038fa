"""From a network's outputs to what an `Evaluator` says: on a CPU one kernel, not many ops."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from agents.network import LOSS, WIN
from cotulenh_env.kernel import kernel

_NUM_OUTCOMES = 3


@kernel
def gather_outputs(
    policy_logits: npt.NDArray[np.float32],
    value_logits: npt.NDArray[np.float32],
    policy_index: npt.NDArray[np.int32],
    legal_actions: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    prior_logits: npt.NDArray[np.float32],
    values: npt.NDArray[np.float32],
) -> int:
    """Picks out the legal actions' logits, and makes values of the outcomes' logits.

    Args:
        policy_logits: float32 [n, logits].
        value_logits: float32 [n, 3].
        policy_index: int32 [num_actions].
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n].
        prior_logits: float32 [n, width], filled up to each row's count.
        values: float32 [n], filled: P(win) − P(loss).

    Returns:
        The first row with a number that is not finite, or −1.
    """
    for row in range(len(values)):
        is_finite = True
        for column in range(int(counts[row])):
            logit = policy_logits[row, policy_index[legal_actions[row, column]]]
            prior_logits[row, column] = logit
            is_finite = is_finite and math.isfinite(logit)
        largest = -math.inf
        for place in range(_NUM_OUTCOMES):
            largest = max(largest, float(value_logits[row, place]))
        total, value = 0.0, 0.0
        for place in range(_NUM_OUTCOMES):
            weight = math.exp(float(value_logits[row, place]) - largest)
            total += weight
            if place == WIN:
                value += weight
            elif place == LOSS:
                value -= weight
        values[row] = value / total
        if not is_finite or not math.isfinite(value / total):
            return row
    return -1
