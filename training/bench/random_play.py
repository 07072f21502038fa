"""Random games over a batch, for every row that needs moves or positions."""

from __future__ import annotations

import numpy as np

from cotulenh_env.game import Actions, Counts, Game, States, StepBuffers


class RandomGames:
    """Games side by side, played at random; one that is finished starts over.

    Args:
        game: without chance.
        num_games: rows.
        rng: draws all actions.
        mask: whether dense masks are made.
        observations: whether observations are made.

    Attributes:
        states: uint8 [num_games, state_size].
        buffers: of the positions there.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        rng: np.random.Generator,
        *,
        mask: bool = False,
        observations: bool = False,
    ) -> None:
        self._game = game
        self._rng = rng
        self._start = game.new_states(num_games)
        self.states = self._start.copy()
        self.buffers: StepBuffers = game.new_buffers(
            num_games, mask=mask, observations=observations
        )
        game.refresh(self.states, self.buffers)

    def play(self, num_steps: int) -> int:
        """Plays so many actions in every game; returns how many in all."""
        game, states, buffers = self._game, self.states, self.buffers
        for _ in range(num_steps):
            actions = random_choice(buffers.legal_actions, buffers.counts, self._rng)
            game.step_into(states, actions, None, buffers)
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
    """Unfinished positions after 0, 1, 2 … 63 random actions, and again from 0."""
    games = RandomGames(game, num_states, rng)
    found = games.states.copy()
    for ply in range(1, 64):
        games.play(1)
        rows = np.arange(num_states) % 64 == ply
        found[rows] = games.states[rows]
    return found
