"""Runs that are killed by SIGKILL at chosen moments, each in a process of its own.

`python -m tests.training.killed_runs FOLDER` does the short run once for every moment, in the
subfolder of that name. Imports, which take seconds, are done once: the processes are forked.
Nothing is computed before: a process that has computed with threads hands on their libraries in a
state that not all of them survive.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.training.runs import run_in
from training import checkpoint, loop
from training.event_file import EventFile
from training.learner import Learner
from training.parallel_self_play import ParallelSelfPlay
from training.replay import ReplayBuffer
from training.run_folder import RunFolder


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _at_call(
    owner: Any, name: str, number: int, before: Callable[..., object] = lambda *_: None
) -> None:
    """Lets the process die at the beginning of the given call of a function, after `before`."""
    function = getattr(owner, name)
    num_calls = 0

    def counted(*arguments: Any, **keywords: Any) -> Any:
        nonlocal num_calls
        num_calls += 1
        if num_calls == number:
            before(*arguments)
            _die()
        return function(*arguments, **keywords)

    setattr(owner, name, counted)


def _half_a_file(buffer: ReplayBuffer, path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 half")


def _half_an_event(file: EventFile, event: Any) -> None:
    file._records.write(event.SerializeToString())
    file._records.flush()
    os.truncate(file._path, file._path.stat().st_size - 3)


def _half_a_link(folder: RunFolder, final: Path) -> None:
    folder.latest.with_name("latest.tmp").symlink_to(final.relative_to(folder.path))


def _half_a_folder(folder: RunFolder, latest: Path, keep: int) -> None:
    oldest = min(folder.checkpoints.iterdir())
    assert oldest != latest
    (oldest / "weights.safetensors").unlink()


MOMENTS: dict[str, Callable[[], None]] = {
    "the first self-play": lambda: _at_call(ParallelSelfPlay, "step", 2),
    "self-play": lambda: _at_call(ParallelSelfPlay, "step", 15),
    "learning": lambda: _at_call(Learner, "step", 10),
    "evaluation": lambda: _at_call(loop, "evaluate", 3),
    "writing a curve": lambda: _at_call(EventFile, "_write", 85, _half_an_event),
    "writing a checkpoint": lambda: _at_call(ReplayBuffer, "save", 3, _half_a_file),
    "bringing it to disk": lambda: _at_call(checkpoint, "sync", 22),
    "after it was renamed": lambda: _at_call(checkpoint, "_point_latest", 3),
    "while it becomes the latest": lambda: _at_call(checkpoint, "_point_latest", 3, _half_a_link),
    "while old ones go": lambda: _at_call(checkpoint, "_prune", 3, _half_a_folder),
}
"""What a run is killed in → how. Checkpoints are those after 0, 2, 4 and 5 iterations."""


def main(folder: Path) -> None:
    """Does all the runs, two at a time; an error if one of them was not killed."""
    moments = list(MOMENTS.items())
    for pair in zip(moments[::2], moments[1::2], strict=True):
        processes = {moment: _started(folder / moment, prepare) for moment, prepare in pair}
        for moment, process in processes.items():
            _, status = os.waitpid(process, 0)
            if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
                sys.exit(f"{moment}: the run ended with status {status} and was not killed")


def _started(folder: Path, prepare: Callable[[], None]) -> int:
    process = os.fork()
    if process == 0:
        try:
            prepare()
            run_in(folder)
        finally:
            os._exit(1)
    return process


if __name__ == "__main__":
    main(Path(sys.argv[1]))
