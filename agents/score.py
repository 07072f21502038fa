"""What the score says: who leads, and what a lead is worth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Game, Players, States


def leads(game: Game, states: States, players: Players) -> npt.NDArray[np.float32]:
    """float32 [n]: each player's score minus the opponent's.

    Args:
        game: any.
        states: uint8 [n, state_size].
        players: int32 [n].
    """
    score = game.score(states)
    rows = np.arange(len(states))
    lead: npt.NDArray[np.float32] = score[rows, players] - score[rows, 1 - players]
    return lead


def lead_values(game: Game, states: States, players: Players) -> npt.NDArray[np.float32]:
    """float32 [n] in (-1, 1): what the score makes of positions, for each player.

    A lead of the game's `score_scale` is worth tanh(1) = 0.76 of a win.

    Args:
        game: any.
        states: uint8 [n, state_size].
        players: int32 [n].
    """
    lead = leads(game, states, players)
    values: npt.NDArray[np.float32] = np.tanh(lead / np.float32(game.spec.score_scale))
    return values
