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
    unit = _half_a_step_inside(bits)
    return (-np.log(-np.log(unit))).astype(np.float32)


def dirichlet(
    seeds: Seeds, counts: npt.NDArray[np.int32], alphas: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Symmetric Dirichlet noise: gamma variates divided by their sum.

    Variate k of a row comes from a stream of its own, so that rejections (Marsaglia and Tsang, "A
    simple method for generating gamma variables", 2000) move no other number. Logarithms keep
    variates of tiny alphas apart that would all be 0.

    Args:
        seeds: uint64 [n].
        counts: int32 [n], at least 1: numbers of each row.
        alphas: float64 [n] in 1e-6–1e6: concentration of every number of a row.

    Returns:
        float64 [n, most numbers]: rows sum to 1, 0 behind a row's own numbers.
    """
    n, width = len(seeds), int(counts.max(initial=0))
    rows, columns = np.nonzero(np.arange(width) < counts[:, None])
    streams = hashed(seeds[rows], columns.astype(np.uint64))
    logs = np.full((n, width), -np.inf)
    logs[rows, columns] = _log_gamma(streams, alphas[rows])
    weights = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
    # One after the other: another way of summing would see how wide the batch is.
    noise: npt.NDArray[np.float64] = weights / weights.cumsum(axis=1)[:, -1:]
    return noise


def _log_gamma(streams: Seeds, alphas: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Logarithms of gamma variates, one per stream."""
    # Of alpha + 1 first, which the method can do; a uniform number to the 1 / alpha leads down.
    d = alphas + 2 / 3
    scale = 1 / np.sqrt(9 * d)
    logs = np.log(_inside(streams, 0)) / alphas
    pending = np.arange(len(streams))
    attempt = 0
    while len(pending):
        own, base = streams[pending], 1 + 3 * attempt
        radius = np.sqrt(-2 * np.log(_inside(own, base)))
        x = radius * np.cos(2 * np.pi * _inside(own, base + 1))
        v = (1 + scale[pending] * x) ** 3
        with np.errstate(invalid="ignore", divide="ignore"):  # v ≤ 0 is refused
            log_v = np.log(v)
            limit = 0.5 * x * x + d[pending] * (1 - v + log_v)
            is_taken = (v > 0) & (np.log(_inside(own, base + 2)) < limit)
        taken = pending[is_taken]
        logs[taken] += np.log(d[taken]) + log_v[is_taken]
        pending = pending[~is_taken]
        attempt += 1
    return logs


def _inside(streams: Seeds, index: int) -> npt.NDArray[np.float64]:
    """float64 strictly between 0 and 1: number `index` of each stream."""
    return _half_a_step_inside(hashed(streams, np.uint64(index)))


def _half_a_step_inside(bits: Seeds) -> npt.NDArray[np.float64]:
    """float64: away from 0 and 1, so that logarithms of both sides are finite."""
    unit = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    inside: npt.NDArray[np.float64] = np.minimum(unit, 1.0 - 2.0**-53)
    return inside
