"""The decorators for compiled kernels, and the cache folder they share.

A kernel is a free function over arrays, compiled by Numba on first use and cached on disk. With
`NUMBA_DISABLE_JIT=1` it runs as plain Python and gives the same results.

Numba's cache does not notice an edit in a function or table that a kernel *calls*. So every package
of kernels gets a cache folder named by a hash over all sources its kernels can reach, over the
versions of Python, Numba and NumPy, and over the compiler modes. The folder is set only while a
kernel is decorated: other packages' caches stay where they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import logging
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core import event as numba_event

__all__ = ["inner_kernel", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

logger = logging.getLogger(__name__)

_OPTIONS = {"nogil": True, "error_model": "numpy"}

_ENTRY: dict[str, Any] = {}
_INNER: dict[str, Any] = {}
"""How functions called from Python, and from kernels only, are compiled."""
try:
    from cotulenh_env.linking import EntryCompiler, InnerCompiler
except (ImportError, AttributeError):  # a release of Numba that is built otherwise
    logger.info("kernels are compiled one by one: Numba %s is new to us", numba.__version__)
else:
    _ENTRY, _INNER = {"pipeline_class": EntryCompiler}, {"pipeline_class": InnerCompiler}

_NUM_FOLDERS_KEPT = 4
"""Cache folders kept per package of kernels: the current one and a few for other checkouts."""

_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+((?:cotulenh_env|agents)[\w.]*)(?:\s+import\s+(.*))?", re.MULTILINE
)


def kernel(function: F) -> F:
    """Compiles `function` with Numba: cached, without the GIL, NumPy's division rules.

    Kernels trust their callers: arguments are C-contiguous arrays of the documented dtypes, the
    caller owns every array, and the only globals are constant tables.

    Args:
        function: a free function, called from Python and from other kernels.

    Returns:
        The compiled function, under the type of `function`.
    """
    if numba_config.DISABLE_JIT:
        return function
    _announce_compilation()
    folder = cache_folder(function.__module__)
    if folder is None:
        compiled: F = numba.njit(**_OPTIONS, **_ENTRY)(function)
    else:
        with _numba_cache_dir(folder):
            compiled = numba.njit(cache=True, **_OPTIONS, **_ENTRY)(function)
        _do_without_cache_on_error(compiled)
    _widen_integers(compiled)
    return compiled


def inner_kernel(function: F) -> F:
    """A kernel that only other kernels call.

    It gets no wrapper for Python and no place of its own in the cache (it lies in its callers'),
    which takes a quarter off the time that the first start on a machine compiles.

    Args:
        function: a free function.

    Returns:
        The compiled function, under the type of `function`.
    """
    if numba_config.DISABLE_JIT:
        return function
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **_OPTIONS, **_INNER}
    compiled: F = numba.njit(**options)(function)
    _widen_integers(compiled)
    return compiled


def _do_without_cache_on_error(dispatcher: Any) -> None:
    """Lets a full disk or a damaged file in the cache cost a compilation, not the program."""
    stored = dispatcher._cache
    save, load = stored.save_overload, stored.load_overload

    def save_overload(signature: Any, data: Any) -> None:
        try:
            save(signature, data)
        except Exception as error:
            _warn_of_cache(str(error) or type(error).__name__)

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except Exception as error:  # unpickling damaged bytes raises whatever it likes
            _warn_of_cache(f"{type(error).__name__} while reading")
            with contextlib.suppress(Exception):
                stored.flush()  # so that the next start finds a whole one again
            return None

    stored.save_overload, stored.load_overload = save_overload, load_overload


@cache
def _warn_of_cache(reason: str) -> None:
    logger.warning("compiled kernels cannot be kept (%s): the next start compiles again", reason)


def _widen_integers(dispatcher: Any) -> None:
    """Makes other kernels call this one with int64 for every integer, so it is compiled once.

    Numba would compile it anew for int8, int16, int64 and for every literal that is passed.
    """
    original = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return original(tuple(map(_widened, args)), {key: _widened(kws[key]) for key in kws})

    dispatcher.get_call_template = get_call_template


def _widened(argument: Any) -> Any:
    argument = numba.types.unliteral(argument)
    return numba.types.int64 if isinstance(argument, numba.types.Integer) else argument


@contextlib.contextmanager
def _numba_cache_dir(folder: Path) -> Iterator[None]:
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba_config.CACHE_DIR = before


def cache_folder(module: str) -> Path | None:
    """The cache folder of the kernels of the package that `module` belongs to.

    Args:
        module: dotted name of a module that defines kernels.

    Returns:
        A writable folder, or None when there is none (kernels then compile in every process).
    """
    return _package_folder(module.rpartition(".")[0])


@cache
def _package_folder(package: str) -> Path | None:
    name = f"{package}-{_sources_hash(package)}"
    for base in _candidate_bases():
        folder = base / name
        if _is_writable(folder):
            _prune(base, package, folder)
            return folder
    logger.warning(
        "no folder for compiled kernels can be written: they are compiled in every process"
    )
    return None


def _candidate_bases() -> list[Path]:
    if numba_config.CACHE_DIR:  # the user's own NUMBA_CACHE_DIR
        return [Path(numba_config.CACHE_DIR) / "cotulenh_env", _temporary_base()]
    if sys.platform == "win32":
        user = os.environ.get("LOCALAPPDATA") or "~\\AppData\\Local"
    elif sys.platform == "darwin":
        user = "~/Library/Caches"
    else:
        user = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        home = [Path(user).expanduser() / "cotulenh_env"]
    except RuntimeError:  # no home folder
        home = []
    return [*home, _temporary_base()]


def _temporary_base() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"cotulenh_env-{user}"


def _is_writable(folder: Path) -> bool:
    """Makes the folder and probes it; somebody else's is refused, since the cache holds code."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError:
        return False
    return True


def _prune(base: Path, package: str, current: Path) -> None:
    """Deletes the package's oldest folders. Another process that uses one only compiles again."""
    with contextlib.suppress(OSError):
        stale = sorted(
            (path for path in base.glob(f"{package}-*") if path != current),
            key=lambda path: path.stat().st_mtime,
        )
        for path in stale[: max(0, len(stale) - (_NUM_FOLDERS_KEPT - 1))]:
            shutil.rmtree(path, ignore_errors=True)


def _sources_hash(package: str) -> str:
    digest = hashlib.sha256()
    modes = (numba_config.BOUNDSCHECK, numba_config.OPT, numba_config.DEBUGINFO_DEFAULT)
    versions = (sys.version_info[:3], numba.__version__, np.__version__, modes)
    digest.update(repr(versions).encode())
    for path in sorted(_reachable_sources(package)):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _reachable_sources(package: str) -> set[Path]:
    """Every source file of `package`, and what those import of our own packages, transitively."""
    root = _source_file(package)
    pending = set(root.parent.glob("*.py")) if root is not None else set()
    reached: set[Path] = set()
    while pending:
        path = pending.pop()
        reached.add(path)
        pending |= _own_imports(path.read_text(encoding="utf-8")) - reached
    return reached


def _own_imports(text: str) -> set[Path]:
    found: set[Path] = set()
    for match in _IMPORT.finditer(text):
        names = re.findall(r"\w+", match[2] or "")
        for module in (match[1], *(f"{match[1]}.{name}" for name in names)):
            path = _source_file(module)
            if path is not None:
                found.add(path)
    return found


@cache
def _source_file(module: str) -> Path | None:
    """Where the module's source lies, without importing it."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))).joinpath(*rest)
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


class _CompilationNotice(numba_event.Listener):  # type: ignore[misc]
    """Says once that kernels are being compiled, and on a terminal counts them."""

    def __init__(self) -> None:
        self._depth = 0
        self._num_compiled = 0
        self._started = 0.0
        self._lock = threading.Lock()

    def on_start(self, event: Any) -> None:
        if not _is_ours(event):
            return
        with self._lock:
            if self._num_compiled == 0 and self._depth == 0:
                self._started = time.perf_counter()
                logger.warning(
                    "first use on this machine: compiling kernels, up to a quarter of a minute …"
                )
            self._depth += 1

    def on_end(self, event: Any) -> None:
        if not _is_ours(event):
            return
        with self._lock:
            self._depth -= 1
            self._num_compiled += 1
            if sys.stderr is not None and sys.stderr.isatty():
                seconds = time.perf_counter() - self._started
                end = "\n" if self._depth == 0 else ""
                sys.stderr.write(f"\r  {self._num_compiled} kernels compiled, {seconds:.1f} s{end}")
                sys.stderr.flush()


def _is_ours(event: Any) -> bool:
    function = getattr(event.data.get("dispatcher"), "py_func", None)
    return getattr(function, "__module__", "").startswith(("cotulenh_env", "agents"))


@cache
def _announce_compilation() -> None:
    numba_event.register("numba:compile", _CompilationNotice())
