"""Random games of Commander Chess in one compiled loop: how fast the rules are by themselves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.kernels.apply import apply_action
from cotulenh_env.commander.kernels.legal import list_legal_actions
from cotulenh_env.commander.kernels.outcome import settle_no_move
from cotulenh_env.commander.kernels.workspace import WORKSPACE_DTYPE
from cotulenh_env.commander.state import UNFINISHED, Records
from cotulenh_env.kernel import inner_kernel, kernel

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
    legal_actions: npt.NDArray[np.int32],
) -> int:
    """Plays random actions in every game; one that is finished starts over.

    Args:
        states: records [n], changed in place.
        starts: records [n]: where games start.
        num_steps: actions in each game.
        seeds: int64 [n] in [0, 2**48): of each game's stream, changed in place.
        legal_actions: int32 [max_legal_actions], overwritten.

    Returns:
        Games finished.
    """
    works = np.empty(1, WORKSPACE_DTYPE)
    num_finished = 0
    for row in range(len(states)):
        seed = int(seeds[row])
        num_done = 0
        while num_done < num_steps:
            work = works[0]
            state = states[row]
            count = list_legal_actions(state, work, legal_actions)
            if count == 0:
                if state["winner"] == UNFINISHED:
                    settle_no_move(state)
                num_finished += 1
                states[row] = starts[row]
                continue
            seed = _next(seed)
            choice = ((seed >> 24) * count) >> 24
            apply_action(state, work, int(legal_actions[choice]))
            num_done += 1
        seeds[row] = seed
    return num_finished
