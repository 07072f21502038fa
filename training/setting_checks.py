"""The check that settings have in common."""

from __future__ import annotations

from typing import Any

from training.errors import ConfigError


def check_range(settings: Any, name: str, low: float, high: float = 1e15) -> None:
    """Makes sure that a number is in range.

    Args:
        settings: holds it.
        name: of the setting, with its group: `learner.batch_size`.
        low: allowed, as `high` is.
        high: see `low`.

    Raises:
        ConfigError: it is not.
    """
    value = getattr(settings, name.rpartition(".")[2])
    if not low <= value <= high:  # also true for NaN
        raise ConfigError(f"{name} must be from {low:g} to {high:g}, got {value}")
