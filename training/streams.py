"""Random streams: one seed, and a stream of its own for every purpose."""

from __future__ import annotations

import numpy as np

_PURPOSES = ("network", "self_play", "sampling", "evaluation", "calibration")
"""In the order in which `SeedSequence(seed).spawn` gives their streams; never to be changed."""


def seed_sequence(seed: int, purpose: str, *further: int) -> np.random.SeedSequence:
    """The seeds of one purpose.

    Args:
        seed: of the run.
        purpose: one of network, self_play, sampling, evaluation.
        further: for purposes with several streams, which of them.
    """
    return np.random.SeedSequence(seed, spawn_key=(_PURPOSES.index(purpose), *further))


def stream(seed: int, purpose: str, *further: int) -> np.random.Generator:
    """A generator over `seed_sequence`'s seeds."""
    return np.random.default_rng(seed_sequence(seed, purpose, *further))
