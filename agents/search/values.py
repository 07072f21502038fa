"""Kernels: what a node's edges are worth, and how worth becomes logits.

Follows "Policy improvement by planning with Gumbel" (Danihelka et al. 2022), appendix D, and its
reference implementation. Sums are taken in float64, so that compiled and plain Python agree.
"""

from __future__ import annotations

from agents.search.tree import Tree
from cotulenh_env.kernel import kernel

TINY = 1.1754943508222875e-38
"""The smallest normal float32: visited actions never have zero probability."""
EPSILON = 1e-8
"""Q-values closer together than this are not spread out."""


@kernel
def seen_by(player: int, other: int, value: float) -> float:
    """A value for `other`, as `player` sees it. The only place where values change sign.

    It goes by players, never by depth: one player may act several times in a row.
    """
    return value if player == other else -value


@kernel
def mean_value(tree: Tree, row: int, edge: int) -> float:
    """Q-value of a visited edge, for the player who chooses it."""
    return float(tree.value_sums[row, edge]) / float(tree.visits[row, edge])


@kernel
def summarise(tree: Tree, row: int, node: int) -> tuple[float, float, float, int, int, int]:
    """One pass over the edges of an unfinished node.

    Returns:
        v_mix: value of the node mixed from the evaluator's and the visited edges' weighted by
            prior; it stands for the Q-value of every unvisited edge.
        lowest, highest: over the Q-values of all edges, so completed.
        most_visits, num_visits: largest and sum of the visit counts.
        favourite: the unvisited edge of highest prior, or −1.
    """
    first = int(tree.first_edges[row, node])
    lowest, highest = 2.0, -2.0
    weights, weighted, best_prior = 0.0, 0.0, -1.0
    most_visits, num_visits, favourite = 0, 0, -1
    for edge in range(first, first + int(tree.num_edges[row, node])):
        visits = int(tree.visits[row, edge])
        prior = float(tree.priors[row, edge])
        if visits > 0:
            q = mean_value(tree, row, edge)
            weight = max(TINY, prior)
            weights += weight
            weighted += weight * q
            lowest, highest = min(lowest, q), max(highest, q)
            num_visits += visits
            most_visits = max(most_visits, visits)
        elif prior > best_prior:
            best_prior, favourite = prior, edge
    v_mix = float(tree.raw_values[row, node])
    if num_visits > 0:
        v_mix = (v_mix + num_visits * (weighted / weights)) / (num_visits + 1)
    if favourite >= 0:
        lowest, highest = min(lowest, v_mix), max(highest, v_mix)
    return v_mix, lowest, highest, most_visits, num_visits, favourite


@kernel
def as_logit(q: float, lowest: float, highest: float, scale: float, rescale_values: bool) -> float:
    """A completed Q-value as a logit to be added to the prior's.

    Args:
        q: in [lowest, highest].
        lowest: over all edges of the node.
        highest: likewise.
        scale: (maxvisit_init + most visits) × value_scale.
        rescale_values: whether to spread [lowest, highest] over [0, 1] first.
    """
    if rescale_values:
        q = (q - lowest) / max(highest - lowest, EPSILON)
    return scale * q
