"""Sequential halving: which root actions get the next simulation.

Of `m` considered actions all get equally many simulations, then the better half again equally many,
and so on. Said by visit counts: simulation `i` goes to the best action among those with exactly
`considered_visits[i]` visits. For 4 actions and 12 simulations:

    0 0 0 0   1 1   2 2   3 3   4 4         (4 once each, then the best 2, four times each)
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Counts


@lru_cache(maxsize=4096)
def considered_visits(num_considered: int, num_simulations: int) -> tuple[int, ...]:
    """The visit count that simulation i considers, for i in 0 … num_simulations − 1."""
    if num_considered <= 1:
        return tuple(range(num_simulations))
    num_phases = math.ceil(math.log2(num_considered))
    visits = [0] * num_considered
    sequence: list[int] = []
    remaining = num_considered
    while len(sequence) < num_simulations:
        for _ in range(max(1, num_simulations // (num_phases * remaining))):
            sequence.extend(visits[:remaining])
            for place in range(remaining):
                visits[place] += 1
        remaining = max(2, remaining // 2)
    return tuple(sequence[:num_simulations])


def considered_visits_by_row(
    num_considered: Counts, num_simulations: Counts
) -> npt.NDArray[np.int32]:
    """`considered_visits` of every row.

    Args:
        num_considered: int32 [n].
        num_simulations: int32 [n].

    Returns:
        int32 [n, most simulations]; a row is zero after its own simulations.
    """
    table = np.zeros((len(num_considered), int(num_simulations.max(initial=0))), np.int32)
    pairs = np.stack([num_considered, num_simulations], axis=1)
    distinct, kind = np.unique(pairs, axis=0, return_inverse=True)
    for index, (considered, simulations) in enumerate(distinct):
        sequence = considered_visits(int(considered), int(simulations))
        table[kind.reshape(-1) == index, : len(sequence)] = sequence
    return table
