"""Ctrl-C and SIGTERM stop a run between two of its steps, where its state is whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol


class InterruptedRunError(Exception):
    """The user wants to stop; raised only between steps."""


class Stoppable(Protocol):
    """Something that looks at `stop_wanted` between its steps."""

    stop_wanted: bool


@contextmanager
def interrupt_between_steps(run: Stoppable) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM asks the run to stop between steps, the second at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if run.stop_wanted:
            raise KeyboardInterrupt
        run.stop_wanted = True

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, on_interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
