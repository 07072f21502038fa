"""Evaluation: the network in training, with search, against the fixed agents."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import agents
from agents.inference import Agreement, BackendEvaluator, agreement, outputs_of
from agents.inference.torch_backend import TorchBackend
from agents.mcts_agent import MCTSAgent
from training.arena import MatchResult, MatchSettings, play_match
from training.checkpoint import RunState
from training.report import position_picture
from training.streams import stream

OPPONENTS = ("random", "greedy")
"""Fixed agents that progress is measured against."""


def evaluate(
    state: RunState, num_games: int, on_finished: Callable[[str, int], None]
) -> dict[str, MatchResult]:
    """Plays a match against each opponent, side by side.

    The games depend on the seed, the iteration and the weights only.

    Args:
        state: of the run; left unchanged.
        num_games: against each opponent.
        on_finished: called with the opponent and the number of games finished against it.

    Returns:
        Results by opponent, from the network's view.
    """
    settings = state.config.evaluation

    def play(opponent: str) -> MatchResult:
        index = OPPONENTS.index(opponent)
        return play_match(
            state.game,
            (_player(state), agents.load(opponent, game=state.game)),
            MatchSettings(num_games=num_games, opening_turns=settings.opening_turns),
            stream(state.config.seed, "evaluation", state.counters.iteration, index),
            state.rules,
            on_finished=lambda num_done: on_finished(opponent, num_done),
        )

    return dict(zip(OPPONENTS, state.threads.map(play, OPPONENTS), strict=True))


def inference_agreement(state: RunState) -> Agreement:
    """How closely the run's backend follows the network in the positions being played."""
    states = state.self_play.states
    exact = TorchBackend(state.network, state.device)
    return agreement(
        outputs_of(state.game, exact, states), outputs_of(state.game, state.backend, states)
    )


def sample_pictures(state: RunState) -> dict[str, npt.NDArray[np.uint8]]:
    """Pictures of a position of self-play as the network sees it, by tag."""
    return position_picture(state.game, state.self_play.sample_state(), _player(state).search)


def _player(state: RunState) -> MCTSAgent:
    settings = dataclasses.replace(
        state.config.search, num_simulations=state.config.evaluation.num_simulations
    )
    evaluator = BackendEvaluator(state.game, state.backend)
    return MCTSAgent(state.game, evaluator, settings, name="network")
