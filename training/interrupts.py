"""Ctrl-C and SIGTERM: a run stops between two of its steps, others save what is finished.

Saving is not stopped by the next of them, which comes soon where somebody has pressed twice.

Programs that end others, such as `timeout`, may send SIGTERM twice at once. So only Ctrl-C is taken
for impatience when it comes again.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

logger = logging.getLogger(__name__)


class InterruptedRunError(Exception):
    """The user wants to stop; raised only between steps."""


class Stoppable(Protocol):
    """Something that looks at `stop_wanted` between its steps."""

    stop_wanted: bool


@contextmanager
def interrupt_between_steps(run: Stoppable) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM asks the run to stop between steps; Ctrl-C then stops at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if run.stop_wanted and number == signal.SIGINT:
            raise KeyboardInterrupt
        run.stop_wanted = True

    with _handled(on_interrupt, signal.SIGINT, signal.SIGTERM):
        yield


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """The first SIGTERM raises KeyboardInterrupt, as Ctrl-C does; further ones are passed over."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    is_stopping = False

    def on_sigterm(number: int, frame: FrameType | None) -> None:
        nonlocal is_stopping
        if not is_stopping:
            is_stopping = True
            raise KeyboardInterrupt

    with _handled(on_sigterm, signal.SIGTERM):
        yield


@contextmanager
def saving() -> Iterator[None]:
    """Signals wait until the end, where they raise KeyboardInterrupt; a second Ctrl-C does so now.

    It has often been a Ctrl-C that has led here, so that it is the user's third.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: set[int] = set()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and number in received:
            raise KeyboardInterrupt
        if number == signal.SIGINT:
            logger.info("saving what is finished; Ctrl-C once more gives it up")
        received.add(number)

    with _handled(on_signal, signal.SIGINT, signal.SIGTERM):
        yield
    if received:
        raise KeyboardInterrupt


def pass_over_signals() -> None:
    """From here on Ctrl-C and SIGTERM do nothing, for a process that has saved all and ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def _handled(
    handler: Callable[[int, FrameType | None], None], *numbers: signal.Signals
) -> Iterator[None]:
    """Signals are handled so until the end, and then as before."""
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, former in zip(numbers, before, strict=True):
            signal.signal(number, former)
