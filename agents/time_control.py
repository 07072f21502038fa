"""`TimeControl`: as many simulations as fit into a time, for a batch of positions.

Sequential halving has to know the number of simulations before the first one, so the search is not
cut off: its length is foreseen from the speed of the searches before it. Every position of a batch
brings its own time, as if the positions were searched one after another.
"""

from __future__ import annotations

import time

import numpy as np

from agents.checks import checked_seconds
from agents.search import BatchedSearch, SearchResult
from agents.search.settings import MAX_SIMULATIONS
from agents.search.tree import bytes_for
from cotulenh_env.game import States

_FIRST_SIMULATIONS = 8
"""A search of so many tells the speed, where none has been seen."""
_SHARE = 0.95
"""Of the time is planned for; simulations late in a search take longer."""
_EDGES_OF_A_NODE = 128


class TimeControl:
    """Searches of about equal time.

    Args:
        search: does the searching.
        seconds: for each position of a batch, of one thread.

    Raises:
        AgentError: the time makes no sense.
    """

    def __init__(self, search: BatchedSearch, seconds: float) -> None:
        self._search = search
        self._seconds = float(checked_seconds("time_limit_seconds", seconds))
        self._cost: float | None = None  # seconds per simulation of one position

    def search(self, states: States, rng: np.random.Generator) -> SearchResult:
        """See `BatchedSearch.search`."""
        n = len(states)
        if n == 0:
            return self._search.search(states, rng, 0)
        result: SearchResult | None = None
        deadline = time.perf_counter() + n * self._seconds
        most = self._most_simulations(n)
        num_done = 0
        while True:
            num_simulations = _FIRST_SIMULATIONS
            if self._cost is not None:
                seconds_left = max(0.0, deadline - time.perf_counter())
                num_simulations = int(_SHARE * seconds_left / (n * self._cost))
            num_simulations = max(1, min(num_simulations, most))
            if result is not None and num_simulations < 2 * num_done:
                return result
            # Once more where the last search took far less time than foreseen.
            result = self._timed(states, rng, num_simulations)
            num_done = num_simulations

    def _timed(
        self, states: States, rng: np.random.Generator, num_simulations: int
    ) -> SearchResult:
        start = time.perf_counter()
        result = self._search.search(states, rng, num_simulations)
        seconds = time.perf_counter() - start
        self._cost = max(seconds, 1e-9) / (len(states) * num_simulations)
        return result

    def _most_simulations(self, n: int) -> int:
        """What the memory allowed to search trees holds, with many legal actions everywhere."""
        width = min(self._search.game.spec.max_legal_actions, _EDGES_OF_A_NODE)
        per_node = bytes_for(n, 1, width, self._search.game.spec.state_size)
        allowed = self._search.settings.max_tree_megabytes << 20
        return min(MAX_SIMULATIONS, max(1, allowed // per_node - 2))
