"""The check that settings share: a number in its range."""

from __future__ import annotations

from typing import Any

from training.errors import ConfigError


def check_range(settings: Any, name: str, low: float, high: float = 1e15) -> None:
    """Makes sure that a setting is in range.

    Args:
        settings: the dataclass that holds it.
        name: of the setting with its group, for example `learner.batch_size`.
        low: the smallest value.
        high: the largest value.

    Raises:
        ConfigError: it is not.
    """
    value = getattr(settings, name.rpartition(".")[2])
    if not low <= value <= high:  # also true for NaN
        raise ConfigError(f"{name} must be from {low:g} to {high:g}, got {value}")
