"""Typical positions, from which a new network takes the scales of its input planes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from agents.inference.positions import typical_states
from cotulenh_env.game import Game


def typical_planes(game: Game, rules: Any, rng: np.random.Generator) -> torch.Tensor:
    """Observations of random games from first to last, every fourth position of each.

    Args:
        game: the game.
        rules: the RuleSet that the run plays by.
        rng: the stream that draws starts, actions and chance.

    Returns:
        float32 [n, planes, height, width] from the side of the player to move.
    """
    states = typical_states(game, rules, rng)
    return torch.from_numpy(game.observe(states, game.current_player(states)))
