"""The check that settings and flags share: a number in its range."""

from __future__ import annotations

from typing import Any

from training.errors import ConfigError


def check_range(settings: Any, name: str, low: float, high: float = 10**15) -> None:
    """Makes sure that a setting is in range.

    Args:
        settings: the dataclass that holds it.
        name: of the setting with its group, for example `learner.batch_size`.
        low: the smallest value.
        high: the largest value.

    Raises:
        ConfigError: it is not.
    """
    check_number(name, getattr(settings, name.rpartition(".")[2]), low, high)


def check_number(name: str, value: float, low: float, high: float) -> None:
    """Makes sure that a number is in range.

    Args:
        name: as the user writes it, for example `--seed`.
        value: the number.
        low: the smallest value.
        high: the largest value.

    Raises:
        ConfigError: it is not.
    """
    if not low <= value <= high:  # also true for NaN
        raise ConfigError(f"{name} must be from {low:,} to {high:,}, got {value}")
