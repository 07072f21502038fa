"""The root by Gumbel noise and sequential halving: exploring, choosing, and the training target.

Noise is added once per search; then the actions of highest noise + prior logit are a sample without
replacement, halved again and again by what the simulations say. See `sequential_halving`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from agents.noise import Seeds, gumbel
from agents.search.root import RootResult, empty_root_result
from agents.search.rule import Rule
from agents.search.sequential_halving import considered_visits_by_row
from agents.search.settings import SearchSettings
from agents.search.tree import Tree
from agents.search.values import as_logit, mean_value, summarise
from cotulenh_env.game import Counts
from cotulenh_env.kernel import kernel

_LOWEST = -1e9
"""No action that may be visited scores less, whatever its logits."""
_LOWEST_FLOAT32 = np.finfo(np.float32).min


class GumbelRoot:
    """Gumbel noise and sequential halving at the root. See `RootRule`.

    Args:
        settings: of the search.
        rule: of the same settings.
        prior_logits: float32 [B, width] of the roots.
        counts: int32 [B]: their legal actions.
        num_simulations: int32 [B].
        seeds: uint64 [B]: numbers 0 … width − 1 of each stream are the noise.
        noise_scale: float64 [B] in [0, 1]: share of the settings' `gumbel_scale`.
        visits_before: int32 [B, width]: visits that the roots' actions have already. Halving counts
            those of this search alone; values count all.
    """

    def __init__(
        self,
        settings: SearchSettings,
        rule: Rule,
        prior_logits: npt.NDArray[np.float32],
        counts: Counts,
        num_simulations: Counts,
        seeds: Seeds,
        noise_scale: npt.NDArray[np.float64],
        visits_before: npt.NDArray[np.int32],
    ) -> None:
        self._rule = rule
        width = int(counts.max())
        legal = np.arange(width) < counts[:, None]
        logits = np.where(legal, prior_logits[:, :width], -np.inf)
        with np.errstate(over="ignore"):  # two finite numbers may be further apart than the largest
            logits = logits - logits.max(axis=1, keepdims=True)
        self._logits = np.maximum(logits, _LOWEST_FLOAT32).astype(np.float32)
        scales = (noise_scale * settings.gumbel_scale).astype(np.float32)[:, None]
        noise = gumbel(seeds, width) if scales.any() else np.zeros(legal.shape, np.float32)
        self._noise = scales * noise
        num_considered = np.minimum(counts, settings.max_num_considered_actions)
        table = considered_visits_by_row(num_considered, num_simulations)
        self._considered = np.ascontiguousarray(table.T)
        self._visits_before = visits_before

    def choose(
        self, tree: Tree, rows: npt.NDArray[np.int32], simulation: int, edges: npt.NDArray[np.int32]
    ) -> None:
        """See `RootRule`."""
        _choose_edges(
            tree,
            rows,
            self._considered[simulation],
            self._logits,
            self._noise,
            self._visits_before,
            self._rule,
            edges,
        )

    def finish(self, tree: Tree) -> RootResult:
        """See `RootRule`."""
        result = empty_root_result(*self._logits.shape)
        _improve(
            tree,
            self._logits,
            self._noise,
            self._visits_before,
            self._rule,
            *result,
        )
        return result


@kernel
def _best_column(
    tree: Tree,
    row: int,
    considered: int,
    logits: npt.NDArray[np.float32],
    noise: npt.NDArray[np.float32],
    before: npt.NDArray[np.int32],
    rule: Rule,
) -> int:
    """Of the root's edges with `considered` new visits, that of highest noise + logit + Q-value."""
    v_mix, lowest, highest, most_visits, _, _ = summarise(tree, row, 0)
    scale = (rule.maxvisit_init + most_visits) * rule.value_scale
    best, best_score = 0, -math.inf
    for column in range(int(tree.num_edges[row, 0])):
        visits = int(tree.visits[row, column])
        if visits - before[row, column] == considered:
            q = mean_value(tree, row, column) if visits > 0 else v_mix
            score = float(noise[row, column]) + float(logits[row, column])
            score = max(_LOWEST, score + as_logit(q, lowest, highest, scale, rule.rescale_values))
            if score > best_score:
                best, best_score = column, score
    return best


@kernel
def _choose_edges(
    tree: Tree,
    rows: npt.NDArray[np.int32],
    considered: npt.NDArray[np.int32],
    logits: npt.NDArray[np.float32],
    noise: npt.NDArray[np.float32],
    before: npt.NDArray[np.int32],
    rule: Rule,
    edges: npt.NDArray[np.int32],
) -> None:
    # The root's edges are the tree's first, so a column of the root is an edge.
    for index in range(len(rows)):
        row = int(rows[index])
        edges[index] = _best_column(
            tree,
            row,
            int(considered[row]),
            logits,
            noise,
            before,
            rule,
        )


@kernel
def _improve(
    tree: Tree,
    logits: npt.NDArray[np.float32],
    noise: npt.NDArray[np.float32],
    before: npt.NDArray[np.int32],
    rule: Rule,
    columns: npt.NDArray[np.int32],
    visits: npt.NDArray[np.int32],
    policy: npt.NDArray[np.float32],
    qvalues: npt.NDArray[np.float32],
    values: npt.NDArray[np.float32],
) -> None:
    """Fills the results of all roots: see `RootResult`."""
    for row in range(len(columns)):
        v_mix, lowest, highest, most_visits, _, _ = summarise(tree, row, 0)
        scale = (rule.maxvisit_init + most_visits) * rule.value_scale
        count = int(tree.num_edges[row, 0])
        most_new_visits = 0
        for column in range(count):
            most_new_visits = max(
                most_new_visits, int(tree.visits[row, column] - before[row, column])
            )
        columns[row] = _best_column(
            tree,
            row,
            most_new_visits,
            logits,
            noise,
            before,
            rule,
        )
        largest = -math.inf
        for column in range(count):
            visits[row, column] = tree.visits[row, column]
            q = mean_value(tree, row, column) if tree.visits[row, column] > 0 else v_mix
            qvalues[row, column] = q
            logit = as_logit(q, lowest, highest, scale, rule.rescale_values)
            largest = max(largest, float(logits[row, column]) + logit)
        total, value = 0.0, 0.0
        for column in range(count):
            q = mean_value(tree, row, column) if tree.visits[row, column] > 0 else v_mix
            logit = as_logit(q, lowest, highest, scale, rule.rescale_values)
            weight = math.exp(float(logits[row, column]) + logit - largest)
            total += weight
            value += weight * q
            policy[row, column] = weight
        for column in range(count):
            policy[row, column] = float(policy[row, column]) / total
        values[row] = value / total
