"""Checks of the numbers that callers give: one sentence that shows the value, whatever it is."""

from __future__ import annotations

from typing import Any

from agents.errors import AgentError
from cotulenh_env.errors import shown

_LARGEST_NUMBER = 1e9
"""Numbers that scale logits stay so far below float32's largest that no product overflows."""
_MAX_SECONDS = 86_400


def checked_count(name: str, value: Any, smallest: int, largest: int | None = None) -> int:
    """An integer from `smallest` to `largest`, both allowed; anything else is refused.

    Raises:
        AgentError: it is no integer, or out of bounds.
    """
    bounds = f"of at least {smallest}" if largest is None else f"in {smallest}–{largest}"
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or value < smallest
        or (largest is not None and value > largest)
    ):
        raise AgentError(f"{name} is an integer {bounds}, got {shown(value)}")
    return value


def checked_number(name: str, value: Any, largest: float = _LARGEST_NUMBER) -> float:
    """A finite number from 0 to `largest`, both allowed; anything else is refused.

    Raises:
        AgentError: it is no number, or out of bounds.
    """
    # Comparing refuses NaN and infinity, and takes integers too large to become floats.
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= largest:
        raise AgentError(
            f"{name} is a finite number of at least 0 and at most {largest:.0f}, got {shown(value)}"
        )
    return value


def checked_seconds(name: str, value: Any) -> float:
    """A number of seconds above 0 and at most a day; anything else is refused.

    Raises:
        AgentError: it is no number, or out of bounds.
    """
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not 0 < value <= _MAX_SECONDS
    ):
        raise AgentError(
            f"{name} is a number above 0 and at most {_MAX_SECONDS}, got {shown(value)}"
        )
    return value
