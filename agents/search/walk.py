"""Kernels that walk through the trees: down to a leaf, and back up with its value."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.search.puct import best_by_puct
from agents.search.rule import Rule
from agents.search.tree import NO_NODE, Tree
from agents.search.values import as_logit, mean_value, seen_by, summarise
from cotulenh_env.kernel import kernel

LARGEST_VALUE = 1.0 + 1e-4
"""Of an evaluator's values: 1, and what rounding may add."""
CHOOSE = -1
"""In place of an edge: the rule chooses it."""


class Leaves(NamedTuple):
    """Edges at whose end a game is to be played on, at most one per tree; the first entries count.

    Attributes:
        rows: int32 [B]: the tree.
        nodes: int32 [B]: the node that the edge leaves.
        edges: int32 [B].
        actions: int32 [B]: the edge's action.
        states: uint64 [B, state_size / 8]: the node's state.
    """

    rows: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    edges: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int32]
    states: npt.NDArray[np.uint64]


@kernel
def towards_improved_policy(
    tree: Tree, row: int, node: int, maxvisit_init: float, value_scale: float, rescale_values: bool
) -> int:
    """The edge that brings visits closest to the improved policy.

    The improved policy is softmax(prior logits + completed Q-values as logits). All unvisited edges
    have the same completed Q-value, so only the one of highest prior can be chosen, and their part
    of the softmax is their prior times one factor: visited edges alone need an exponential.
    """
    v_mix, lowest, highest, most_visits, num_visits, favourite = summarise(tree, row, node)
    first = int(tree.first_edges[row, node])
    if num_visits == 0:
        return max(favourite, first)  # there is none where the priors are no numbers
    scale = (maxvisit_init + most_visits) * value_scale
    largest = as_logit(highest, lowest, highest, scale, rescale_values)
    rest = 0.0
    if favourite >= 0:  # otherwise v_mix is not within the Q-values, and may be far above them
        rest = math.exp(as_logit(v_mix, lowest, highest, scale, rescale_values) - largest)
    total = 0.0
    end = first + int(tree.num_edges[row, node])
    for edge in range(first, end):
        prior = float(tree.priors[row, edge])
        if tree.visits[row, edge] > 0:
            q = mean_value(tree, row, edge)
            logit = as_logit(q, lowest, highest, scale, rescale_values)
            total += prior * math.exp(logit - largest)
        else:
            total += prior * rest
    total = max(total, 1e-300)
    best, best_score = first, -math.inf
    for edge in range(first, end):
        prior = float(tree.priors[row, edge])
        visits = int(tree.visits[row, edge])
        if visits > 0:
            q = mean_value(tree, row, edge)
            logit = as_logit(q, lowest, highest, scale, rescale_values)
            score = prior * math.exp(logit - largest) / total - visits / (1.0 + num_visits)
        elif edge == favourite:
            score = prior * rest / total
        else:
            continue
        if score > best_score:
            best, best_score = edge, score
    return best


@kernel
def back_up(tree: Tree, row: int, leaf: int) -> None:
    """Adds the leaf's value to every edge between it and the root."""
    player = int(tree.players[row, leaf])
    value = float(tree.raw_values[row, leaf])
    node = leaf
    while tree.parents[row, node] != NO_NODE:
        edge = int(tree.parent_edges[row, node])
        node = int(tree.parents[row, node])
        tree.visits[row, edge] += 1
        tree.value_sums[row, edge] = float(tree.value_sums[row, edge]) + seen_by(
            int(tree.players[row, node]), player, value
        )


@kernel
def descend(
    tree: Tree,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    edges: npt.NDArray[np.int32],
    has_chance: bool,
    rule: Rule,
    leaves: Leaves,
    num_leaves: int,
) -> int:
    """Walks down until a new edge, which becomes a leaf, or a finished game, backed up at once.

    Args:
        tree: the trees.
        rows: int32 [n]: trees to walk in.
        nodes: int32 [n]: where each walk starts.
        edges: int32 [n]: the first edge to take there, or `CHOOSE`.
        has_chance: the game decides which child an edge leads to: stop at every edge.
        rule: of the search.
        leaves: filled from entry `num_leaves` on.
        num_leaves: leaves there are already.

    Returns:
        Leaves there are now.
    """
    for index in range(len(rows)):
        row, node, edge = int(rows[index]), int(nodes[index]), int(edges[index])
        # No walk visits a node twice; the bound ends it even in a tree that were no tree.
        for _ in range(int(tree.num_nodes[row])):
            if edge == CHOOSE and rule.is_puct:
                first = int(tree.first_edges[row, node])
                edge = best_by_puct(tree, row, node, tree.priors, tree.visits, first, rule)
            elif edge == CHOOSE:
                edge = towards_improved_policy(
                    tree, row, node, rule.maxvisit_init, rule.value_scale, rule.rescale_values
                )
            child = int(tree.children[row, edge])
            if child == NO_NODE or has_chance:
                leaves.rows[num_leaves] = row
                leaves.nodes[num_leaves] = node
                leaves.edges[num_leaves] = edge
                leaves.actions[num_leaves] = tree.actions[row, edge]
                for word in range(tree.states.shape[2]):
                    leaves.states[num_leaves, word] = tree.states[row, node, word]
                num_leaves += 1
                break
            node = child
            if tree.num_edges[row, node] == 0:
                back_up(tree, row, node)
                break
            edge = CHOOSE
    return num_leaves


