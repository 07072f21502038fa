"""Reads .npz files that may come from anywhere: sizes are known before anything is read.

Only what `np.savez` writes is accepted: arrays in C order, not compressed, without pickle, and a
short list of them. So the memory that they take is never more than the file's bytes on disk. They
are written whole.
"""

from __future__ import annotations

import math
import stat
import struct
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from cotulenh_env.errors import CotulenhError, shown, shown_path
from cotulenh_env.whole_file import write_whole

_MAX_HEADER_CHARACTERS = 1000

_MAX_DIRECTORY_BYTES = 1 << 16
"""The names of about a thousand arrays, of which `zipfile` makes objects of many times the size."""

# The ends of a zip file (APPNOTE.TXT 6.3, section 4.3): a signature and what is looked at here.
_END = struct.Struct("<4s8xL4xH")  # bytes of the directory, of a comment behind it
_END_64 = struct.Struct("<4s36xQ8x")  # bytes of the directory; before the locator in large files
_LOCATOR = struct.Struct("<4s4xQ4x")  # place of _END_64; before _END in large files


@dataclass(frozen=True)
class Column:
    """What an array in a file has to be.

    Attributes:
        dtype: exactly.
        max_rows: no more than these; None leaves it to the size of the file.
        width: of every row; None for an array of one dimension.
    """

    dtype: type[np.generic]
    max_rows: int | None = None
    width: int | None = None

    def fits(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
        """Whether an array of that shape and type is one."""
        tail = () if self.width is None else (self.width,)
        return (
            dtype == np.dtype(self.dtype)
            and len(shape) == 1 + len(tail)
            and shape[1:] == tail
            and shape[0] >= 0
            and (self.max_rows is None or shape[0] <= self.max_rows)
        )

    def __str__(self) -> str:
        rows = "n" if self.max_rows is None else f"n ≤ {self.max_rows}"
        tail = "" if self.width is None else f", {self.width}"
        return f"{np.dtype(self.dtype)} [{rows}{tail}]"


def checked_path(path: object, error: type[CotulenhError]) -> Path:
    """The path that a caller gave.

    Args:
        path: what should be one.
        error: what to raise.

    Raises:
        CotulenhError: of the class `error`: it is none.
    """
    try:
        return Path(path)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"a file is named by a path, got {shown(path, 60)}") from None


def check_file(path: Path, max_bytes: int, error: type[CotulenhError]) -> int:
    """Makes sure that a path is a regular file of a size that can be meant.

    Args:
        path: of the file.
        max_bytes: the most that it may have.
        error: what to raise.

    Returns:
        Its size in bytes.

    Raises:
        CotulenhError: of the class `error`: it is missing, no regular file, or too large.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as reason:
        raise error(
            f"{shown_path(path)} cannot be read: {getattr(reason, 'strerror', None) or reason}"
        ) from None
    if not stat.S_ISREG(status.st_mode):
        raise error(f"{shown_path(path)} is no regular file")
    if status.st_size > max_bytes:
        raise error(
            f"{shown_path(path)} has {status.st_size} bytes, at most {max_bytes} were expected"
        )
    return status.st_size


def write_npz(
    path: Path, arrays: Mapping[str, npt.NDArray[Any]], error: type[CotulenhError]
) -> None:
    """Writes arrays to an .npz file, in place of what stood there; a link stays a link.

    Args:
        path: of the file, written as it is named.
        arrays: by name.
        error: what to raise.

    Raises:
        CotulenhError: of the class `error`: the path names no regular file, or nothing at all.
        OSError: the file cannot be written.
    """
    # No array is named allow_pickle.
    write_whole(path, lambda file: np.savez(file, **arrays), error)  # type: ignore[arg-type]


def read_npz(
    path: Path,
    columns: Mapping[str, Column],
    max_bytes: int,
    error: type[CotulenhError],
    *,
    allow_others: bool = False,
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an .npz file, which cannot be written to.

    Args:
        path: of the file.
        columns: all the arrays that it has to hold.
        max_bytes: a larger file is refused unread.
        error: what to raise.
        allow_others: whether it may hold more arrays, which are not read.

    Raises:
        CotulenhError: of the class `error`: the file is none of these, or damaged.
    """
    size = check_file(path, max_bytes, error)
    try:
        # A header that needs a second look was not written by us: its warning becomes an error.
        with (
            warnings.catch_warnings(action="error"),
            path.open("rb") as file,
        ):
            _check_directory(file)
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                _check_members(members, columns, size, path, error)
                if len(members) != len(columns) and not allow_others:
                    found = f"{len(members)} arrays, not {len(columns)}"
                    raise error(f"{shown_path(path)} holds {found}")
                return {
                    name: _read_array(archive, name, column, path, error)
                    for name, column in columns.items()
                }
    except error:
        raise
    except Exception as caught:  # both libraries raise many kinds on damaged files
        reason = " ".join(str(caught).split())[:200]
        raise error(f"{shown_path(path)} is damaged or no .npz file: {reason}") from None


