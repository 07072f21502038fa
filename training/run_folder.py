"""The folder of a run: where things lie in it, and the lock that keeps a second process out.

runs/<config>-<time>/
    config.yaml                  the resolved settings
    checkpoints/000040/          after iteration 40; 000040-0012: 12 steps into the next one
    latest                       link to the newest complete checkpoint
    tensorboard/                 event files
    evaluation.csv               all evaluations
    lock                         held by the process that trains
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from training.errors import RunFolderError, TrainingError


class RunFolder:
    """Paths inside the folder of one run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.config = self.path / "config.yaml"
        self.checkpoints = self.path / "checkpoints"
        self.latest = self.path / "latest"
        self.tensorboard = self.path / "tensorboard"
        self.evaluation = self.path / "evaluation.csv"
        self._lock = self.path / "lock"

    def write_config(self, text: str) -> None:
        """Writes the settings; the old ones are there until the new ones are complete.

        Raises:
            TrainingError: they cannot be written.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        temporary = self.config.with_suffix(".tmp")
        try:
            temporary.write_text(text, encoding="utf-8")
            sync(temporary)
            temporary.replace(self.config)
            sync(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            reason = error.strerror or error
            raise TrainingError(f"{self.config} cannot be written: {reason}") from error

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the folder, made if missing. The system frees it when the process ends, however.

        Raises:
            RunFolderError: another process holds it.
            OSError: it cannot be made.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as file:
            try:
                _lock_file(file)
            except OSError as error:
                raise RunFolderError(
                    f"run folder {self.path} is in use by another process"
                ) from error
            yield

    @property
    def is_locked_by_a_run(self) -> bool:
        """Whether some run has laid its lock there, held or not."""
        return self._lock.exists()

    def refuse_old_run(self) -> None:
        """Makes sure that a new run writes over nothing, neither an old run nor anything else.

        Raises:
            RunFolderError: the folder holds a run, or is not empty.
        """
        if self.latest.is_symlink() or self.latest.exists():
            raise RunFolderError(
                f"run folder {self.path} already holds a run: go on with --resume {self.path}, or "
                f"choose another --run-dir"
            )
        if self.path.is_dir() and any(path != self._lock for path in self.path.iterdir()):
            raise RunFolderError(
                f"folder {self.path} is not empty: choose another --run-dir for a new run"
            )


def sync(path: Path) -> None:
    """Brings a file, or the entries of a folder, to disk."""
    if os.name == "nt" and path.is_dir():  # Windows cannot open folders
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock_file(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock_file(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
