"""What the fields of a game record can hold: all that can be written and read back, nothing else.

Every function raises RecordError with one sentence when a value cannot be recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.notation_symbols import REMARKS
from cotulenh_env.errors import RecordError, shown

DERIVED_TAGS = ("Format", "Rules", "Start", "Result", "Reason", "Points")
"""Tags that hold a record's own fields; no free tag has one of these names."""

CLOCK_TEXT = "[%clk"
"""Begins a clock time in the text form; a comment cannot contain it."""

MAX_LENGTH = 65_536
"""The most characters that a comment, the value of a tag, or another text has."""

MAX_POINTS = 1_000_000

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MAX_CLOCK = 360_000.0


def check_line(name: str, text: object) -> None:
    """Makes sure that a text is one line, of a length that can be meant."""
    if not isinstance(text, str):
        raise RecordError(f"a {name} is text, got {shown(text)}")
    if len(text) > MAX_LENGTH:
        raise RecordError(f"a {name} has at most {MAX_LENGTH} characters, got {len(text)}")
    if _CONTROL.search(text) or text != text.strip():
        raise RecordError(
            f"a {name} is one line without control characters and without spaces around it, "
            f"got {shown(text)}"
        )


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


def check_tag(name: object, value: object) -> None:
    """Makes sure that a free tag has a name of its own, and a value."""
    if not isinstance(name, str) or not _TAG_NAME.match(name):
        raise RecordError(
            f"the name of a tag is a letter and then letters, digits and _, got {shown(name)}"
        )
    if name in DERIVED_TAGS:
        raise RecordError(f"the tag {name} holds a field of the record")
    check_line(f"tag {name}", value)


def checked_tags(tags: Iterable[object]) -> tuple[tuple[str, str], ...]:
    """Free tags, each name once."""
    checked: dict[str, str] = {}
    for tag in listed("tags are names and values", tags):
        if not isinstance(tag, (tuple, list)) or len(tag) != 2:
            raise RecordError(f"a tag is a name and a value, got {shown(tag)}")
        name, value = tag
        check_tag(name, value)
        if name in checked:
            raise RecordError(f"the tag {name} is there twice")
        checked[name] = value
    return tuple(checked.items())


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


def listed(what: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Values that come one after another.

    Args:
        what: says in an error what they should be.
        values: perhaps nothing of the kind.
    """
    try:
        return tuple(values)
    except TypeError:
        raise RecordError(f"{what}, got {shown(values)}") from None
