"""Work in a fixed number of threads, with results in a fixed order.

Torch's own threads meet after every operation of the network: for small networks that costs more
than it gains, and on a busy machine they wait for each other most of the time. So torch gets one
thread, and whole pieces of work (a part of the games, a part of a batch) are done side by side.
Kernels and torch let go of Python's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class Threads:
    """A pool of threads, each with one thread of torch.

    Args:
        num_threads: with 1, all work is done in the calling thread.
    """

    def __init__(self, num_threads: int) -> None:
        torch.set_num_threads(1)
        self.num_threads = num_threads
        self._pool = (
            ThreadPoolExecutor(num_threads, "cotulenh", torch.set_num_threads, (1,))
            if num_threads > 1
            else None
        )

    def map(
        self, function: Callable[[Argument], Result], arguments: Iterable[Argument]
    ) -> list[Result]:
        """The function's results in the order of the arguments; the first error is raised."""
        if self._pool is None:
            return [function(argument) for argument in arguments]
        return list(self._pool.map(function, arguments))

    def close(self) -> None:
        """Waits for the threads to end."""
        if self._pool is not None:
            self._pool.shutdown()
