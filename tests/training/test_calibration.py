"""Typical positions: of all phases of the game, all planes in range, the same for the same seed."""

from __future__ import annotations

import numpy as np
import torch

from cotulenh_env.registry import load_game
from training.calibration import typical_planes


def test_typical_planes_are_those_of_random_games() -> None:
    game = load_game("tictactoe")
    planes = typical_planes(game, (None,), np.random.default_rng(0))
    assert planes.shape[1:] == game.spec.observation_shape
    assert planes.dtype == torch.float32
    assert 0 <= planes.min() < planes.max() <= 1
    num_marks = planes[:, :2].sum(dim=(1, 2, 3))
    assert num_marks.min() <= 1
    assert num_marks.max() >= 6


def test_same_seed_gives_the_same_planes() -> None:
    game = load_game("tictactoe")
    one, two = (typical_planes(game, (None,), np.random.default_rng(3)) for _ in range(2))
    assert torch.equal(one, two)
