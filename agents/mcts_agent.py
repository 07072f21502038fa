"""`MCTSAgent`: searches, then plays what the search found best."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from agents.checks import checked_number
from agents.evaluator import Evaluator
from agents.search import BatchedSearch, SearchSettings
from agents.temperature import drawn_columns
from agents.time_control import TimeControl
from cotulenh_env.game import Actions, Game, States


class MCTSAgent(Agent):
    """Plays by Monte Carlo tree search.

    Args:
        game: any.
        evaluator: of positions of that game.
        settings: of the search; `gumbel_scale` and `dirichlet_fraction` below take the places of
            theirs.
        gumbel_scale: of Gumbel search; 0 plays without noise.
        dirichlet_fraction: of PUCT; 0 plays without noise.
        temperature: 0 plays the action that the search chose; otherwise actions are drawn with
            probabilities in proportion to policy ** (1 / temperature), which with PUCT are visits.
        time_limit_seconds: time per action, in place of the settings' number of simulations; None
            leaves it at that number. What is played then depends on the speed of the machine.
        name: for tables and logs.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        settings: SearchSettings | None = None,
        *,
        gumbel_scale: float = 0.0,
        dirichlet_fraction: float = 0.0,
        temperature: float = 0.0,
        time_limit_seconds: float | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game)
        checked_number("temperature", temperature)
        self.name = name
        self.temperature = temperature
        settings = dataclasses.replace(
            SearchSettings() if settings is None else settings,
            gumbel_scale=gumbel_scale,
            dirichlet_fraction=dirichlet_fraction,
        )
        self.search = BatchedSearch(game, evaluator, settings)
        self._time_control = (
            None if time_limit_seconds is None else TimeControl(self.search, time_limit_seconds)
        )

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """The searched action of every row: see `Agent.act`."""
        return self.judge(states, rng)[0]

    def judge(
        self, states: States, rng: np.random.Generator
    ) -> tuple[Actions, npt.NDArray[np.float32]]:
        """The searched action of every row, and the value of its position: see `Agent.judge`."""
        if self._time_control is None:
            result = self.search.search(states, rng)
        else:
            result = self._time_control.search(states, rng)
        if self.temperature == 0 or len(states) == 0:
            return result.actions, result.values
        temperatures = np.full(len(states), float(self.temperature))
        columns = drawn_columns(result.policy, result.counts, temperatures, rng)
        actions: Actions = result.legal_actions[np.arange(len(states)), columns]
        return actions, result.values

    def forget(self) -> None:
        """Drops the search trees that the next search might begin with."""
        self.search.forget()
