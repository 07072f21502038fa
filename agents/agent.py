"""`Agent`: whatever chooses actions in a game, for many positions at once."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Game, States


class Agent(ABC):
    """Chooses actions in one game.

    Attributes:
        game: the game it plays, given at construction.
        name: how it is called in tables and logs.
    """

    name: str

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """One legal action for every row.

        Args:
            states: uint8 [n, state_size] of unfinished games; left unchanged.
            rng: the caller's generator, the only source of chance: the same generator state gives
                the same actions.

        Returns:
            int32 [n].
        """

    def judge(
        self, states: States, rng: np.random.Generator
    ) -> tuple[Actions, npt.NDArray[np.float32]]:
        """What `act` returns, and what the agent thinks of the positions.

        Returns:
            int32 [n]; float32 [n] in [-1, 1], for the player to move: 1 it wins, -1 it loses. NaN
            from an agent that has no opinion.
        """
        return self.act(states, rng), np.full(len(states), np.nan, np.float32)

    def forget(self) -> None:  # noqa: B027 - most agents keep nothing
        """Drops what it keeps from earlier calls, such as search trees or a table of positions.

        After it, `act` depends on nothing but the options, the states and the generator.
        """
