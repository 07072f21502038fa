"""Noise: every number is the row's own, and has the moments that its distribution has.

Dirichlet, symmetric, of k numbers with concentration a each: mean 1/k, variance
(k − 1) / (k² (a k + 1)), covariance −1 / (k² (a k + 1)).
"""

from __future__ import annotations

import numpy as np
import pytest

from agents.noise import dirichlet, gumbel, row_seeds


def test_noise_of_a_row_depends_on_its_seed_only() -> None:
    seeds = row_seeds(5, np.random.default_rng(0))
    wide = gumbel(seeds, 100)
    np.testing.assert_array_equal(gumbel(seeds[2:3], 7)[0], wide[2, :7])
    np.testing.assert_array_equal(row_seeds(3, np.random.default_rng(0)), seeds[:3])


def test_noise_has_the_moments_of_the_gumbel_distribution() -> None:
    noise = gumbel(row_seeds(1000, np.random.default_rng(0)), 200).astype(np.float64)
    assert np.isfinite(noise).all()
    assert abs(noise.mean() - np.euler_gamma) < 0.012
    assert abs(noise.var() - np.pi**2 / 6) < 0.03
    # Neighbouring streams and neighbouring numbers are unrelated.
    assert abs(np.corrcoef(noise[:-1].ravel(), noise[1:].ravel())[0, 1]) < 0.01
    assert abs(np.corrcoef(noise[:, :-1].ravel(), noise[:, 1:].ravel())[0, 1]) < 0.01


@pytest.mark.parametrize("alpha", [0.03, 0.3, 1.0, 2.5, 40.0])
def test_dirichlet_noise_has_its_moments(alpha: float) -> None:
    n, k = 20_000, 5
    seeds = row_seeds(n, np.random.default_rng(1))
    noise = dirichlet(seeds, np.full(n, k, np.int32), np.full(n, alpha))
    np.testing.assert_allclose(noise.sum(axis=1), 1, rtol=1e-12)
    assert (noise >= 0).all()
    variance = (k - 1) / (k**2 * (alpha * k + 1))
    deviation = np.sqrt(variance)
    np.testing.assert_allclose(noise.mean(axis=0), 1 / k, atol=4 * deviation / np.sqrt(n))
    covariance = np.cov(noise.T)
    np.testing.assert_allclose(np.diag(covariance), variance, rtol=0.06)
    others = covariance[~np.eye(k, dtype=bool)]
    np.testing.assert_allclose(others, -variance / (k - 1), atol=0.04 * variance)


def test_numbers_of_dirichlet_noise_are_distributed_as_beta() -> None:
    """With alpha 1 the first of two numbers is uniform: each tenth has a tenth."""
    n = 20_000
    noise = dirichlet(row_seeds(n, np.random.default_rng(2)), np.full(n, 2, np.int32), np.ones(n))
    shares = np.histogram(noise[:, 0], bins=10, range=(0, 1))[0] / n
    np.testing.assert_allclose(shares, 0.1, atol=4 * 0.3 / np.sqrt(n))


def test_dirichlet_noise_of_a_row_depends_on_its_seed_only() -> None:
    seeds = row_seeds(40, np.random.default_rng(3))
    counts = np.arange(1, 41, dtype=np.int32)
    alphas = 10 / counts
    together = dirichlet(seeds, counts, alphas)
    backwards = dirichlet(seeds[::-1], counts[::-1], alphas[::-1])[::-1]
    np.testing.assert_array_equal(together, backwards)
    for row in range(40):
        own = slice(row, row + 1)
        alone = dirichlet(seeds[own], counts[own], alphas[own])
        np.testing.assert_array_equal(together[row, : counts[row]], alone[0])
        np.testing.assert_array_equal(together[row, counts[row] :], 0)
    assert len(np.unique(together[together > 0])) > 800


@pytest.mark.parametrize("alpha", [1e-6, 1e6])
@pytest.mark.filterwarnings("error")
def test_the_ends_of_the_range_give_one_action_or_all_alike(alpha: float) -> None:
    n, k = 500, 30
    seeds = row_seeds(n, np.random.default_rng(4))
    noise = dirichlet(seeds, np.full(n, k, np.int32), np.full(n, alpha))
    np.testing.assert_allclose(noise.sum(axis=1), 1, rtol=1e-12)
    if alpha < 1:
        assert (noise.max(axis=1) > 0.999).mean() > 0.99
    else:
        np.testing.assert_allclose(noise, 1 / k, rtol=0.01)
