"""PUCT: the edge of highest Q-value plus a bonus for a high prior and few visits.

    score(a) = Q(a) + c(N) · P(a) · √N / (1 + n(a)),    c(N) = c_puct + ln((N + base + 1) / base)

n(a) are the visits of edge a, N those of the node: its own evaluation and all of its edges. Q(a) is
brought to [0, 1]: from [-1, 1], or, with `rescale_values`, from the interval of the values of the
node and its visited edges (Schrittwieser et al. 2020, appendix B; mctx).

First-play urgency: an unvisited edge counts as V − fpu_reduction · √(priors of the visited edges),
but not as less than the lower end of that interval; V is the mean of the node's own value and of
all simulations through it (Wu 2019, section 2).

Silver et al., "A general reinforcement learning algorithm …", Science 2018, supplement.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from agents.noise import Seeds, dirichlet
from agents.search.root import RootResult, empty_root_result
from agents.search.rule import Rule
from agents.search.settings import SearchSettings
from agents.search.tree import Tree
from agents.search.values import EPSILON, mean_value
from cotulenh_env.game import Counts
from cotulenh_env.kernel import kernel

_TOTAL_ALPHA = 10.0
"""Of all legal actions together where `dirichlet_alpha` is not set: 0.3 each in chess."""


class PuctRoot:
    """PUCT at the root, with noise in the priors. See `RootRule`.

    The noise is mixed into a copy of the priors, so that a kept subtree never has two of them. In a
    kept subtree the bonus counts the visits of this search alone: earlier ones, which knew nothing
    of this noise, would drown it, and would be missing in the policy. Q-values are over all visits.

    Args:
        settings: of the search.
        rule: of the same settings.
        tree: whose first edges are those of the roots.
        counts: int32 [B]: their legal actions.
        seeds: uint64 [B]: of the noise.
        noise_scale: float64 [B] in [0, 1]: share of `dirichlet_fraction`.
    """

    def __init__(
        self,
        settings: SearchSettings,
        rule: Rule,
        tree: Tree,
        counts: Counts,
        seeds: Seeds,
        noise_scale: npt.NDArray[np.float64],
    ) -> None:
        self._rule = rule._replace(fpu_reduction=float(settings.root_fpu_reduction))
        n, width = len(counts), int(counts.max())
        is_edge = np.arange(width) < counts[:, None]
        self._priors = np.where(is_edge, tree.priors[:n, :width], np.float32(0))
        fractions = (noise_scale * settings.dirichlet_fraction)[:, None]
        if fractions.any():
            alpha = settings.dirichlet_alpha
            alphas = _TOTAL_ALPHA / counts if alpha is None else np.full(n, float(alpha))
            noise = dirichlet(seeds, counts, alphas)
            self._priors = ((1 - fractions) * self._priors + fractions * noise).astype(np.float32)
        self._visits = np.zeros((n, width), np.int32)

    def choose(
        self, tree: Tree, rows: npt.NDArray[np.int32], simulation: int, edges: npt.NDArray[np.int32]
    ) -> None:
        """See `RootRule`."""
        _choose_edges(tree, rows, self._priors, self._visits, self._rule, edges)

    def finish(self, tree: Tree) -> RootResult:
        """See `RootRule`."""
        result = empty_root_result(*self._visits.shape)
        _summarise(tree, self._visits, *result)
        return result


@kernel
def node_value(tree: Tree, row: int, node: int) -> float:
    """Mean of the node's own value and of all simulations through it, for its player."""
    first = int(tree.first_edges[row, node])
    total, num_visits = float(tree.raw_values[row, node]), 1
    for edge in range(first, first + int(tree.num_edges[row, node])):
        total += float(tree.value_sums[row, edge]) if tree.visits[row, edge] > 0 else 0.0
        num_visits += int(tree.visits[row, edge])
    return total / num_visits


