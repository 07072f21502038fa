"""`AlphaBetaSearch`: iterative deepening of one position, within limits."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.alphabeta.evaluation_weights import EvaluationWeights
from agents.alphabeta.memory import QUIESCENCE_TURNS
from agents.alphabeta.search import run, set_root
from agents.alphabeta.settings import AlphaBetaSettings
from agents.alphabeta.values import DECIDED
from agents.alphabeta.workspace import Workspace, new_workspace
from cotulenh_env.commander.kernels.step import NO_NOTES, step
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.game import States
from cotulenh_env.kernel_argument import kernel_argument
from cotulenh_env.kernel_arrays import NO_INTEGERS, NO_LISTS, NO_MASK, NO_PLANES

_NODES_BETWEEN_LOOKS = 2_000
"""Positions searched between two looks at the clock: a few milliseconds."""

_UNLIMITED = 1 << 60


class SearchResult(NamedTuple):
    """What a search found.

    Attributes:
        best_actions: int32 [k], ascending: all actions of the best value; where the last depth was
            broken off, of those that it came to.
        value: of these, for the player to move, in tenths of an official point; a win is
            `values.WIN` minus the turns that come first.
        depth: turns of the last depth that was finished, or begun far enough to count; 1 where
            there is but one action.
        num_nodes: positions entered.
    """

    best_actions: npt.NDArray[np.int32]
    value: int
    depth: int
    num_nodes: int


class AlphaBetaSearch:
    """Searches one position after the other; nothing is carried over from one to the next.

    It owns its memory, so two threads need two of them.

    Args:
        settings: the limits.
        weights: of the evaluation.
    """

    def __init__(
        self,
        settings: AlphaBetaSettings | None = None,
        weights: EvaluationWeights | None = None,
    ) -> None:
        self.settings = settings or AlphaBetaSettings()
        self.weights = weights or EvaluationWeights()
        self._records = self.weights.as_records()
        self._work: Workspace = new_workspace(
            self.settings.max_depth + QUIESCENCE_TURNS, self.settings.table_megabytes
        )
        self._step = kernel_argument(
            step, np.empty(0, STATE_DTYPE), NO_INTEGERS, NO_LISTS, NO_INTEGERS,
            NO_MASK, NO_PLANES, NO_INTEGERS, NO_NOTES,
        )  # fmt: skip

    def search(self, state: States) -> SearchResult:
        """The best actions of an unfinished position.

        Args:
            state: uint8 [state_size].
        """
        deadline = None
        if self.settings.time_limit_seconds is not None:
            deadline = time.perf_counter() + self.settings.time_limit_seconds
        self._begin(state)
        frame, control = self._work.frames[0], self._work.control[0]
        result = None
        for depth in range(1, self.settings.max_depth + 1):
            set_root(self._work, depth)
            # The first depth is finished in any case.
            is_finished = self._run(None if depth == 1 else deadline, depth == 1)
            num_best = int(control["num_best"])
            if num_best:
                best = np.sort(self._work.best_actions[:num_best])
                result = SearchResult(best, int(frame["best"]), depth, int(control["num_nodes"]))
            if not is_finished or frame["num_actions"] == 1 or abs(int(frame["best"])) > DECIDED:
                break
        assert result is not None
        return result._replace(num_nodes=int(control["num_nodes"]))

    def _begin(self, state: States) -> None:
        work = self._work
        work.states[0] = np.ascontiguousarray(state).view(STATE_DTYPE)[0]
        work.killers.fill(-1)
        work.history.fill(0)
        control = work.control[0]
        control["num_nodes"] = 0
        if control["search"] == np.iinfo(np.int32).max:
            work.table["search"] = 0
            control["search"] = 0
        control["search"] += 1

    def _run(self, deadline: float | None, is_unlimited: bool) -> bool:
        """Searches one depth until it is done, or until a limit is reached."""
        control = self._work.control[0]
        most = _UNLIMITED if is_unlimited else self.settings.num_nodes or _UNLIMITED
        while True:
            limit = most
            if deadline is not None:
                limit = min(most, int(control["num_nodes"]) + _NODES_BETWEEN_LOOKS)
            control["node_limit"] = limit
            if run(self._step, self._work, self._records):
                return True
            if limit == most or (deadline is not None and time.perf_counter() >= deadline):
                return False
