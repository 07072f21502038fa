"""`Worlds`: what a player who does not know everything imagines, anew for every simulation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.noise import Seeds, hashed
from cotulenh_env.game import Counts, Game, States

_FIRST_WORLD = 1 << 48
"""Where a row's stream turns to worlds: behind its noise and its draws of chance events."""
_NUM_AT_A_TIME = 32
"""Worlds of a row that lie in memory together; games may know ways to draw many of one position."""


class Worlds:
    """States that each row's player to move cannot tell from the row's own, drawn at random.

    Which ones depends on the row's state, its seed and its number of simulations, on no other row.

    Args:
        game: with hidden information.
        states: uint8 [n, state_size].
        num_simulations: int32 [n].
        seeds: uint64 [n].
    """

    def __init__(self, game: Game, states: States, num_simulations: Counts, seeds: Seeds) -> None:
        self._game = game
        self._states = states
        self._players = game.current_player(states)
        self._num_simulations = num_simulations
        self._seeds = seeds
        self._first = -1  # simulation of the first world in memory
        self._worlds = np.empty((len(states), _NUM_AT_A_TIME, game.spec.state_size), np.uint8)

    def of(self, rows: npt.NDArray[np.int32], simulation: int) -> States:
        """uint8 [len(rows), state_size]: the rows' worlds in one simulation.

        Args:
            rows: int32; in simulation 0, all that have a world in any.
            simulation: as often as wanted, but in ascending order.
        """
        first = simulation - simulation % _NUM_AT_A_TIME
        if first != self._first:
            self._first = first
            for row in rows:
                self._draw(int(row))
        worlds: States = self._worlds[rows, simulation - first]
        return worlds

    def _draw(self, row: int) -> None:
        """Draws those of the next simulations, and one where there are no simulations."""
        left = int(self._num_simulations[row]) - self._first
        number = min(max(left, 1), _NUM_AT_A_TIME)
        place = np.uint64(_FIRST_WORLD + self._first)
        seed = int(hashed(self._seeds[row : row + 1], place)[0])
        self._worlds[row, :number] = self._game.resample_hidden(
            np.repeat(self._states[row : row + 1], number, axis=0),
            np.repeat(self._players[row : row + 1], number),
            np.random.Generator(np.random.PCG64(seed)),
        )