@kernel
def follow_events(
    tree: Tree,
    leaves: Leaves,
    child_states: npt.NDArray[np.uint64],
    events: npt.NDArray[np.int32],
    start: int,
    end: int,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    edges: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """After a chance event: walks on through children that the tree has, keeps the others.

    Args:
        tree: the trees.
        leaves: entries `start` … `end` − 1 are looked at; those kept move up to stay side by side.
        child_states: uint64 [B, state_size / 8]: after the leaf's action; moved along.
        events: int32 [B]: of that action; moved along.
        start: see `leaves`.
        end: likewise.
        rows: int32 [B] to fill with the walks to go on with, as for `descend`.
        nodes: likewise.
        edges: likewise.

    Returns:
        Leaves there are now, walks to go on with.
    """
    num_kept, num_walks = start, 0
    for index in range(start, end):
        row, edge = int(leaves.rows[index]), int(leaves.edges[index])
        child = int(tree.children[row, edge])
        while child != NO_NODE and tree.events[row, child] != events[index]:
            child = int(tree.siblings[row, child])
        if child == NO_NODE:
            leaves.rows[num_kept] = leaves.rows[index]
            leaves.nodes[num_kept] = leaves.nodes[index]
            leaves.edges[num_kept] = leaves.edges[index]
            events[num_kept] = events[index]
            for word in range(child_states.shape[1]):
                child_states[num_kept, word] = child_states[index, word]
            num_kept += 1
        elif tree.num_edges[row, child] == 0:
            back_up(tree, row, child)
        else:
            rows[num_walks] = row
            nodes[num_walks] = child
            edges[num_walks] = CHOOSE
            num_walks += 1
    return num_kept, num_walks


@kernel
def expand(
    tree: Tree,
    leaves: Leaves,
    num_leaves: int,
    child_states: npt.NDArray[np.uint64],
    events: npt.NDArray[np.int32],
    players: npt.NDArray[np.int32],
    legal_actions: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    prior_logits: npt.NDArray[np.float32],
    logit_rows: npt.NDArray[np.int32],
    values: npt.NDArray[np.float32],
) -> int:
    """Hangs a node on every leaf and backs its value up. There is room for its edges.

    Args:
        tree: the trees.
        leaves: where; an edge of −1 makes the root.
        num_leaves: n.
        child_states: uint64 [n, state_size / 8].
        events: int32 [n].
        players: int32 [n].
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n]; 0 in finished games.
        prior_logits: float32 [m, width].
        logit_rows: int32 [n]: row of `prior_logits` of each unfinished game.
        values: float32 [n], for `players`.

    Returns:
        −1; or the first leaf of an unfinished game whose logits or value are not what `Evaluator`
        promises. The trees are then of no use. It is noticed here because here every number is
        read anyway: passes of their own would cost several per cent of a search without a network.
    """
    for index in range(num_leaves):
        row, edge = int(leaves.rows[index]), int(leaves.edges[index])
        node = int(tree.num_nodes[row])
        first, count = int(tree.num_used_edges[row]), int(counts[index])
        tree.num_nodes[row] = node + 1
        tree.num_used_edges[row] = first + count
        for word in range(tree.states.shape[2]):
            tree.states[row, node, word] = child_states[index, word]
        tree.players[row, node] = players[index]
        tree.raw_values[row, node] = values[index]
        tree.first_edges[row, node] = first
        tree.num_edges[row, node] = count
        tree.parents[row, node] = leaves.nodes[index]
        tree.parent_edges[row, node] = edge
        tree.events[row, node] = events[index]
        tree.siblings[row, node] = NO_NODE
        if edge >= 0:
            tree.siblings[row, node] = tree.children[row, edge]
            tree.children[row, edge] = node
        source = int(logit_rows[index])
        if count > 0 and (
            source >= prior_logits.shape[0]
            or count > prior_logits.shape[1]
            or not abs(float(values[index])) <= LARGEST_VALUE  # so written, NaN is refused
        ):
            return index
        largest, smallest, total = -math.inf, math.inf, 0.0
        for column in range(count):
            logit = float(prior_logits[source, column])
            largest, smallest = max(largest, logit), min(smallest, logit)
        for column in range(count):
            new_edge = first + column
            weight = math.exp(float(prior_logits[source, column]) - largest)
            total += weight
            tree.priors[row, new_edge] = weight
            tree.actions[row, new_edge] = legal_actions[index, column]
            tree.visits[row, new_edge] = 0
            tree.value_sums[row, new_edge] = 0.0
            tree.children[row, new_edge] = NO_NODE
        # NaN and +∞ make the sum NaN; −∞ alone passes as a weight of 0.
        if not total < math.inf or smallest == -math.inf:
            return index
        for new_edge in range(first, first + count):
            tree.priors[row, new_edge] = float(tree.priors[row, new_edge]) / total
        back_up(tree, row, node)
    return -1