def _check_directory(file: BinaryIO) -> None:
    """Refuses a zip file whose list of members is long, before `zipfile` reads all of it.

    Raises:
        zipfile.BadZipFile: it is, or the file does not end as `np.savez` ends it.
    """
    end = file.seek(0, 2) - _END.size
    signature, num_bytes, num_comment_bytes = _unpacked(_END, file, end)
    if signature != b"PK\5\6" or num_comment_bytes:
        raise zipfile.BadZipFile("it does not end as a zip file without a comment")
    locator = end - _LOCATOR.size
    signature, place = _unpacked(_LOCATOR, file, locator) if locator >= 0 else (b"", 0)
    if signature == b"PK\6\7":
        if place != locator - _END_64.size:
            raise zipfile.BadZipFile("its directory ends in two places")
        signature, num_bytes = _unpacked(_END_64, file, place)
        if signature != b"PK\6\6":
            raise zipfile.BadZipFile("its directory has no end")
    if num_bytes > _MAX_DIRECTORY_BYTES:
        raise zipfile.BadZipFile(f"its directory has {num_bytes} bytes")


def _unpacked(layout: struct.Struct, file: BinaryIO, place: int) -> tuple[Any, ...]:
    file.seek(place)
    return layout.unpack(file.read(layout.size))


def _check_members(
    members: list[zipfile.ZipInfo],
    columns: Mapping[str, Column],
    size: int,
    path: Path,
    error: type[CotulenhError],
) -> None:
    names = {member.filename for member in members}
    for name in columns:
        if f"{name}.npy" not in names:
            raise error(f"{shown_path(path)} lacks {name}")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise error(f"{shown_path(path)} holds compressed arrays, which are not read")
    total = sum(member.file_size for member in members)
    if total > size:
        raise error(f"{shown_path(path)} declares {total} bytes of arrays in {size} bytes")


def _read_array(
    archive: zipfile.ZipFile, name: str, column: Column, path: Path, error: type[CotulenhError]
) -> npt.NDArray[Any]:
    with archive.open(f"{name}.npy") as member:
        if npy.read_magic(member) != (1, 0):
            raise error(f"{name} has an unknown version of the .npy format in {shown_path(path)}")
        shape, is_fortran, dtype = npy.read_array_header_1_0(
            member, max_header_size=_MAX_HEADER_CHARACTERS
        )
        if not column.fits(shape, dtype) or is_fortran:
            order = " in Fortran order" if is_fortran else ""
            kind = shown(dtype) if dtype.names else str(dtype)  # names may be anything
            got = f"{kind} {shown(list(shape))}{order}"
            raise error(f"{name} is {column}, got {got} in {shown_path(path)}")
        num_bytes = math.prod(shape) * dtype.itemsize
        if num_bytes > archive.getinfo(f"{name}.npy").file_size:
            raise error(f"{name} is cut short in {shown_path(path)}")
        data = member.read(num_bytes)
        if len(data) != num_bytes or member.read(1):
            raise error(f"{name} does not have the size it declares in {shown_path(path)}")
    return np.frombuffer(data, dtype).reshape(shape)
