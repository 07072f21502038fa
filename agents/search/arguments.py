"""Checks of what is handed to a search: one number for all rows, or one for each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.errors import AgentError
from agents.noise import Seeds
from agents.search.settings import MAX_SIMULATIONS
from cotulenh_env.errors import shown
from cotulenh_env.game import Counts


def simulations_by_row(n: int, num_simulations: int | Counts) -> Counts:
    """int32 [n] in 0–1000000.

    Raises:
        AgentError: a number is no integer or out of range, or there is not one per row.
    """
    try:
        given = np.asarray(num_simulations)
    except (ValueError, OverflowError):  # lists in a list, of different lengths
        given = np.zeros(0, np.bool_)
    # Seen before they become int32: 10**15 would turn into another number without a word.
    if (
        given.shape not in ((), (n,))
        or (given.dtype.kind not in "iu" and given.shape != (0,))
        or (given < 0).any()
        or (given > MAX_SIMULATIONS).any()
    ):
        raise AgentError(
            f"num_simulations is one integer in 0–{MAX_SIMULATIONS}, or one for each of the "
            f"{n} rows, got {shown(num_simulations)}"
        )
    return np.array(np.broadcast_to(given.astype(np.int32), n))


def noise_by_row(n: int, noise_scale: float | npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """float64 [n] in [0, 1].

    Raises:
        AgentError: a number is none or out of range, or there is not one per row.
    """
    try:
        given = np.asarray(noise_scale)
    except (ValueError, OverflowError):
        given = np.zeros(0, np.bool_)
    # Written so that NaN is refused.
    if (
        given.shape not in ((), (n,))
        or (given.dtype.kind not in "iuf" and given.shape != (0,))
        or not ((given >= 0) & (given <= 1)).all()
    ):
        raise AgentError(
            f"noise_scale is one number in 0–1, or one for each of the {n} rows, "
            f"got {shown(noise_scale)}"
        )
    return np.array(np.broadcast_to(given.astype(np.float64), n))


def checked_seeds(n: int, seeds: object) -> Seeds:
    """uint64 [n].

    Raises:
        AgentError: they are anything else.
    """
    if not isinstance(seeds, np.ndarray) or seeds.dtype != np.uint64 or seeds.shape != (n,):
        raise AgentError(f"seeds are uint64 [{n}], one for each row, got {shown(seeds)}")
    return seeds
