"""Kernels that choose at a node where not everything is legal in every world.

In every world the node is looked at as if it had the edges of that world only. What explores counts
an edge's visits among the walks that could have taken it, its availability: an action that is
seldom legal is not thought to be seldom tried (Cowling, Powley and Whitehouse 2012, section IV).
Where everything is always legal, this is what `puct` and `walk` do.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from agents.search.information_sets import NO_EDGE, Links
from agents.search.rule import Rule
from agents.search.tree import Tree
from agents.search.values import EPSILON, TINY, as_logit, mean_value
from cotulenh_env.kernel import inner_kernel, kernel


@kernel
def choose_available(
    tree: Tree,
    links: Links,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    legal_actions: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    rule: Rule,
    edges: npt.NDArray[np.int32],
) -> None:
    """Chooses among what is legal in each walk's world. There is room for new edges.

    Args:
        tree: the trees.
        links: of the trees.
        rows: int32 [n].
        nodes: int32 [n].
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n].
        rule: of the search.
        edges: int32 [n] to fill.
    """
    for index in range(len(rows)):
        row, node, count = int(rows[index]), int(nodes[index]), int(counts[index])
        _list_available(tree, links, row, node, legal_actions[index], count)
        if rule.is_puct:
            edge = _best_by_puct(tree, links, row, node, count, rule)
        else:
            edge = _towards_improved_policy(tree, links, row, node, count, rule)
        for place in range(count):
            links.availability[row, links.available[place]] += 1
        edges[index] = edge


@inner_kernel
def _list_available(
    tree: Tree,
    links: Links,
    row: int,
    node: int,
    legal_actions: npt.NDArray[np.int32],
    count: int,
) -> None:
    """Fills `available` with the edges of the legal actions, in their order.

    The evaluator has not been asked about an action that turns up later: its prior is the mean of
    the node's.
    """
    first = int(tree.first_edges[row, node])
    total, edge = 0.0, first
    while edge != NO_EDGE:
        links.edge_of_action[tree.actions[row, edge]] = edge
        total += float(tree.priors[row, edge])
        edge = int(links.next_edges[row, edge])
    mean = total / int(tree.num_edges[row, node])
    for place in range(count):
        action = int(legal_actions[place])
        edge = int(links.edge_of_action[action])
        if edge == NO_EDGE:
            edge = int(tree.num_used_edges[row])
            tree.num_used_edges[row] = edge + 1
            tree.num_edges[row, node] += 1
            tree.actions[row, edge] = action
            tree.priors[row, edge] = mean
            tree.visits[row, edge] = 0
            tree.value_sums[row, edge] = 0.0
            links.availability[row, edge] = 0
            links.next_edges[row, edge] = links.next_edges[row, first]
            links.next_edges[row, first] = edge
        links.available[place] = edge
    edge = first
    while edge != NO_EDGE:
        links.edge_of_action[tree.actions[row, edge]] = NO_EDGE
        edge = int(links.next_edges[row, edge])


@inner_kernel
def _total_prior(tree: Tree, links: Links, row: int, count: int) -> float:
    """Of the available edges; not 0."""
    total = 0.0
    for place in range(count):
        total += float(tree.priors[row, links.available[place]])
    return max(total, 1e-300)


@inner_kernel
def _best_by_puct(tree: Tree, links: Links, row: int, node: int, count: int, rule: Rule) -> int:
    """`puct.best_by_puct` among the available edges; an edge's N is 1 + its availability."""
    total_prior = _total_prior(tree, links, row, count)
    value, num_visits, visited_prior = float(tree.raw_values[row, node]), 1, 0.0
    for place in range(count):
        edge = int(links.available[place])
        if tree.visits[row, edge] > 0:
            value += float(tree.value_sums[row, edge])
            num_visits += int(tree.visits[row, edge])
            visited_prior += float(tree.priors[row, edge]) / total_prior
    value /= num_visits
    lowest, highest = value, value
    for place in range(count):
        edge = int(links.available[place])
        if tree.visits[row, edge] > 0:
            q = mean_value(tree, row, edge)
            lowest, highest = min(lowest, q), max(highest, q)
    if not rule.rescale_values:
        lowest, highest = -1.0, 1.0
    spread = max(highest - lowest, EPSILON)
    urgency = max(lowest, value - rule.fpu_reduction * math.sqrt(visited_prior))
    best, best_score = int(links.available[0]), -math.inf
    for place in range(count):
        edge = int(links.available[place])
        visits = int(tree.visits[row, edge])
        q = mean_value(tree, row, edge) if visits > 0 else urgency
        times = 1 + int(links.availability[row, edge])
        factor = rule.c_puct
        if rule.c_puct_base > 0:
            factor += math.log((times + rule.c_puct_base + 1) / rule.c_puct_base)
        prior = float(tree.priors[row, edge]) / total_prior
        score = (q - lowest) / spread + factor * math.sqrt(times) * prior / (1 + visits)
        if score > best_score:
            best, best_score = edge, score
    return best


@inner_kernel
def _towards_improved_policy(
    tree: Tree, links: Links, row: int, node: int, count: int, rule: Rule
) -> int:
    """`walk.towards_improved_policy` among the available edges.

    An edge's share of the visits is of those walks that could have taken it.
    """
    total_prior = _total_prior(tree, links, row, count)
    weights, weighted, num_visits, most_visits = 0.0, 0.0, 0, 0
    lowest, highest = 2.0, -2.0
    has_unvisited = False
    for place in range(count):
        edge = int(links.available[place])
        visits = int(tree.visits[row, edge])
        if visits > 0:
            q = mean_value(tree, row, edge)
            weight = max(TINY, float(tree.priors[row, edge]) / total_prior)
            weights += weight
            weighted += weight * q
            lowest, highest = min(lowest, q), max(highest, q)
            num_visits += visits
            most_visits = max(most_visits, visits)
        else:
            has_unvisited = True
    v_mix = float(tree.raw_values[row, node])
    if num_visits > 0:
        v_mix = (v_mix + num_visits * (weighted / weights)) / (num_visits + 1)
    if has_unvisited:
        lowest, highest = min(lowest, v_mix), max(highest, v_mix)
    scale = (rule.maxvisit_init + most_visits) * rule.value_scale
    largest = as_logit(highest, lowest, highest, scale, rule.rescale_values)
    total = 0.0
    for place in range(count):
        total += _weight(tree, links, row, place, v_mix, lowest, highest, scale, rule, largest)
    total = max(total, 1e-300)
    best, best_score = int(links.available[0]), -math.inf
    for place in range(count):
        edge = int(links.available[place])
        weight = _weight(tree, links, row, place, v_mix, lowest, highest, scale, rule, largest)
        times = 1.0 + int(links.availability[row, edge])
        score = weight / total - int(tree.visits[row, edge]) / times
        if score > best_score:
            best, best_score = edge, score
    return best


@inner_kernel
def _weight(
    tree: Tree,
    links: Links,
    row: int,
    place: int,
    v_mix: float,
    lowest: float,
    highest: float,
    scale: float,
    rule: Rule,
    largest: float,
) -> float:
    """Of an available edge in the improved policy, before it is divided by the sum of all."""
    edge = int(links.available[place])
    q = mean_value(tree, row, edge) if tree.visits[row, edge] > 0 else v_mix
    logit = as_logit(q, lowest, highest, scale, rule.rescale_values)
    return float(tree.priors[row, edge]) * math.exp(logit - largest)
