"""Random games over a batch, for every row that needs moves or positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.game import Actions, Counts, Game, States, StepBuffers

NUM_PLIES = 64
"""Positions are taken from so many first actions of random games: most of these last longer."""


class RandomGames:
    """Games side by side, played at random; one that is finished starts over.

    Args:
        game: any.
        states: uint8 [n, state_size]: unfinished positions to go on from; copied.
        rng: draws all actions, all chance, and the games that start over.
        rules: of the games that start over; None for the default.
        mask: whether dense masks are made.
        observations: whether observations are made.

    Attributes:
        states: uint8 [n, state_size].
        buffers: of the positions there.
    """

    def __init__(
        self,
        game: Game,
        states: States,
        rng: np.random.Generator,
        *,
        rules: Any | None = None,
        mask: bool = False,
        observations: bool = False,
    ) -> None:
        n = len(states)
        self._game = game
        self._rng = rng
        self._start = game.new_states(n, rng, rules)
        self.states = states.copy()
        self.buffers: StepBuffers = game.new_buffers(n, mask=mask, observations=observations)
        game.refresh(self.states, self.buffers)

    def play(self, num_steps: int) -> int:
        """Plays so many actions in every game; returns how many in all."""
        game, states, buffers = self._game, self.states, self.buffers
        for _ in range(num_steps):
            actions = random_choice(buffers.legal_actions, buffers.counts, self._rng)
            draws = self._rng.random(len(states)) if game.spec.has_chance else None
            game.step_into(states, actions, draws, buffers)
            for row in np.flatnonzero(buffers.counts == 0).tolist():
                states[row] = self._start[row]
                game.refresh(states[row : row + 1], buffers.rows(row, row + 1))
        return num_steps * len(states)


def random_choice(legal_actions: Actions, counts: Counts, rng: np.random.Generator) -> Actions:
    """int32 [n]: one legal action of each row.

    Args:
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n], each at least 1.
        rng: draws once per row.
    """
    n = len(counts)
    columns = (rng.random(n) * counts).astype(np.int64)
    chosen: Actions = legal_actions[np.arange(n), columns]
    return chosen


def typical_states(game: Game, num_states: int, rng: np.random.Generator) -> States:
    """Unfinished positions of random games, after 0, 1, 2 … `NUM_PLIES` − 1 actions or so.

    Args:
        game: any.
        num_states: how many.
        rng: draws all actions, and all chance.

    Returns:
        uint8 [num_states, state_size].
    """
    plies = np.arange(num_states) % NUM_PLIES
    games = RandomGames(game, game.new_states(num_states, rng), rng)
    found = games.states.copy()
    for ply in range(1, min(NUM_PLIES, num_states)):
        games.play(1)
        found[plies == ply] = games.states[plies == ply]
    return found
