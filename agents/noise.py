"""Random numbers by row and index, so that a row's noise does not depend on its neighbours.

A generator shared by the batch would hand out its numbers in an order that depends on the other
rows (how many actions they have, when they end). Here every row has one 64-bit seed, and number k
of a row is a hash of (seed, k): the splitmix64 generator, read at any place.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Seeds = npt.NDArray[np.uint64]

_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)


def row_seeds(n: int, rng: np.random.Generator) -> Seeds:
    """uint64 [n]; seed i depends on the generator and on i only."""
    return rng.integers(0, 2**64, size=n, dtype=np.uint64)


def hashed(seeds: Seeds, index: Seeds | np.uint64) -> Seeds:
    """uint64, the shape of both broadcast: number `index` of each seed's stream."""
    # At least one dimension: overflow is meant, and NumPy warns of it in scalars.
    z = seeds + (np.atleast_1d(index) + np.uint64(1)) * _STRIDE
    z = (z ^ (z >> np.uint64(30))) * _FACTOR_1
    z = (z ^ (z >> np.uint64(27))) * _FACTOR_2
    mixed: Seeds = z ^ (z >> np.uint64(31))
    return mixed


def uniform(seeds: Seeds, index: Seeds | np.uint64) -> npt.NDArray[np.float64]:
    """float64 in [0, 1), the shape of both broadcast."""
    return (hashed(seeds, index) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def gumbel(seeds: Seeds, width: int) -> npt.NDArray[np.float32]:
    """float32 [n, width] of the standard Gumbel distribution: numbers 0 … width − 1 of each row."""
    bits = hashed(seeds[:, None], np.arange(width, dtype=np.uint64)[None])
    # Half a step away from 0 and 1, so that both logarithms are finite.
    unit = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    unit = np.minimum(unit, 1.0 - 2.0**-53)
    return (-np.log(-np.log(unit))).astype(np.float32)
