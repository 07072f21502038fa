"""Threads that share the rows of a batch: each takes one range of consecutive rows.

Kernels release Python's global lock, so threads help where the work is done by kernels. Rows do not
depend on each other: the results are the same for any number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any


class RowThreads:
    """Runs functions over ranges of rows.

    Attributes:
        num_threads: how many run at once, the caller's own included.
    """

    def __init__(self, num_threads: int) -> None:
        self.num_threads = num_threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # that has the pool's threads; a forked child has not

    def run(self, function: Callable[[int, int], None], num_rows: int) -> None:
        """Calls `function(start, stop)` until all rows are done; waits for every range.

        Args:
            function: works on rows start … stop - 1 and touches no others.
            num_rows: of the whole batch.

        Raises:
            Exception: what `function` raised, for the first range that did.
        """
        num_parts = min(self.num_threads, num_rows)
        if num_parts < 2:
            if num_rows:
                function(0, num_rows)
            return
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.num_threads - 1, "cotulenh-rows")
            self._process = os.getpid()
        bounds = [num_rows * part // num_parts for part in range(num_parts + 1)]
        others = [self._pool.submit(function, start, stop) for start, stop in pairwise(bounds[1:])]
        try:
            function(0, bounds[1])
        finally:
            wait(others)
        for other in others:
            other.result()

    def close(self) -> None:
        """Ends the threads; the next `run` starts others."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.num_threads,)
