"""Checks of what `meta.json` says of a run: its counters and its random streams."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cotulenh_env.errors import shown
from training.config import TrainConfig
from training.errors import CheckpointError

_MAX_ITERATION = 10**9
_MAX_COUNT = 10**15
_MAX_SECONDS = 10**12
_PCG64 = {"state": 1 << 128, "inc": 1 << 128}
_PCG64_REST = {"has_uint32": 2, "uinteger": 1 << 32}


def checked_counters(values: object, config: TrainConfig, path: Path) -> dict[str, Any]:
    """The fields of `Counters`.

    Args:
        values: from the file.
        config: the run's settings.
        path: of the file, for messages.

    Raises:
        CheckpointError: one is missing, of the wrong type or out of range.
    """
    limits = {
        "iteration": _MAX_ITERATION,
        "self_play_steps": config.self_play.steps_per_iteration,
        "learner_steps": _max_steps(config),
        "num_games": _MAX_COUNT,
        "num_samples": _MAX_COUNT,
        "last_evaluated": _MAX_ITERATION,
        "seconds": _MAX_SECONDS,
    }
    counters = _mapping(values, list(limits), "counters", path)
    for name, high in limits.items():
        low = -1 if name == "last_evaluated" else 0
        check_number(
            counters[name], low, high, f"counters.{name}", path, is_whole=name != "seconds"
        )
    if counters["last_evaluated"] > counters["iteration"]:
        raise CheckpointError(
            f"counters.last_evaluated is {counters['last_evaluated']} after "
            f"{counters['iteration']} iterations in {path}"
        )
    return {**counters, "seconds": float(counters["seconds"])}


def checked_num_steps(
    value: object, counters: Mapping[str, Any], config: TrainConfig, path: Path
) -> int:
    """The learner's steps since the start of the run.

    Raises:
        CheckpointError: it is no number, or more than the iterations have.
    """
    high = min(counters["iteration"] * _max_steps(config) + counters["learner_steps"], _MAX_COUNT)
    check_number(value, counters["learner_steps"], high, "learner_steps", path)
    assert isinstance(value, int)
    return value


def check_ratio(num_steps: int, num_added: int, config: TrainConfig, path: Path) -> None:
    """Makes sure that a replay ratio allows for so many steps after so many positions.

    Raises:
        CheckpointError: it does not.
    """
    due = config.learner.num_steps_due(num_added)
    if due is not None and num_steps > due:
        raise CheckpointError(
            f"learner_steps is at most {due} after {num_added} positions, got {num_steps} in {path}"
        )


def _max_steps(config: TrainConfig) -> int:
    """Learner steps that an iteration may have."""
    return _MAX_COUNT if config.learner.replay_ratio else config.learner.steps_per_iteration


def set_streams(streams: Mapping[str, np.random.Generator], values: object, path: Path) -> None:
    """Puts random streams where the file says.

    Raises:
        CheckpointError: one is missing, or no state of its generator.
    """
    states = _mapping(values, list(streams), "streams", path)
    for name, rng in streams.items():
        where = f"streams[{name!r}]"
        state = _mapping(states[name], ["bit_generator", "state", *_PCG64_REST], where, path)
        inner = _mapping(state["state"], list(_PCG64), f"{where}.state", path)
        if state["bit_generator"] != rng.bit_generator.state["bit_generator"]:
            raise CheckpointError(
                f"{where} is of another generator, got {shown(state['bit_generator'])} in {path}"
            )
        for key, size in _PCG64.items():
            check_number(inner[key], 0, size - 1, f"{where}.state.{key}", path)
        for key, size in _PCG64_REST.items():
            check_number(state[key], 0, size - 1, f"{where}.{key}", path)
        if inner["inc"] % 2 == 0:
            raise CheckpointError(f"{where}.state.inc is odd, got {inner['inc']} in {path}")
        rng.bit_generator.state = state


def check_number(
    value: object, low: int, high: int, name: str, path: Path, *, is_whole: bool = True
) -> None:
    """Makes sure that a number is one, and in range.

    Raises:
        CheckpointError: it is not.
    """
    is_number = type(value) is int or (type(value) is float and not is_whole)
    # Also refuses NaN, which is in no range.
    if not (is_number and low <= value <= high):  # type: ignore[operator]
        kind = "an integer" if is_whole else "a number"
        raise CheckpointError(
            f"{name} is {kind} from {low} to {high}, got {shown(value)} in {path}"
        )


def _mapping(value: object, names: list[str], what: str, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CheckpointError(
            f"{path} is no training checkpoint: {what} is {shown(value)}, no object"
        )
    for name in [*names, *value]:
        if name not in value or name not in names:
            problem = "lacks" if name in names else "has the unknown"
            raise CheckpointError(
                f"{path} is no training checkpoint: {what} {problem} {shown(name)}"
            )
    return value
