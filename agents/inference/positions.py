"""Typical positions of a game, on which backends are calibrated, compared and timed."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.random_agent import RandomAgent
from cotulenh_env.game import Game, States

_NUM_GAMES = 16
_NUM_ACTIONS = 256
_EVERY = 4


def typical_states(game: Game, rules: Any, rng: np.random.Generator) -> States:
    """Positions of random games from first to last, every fourth of each.

    Args:
        game: the game.
        rules: the RuleSet to play by, None for the default.
        rng: the stream that draws starts, actions and chance.

    Returns:
        uint8 [1024, state_size], none of them finished.
    """
    agent = RandomAgent(game)
    states = game.new_states(_NUM_GAMES, rng, rules)
    seen = []
    for step in range(_NUM_ACTIONS):
        if step % _EVERY == 0:
            seen.append(states.copy())
        actions = agent.act(states, rng)
        game.apply(states, actions, rng.random(_NUM_GAMES), out=states)
        done = game.is_terminal(states)
        states[done] = game.new_states(int(done.sum()), rng, rules)
    return np.concatenate(seen)
