"""What game records have in common: one-line texts, and tags such as `[Event "Club evening"]`.

Every function raises RecordError with one sentence when a value cannot be recorded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from cotulenh_env.errors import RecordError, shown

FORMAT_VERSION = "1"
"""Value of the tag Format, the first of every game."""

RESULTS = {0: "1-0", 1: "0-1", -1: "1/2-1/2", None: "*"}
"""The result of a game by its winner, player 0's points first; `*` is a game without result."""

MAX_LENGTH = 65_536
"""The most characters that a comment, the value of a tag, or another text has."""

TAG = re.compile(r'\[[ \t]*+([^\s"\[\]]++)[ \t]++"([^"\\\n]*+(?:\\["\\][^"\\\n]*+)*+)"[ \t]*+\]')
"""A tag as it is written: its name, and its value as `tag_value` takes it."""

_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def tag_text(name: str, value: str) -> str:
    """A tag as it is written."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def tag_value(escaped: str) -> str:
    """The value of a tag from what stands between its quotes."""
    return re.sub(r"\\(.)", r"\1", escaped)


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


def check_tag(name: object, value: object, derived: Collection[str]) -> None:
    """Makes sure that a free tag has a name of its own, and a value.

    Args:
        name: of the tag.
        value: of the tag.
        derived: names of the tags that hold a record's own fields.
    """
    if not isinstance(name, str) or not _TAG_NAME.match(name):
        raise RecordError(
            f"the name of a tag is a letter and then letters, digits and _, got {shown(name)}"
        )
    if name in derived:
        raise RecordError(f"the tag {name} holds a field of the record")
    check_line(f"tag {name}", value)


def checked_tags(tags: Iterable[object], derived: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Free tags, each name once.

    Args:
        tags: names and values.
        derived: names of the tags that hold a record's own fields.
    """
    checked: dict[str, str] = {}
    for tag in listed("tags are names and values", tags):
        if not isinstance(tag, (tuple, list)) or len(tag) != 2:
            raise RecordError(f"a tag is a name and a value, got {shown(tag)}")
        name, value = tag
        check_tag(name, value, derived)
        if name in checked:
            raise RecordError(f"the tag {name} is there twice")
        checked[name] = value
    return tuple(checked.items())


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
