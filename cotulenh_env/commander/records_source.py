"""Where the text of game records comes from: the text itself, a file, or an open file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO

from cotulenh_env.errors import RecordError, shown
from cotulenh_env.npz_file import check_file

MAX_TEXT_BYTES = 64 << 20
"""A longer text or file of records is refused."""

_FILE_ENDINGS = (".txt", ".npz")


def load_text(source: str | os.PathLike[str] | TextIO) -> str:
    """The text of a source, its lines ended by newlines.

    Args:
        source: the text itself; or a path, or an open text file.

    Raises:
        RecordError: the file cannot be read, is no UTF-8, or is too large; or the text is the name
            of a file.
    """
    if isinstance(source, str):
        _refuse_file_name(source)
        text = source
    elif isinstance(source, os.PathLike):
        text = _read_file(Path(source))
    else:
        text = source.read(MAX_TEXT_BYTES + 1)
    if not isinstance(text, str):
        raise RecordError(f"records are read from text, got {shown(text, 60)}")
    if len(text) > MAX_TEXT_BYTES:
        raise RecordError(f"a text of records has at most {MAX_TEXT_BYTES} characters")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _refuse_file_name(text: str) -> None:
    """A name given for a file would be read as records, and fail for a strange reason."""
    if "\n" in text or "\r" in text or not (text.endswith(_FILE_ENDINGS) or os.path.isfile(text)):
        return
    advice = "load_records" if text.endswith(".npz") else f"Path({shown(text, 60)})"
    raise RecordError(
        f"records are read from a text, and {shown(text, 60)} looks like the name of a file: "
        f"{'use' if text.endswith('.npz') else 'give'} {advice}"
    )


def _read_file(path: Path) -> str:
    check_file(path, MAX_TEXT_BYTES, RecordError)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is no UTF-8 text: byte {error.start} is wrong") from None
