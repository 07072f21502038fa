"""How long a new process takes to its first step, imports included.

SciPy is hidden from the process: Numba imports it where it is installed (0.15 s), and it comes with
OpenSpiel, which is here for the benchmark alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from training.bench.rows import Basis, Row, Spread, Target
from training.bench.settings import BenchSettings

GROUP = "start-up"

_FIRST_STEP = """
import sys
sys.modules["scipy"] = None
from cotulenh_env import commander_chess_v0
env = commander_chess_v0.raw_env()
env.reset(seed=0)
env.step(int(env.legal_actions()[0]))
"""


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of start-up."""
    cold, warm = [], []
    first_step(None)  # fills the usual cache
    for _ in range(settings.num_repeats):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(first_step(folder))
        warm.append(first_step(None))
    return [
        _row("first reset and step of a new process, cold", cold, 8, "compiles the kernels"),
        _row("first reset and step of a new process, warm", warm, 0.8, "kernels from the cache"),
    ]


def _row(name: str, samples: list[tuple[float, float]], limit: float, note: str) -> Row:
    values: dict[Basis, Spread] = {
        "wall": Spread.of(wall for wall, _ in samples),
        "cpu": Spread.of(cpu for _, cpu in samples),
    }
    return Row(GROUP, name, "s", "wall", values, Target(limit, "value"), note=note)


def first_step(cache: str | None) -> tuple[float, float]:
    """Seconds that a new process takes, by the wall and of CPU.

    Args:
        cache: an empty folder for its kernels, or None for the usual one.
    """
    environment = dict(os.environ) if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", _FIRST_STEP]
    before, begin = os.times(), time.perf_counter()
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, os.times()
    used = after.children_user + after.children_system
    return wall, used - before.children_user - before.children_system
