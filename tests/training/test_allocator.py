"""Keeping freed memory: told to glibc, and quietly left where the C library is another."""

from __future__ import annotations

import ctypes
import platform

import pytest

from training.allocator import keep_freed_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc")
def test_glibc_takes_it() -> None:
    assert keep_freed_memory()
    assert keep_freed_memory()


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_other_libraries_are_left_alone(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: object) -> None:
        raise error

    monkeypatch.setattr(ctypes, "CDLL", fail)
    assert not keep_freed_memory()
