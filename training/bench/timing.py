"""Timing of work, in turns with what it is compared with.

All works of one group are timed one after the other, again and again: what else runs on the machine
then disturbs them alike, and their ratios least.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from training.bench.rows import Basis, Row, Spread, Target, missing_row

Work = Callable[[], float]
"""Does some work in one thread, and returns how many units of it."""

OPTIONAL_MODULES = frozenset(
    {"absl", "chess", "onnx", "onnxruntime", "onnxscript", "open_spiel", "pygame", "pyspiel"}
    | {"safetensors", "scipy", "tensorboard", "torch"}
)
"""Top-level modules of extras: without them the rest is measured all the same."""


@dataclass(frozen=True)
class Job:
    """One row to be timed.

    Attributes:
        name: of the row.
        work: what is timed; or the name of the module that it lacks.
        unit: rates are per second, times are microseconds (`"µs"`) per unit of work.
        target: of the row.
        peer: name of the job that it is compared with, or empty.
        note: of the row.
    """

    name: str
    work: Work | str
    unit: str = "steps/s"
    target: Target | None = None
    peer: str = ""
    note: str = ""


def peer_job(name: str, make_work: Callable[[], tuple[Work, str]], unit: str = "steps/s") -> Job:
    """A job of a library that may not be installed.

    Args:
        name: of the row.
        make_work: imports the library; returns what is timed and the row's note.
        unit: of the row.
    """
    try:
        work, note = make_work()
    except ModuleNotFoundError as error:
        return Job(name, missing_module(error), unit)
    return Job(name, work, unit, note=note)


def missing_module(error: ModuleNotFoundError) -> str:
    """The module of an extra that is not installed.

    Raises:
        ModuleNotFoundError: it is no such module.
    """
    module = (error.name or "").partition(".")[0]
    if module not in OPTIONAL_MODULES:
        raise error
    return module


def time_jobs(group: str, jobs: Sequence[Job], num_repeats: int) -> list[Row]:
    """Times jobs in turns, after doing each once unmeasured.

    Args:
        group: name of the rows' group.
        jobs: peers among them.
        num_repeats: times that each is measured.

    Returns:
        One row per job, in order.
    """
    samples: dict[str, list[tuple[float, float, float]]] = {job.name: [] for job in jobs}
    for repeat in range(num_repeats + 1):
        for job in jobs:
            if not isinstance(job.work, str):
                sample = timed(job.work)
                if repeat:
                    samples[job.name].append(sample)
    spreads: dict[str, dict[Basis, Spread]] = {}
    for job in jobs:
        spreads[job.name] = _spreads(samples[job.name], job.unit)
    rows = []
    for job in jobs:
        if isinstance(job.work, str):
            rows.append(missing_row(group, job.name, job.unit, job.work))
            continue
        theirs = spreads.get(job.peer, {}).get("cpu")
        ours = spreads[job.name]["cpu"]
        ratio = None if theirs is None else ours.median / theirs.median
        values = spreads[job.name]
        rows.append(
            Row(group, job.name, job.unit, "cpu", values, job.target, job.peer, ratio, job.note)
        )
    return rows


def timed(work: Work) -> tuple[float, float, float]:
    """Units done, CPU-seconds of this process, seconds that passed."""
    wall, cpu = time.perf_counter(), time.process_time()
    units = work()
    return units, time.process_time() - cpu, time.perf_counter() - wall


def _spreads(samples: list[tuple[float, float, float]], unit: str) -> dict[Basis, Spread]:
    if not samples:
        return {}
    if unit == "µs":
        return {
            "cpu": Spread.of(1e6 * cpu / units for units, cpu, _ in samples),
            "wall": Spread.of(1e6 * wall / units for units, _, wall in samples),
        }
    # A clock that ticks seldom may see no time pass in a tiny workload.
    return {
        "cpu": Spread.of(units / max(cpu, 1e-9) for units, cpu, _ in samples),
        "wall": Spread.of(units / max(wall, 1e-9) for units, _, wall in samples),
    }