@kernel
def best_by_puct(
    tree: Tree,
    row: int,
    node: int,
    priors: npt.NDArray[np.float32],
    visits: npt.NDArray[np.int32],
    first_column: int,
    rule: Rule,
) -> int:
    """The node's edge of highest score; of equals the first.

    Of the unvisited edges only the one of highest prior can be it, since all share one Q-value.
    At the root an edge without visits of this search may have some in the tree, and so a Q-value.

    Args:
        tree: the trees.
        row: of the tree.
        node: an unfinished one.
        priors: float32 [B, …]: P; row `row` from `first_column` on.
        visits: int32 [B, …]: n, likewise.
        first_column: see `priors`.
        rule: of the search.
    """
    first, count = int(tree.first_edges[row, node]), int(tree.num_edges[row, node])
    value = node_value(tree, row, node)
    lowest, highest = value, value
    visited_prior, best_prior = 0.0, -1.0
    num_visits, favourite = 1, -1
    for place in range(count):
        prior = float(priors[row, first_column + place])
        num_visits += int(visits[row, first_column + place])
        if tree.visits[row, first + place] > 0:
            q = mean_value(tree, row, first + place)
            lowest, highest = min(lowest, q), max(highest, q)
            visited_prior += prior
        elif prior > best_prior:
            best_prior, favourite = prior, place
    if not rule.rescale_values:
        lowest, highest = -1.0, 1.0
    spread = max(highest - lowest, EPSILON)
    urgency = max(lowest, value - rule.fpu_reduction * math.sqrt(max(visited_prior, 0.0)))
    factor = rule.c_puct
    if rule.c_puct_base > 0:
        factor += math.log((num_visits + rule.c_puct_base + 1) / rule.c_puct_base)
    factor *= math.sqrt(num_visits)
    best, best_score = 0, -math.inf
    for place in range(count):
        if tree.visits[row, first + place] > 0:
            q = mean_value(tree, row, first + place)
        elif place == favourite:
            q = urgency
        else:
            continue
        prior = float(priors[row, first_column + place])
        bonus = factor * prior / (1 + int(visits[row, first_column + place]))
        score = (q - lowest) / spread + bonus
        if score > best_score:
            best, best_score = place, score
    return first + best


@kernel
def _choose_edges(
    tree: Tree,
    rows: npt.NDArray[np.int32],
    priors: npt.NDArray[np.float32],
    visits: npt.NDArray[np.int32],
    rule: Rule,
    edges: npt.NDArray[np.int32],
) -> None:
    """Chooses, and counts the visit. The root's edges are the tree's first: a column is an edge."""
    for index in range(len(rows)):
        row = int(rows[index])
        edge = best_by_puct(tree, row, 0, priors, visits, 0, rule)
        visits[row, edge] += 1
        edges[index] = edge


@kernel
def _summarise(
    tree: Tree,
    own_visits: npt.NDArray[np.int32],
    columns: npt.NDArray[np.int32],
    visit_counts: npt.NDArray[np.int32],
    policy: npt.NDArray[np.float32],
    qvalues: npt.NDArray[np.float32],
    values: npt.NDArray[np.float32],
) -> None:
    """Fills the results of all roots: see `RootResult`."""
    for row in range(len(columns)):
        value = node_value(tree, row, 0)
        count = int(tree.num_edges[row, 0])
        total = 0
        for column in range(count):
            total += int(own_visits[row, column])
        best, best_share, best_q, expected = 0, -1.0, -2.0, 0.0
        for column in range(count):
            visit_counts[row, column] = tree.visits[row, column]
            q = mean_value(tree, row, column) if tree.visits[row, column] > 0 else value
            share = float(tree.priors[row, column])
            if total > 0:
                share = int(own_visits[row, column]) / total
            if share > best_share or (share == best_share and q > best_q):
                best, best_share, best_q = column, share, q
            expected += share * q
            policy[row, column] = share
            qvalues[row, column] = q
        columns[row] = best
        values[row] = expected
