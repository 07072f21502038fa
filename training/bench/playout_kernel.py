"""Random games of any game in one compiled loop: how fast the rules are by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel, kernel

Records = npt.NDArray[np.void]
Step = Callable[[Records, int, Any, int, float, npt.NDArray[np.int32]], int]
"""Plays and lists in one row of states (playout_steps.py)."""

NOTHING = -1
"""The action that plays nothing."""

_MULTIPLIER, _INCREMENT, _BITS = 0x5DEECE66D, 11, 48
"""Of the linear congruence behind C's `drand48`."""


@inner_kernel
def _next(seed: int) -> int:
    """The number after `seed`; all are below 2**48, and their upper bits are random."""
    return (seed * _MULTIPLIER + _INCREMENT) & ((1 << _BITS) - 1)


@kernel
def play_out(
    states: Records,
    starts: Records,
    num_steps: int,
    seeds: npt.NDArray[np.int64],
    works: npt.NDArray[Any],
    legal_actions: npt.NDArray[np.int32],
    step: Step,
) -> int:
    """Plays random actions in every game; one that is finished starts over.

    Args:
        states: records [n], changed in place.
        starts: records [n]: where games start; unfinished.
        num_steps: actions in each game.
        seeds: int64 [n] in [0, 2**48): of each game's stream, changed in place.
        works: [1]: the game's scratch memory.
        legal_actions: int32 [max_legal_actions], overwritten.
        step: of the game.

    Returns:
        Games finished.
    """
    num_finished = 0
    for row in range(len(states)):
        seed = int(seeds[row])
        count = step(states, row, works, NOTHING, 0.0, legal_actions)
        num_done = 0
        while num_done < num_steps:
            if count == 0:
                num_finished += 1
                states[row] = starts[row]
                count = step(states, row, works, NOTHING, 0.0, legal_actions)
                continue
            seed = _next(seed)
            action = int(legal_actions[((seed >> 24) * count) >> 24])
            seed = _next(seed)
            draw = seed / (1 << _BITS)
            count = step(states, row, works, action, draw, legal_actions)
            num_done += 1
        seeds[row] = seed
    return num_finished
