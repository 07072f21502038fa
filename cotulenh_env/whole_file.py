"""Writes files that are whole or not there: a failure leaves what stood under the name as it was.

The content goes to a temporary file of a random name in the same folder, is brought to disk, and
takes the place of the file in one step. A link stays a link: its target is replaced. What is no
regular file (a folder, a device, a pipe) is refused, never replaced.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cotulenh_env.errors import CotulenhError, shown_path


def write_whole(
    path: Path, write: Callable[[BinaryIO], object], error: type[CotulenhError]
) -> None:
    """Writes a file, in place of what stood there, whose permissions it keeps.

    Args:
        path: of the file, written as it is named.
        write: writes the content to the open file that it is given.
        error: what to raise.

    Raises:
        CotulenhError: of the class `error`: the path names no regular file, or nothing at all.
        OSError: the file cannot be written; its name is the path that was given.
    """
    with _naming(path, error):
        target, mode = _target_of(path, error)
        temporary = _temporary_beside(target)
        try:
            with temporary.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())  # the name must not change before its content is on disk
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def write_whole_text(path: Path, text: str, error: type[CotulenhError]) -> None:
    """`write_whole` for text, as UTF-8 with the newlines that it has."""
    encoded = text.encode()
    write_whole(path, lambda file: file.write(encoded), error)


def check_writable(path: Path, error: type[CotulenhError]) -> None:
    """Makes sure that `write_whole` can begin, by making and removing a temporary file.

    Permissions alone do not tell: root has all of them in `/proc` and on a disk that is read only.

    Args:
        path: of the file; it is left as it is, and not made if it is missing.
        error: what to raise.

    Raises:
        CotulenhError: of the class `error`: the path names no regular file, or nothing at all.
        OSError: no file can be written there; its name is the path that was given.
    """
    with _naming(path, error):
        temporary = _temporary_beside(_target_of(path, error)[0])
        try:
            temporary.open("xb").close()
        finally:
            temporary.unlink(missing_ok=True)


def is_same_target(one: Path, other: Path) -> bool:
    """Whether writing to both paths leaves one file, perhaps by links."""
    return os.path.realpath(one) == os.path.realpath(other)


def _target_of(path: Path, error: type[CotulenhError]) -> tuple[Path, int | None]:
    """The file behind all links, and its permissions if it is there."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:  # a link may point to what is not there yet
        return Path(os.path.realpath(path)), None
    if not stat.S_ISREG(mode):
        raise error(f"{shown_path(path)} is no regular file")
    return Path(os.path.realpath(path)), stat.S_IMODE(mode)


def _temporary_beside(target: Path) -> Path:
    return target.parent / f".{secrets.token_hex(8)}.tmp"


@contextmanager
def _naming(path: Path, error: type[CotulenhError]) -> Iterator[None]:
    """Lets errors name the path that was given, not a temporary one."""
    try:
        yield
    except error:
        raise
    except OSError as reason:
        raise OSError(reason.errno, reason.strerror, str(path)) from None
    except ValueError as reason:  # a zero byte in the name
        raise error(f"{shown_path(path)} cannot be written: {reason}") from None
