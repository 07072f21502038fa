"""Runs the benchmark: its groups by name, each imported when it is wanted."""

from __future__ import annotations

import dataclasses
import difflib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import Any

from training.bench.machine import describe_machine, describe_versions
from training.bench.rows import Curve, Row, missing_row
from training.bench.settings import BenchSettings
from training.bench.timing import missing_module
from training.errors import ConfigError

GROUPS: dict[str, str] = {
    "environment": "environment",
    "playout": "playout",
    "games": "games",
    "copying": "copying",
    "search": "search",
    "self-play": "self_play",
    "start-up": "start_up",
    "memory": "memory",
    "growth": "growth",
}
"""Name → module of `training.bench` with `measure(settings) -> list[Row] | list[Curve]`."""

GROWTH = "growth"
"""The group that takes longest: measured when it is asked for."""


@dataclass(frozen=True)
class Results:
    """What a run of the benchmark found.

    Attributes:
        date: when, as ISO 8601 with the time zone.
        seconds: how long it took.
        settings: how much was measured.
        machine: where.
        versions: with what.
        rows: the table.
        curves: with `--full`.
    """

    date: str
    seconds: float
    settings: BenchSettings
    machine: dict[str, str | int]
    versions: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)


def check_groups(names: Sequence[str]) -> None:
    """Refuses what is no group.

    Raises:
        ConfigError: there is none of that name.
    """
    for name in names:
        if name not in GROUPS:
            close = difflib.get_close_matches(name, GROUPS, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(GROUPS)}"
            raise ConfigError(f"--only {name!r} is nothing to measure: {hint}")


def run_bench(
    settings: BenchSettings,
    only: Sequence[str] | None = None,
    *,
    full: bool = False,
    tell: Callable[[str], Any] = lambda text: None,
) -> Results:
    """Measures.

    Args:
        settings: how much.
        only: names of groups; None for all.
        full: whether growth is measured, too.
        tell: is told what is being done.

    Raises:
        ConfigError: a group is unknown.
    """
    check_groups(only or ())
    wanted = set(GROUPS) - {GROWTH} if only is None else set(only)
    if full:
        wanted.add(GROWTH)
    begin = time.perf_counter()
    results = Results(
        date=datetime.now().astimezone().isoformat(timespec="seconds"),
        seconds=0.0,
        settings=settings,
        machine=describe_machine(),
        versions=describe_versions(),
    )
    for name in GROUPS:
        if name not in wanted:
            continue
        tell(f"measuring: {name}")
        try:
            group = import_module(f"training.bench.{GROUPS[name]}")
        except ModuleNotFoundError as error:
            results.rows.append(missing_row(name, name, "", missing_module(error)))
            continue
        found: list[Any] = results.curves if name == GROWTH else results.rows
        found.extend(group.measure(settings))
    return dataclasses.replace(results, seconds=time.perf_counter() - begin)
