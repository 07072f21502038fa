"""Typical positions, from which a new network takes the scales of its input planes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from cotulenh_env.game import Game
from training.openings import random_actions

_NUM_GAMES = 16
_NUM_ACTIONS = 256
_EVERY = 4


def typical_planes(game: Game, rules: Any, rng: np.random.Generator) -> torch.Tensor:
    """Observations of random games from first to last, every fourth position of each.

    Args:
        game: the game.
        rules: the RuleSet that the run plays by.
        rng: the stream that draws starts, actions and chance.

    Returns:
        float32 [n, planes, height, width] from the side of the player to move.
    """
    states = game.new_states(_NUM_GAMES, rng, rules)
    seen = []
    for step in range(_NUM_ACTIONS):
        if step % _EVERY == 0:
            seen.append(game.observe(states, game.current_player(states)))
        legal_actions, counts = game.legal_actions(states)
        actions = random_actions(legal_actions, counts, rng)
        game.apply(states, actions, rng.random(_NUM_GAMES), out=states)
        done = game.is_terminal(states)
        states[done] = game.new_states(int(done.sum()), rng, rules)
    return torch.from_numpy(np.concatenate(seen))
