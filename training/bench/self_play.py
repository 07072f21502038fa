"""Self-play of a shipped configuration in one thread: what is not the network, and the network."""

from __future__ import annotations

import dataclasses
import time

from cotulenh_env.registry import load_game
from training.bench.phases import EVALUATOR, PHASES, PhaseClock, clocked_search
from training.bench.rows import Row, Spread, Target
from training.bench.search import phase_rows
from training.bench.settings import BenchSettings
from training.checkpoint import RunState
from training.config import TrainConfig, parse_config
from training.loop import new_state
from training.self_play import TimedEvaluator

GROUP = "self-play"


def self_play_config(settings: BenchSettings, num_threads: int = 1) -> TrainConfig:
    """The shipped configuration, with the games of one of its threads for each thread here."""
    config = parse_config(["--config", settings.config, "--device", "cpu"])
    per_thread = max(1, config.self_play.num_games_in_batch // config.num_threads)
    self_play = dataclasses.replace(config.self_play, num_games_in_batch=per_thread * num_threads)
    return dataclasses.replace(
        config, seed=settings.seed, num_threads=num_threads, self_play=self_play
    )


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of self-play."""
    config = self_play_config(settings)
    state = new_state(config)
    phases: dict[str, list[float]] = {phase: [] for phase in PHASES}
    own, shares, by_cpu, by_wall = [], [], [], []
    clock = PhaseClock()
    with clocked_search(clock, load_game(config.game), TimedEvaluator):
        play(state, 1)
        for _ in range(settings.num_repeats):
            clock.start()
            begin = time.perf_counter()
            num_simulations = play(state, settings.num_self_play_steps)
            seconds, wall = clock.stop(), time.perf_counter() - begin
            total = sum(seconds.values())
            for phase in PHASES:
                phases[phase].append(1e6 * seconds[phase] / num_simulations)
            own.append(1e6 * (total - seconds[EVALUATOR]) / num_simulations)
            shares.append(100 * seconds[EVALUATOR] / total)
            by_cpu.append(num_simulations / total)
            by_wall.append(num_simulations / wall)
    network, num_games = config.network.resolved, config.self_play.num_games_in_batch
    what = (
        f"{num_games} games, {config.search.num_simulations} simulations, network of "
        f"{network.num_channels} channels × {network.num_blocks} blocks by {state.backend.name}"
    )
    return [
        Row(
            GROUP,
            f"self-play of the {settings.config} configuration",
            "simulations/s",
            values={"cpu": Spread.of(by_cpu), "wall": Spread.of(by_wall)},
            note=what,
        ),
        Row(
            GROUP,
            "search, rules and bookkeeping of self-play",
            "µs/simulation",
            values={"cpu": Spread.of(own)},
            target=Target(10, "value"),
            note="all but the network; observing is counted here",
        ),
        Row(
            GROUP,
            "share of time in the network",
            "%",
            values={"cpu": Spread.of(shares)},
        ),
        *phase_rows(GROUP, phases),
    ]


def play(state: RunState, num_steps: int) -> int:
    """Plays so many actions in every game; returns the number of simulations."""
    state.self_play.take_stats()
    for _ in range(num_steps):
        state.self_play.step()
    return state.self_play.take_stats().num_simulations
