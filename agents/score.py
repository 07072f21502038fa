"""What the score says: who leads, and what a lead is worth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Game, Players, States

LEAD_SCALE = 100.0
"""A lead of this many points is worth tanh(1) = 0.76 of a win."""


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
