"""The memory of the transposition table.

What is checked: its size; that a large table takes memory only where it is written to, since
scattered entries in huge pages would fetch all of it at once; that too little memory is one
sentence.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from agents.alphabeta import table
from agents.errors import AgentError


def resident_bytes() -> int:
    """Memory of this process that is there and not only promised."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("megabytes", "num_entries"), [(0, 0), (1, 1 << 15), (3, 1 << 16), (8, 1 << 18)]
)
def test_the_largest_power_of_two_that_fits(megabytes: int, num_entries: int) -> None:
    """An entry has 32 bytes."""
    entries = table.new_table(megabytes)
    assert len(entries) == num_entries
    assert not entries["search"].any()
    entries["search"] = 1  # it can be written to


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a program ask for small pages")
def test_a_large_table_comes_as_it_is_used() -> None:
    """Regression: 512 entries in 512 MB took all of it."""
    entries = table.new_table(512)
    before = resident_bytes()
    entries["search"][:: len(entries) // 512] = 1
    assert entries["search"][0] == 1
    assert resident_bytes() - before < 16 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere NumPy makes the table")
def test_too_little_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("mmap.mmap", fail)
    with pytest.raises(AgentError, match=r"^table_megabytes is 4096, and there is not so much"):
        table.new_table(4096)
