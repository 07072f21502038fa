"""Settings of an alpha-beta search: how deep, how long, how much memory."""

from __future__ import annotations

from dataclasses import dataclass

from agents.checks import checked_count, checked_seconds

MAX_DEPTH = 20
"""Turns; more than any search on today's machines comes to."""

_MAX_NODES = 10**12
_MAX_MEGABYTES = 4096
_DEFAULT_DEPTH = 2


@dataclass(frozen=True)
class AlphaBetaSettings:
    """Limits of a search; the first that is reached ends it.

    The search deepens turn by turn. With a depth alone, or a number of nodes, its result depends on
    the position only; with a time limit it depends on the machine, too. Depth 1 is always finished.

    Attributes:
        depth: turns of both sides together, the one to be played included, 1–20. None is 2, or 20
            when one of the next two limits is set.
        time_limit_seconds: seconds per action, above 0 and at most a day; None is no limit.
        num_nodes: positions per action, 1–10¹²; None is no limit.
        table_megabytes: memory of the transposition table, 0–4096 MB; 0 does without. With a depth
            alone it changes the speed and never the action.

    Raises:
        AgentError: a value is out of range or of the wrong type.
    """

    depth: int | None = None
    time_limit_seconds: float | None = None
    num_nodes: int | None = None
    table_megabytes: int = 8

    def __post_init__(self) -> None:
        if self.depth is not None:
            checked_count("depth", self.depth, 1, MAX_DEPTH)
        if self.num_nodes is not None:
            checked_count("num_nodes", self.num_nodes, 1, _MAX_NODES)
        checked_count("table_megabytes", self.table_megabytes, 0, _MAX_MEGABYTES)
        if self.time_limit_seconds is not None:
            checked_seconds("time_limit_seconds", self.time_limit_seconds)

    @property
    def max_depth(self) -> int:
        """The depth at which the search ends in any case."""
        if self.depth is not None:
            return self.depth
        is_limited = self.time_limit_seconds is not None or self.num_nodes is not None
        return MAX_DEPTH if is_limited else _DEFAULT_DEPTH
