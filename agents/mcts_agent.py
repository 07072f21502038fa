"""`MCTSAgent`: searches, then plays what the search found best."""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from agents.checks import checked_number
from agents.evaluator import Evaluator
from agents.search import BatchedSearch, SearchSettings
from agents.time_control import TimeControl
from cotulenh_env.game import Actions, Game, States


class MCTSAgent(Agent):
    """Plays by Monte Carlo tree search.

    Args:
        game: any.
        evaluator: of positions of that game.
        settings: of the search; `gumbel_scale` below takes the place of theirs.
        gumbel_scale: 0 plays without noise.
        temperature: 0 plays the action that the search chose; otherwise actions are drawn with
            probabilities in proportion to policy ** (1 / temperature).
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
        temperature: float = 0.0,
        time_limit_seconds: float | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game)
        given: dict[str, object] = {"gumbel_scale": gumbel_scale, "temperature": temperature}
        for option, value in given.items():
            checked_number(option, value)
        self.name = name
        self.gumbel_scale = gumbel_scale
        self.temperature = temperature
        self.search = BatchedSearch(game, evaluator, settings)
        self._time_control = (
            None if time_limit_seconds is None else TimeControl(self.search, time_limit_seconds)
        )

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """The searched action of every row: see `Agent.act`."""
        if self._time_control is None:
            result = self.search.search(states, rng, gumbel_scale=self.gumbel_scale)
        else:
            result = self._time_control.search(states, rng, self.gumbel_scale)
        if self.temperature == 0 or len(states) == 0:
            return result.actions
        with np.errstate(divide="ignore"):  # log 0 = −inf, whose weight is 0 again
            logits = np.log(result.policy.astype(np.float64)) / self.temperature
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        limits = np.cumsum(weights, axis=1)
        wanted = rng.random(len(states)) * limits[:, -1]
        columns = np.minimum(np.argmax(limits > wanted[:, None], axis=1), result.counts - 1)
        actions: Actions = result.legal_actions[np.arange(len(states)), columns]
        return actions

    def forget(self) -> None:
        """Drops the search trees that the next search might begin with."""
        self.search.forget()
