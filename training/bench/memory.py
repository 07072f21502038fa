"""What a state, a node of a tree and a stored position take, and what self-play takes in all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchSettings
from cotulenh_env.registry import load_game
from training.bench.random_play import typical_states
from training.bench.rows import Row, Spread
from training.bench.self_play import play, self_play_config
from training.bench.settings import BenchSettings
from training.loop import new_state
from training.replay import ReplayBuffer

GROUP = "memory"

_SCRIPT = """
import sys
from training.bench.memory import report_peaks
report_peaks(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
"""


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of memory."""
    config = self_play_config(settings)
    game = load_game(config.game)
    replay = ReplayBuffer(game, config.replay)
    imported, peak = _peaks(settings)
    return [
        _row("one state", "bytes", game.spec.state_size),
        _row(
            "one node of a search tree, its edges included",
            "bytes",
            _bytes_per_node(settings),
            f"{settings.num_simulations} simulations",
        ),
        _row(
            "one stored position, its policy included",
            "bytes",
            replay.num_bytes / config.replay.capacity,
            f"room for {config.replay.actions_per_position} legal actions on average",
        ),
        _row("a process that has imported everything", "MB", imported / 1e6, "at its peak"),
        _row(
            f"self-play of the {settings.config} configuration",
            "MB",
            peak / 1e6,
            "at its peak; one thread, its games alone",
        ),
    ]


def _row(name: str, unit: str, value: float, note: str = "") -> Row:
    return Row(GROUP, name, unit, "count", {"count": Spread.of([value])}, note=note)


def _bytes_per_node(settings: BenchSettings) -> float:
    """Of all that a search keeps."""
    game = load_game("commander")
    states = typical_states(game, settings.num_searches, np.random.default_rng(settings.seed))
    how = SearchSettings(num_simulations=settings.num_simulations, reuse_subtrees=False)
    search = BatchedSearch(game, UniformEvaluator(), how)
    search.search(states, np.random.default_rng(settings.seed))
    return search.num_bytes() / (settings.num_searches * (settings.num_simulations + 1))


def _peaks(settings: BenchSettings) -> tuple[int, int]:
    """Peaks of a new process: after its imports, and after some self-play."""
    numbers = (str(settings.seed), str(settings.num_memory_steps))
    command = [sys.executable, "-c", _SCRIPT, settings.config, *numbers]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    imported, peak = done.stdout.split()
    return int(imported), int(peak)


def report_peaks(config: str, seed: int, num_steps: int) -> None:
    """Prints this process's peaks of memory in bytes, before and after some self-play."""
    imported = peak_bytes()
    state = new_state(self_play_config(BenchSettings(seed=seed, config=config)))
    play(state, num_steps)
    print(imported, peak_bytes())


def peak_bytes() -> int:
    """The most memory that this process has held, in bytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:  # no Linux
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else 1024 * peak
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return 1024 * int(line.split()[1])
