"""What a benchmark finds: rows of a table, and curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

Basis = Literal["cpu", "wall", "count"]
"""What a row's numbers are by: CPU time of one thread, time that passed, or neither."""


@dataclass(frozen=True)
class Spread:
    """The median of a few repeats, the lowest and the highest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Of at least one value."""
        found = sorted(values)
        return cls(median(found), found[0], found[-1])


@dataclass(frozen=True)
class Target:
    """What a row should reach (DESIGN §9).

    Attributes:
        limit: the number.
        of: `"ratio"` to the peer, which should be at least the limit, or the row's own `"value"`,
            which should be at most the limit.
    """

    limit: float
    of: Literal["ratio", "value"] = "ratio"


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        group: which part of the benchmark it is from.
        name: what was measured.
        unit: of the values.
        basis: which of `values` counts, for the ratio and the target, too.
        values: by basis; empty when nothing could be measured.
        target: to be reached, if there is one.
        peer: name of the row that this one is compared with, or empty.
        ratio: to that row; None where one of them is missing.
        note: whatever else is to be said.
    """

    group: str
    name: str
    unit: str
    basis: Basis = "cpu"
    values: Mapping[Basis, Spread] = field(default_factory=dict)
    target: Target | None = None
    peer: str = ""
    ratio: float | None = None
    note: str = ""

    @property
    def value(self) -> Spread | None:
        """The values that count."""
        return self.values.get(self.basis)

    @property
    def verdict(self) -> str:
        """`"ok"` or `"below"` the target; empty without a target or without a measurement."""
        if self.target is None or self.value is None:
            return ""
        if self.target.of == "value":
            return "ok" if self.value.median <= self.target.limit else "below"
        if self.ratio is None:
            return ""
        return "ok" if self.ratio >= self.target.limit else "below"


@dataclass(frozen=True)
class Curve:
    """How something grows: a small table.

    Attributes:
        name: what grows.
        columns: headings with units, the first for what it grows with.
        points: medians, one tuple per line.
    """

    name: str
    columns: tuple[str, ...]
    points: tuple[tuple[float, ...], ...]


def missing_row(group: str, name: str, unit: str, module: str) -> Row:
    """A row that says which module is not installed."""
    return Row(group, name, unit, note=f"not installed: {module}")
