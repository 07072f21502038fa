"""The scale of values, in tenths of an official point."""

from __future__ import annotations

from cotulenh_env.kernel import inner_kernel

WIN = 100_000_000
"""Value of a win at once; turns until then are taken off. No evaluation comes near to it."""

DECIDED = WIN - 1_000
"""Values beyond are wins or losses."""

NOTHING = -(1 << 30)
"""Below every value; of a frame without actions to try."""


@inner_kernel
def from_root(value: int, turns: int) -> int:
    """The value, wins and losses being counted from so many turns earlier."""
    if value > DECIDED:
        return value - turns
    if value < -DECIDED:
        return value + turns
    return value
