"""The package's own errors: all are `ValueError`s, so callers may catch either.

Messages are one sentence: what is wrong, the value, and where it stood.
"""

from __future__ import annotations

from pathlib import Path


class CotulenhError(ValueError):
    """Base of every error that this project raises on bad input."""


class RulesError(CotulenhError):
    """A rule option is unknown, of the wrong type, or makes no sense."""


class PositionError(CotulenhError):
    """A position or its text is malformed or impossible."""


class IllegalActionError(CotulenhError):
    """An action is out of range, or not legal in the position."""


class MoveTextError(CotulenhError):
    """A move's text cannot be read, or names no legal action."""


class NotationError(MoveTextError):
    """A turn in official notation cannot be read, or tells no legal turn, or several.

    Attributes:
        offset: index of the character where it goes wrong, or None when it is the whole text.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset


class RecordError(CotulenhError):
    """A game record is malformed, or tells of a game that the rules do not allow.

    Attributes:
        line: of the text, from 1; None when there is no text.
        column: from 1; None when there is no text.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class StateError(CotulenhError):
    """Bytes offered as a saved state do not fit the game."""


class UnknownGameError(CotulenhError):
    """No game is registered under the name."""


class MissingExtraError(CotulenhError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""


def shown(value: object, max_length: int = 200) -> str:
    """`repr(value)` for a message: one line, not longer than a message should be, never failing."""
    try:
        text = " ".join(repr(value).split())  # arrays have several lines
    except ValueError:  # Python writes no integers of thousands of digits
        return "a number of many digits"
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def shown_path(path: Path) -> str:
    """A path for a message: as it is, unless it would break the message."""
    text = str(path)
    return text if text.isprintable() and len(text) <= 1000 else shown(text)
