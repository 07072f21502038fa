"""The decorators for kernels: where compiled code is kept, for how long, and what others notice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt
import pytest
from numba.core import config as numba_config

from cotulenh_env import kernel as kernel_module
from cotulenh_env.kernel import cache_folder, inner_kernel, kernel
from cotulenh_env.linking import InnerLibrary

COMMANDER = "cotulenh_env.commander.kernels.step"
NOTICE = "first use on this machine"
PLAY = """
from cotulenh_env.registry import load_game
game = load_game("tictactoe")
print(game.legal_actions(game.new_states(1))[1])
"""

needs_jit = pytest.mark.skipif(bool(numba_config.DISABLE_JIT), reason="nothing is compiled")


@inner_kernel
def add_to_first(numbers: npt.NDArray[np.int8], number: int) -> int:
    """Adds to the first of the numbers."""
    return int(numbers[0]) + number


def play(**environment: str) -> subprocess.CompletedProcess[str]:
    """A new process that plays tic-tac-toe."""
    return subprocess.run(
        [sys.executable, "-c", PLAY],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@needs_jit
def test_integers_are_widened_so_a_kernel_compiles_once() -> None:
    def add_twice(numbers: npt.NDArray[np.int8]) -> int:
        """Calls a kernel with a literal and with an int8."""
        return add_to_first(numbers, 1) + add_to_first(numbers, numbers[1])

    compiled = numba.njit(add_twice)  # not cached, or a second run would compile nothing
    assert compiled(np.array([3, 4], np.int8)) == 11
    assert len(add_to_first.signatures) == 1  # type: ignore[attr-defined]


@inner_kernel
def add_thrice(numbers: npt.NDArray[np.int8], number: int) -> int:
    """Two levels of kernels."""
    return add_to_first(numbers, number) + 2 * number


@needs_jit
def test_inner_kernels_are_linked_by_whoever_calls_them() -> None:
    """They have no machine code of their own; functions compiled by plain Numba use them, too."""

    def call(numbers: npt.NDArray[np.int8]) -> int:
        """Calls a kernel that calls a kernel."""
        return add_thrice(numbers, 2)

    for compiled in (numba.njit(call), kernel(call)):
        assert compiled(np.array([3], np.int8)) == 9
    for inner in (add_to_first, add_thrice):
        (overload,) = inner.overloads.values()  # type: ignore[attr-defined]
        assert isinstance(overload.library, InnerLibrary)


@needs_jit
def test_a_numba_that_is_built_otherwise_compiles_one_by_one(tmp_path: Path) -> None:
    """What is used of Numba's inside may be gone in its next release: kernels work without it."""
    code = "import sys; sys.modules['cotulenh_env.linking'] = None" + PLAY
    played = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert played.stdout == "[9]\n"


@needs_jit
def test_numba_keeps_its_own_cache_folder() -> None:
    """The setting is ours only while we decorate: other packages' caches stay where they are."""
    before = numba_config.CACHE_DIR
    kernel(lambda number: number)
    assert before == numba_config.CACHE_DIR
    elsewhere = numba.njit(cache=True)(test_numba_keeps_its_own_cache_folder)
    assert "cotulenh_env-" not in elsewhere._cache._cache_path


def test_the_folder_is_named_by_all_sources_that_kernels_reach() -> None:
    reached = {
        path.name for path in kernel_module._reachable_sources("cotulenh_env.commander.kernels")
    }
    assert {"step.py", "rays.py", "board.py", "pieces.py", "rules.py", "actions.py"} <= reached
    assert not {"drawing.py", "position.py", "aec.py"} & reached


def test_an_edit_of_a_table_names_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    package = "cotulenh_env.commander.kernels"
    before = kernel_module._sources_hash(package)
    read_bytes = Path.read_bytes

    def edited(path: Path) -> bytes:
        return read_bytes(path) + (b"# edited" if path.name == "rules.py" else b"")

    monkeypatch.setattr(Path, "read_bytes", edited)
    assert kernel_module._sources_hash(package) != before


@needs_jit
def test_modules_of_one_package_share_a_folder() -> None:
    assert cache_folder(COMMANDER) == cache_folder("cotulenh_env.commander.kernels.observe")
    assert cache_folder(COMMANDER) != cache_folder("cotulenh_env.tictactoe.kernels")


def test_only_the_newest_folders_are_kept(tmp_path: Path) -> None:
    for age in range(8):
        folder = tmp_path / f"package-{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    current = tmp_path / "package-7"
    (tmp_path / "other-1").mkdir()
    kernel_module._prune(tmp_path, "package", current)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "other-1", "package-0", "package-1", "package-2", "package-7",
    ]  # fmt: skip


def test_a_folder_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds code that we would run."""
    assert kernel_module._is_writable(tmp_path / "mine")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert not kernel_module._is_writable(tmp_path / "mine")


@needs_jit
def test_users_own_cache_folder_is_honoured_and_the_notice_comes_once(tmp_path: Path) -> None:
    first = play(NUMBA_CACHE_DIR=str(tmp_path))
    assert first.stderr.count(NOTICE) == 1
    assert list(tmp_path.glob("cotulenh_env/cotulenh_env.tictactoe-*/**/*.nbi"))
    again = play(NUMBA_CACHE_DIR=str(tmp_path))
    assert (again.stdout, again.stderr) == (first.stdout, "")


@needs_jit
def test_without_a_writable_folder_kernels_still_work(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    result = play(NUMBA_CACHE_DIR=str(blocked), TMPDIR=str(tmp_path / "absent"), TMP="", TEMP="")
    assert result.stdout == play().stdout


@needs_jit
def test_a_damaged_cache_costs_a_compilation(tmp_path: Path) -> None:
    expected = play(NUMBA_CACHE_DIR=str(tmp_path)).stdout
    for pattern in ("*.nbi", "*.nbc"):
        for path in tmp_path.rglob(pattern):
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        damaged = play(NUMBA_CACHE_DIR=str(tmp_path))
        assert damaged.stdout == expected
        assert "compiled kernels cannot be kept" in damaged.stderr
        healed = play(NUMBA_CACHE_DIR=str(tmp_path))
        assert (healed.stdout, healed.stderr) == (expected, "")


@needs_jit
def test_a_full_disk_costs_a_compilation(tmp_path: Path) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n{PLAY}"
    done = subprocess.run(
        [sys.executable, "-c", limited],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == play().stdout
    assert done.stderr.count("compiled kernels cannot be kept") == 1
