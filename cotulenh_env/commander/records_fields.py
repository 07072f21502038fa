"""What the fields of a game record can hold: all that can be written and read back, nothing else.

Every function raises RecordError with one sentence when a value cannot be recorded.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.notation_symbols import REMARKS
from cotulenh_env.errors import RecordError, shown
from cotulenh_env.record_fields import check_line, listed

DERIVED_TAGS = ("Format", "Rules", "Start", "Result", "Reason", "Points")
"""Tags that hold a record's own fields; no free tag has one of these names."""

CLOCK_TEXT = "[%clk"
"""Begins a clock time in the text form; a comment cannot contain it."""

MAX_POINTS = 1_000_000

_MAX_CLOCK = 360_000.0


def check_comment(text: object) -> None:
    """Makes sure that a comment can stand in braces."""
    check_line("comment", text)
    for part in ("{", "}", CLOCK_TEXT):
        if part in str(text):
            raise RecordError(f"a comment cannot contain {part!r}, got {shown(text)}")


def check_remark(remark: object) -> None:
    """Makes sure that a remark is one of the notation's, or empty."""
    if not isinstance(remark, str) or remark not in ("", *REMARKS):
        raise RecordError(f"a remark is one of {' '.join(REMARKS)}, or empty, got {shown(remark)}")


def checked_actions(actions: Iterable[object]) -> tuple[int, ...]:
    """The actions of a turn, whether legal or not."""
    checked = []
    for action in listed("the actions of a turn are whole numbers", actions):
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise RecordError(f"an action is a whole number, got {shown(action)}")
        if not 0 <= action < NUM_ACTIONS:
            raise RecordError(f"actions are 0 to {NUM_ACTIONS - 1}, got {shown(int(action))}")
        checked.append(int(action))
    if not checked:
        raise RecordError("a turn has at least one action")
    return tuple(checked)


def checked_clock(clock: object) -> float:
    """Seconds on a clock, to the millisecond."""
    is_number = isinstance(clock, (int, float)) and not isinstance(clock, bool)
    if not is_number or not 0 <= clock < _MAX_CLOCK:  # type: ignore[operator]
        raise RecordError(
            f"a clock shows 0 to {_MAX_CLOCK:.0f} seconds, the end excluded, got {shown(clock)}"
        )
    return min(round(float(clock), 3), _MAX_CLOCK - 0.001)  # type: ignore[arg-type]


def checked_points(points: Iterable[object]) -> tuple[int, int]:
    """Red's and Blue's points."""
    what = "points are those of Red and Blue"
    checked = listed(what, points)
    for number in checked:
        is_integer = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
        if not is_integer or not 0 <= number <= MAX_POINTS:
            raise RecordError(f"points are integers from 0 to {MAX_POINTS}, got {shown(number)}")
    if len(checked) != 2:
        raise RecordError(f"{what}, got {shown(checked)}")
    red, blue = checked
    return int(red), int(blue)
