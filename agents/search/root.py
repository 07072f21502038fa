"""`RootRule`: what the batched search asks of a rule that chooses at the root."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from agents.search.tree import Tree


class RootResult(NamedTuple):
    """Of every root; the fields from the second on as in `SearchResult`.

    Attributes:
        columns: int32 [B]: place of the action to play among the legal ones.
        visit_counts: int32 [B, width].
        policy: float32 [B, width].
        qvalues: float32 [B, width].
        values: float32 [B].
    """

    columns: npt.NDArray[np.int32]
    visit_counts: npt.NDArray[np.int32]
    policy: npt.NDArray[np.float32]
    qvalues: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]


def empty_root_result(num_rows: int, width: int) -> RootResult:
    """Zeros, for a kernel to fill."""
    shape = (num_rows, width)
    return RootResult(
        columns=np.zeros(num_rows, np.int32),
        visit_counts=np.zeros(shape, np.int32),
        policy=np.zeros(shape, np.float32),
        qvalues=np.zeros(shape, np.float32),
        values=np.zeros(num_rows, np.float32),
    )


class RootRule(Protocol):
    """Chooses at the root of every tree, and tells in the end what was found."""

    def choose(
        self, tree: Tree, rows: npt.NDArray[np.int32], simulation: int, edges: npt.NDArray[np.int32]
    ) -> None:
        """Writes into `edges` int32 [n] where this simulation leaves the root of each of `rows`."""

    def finish(self, tree: Tree) -> RootResult:
        """The results of all roots."""
