"""`AlphaBetaAgent`: plays what an alpha-beta search finds best."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from agents.alphabeta.evaluation_weights import EvaluationWeights
from agents.alphabeta.searcher import AlphaBetaSearch
from agents.alphabeta.settings import AlphaBetaSettings
from agents.errors import AgentError
from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.game import Actions, Game, States


class AlphaBetaAgent(Agent):
    """Plays Commander Chess by alpha-beta search, in every edition and battle (docs/alphabeta.md).

    Among actions of the same value it draws one, uniformly. It owns the memory of its search: two
    threads need two agents.

    Args:
        game: Commander Chess.
        settings: how far it looks.
        weights: of its evaluation.

    Raises:
        AgentError: it is another game.
    """

    name = "alphabeta"

    def __init__(
        self,
        game: Game,
        settings: AlphaBetaSettings | None = None,
        weights: EvaluationWeights | None = None,
    ) -> None:
        if not isinstance(game, CommanderChess):
            raise AgentError(f"agent 'alphabeta' plays commander only, not {game.spec.name}")
        super().__init__(game)
        self.search = AlphaBetaSearch(settings, weights)

    @property
    def settings(self) -> AlphaBetaSettings:
        """How far it looks."""
        return self.search.settings

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """One of the best actions of every row: see `Agent.act`."""
        return self.judge(states, rng)[0]

    def judge(
        self, states: States, rng: np.random.Generator
    ) -> tuple[Actions, npt.NDArray[np.float32]]:
        """One of the best actions of every row, and its value: see `Agent.judge`.

        A lead of the game's `score_scale` counts as tanh(1) = 0.76 of a win.
        """
        draws = rng.random(len(states))
        actions = np.empty(len(states), np.int32)
        values = np.empty(len(states), np.float32)
        for row, draw in enumerate(draws.tolist()):
            found = self.search.search(states[row])
            actions[row] = found.best_actions[int(draw * len(found.best_actions))]
            values[row] = math.tanh(found.value / (10 * self.game.spec.score_scale))
        return actions, values
