"""Typical positions, from which a new network takes the scales of its input planes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from agents.inference.positions import typical_states
from cotulenh_env.game import Game
from training.rule_choices import draw_rules

_MAX_RULE_SETS = 8
"""So many are played at most; the planes of rules then vary about as often as they will."""


def typical_planes(game: Game, rules: Sequence[Any], rng: np.random.Generator) -> torch.Tensor:
    """Observations of random games from first to last, every fourth position of each.

    Args:
        game: the game.
        rules: the RuleSets of which the run's games draw theirs.
        rng: the stream that draws rules, starts, actions and chance.

    Returns:
        float32 [n, planes, height, width] from the side of the player to move.
    """
    chosen = list(rules)
    if len(chosen) > _MAX_RULE_SETS:
        chosen = draw_rules(chosen, _MAX_RULE_SETS, rng)
    states = np.concatenate(
        [typical_states(game, one, rng)[index :: len(chosen)] for index, one in enumerate(chosen)]
    )
    return torch.from_numpy(game.observe(states, game.current_player(states)))
