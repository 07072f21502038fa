"""Evaluation: the network in training, with search, against the anchors."""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from agents.inference import Agreement, BackendEvaluator, agreement, outputs_of
from agents.inference.torch_backend import TorchBackend
from agents.mcts_agent import MCTSAgent
from agents.specs import parse_agent_spec
from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Game
from training.anchors import rate_on_anchors
from training.arena import Batch, MatchSettings, match_batches, play_batch
from training.checkpoint import RunState
from training.errors import ConfigError
from training.evaluation_file import EvaluationFile
from training.match_result import GameResult, MatchResult
from training.metrics import MetricsWriter
from training.report import evaluation_scalars, position_picture
from training.streams import stream

_MAX_GAMES_IN_BATCH = 32


def check_anchors(game: Game, anchors: Sequence[str]) -> None:
    """Makes sure that all anchors can be loaded, before a run needs them.

    Raises:
        ConfigError: one cannot.
    """
    for anchor in anchors:
        try:
            parse_agent_spec(anchor).load(game)
        except CotulenhError as error:
            raise ConfigError(f"evaluation.anchors: {error}") from error


def evaluate(
    state: RunState, num_games: int, on_finished: Callable[[str, int], None]
) -> dict[str, MatchResult]:
    """Plays a match against each anchor, side by side.

    The games depend on the seed, the iteration and the weights only.

    Args:
        state: of the run; left unchanged.
        num_games: against each anchor.
        on_finished: called with the anchor and the number of games finished against it.

    Returns:
        Results by anchor, from the network's view.
    """
    config, game = state.config, state.game
    settings = MatchSettings(
        num_games, config.evaluation.opening_turns, max_games_in_batch=_MAX_GAMES_IN_BATCH
    )
    num_finished: Counter[str] = Counter()
    lock = threading.Lock()

    def play(task: tuple[str, Batch]) -> list[GameResult]:
        anchor, batch = task

        def count(number: int) -> None:
            with lock:
                num_finished[anchor] += number
                on_finished(anchor, num_finished[anchor])

        players = (_player(state), parse_agent_spec(anchor).load(game))
        return play_batch(game, players, batch, settings, state.rules, count)

    tasks = [
        (anchor, batch)
        for index, anchor in enumerate(config.evaluation.anchors)
        for batch in match_batches(
            settings, stream(config.seed, "evaluation", state.counters.iteration, index)
        )
    ]
    played = state.threads.map(play, tasks)
    games: dict[str, list[GameResult]] = {anchor: [] for anchor in config.evaluation.anchors}
    for (anchor, _), results in zip(tasks, played, strict=True):
        games[anchor] += results
    return {anchor: MatchResult(tuple(results)) for anchor, results in games.items()}


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


def report_evaluation(
    state: RunState,
    results: Mapping[str, MatchResult],
    metrics: MetricsWriter,
    file: EvaluationFile,
) -> list[str]:
    """Writes an evaluation to TensorBoard and to the run's table.

    Returns:
        What is to be told on the screen, line by line.
    """
    counters, rating = state.counters, rate_on_anchors(state.game, state.rules, results)
    inference = inference_agreement(state)
    metrics.write(
        counters.iteration, evaluation_scalars(results, rating, inference), sample_pictures(state)
    )
    file.write(
        counters.iteration,
        counters.num_games,
        state.replay.num_added,
        counters.seconds,
        results,
        rating,
    )
    lines = []
    if not inference.is_acceptable and state.backend.name != "torch-float32":
        lines.append(
            f"inference by {state.backend.name} has become inexact, {inference}: the exact one is "
            f"taken by cotulenh train --resume {state.config.run_dir} --inference torch-float32"
        )
    scores = ", ".join(f"{result.score:.0%} against {name}" for name, result in results.items())
    lines.append(f"iteration {counters.iteration}: score {scores}; {rating}")
    return lines


def _player(state: RunState) -> MCTSAgent:
    settings = dataclasses.replace(
        state.config.search, num_simulations=state.config.evaluation.num_simulations
    )
    evaluator = BackendEvaluator(state.game, state.backend)
    return MCTSAgent(state.game, evaluator, settings, name="network")
