"""The transposition table: what a search already knows about positions.

An entry holds a value that is exact for its position, its depth and its *path*: all that the value
depends on besides the position itself. These are the positions that may come back (R10.5), the
count of quiet turns, and near the turn limit the turns and the lead; each only where a search of
that depth can come so far. So a value from the table is the value that a search would find, and the
table changes the speed of a search, not its result.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.errors import AgentError
from cotulenh_env.kernel import inner_kernel

ENTRY_DTYPE = np.dtype(
    [
        ("key", np.int64),
        ("path", np.int64),
        ("value", np.int32),  # wins and losses counted from this position
        ("action", np.int32),  # the best, or -1
        ("search", np.int32),  # number of the search that wrote it; 0 = empty
        ("depth", np.int16),
        ("bound", np.int16),
    ]
)

EXACT, AT_LEAST, AT_MOST = range(3)
"""`bound`: how the true value lies to the stored one."""

_PART, _TOP_PART = (1 << 21) - 1, (1 << 22) - 1
_FACTORS = (0xB5AD4ECEDB, 0x9E3779B97F, 0xC2B2AE3D27)
_BELOW = (1 << 62) - 1

Table = npt.NDArray[np.void]
"""Entries of ENTRY_DTYPE; their number is a power of 2, or 0: nothing is remembered."""


def new_table(megabytes: int) -> Table:
    """An empty table of the largest size that fits.

    Raises:
        AgentError: there is not so much memory.
    """
    num_entries = (megabytes << 20) // ENTRY_DTYPE.itemsize
    if not num_entries:
        return np.zeros(0, ENTRY_DTYPE)
    num_entries = 1 << (num_entries.bit_length() - 1)
    try:
        return _empty_entries(num_entries)
    except (OSError, MemoryError):
        raise AgentError(
            f"table_megabytes is {megabytes}, and there is not so much memory"
        ) from None


def _empty_entries(num_entries: int) -> Table:
    """Zeroed entries in small pages, each of which comes when it is first written to.

    NumPy asks for huge pages. Entries lie scattered, so that a hundred thousand of them would fetch
    and clear all of a large table: measured, 8 seconds for 4 GB, and no search is faster for it.
    """
    if sys.platform != "linux":
        return np.zeros(num_entries, ENTRY_DTYPE)
    pages = mmap.mmap(-1, num_entries * ENTRY_DTYPE.itemsize, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):  # a system that has no huge pages
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(pages, ENTRY_DTYPE)


@inner_kernel
def mix(number: int) -> int:
    """A number in [0, 2**62) that depends on all bits of an int64, but not by exclusive or.

    Position keys are linear: those of positions that two moves lead to in either order cancel out.
    """
    mixed = (
        (number & _PART) * _FACTORS[0]
        ^ ((number >> 21) & _PART) * _FACTORS[1]
        ^ ((number >> 42) & _TOP_PART) * _FACTORS[2]
    )
    return mixed ^ (mixed >> 31)


@inner_kernel
def add(one: int, other: int) -> int:
    """Joins two mixed numbers, in any order."""
    return (one + other) & _BELOW


@inner_kernel
def find(table: Table, key: int, search: int) -> int:
    """The index of the position's entry of this search, or -1."""
    if len(table) == 0:
        return -1
    index = _slot(table, key)
    for place in (index, index ^ 1):
        if table[place]["key"] == key and table[place]["search"] == search:
            return place
    return -1


@inner_kernel
def store(
    table: Table, key: int, path: int, search: int, depth: int, value: int, bound: int, action: int
) -> None:
    """Writes an entry: over the position's old one, or the shallower of two."""
    if len(table) == 0:
        return
    place = find(table, key, search)
    if place < 0:
        place = _slot(table, key)
        if _worth(table[place ^ 1], search) < _worth(table[place], search):
            place ^= 1
    entry = table[place]
    entry["key"] = key
    entry["path"] = path
    entry["value"] = value
    entry["action"] = action
    entry["search"] = search
    entry["depth"] = depth
    entry["bound"] = bound


@inner_kernel
def _slot(table: Table, key: int) -> int:
    return (key ^ (key >> 32)) & (len(table) - 1)


@inner_kernel
def _worth(entry: Any, search: int) -> int:
    return int(entry["depth"]) if entry["search"] == search else -1_000
