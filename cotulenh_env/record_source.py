"""Where game records come from: the text itself or a file, by whose name it may hold arrays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO

from cotulenh_env.errors import RecordError, shown, shown_path
from cotulenh_env.npz_file import check_file, checked_path

MAX_TEXT_BYTES = 64 << 20
"""A longer text or file of records is refused."""

_ARRAYS_ENDING = ".npz"
_FILE_ENDINGS = (".txt", _ARRAYS_ENDING)


def is_arrays_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file of records is written and read as arrays, not as text, by its name."""
    return os.fspath(path).endswith(_ARRAYS_ENDING)


def load_text(source: str | os.PathLike[str] | TextIO) -> str:
    """The text of a source, its lines ended by newlines.

    Args:
        source: the text itself; or a path, or an open text file.

    Raises:
        RecordError: the file cannot be read, is no UTF-8, or is too large; or the text is the name
            of a file; or the source is something else.
    """
    if isinstance(source, str):
        _refuse_file_name(source)
        text = source
    elif isinstance(source, os.PathLike):
        text = _read_file(checked_path(source, RecordError))
    else:
        text = _read_open_file(source)
    if not isinstance(text, str):
        raise RecordError(f"records are read from text, got {shown(text, 60)}")
    if len(text) > MAX_TEXT_BYTES:
        raise RecordError(f"a text of records has at most {MAX_TEXT_BYTES} characters")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _refuse_file_name(text: str) -> None:
    """A name given for a file would be read as records, and fail for a strange reason."""
    if "\n" in text or "\r" in text or not (text.endswith(_FILE_ENDINGS) or os.path.isfile(text)):
        return
    advice = "load_records" if is_arrays_file(text) else f"Path({shown(text, 60)})"
    raise RecordError(
        f"records are read from a text, and {shown(text, 60)} looks like the name of a file: "
        f"{'use' if text.endswith('.npz') else 'give'} {advice}"
    )


def _read_file(path: Path) -> str:
    check_file(path, MAX_TEXT_BYTES, RecordError)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"{shown_path(path)} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RecordError(
            f"{shown_path(path)} is no UTF-8 text: byte {error.start} is wrong"
        ) from None


def _read_open_file(file: TextIO) -> str:
    read = getattr(file, "read", None)
    if not callable(read):
        raise RecordError(
            f"records are read from text, a Path or an open text file, got {shown(file, 60)}"
        )
    try:
        return read(MAX_TEXT_BYTES + 1)  # type: ignore[no-any-return]  # looked at by the caller
    except UnicodeDecodeError as error:
        raise RecordError(f"the open file is no {error.encoding.upper()} text") from None
    except (OSError, ValueError, TypeError) as error:  # it is closed, only written to, or none
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"the open file cannot be read: {reason}") from None
