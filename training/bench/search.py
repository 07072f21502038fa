"""Tree search by itself: the null evaluator, so that nothing but search and rules takes time."""

from __future__ import annotations

from functools import partial

import numpy as np

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchSettings
from cotulenh_env.registry import load_game
from training.bench import peers
from training.bench.phases import PHASES, PhaseClock, clocked_search
from training.bench.random_play import typical_states
from training.bench.rows import Row, Spread, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, Work, peer_job, time_jobs

GROUP = "search"

_OPEN_SPIEL = "OpenSpiel chess, mcts in Python, null evaluator"


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of search."""
    work = search_work(settings, settings.num_searches, settings.num_simulations)
    jobs = [
        Job(
            f"MCTS of {settings.num_searches} games, {settings.num_simulations} simulations",
            work,
            "simulations/s",
            Target(3),
            _OPEN_SPIEL,
            "null evaluator",
        ),
        peer_job(_OPEN_SPIEL, partial(peers.open_spiel_search, settings), "simulations/s"),
    ]
    return [*time_jobs(GROUP, jobs, settings.num_repeats), *_by_phase(work, settings.num_repeats)]


def search_work(settings: BenchSettings, num_games: int, num_simulations: int) -> Work:
    """Searches so many positions of random games with the null evaluator."""
    game = load_game("commander")
    states = typical_states(game, num_games, np.random.default_rng(settings.seed))
    how = SearchSettings(num_simulations=num_simulations, reuse_subtrees=False)
    search = BatchedSearch(game, UniformEvaluator(), how)

    def work() -> float:
        search.search(states, np.random.default_rng(settings.seed))
        return num_games * num_simulations

    return work


def _by_phase(work: Work, num_repeats: int) -> list[Row]:
    clock = PhaseClock()
    samples: dict[str, list[float]] = {phase: [] for phase in PHASES}
    with clocked_search(clock, load_game("commander"), UniformEvaluator):
        for _ in range(num_repeats):
            clock.start()
            units = work()
            for phase, seconds in clock.stop().items():
                samples[phase].append(1e6 * seconds / units)
    return phase_rows(GROUP, samples)


def phase_rows(group: str, samples: dict[str, list[float]]) -> list[Row]:
    """Rows of the phases that took any time, with their shares.

    Args:
        group: of the rows.
        samples: CPU-microseconds per simulation in each repeat, by phase.
    """
    spreads = {phase: Spread.of(values) for phase, values in samples.items() if any(values)}
    total = sum(spread.median for spread in spreads.values())
    return [
        Row(
            group,
            f"  {phase}",
            "µs/simulation",
            values={"cpu": spread},
            note=f"{spread.median / total:.0%} of the time",
        )
        for phase, spread in spreads.items()
    ]
