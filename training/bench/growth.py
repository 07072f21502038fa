"""Growth curves: with the number of games, of simulations and of threads, and along the game."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

import numpy as np

from cotulenh_env.registry import load_game
from training.bench.playout import compiled_playout
from training.bench.random_play import RandomGames, random_choice, typical_states
from training.bench.rows import Curve
from training.bench.search import search_work
from training.bench.self_play import play, self_play_config
from training.bench.settings import BenchSettings
from training.bench.timing import Work, timed
from training.loop import new_state

_STEPS_PER_POINT = 8192
"""Steps of one measurement with small batches; with large ones each game plays at least four."""
_SIMULATIONS_BY_BATCH = 32


def measure(settings: BenchSettings) -> list[Curve]:
    """All curves."""
    return [
        _by_batch(settings),
        _by_simulations(settings),
        *_by_threads(settings),
        _by_ply(settings),
    ]


def _by_batch(settings: BenchSettings) -> Curve:
    game = load_game("commander")
    points = []
    for num_games in settings.batch_sizes:
        rng = np.random.default_rng(settings.seed)
        num_steps = max(4, min(settings.num_batched_steps, _STEPS_PER_POINT // num_games))
        states = typical_states(game, num_games, rng)
        rates = [
            _rate(settings, partial(games.play, num_steps))
            for games in (
                RandomGames(game, states, rng),
                RandomGames(game, states, rng, mask=True, observations=True),
            )
        ]
        work = search_work(settings, num_games, _SIMULATIONS_BY_BATCH)
        points.append((num_games, *rates, _rate(settings, work)))
    return Curve(
        "number of games, one thread, per CPU-second",
        ("games", "steps/s", "with planes, masks", f"simulations/s of {_SIMULATIONS_BY_BATCH}"),
        tuple(points),
    )


def _by_simulations(settings: BenchSettings) -> Curve:
    points = []
    for num_simulations in settings.curve_simulations:
        rate = _rate(settings, search_work(settings, settings.num_searches, num_simulations))
        points.append((num_simulations, rate, 1e6 / rate))
    return Curve(
        f"simulations, {settings.num_searches} games, one thread, per CPU-second",
        ("simulations", "simulations/s", "µs each"),
        tuple(points),
    )


def _by_threads(settings: BenchSettings) -> list[Curve]:
    """Every thread has as much work as the one alone."""
    points: dict[str, list[tuple[float, ...]]] = {
        "random playout in the compiled loop": [],
        f"MCTS with {settings.num_simulations} simulations": [],
        "self-play with its network": [],
    }
    for num_threads in settings.thread_counts:
        playouts = [
            compiled_playout(settings, load_game("commander"), settings.num_kernel_steps)
            for _ in range(num_threads)
        ]
        searches = [
            search_work(settings, settings.num_searches, settings.num_simulations)
            for _ in range(num_threads)
        ]
        found = (
            _side_by_side(settings, playouts),
            _side_by_side(settings, searches),
            _self_play(settings, num_threads),
        )
        for done, (rate, cores) in zip(points.values(), found, strict=True):
            one = done[0][1] if done else rate
            done.append((num_threads, rate, rate / one, cores))
    return [
        Curve(
            f"threads: {name}, as much work in each, by the wall",
            ("threads", "per second", "× of the first", "cores used"),
            tuple(done),
        )
        for name, done in points.items()
    ]


def _by_ply(settings: BenchSettings) -> Curve:
    """Random games from the start to the end; the finished ones drop out."""
    game, num_games = load_game("commander"), settings.num_games
    rng = np.random.default_rng(settings.seed)
    states = game.new_states(num_games)
    buffers = game.new_buffers(num_games, mask=True, observations=True)
    game.refresh(states, buffers)
    points = []
    for first in range(0, settings.num_plies, settings.ply_step):
        share, num_steps, num_legal, seconds = len(states) / num_games, 0, 0, 0.0
        for _ in range(settings.ply_step):
            alive = buffers.counts > 0
            if not alive.all():
                states = states[alive]
                buffers = game.new_buffers(len(states), mask=True, observations=True)
                game.refresh(states, buffers)
            if not len(states):
                break
            actions = random_choice(buffers.legal_actions, buffers.counts, rng)
            num_legal += int(buffers.counts.sum())
            begin = time.process_time()
            game.step_into(states, actions, None, buffers)
            seconds += time.process_time() - begin
            num_steps += len(states)
        if not num_steps:
            break
        points.append((first, 100 * share, num_legal / num_steps, num_steps / max(seconds, 1e-9)))
    return Curve(
        f"along {num_games} random games, one thread, per CPU-second",
        ("from action", "% still going", "legal actions", "with planes, masks"),
        tuple(points),
    )


def _rate(settings: BenchSettings, work: Work) -> float:
    """Units per CPU-second, the median of a few repeats."""
    work()
    samples = [timed(work) for _ in range(settings.num_curve_repeats)]
    return median(units / max(cpu, 1e-9) for units, cpu, _ in samples)


def _side_by_side(settings: BenchSettings, works: list[Work]) -> tuple[float, float]:
    """All works at once, each in a thread: see `_by_the_wall`."""
    with ThreadPoolExecutor(len(works)) as pool:
        return _by_the_wall(settings, lambda: sum(pool.map(_call, works)))


def _call(work: Work) -> float:
    return work()


def _self_play(settings: BenchSettings, num_threads: int) -> tuple[float, float]:
    """Simulations of self-play: see `_by_the_wall`."""
    state = new_state(self_play_config(settings, num_threads))
    try:
        return _by_the_wall(settings, lambda: play(state, settings.num_self_play_steps))
    finally:
        state.threads.close()


def _by_the_wall(settings: BenchSettings, work: Work) -> tuple[float, float]:
    """Units per second that passes, and the cores that it had; medians of a few repeats."""
    work()
    samples = [timed(work) for _ in range(settings.num_curve_repeats)]
    rates = [units / max(wall, 1e-9) for units, _, wall in samples]
    cores = [cpu / max(wall, 1e-9) for _, cpu, wall in samples]
    return median(rates), median(cores)
