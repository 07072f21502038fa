"""The training loop: self-play → replay buffer → learner → evaluation → checkpoint."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from agents.errors import EvaluationError
from agents.inference import Backend, BackendEvaluator, choose_backend
from agents.network import PolicyValueNetwork
from agents.search import BatchedSearch
from agents.weights import load_weights
from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game
from training.anchors import AnchoredRating, rate_on_anchors
from training.calibration import typical_planes
from training.checkpoint import Counters, RunState, load_checkpoint, save_checkpoint
from training.checkpoint_files import latest_checkpoint
from training.config import TrainConfig, config_to_yaml
from training.errors import ConfigError, TrainingError
from training.evaluation import check_anchors, evaluate, report_evaluation
from training.evaluation_file import EvaluationFile
from training.interrupts import InterruptedRunError, interrupt_between_steps
from training.learner import Learner, LearnerStats, mean_stats
from training.match_result import MatchResult
from training.metrics import MetricsWriter
from training.parallel_self_play import ParallelSelfPlay
from training.progress import Progress, duration_text
from training.replay import ReplayBuffer
from training.report import iteration_scalars
from training.rule_choices import rule_sets
from training.run_folder import RunFolder
from training.score_shaping import ScoreShapedEvaluator
from training.self_play import SelfPlay, TimedEvaluator
from training.streams import seed_sequence, stream
from training.teaching import make_teacher
from training.threads import Threads

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RunSummary:
    """What a finished run has to tell.

    Attributes:
        results: the last evaluation, by anchor.
        rating: what it amounts to.
        counters: how far the run is.
        num_positions: positions played and kept since the start.
        folder: of the run.
        game: its name.
    """

    results: dict[str, MatchResult]
    rating: AnchoredRating
    counters: Counters
    num_positions: int
    folder: RunFolder
    game: str


def train(config: TrainConfig) -> RunSummary:
    """Trains as configured, or goes on with the run of `config.resume`.

    Raises:
        KeyboardInterrupt: Ctrl-C; a checkpoint has been saved, unless it was pressed twice.
        TrainingError: loss or network outputs are not finite, or a checkpoint cannot be written.
        CotulenhError: the run folder or its checkpoint cannot be used.
    """
    if config.run_dir is None:
        raise ConfigError("run_dir is not set")
    folder = RunFolder(config.run_dir)
    if config.resume is not None and not folder.path.is_dir():
        raise ConfigError(f"--resume {config.resume} is no folder")
    state = new_state(config)  # first: settings that do not work leave no folder behind
    if config.resume is None and not folder.is_locked_by_a_run:
        folder.refuse_old_run()  # before a lock is laid into somebody's folder
    with folder.locked():
        if config.resume is None:
            folder.refuse_old_run()
        trainer = Trainer(state, folder)
        with interrupt_between_steps(trainer):
            return trainer.run()


class Trainer:
    """One run in this process.

    Args:
        state: of a new run; when resuming it is filled from the folder's latest checkpoint.
        folder: of the run, locked.
    """

    def __init__(self, state: RunState, folder: RunFolder) -> None:
        self.stop_wanted = False
        self._state = state
        self._config = config = state.config
        self._folder = folder
        if config.resume is not None:
            logger.info("checking the checkpoint in %s, seconds when it is full", folder.path)
            path = load_checkpoint(folder, state)
            logger.info("resuming from %s", path)
            if state.counters.iteration > config.num_iterations:
                raise ConfigError(
                    f"num_iterations is {config.num_iterations}, but the run has done "
                    f"{state.counters.iteration} already"
                )
        folder.write_config(config_to_yaml(config))
        self._metrics = MetricsWriter(folder.tensorboard, state.counters.iteration + 1)
        self._evaluations = EvaluationFile(folder.evaluation, state.counters.iteration + 1)
        self._progress = Progress()
        self._started = time.perf_counter()
        self._seconds_before = state.counters.seconds
        self._first_iteration = state.counters.iteration
        # What an interrupted iteration has counted so far is not in its checkpoint.
        self._is_partial = state.counters.self_play_steps > 0 or state.counters.learner_steps > 0
        self._learner_seconds = 0.0
        self._learner_stats: list[LearnerStats] = []
        self._results: dict[str, MatchResult] = {}

    def run(self) -> RunSummary:
        """Trains to the end."""
        state, config = self._state, self._config
        counters = state.counters
        num_parameters = sum(weight.numel() for weight in state.network.parameters())
        logger.info(
            "%s on %s by %s: network of %s parameters, "
            "memory of %s positions in %.0f MB, run in %s",
            config.game,
            state.device,
            state.backend.name,
            f"{num_parameters:,}",
            f"{config.replay.capacity:,}",
            state.replay.num_bytes / 1e6,
            self._folder.path,
        )
        try:
            self._run_iterations()
        except InterruptedRunError:
            raise KeyboardInterrupt from None
        except (TrainingError, EvaluationError) as error:
            latest = self._folder.latest
            last = latest.resolve() if latest.exists() else "none"
            raise TrainingError(f"{error}: the last good checkpoint is {last}") from error
        finally:
            self._progress.close()
            self._metrics.close()
            state.threads.close()
        return RunSummary(
            self._results,
            rate_on_anchors(state.game, state.rules, self._results),
            counters,
            state.replay.num_added,
            self._folder,
            self._config.game,
        )

    def _run_iterations(self) -> None:
        config, counters = self._config, self._state.counters
        try:
            self._state.backend.refresh()  # a checkpoint's weights may have come after its making
            self._evaluate_if_due()
            if config.resume is None:
                self._save()
            while counters.iteration < config.num_iterations:
                self._play()
                self._learn()
                self._finish_iteration()
                # Before the checkpoint, which then says so: no evaluation is written twice.
                is_evaluated = self._evaluate_if_due()
                if is_evaluated or counters.iteration % config.checkpoint.every == 0:
                    self._save()
            if not self._results:
                self._results = self._play_evaluation()  # a finished run, resumed for its table
        except InterruptedRunError:
            path = self._save()
            self._progress.message(
                f"interrupted: saved {path}; go on with cotulenh train --resume {self._folder.path}"
            )
            raise

    def _play(self) -> None:
        state, counters = self._state, self._state.counters
        while counters.self_play_steps < self._config.self_play.steps_per_iteration:
            self._check_stop()
            num_finished, finished = state.self_play.step(counters.iteration)
            counters.num_games += num_finished
            for positions in finished:
                state.replay.add(positions)
            counters.self_play_steps += 1
            self._progress.update(
                f"iteration {counters.iteration + 1}/{self._config.num_iterations}  self-play "
                f"{counters.self_play_steps}/{self._config.self_play.steps_per_iteration}"
                f"{self._time_left_text()}"
            )

    def _learn(self) -> None:
        state, counters, settings = self._state, self._state.counters, self._config.learner
        if state.replay.num_added < self._config.replay.min_positions:
            return
        start = time.perf_counter()
        due = settings.num_steps_due(state.replay.num_added)
        num_steps = settings.steps_per_iteration
        if due is not None:
            num_steps = counters.learner_steps + max(0, due - state.learner.num_steps)
        while counters.learner_steps < num_steps:
            self._check_stop()
            batch = state.replay.sample(
                settings.batch_size, state.sampling_rng, use_symmetries=settings.use_symmetries
            )
            progress = counters.iteration + counters.learner_steps / num_steps
            self._learner_stats.append(
                state.learner.step(batch, progress / self._config.num_iterations)
            )
            counters.learner_steps += 1
            counters.num_samples += settings.batch_size
            self._progress.update(
                f"iteration {counters.iteration + 1}/{self._config.num_iterations}  learning "
                f"{counters.learner_steps}/{num_steps}{self._time_left_text()}"
            )
        state.backend.refresh()
        self._learner_seconds += time.perf_counter() - start

    def _finish_iteration(self) -> None:
        """Counts the iteration and reports it."""
        state, counters = self._state, self._state.counters
        played, learned = state.self_play.take_stats(), mean_stats(self._learner_stats)
        self._learner_stats = []
        learner_seconds, self._learner_seconds = self._learner_seconds, 0.0
        counters.iteration += 1
        counters.self_play_steps = counters.learner_steps = 0
        counters.seconds = self._seconds_before + time.perf_counter() - self._started
        scalars = iteration_scalars(
            played, learned, learner_seconds, state.replay, counters, state.learner.num_steps
        )
        if not self._is_partial:
            self._metrics.write(counters.iteration, scalars)
        self._is_partial = False
        losses = (
            f"policy loss {learned.policy:.3f}  value loss {learned.value:.3f}"
            if learned is not None
            else "collecting positions"
        )
        self._progress.milestone(
            f"iteration {counters.iteration}/{self._config.num_iterations}"
            f"{self._time_left_text()}  games {counters.num_games:,}  "
            f"positions/s {scalars['speed/positions_per_second']:,.0f}  {losses}"
        )

    def _evaluate_if_due(self) -> bool:
        """Evaluates after the last iteration and every few; tells whether it did."""
        state, counters = self._state, self._state.counters
        iteration, every = counters.iteration, self._config.evaluation.every
        is_last = iteration == self._config.num_iterations
        is_due = is_last or (every > 0 and iteration % every == 0)
        if not is_due or counters.last_evaluated >= iteration:
            return False
        self._results = self._play_evaluation()
        counters.last_evaluated = iteration
        for text in report_evaluation(state, self._results, self._metrics, self._evaluations):
            self._progress.message(text)
        return True

    def _play_evaluation(self) -> dict[str, MatchResult]:
        settings = self._config.evaluation
        is_last = self._state.counters.iteration == self._config.num_iterations
        num_games = settings.final_games if is_last else settings.num_games
        return evaluate(self._state, num_games, self._on_evaluated)

    def _on_evaluated(self, anchor: str, num_done: int) -> None:
        self._check_stop()
        self._progress.update(f"evaluation against {anchor}: {num_done} games finished")

    def _save(self) -> Any:
        counters = self._state.counters
        counters.seconds = self._seconds_before + time.perf_counter() - self._started
        return save_checkpoint(self._folder, self._state)

    def _check_stop(self) -> None:
        if self.stop_wanted:
            raise InterruptedRunError

    def _time_left_text(self) -> str:
        counters = self._state.counters
        num_done = counters.iteration - self._first_iteration
        if num_done == 0:
            return ""
        per_iteration = (time.perf_counter() - self._started) / num_done
        left = per_iteration * (self._config.num_iterations - counters.iteration)
        return f"  about {duration_text(left)} left"


def new_state(config: TrainConfig) -> RunState:
    """A run before its first step; its settings name the inference that `auto` came to."""
    game = load_game(config.game)
    rules = rule_sets(game, config.rules)
    check_anchors(game, config.evaluation.anchors)
    device = _device(config.device)
    threads = Threads(config.num_threads)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(seed_sequence(config.seed, "network").generate_state(1)[0]))
        network = PolicyValueNetwork(game.spec, config.network.resolved)
    network.calibrate(typical_planes(game, rules, stream(config.seed, "calibration")))
    if config.resume is not None:
        _take_saved_weights(network, config.resume, game)
    network.to(device)
    learner = Learner(game.spec, network, config.learner, device, threads)
    playing = learner.playing_network
    batch_size = -(-config.self_play.num_games_in_batch // config.num_threads)
    backend = choose_backend(config.inference, game, playing, device, batch_size, rules[0])
    config = dataclasses.replace(config, inference=backend.name)
    return RunState(
        config=config,
        game=game,
        rules=rules[0],
        device=device,
        network=playing,
        backend=backend,
        threads=threads,
        learner=learner,
        replay=ReplayBuffer(game, config.replay),
        self_play=_new_self_play(config, game, rules, backend, threads),
        sampling_rng=stream(config.seed, "sampling"),
        counters=Counters(),
    )


def _take_saved_weights(network: PolicyValueNetwork, folder: str, game: Game) -> None:
    """Gives a resumed run's network its weights before a backend is chosen for it.

    What does not fit is passed over here: reading the checkpoint says what is wrong with it.
    """
    try:
        saved = load_weights(latest_checkpoint(RunFolder(folder)), game=game).network
    except CotulenhError:
        return
    if saved.settings == network.settings:
        network.load_state_dict(saved.state_dict())


def _new_self_play(
    config: TrainConfig,
    game: Game,
    rules: Sequence[Any],
    backend: Backend,
    threads: Threads,
) -> ParallelSelfPlay:
    parts = []
    num_games, num_threads = config.self_play.num_games_in_batch, config.num_threads
    for index in range(num_threads):
        evaluator = TimedEvaluator(ScoreShapedEvaluator(game, BackendEvaluator(game, backend)))
        parts.append(
            SelfPlay(
                game,
                rules,
                BatchedSearch(game, evaluator, config.search),
                evaluator,
                config.self_play,
                num_games // num_threads + (index < num_games % num_threads),
                stream(config.seed, "self_play", index),
                make_teacher(game, config.self_play),
            )
        )
    return ParallelSelfPlay(parts, threads)


def _device(name: str) -> torch.device:
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ConfigError("device is cuda, but torch finds no GPU here")
    return torch.device("cuda" if name == "cuda" or (name == "auto" and has_gpu) else "cpu")
