"""The tree of a search with hidden information: its arrays, and the kernels that walk in it.

A node is what the searching player can tell apart: all worlds that look alike to it share the node.
So what is legal for the opponent differs from visit to visit: a node's edges grow as actions turn
up, and each counts how often it could have been chosen (see `availability`).

    node ── first_edge ─► edge ─ next_edges ─► edge ─► … ─► −1
      └──── first_children ─► node ─ siblings ─► node ─► … ─► −1

Children are told apart by what is announced and by what the searching player knows then; two hidden
actions of the opponent lead to the same one. So values go back up along the path that a walk has
taken, not by parents.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012: SO-ISMCTS.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.search.tree import NO_NODE, Tree
from agents.search.values import seen_by
from agents.search.walk import LARGEST_VALUE
from cotulenh_env.kernel import inner_kernel, kernel

NO_EDGE = -1

NODE_BYTES, EDGE_BYTES = 20, 8
"""Of a node and of an edge, besides those of `Tree`."""


class Links(NamedTuple):
    """What such a tree has besides a `Tree`, for `B` trees of `N` nodes and `E` edges.

    Of the `Tree`, `states`, `parents`, `parent_edges` and `children` are not used.

    Attributes:
        next_edges: int32 [B, E]: next edge of the same node, or −1.
        availability: int32 [B, E]: walks that left the node in a world where the action was legal.
        first_children: int32 [B, N]: first child, or −1; further ones by `Tree.siblings`.
        keys: uint64 [B, N]: what the searching player knows.
        path_nodes: int32 [B, N]: nodes of the walk under way, from the root.
        path_edges: int32 [B, N]: the edge by which each was left.
        path_lengths: int32 [B].
        edge_of_action: int32 [num_actions]: −1, between calls.
        available: int32 [max_legal_actions]: scratch.
    """

    next_edges: npt.NDArray[np.int32]
    availability: npt.NDArray[np.int32]
    first_children: npt.NDArray[np.int32]
    keys: npt.NDArray[np.uint64]
    path_nodes: npt.NDArray[np.int32]
    path_edges: npt.NDArray[np.int32]
    path_lengths: npt.NDArray[np.int32]
    edge_of_action: npt.NDArray[np.int32]
    available: npt.NDArray[np.int32]


def new_links(tree: Tree, num_actions: int, max_legal_actions: int) -> Links:
    """Links of empty trees."""
    return Links(
        next_edges=np.empty(tree.actions.shape, np.int32),
        availability=np.empty(tree.actions.shape, np.int32),
        first_children=np.empty(tree.players.shape, np.int32),
        keys=np.empty(tree.players.shape, np.uint64),
        path_nodes=np.empty(tree.players.shape, np.int32),
        path_edges=np.empty(tree.players.shape, np.int32),
        path_lengths=np.zeros(len(tree.players), np.int32),
        edge_of_action=np.full(num_actions, NO_EDGE, np.int32),
        available=np.empty(max_legal_actions, np.int32),
    )


def links_with_room(links: Links, num_edges: int) -> Links:
    """The links with room for `num_edges` edges each; themselves where they have that already."""
    num_trees, before = links.next_edges.shape
    if before >= num_edges:
        return links
    next_edges, availability = np.empty((2, num_trees, num_edges), np.int32)
    next_edges[:, :before] = links.next_edges
    availability[:, :before] = links.availability
    return links._replace(next_edges=next_edges, availability=availability)


@kernel
def extend_paths(
    tree: Tree,
    links: Links,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    edges: npt.NDArray[np.int32],
    actions: npt.NDArray[np.int32],
) -> None:
    """Notes how each walk leaves its node, and writes into `actions` int32 [n] by which action."""
    for index in range(len(rows)):
        row, edge = int(rows[index]), int(edges[index])
        length = int(links.path_lengths[row])
        links.path_nodes[row, length] = nodes[index]
        links.path_edges[row, length] = edge
        links.path_lengths[row] = length + 1
        actions[index] = tree.actions[row, edge]


@kernel
def find_children(
    tree: Tree,
    links: Links,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    events: npt.NDArray[np.int32],
    keys: npt.NDArray[np.uint64],
    children: npt.NDArray[np.int32],
) -> None:
    """Writes into `children` int32 [n] where each walk gets to; −1 where nobody has been yet."""
    for index in range(len(rows)):
        row = int(rows[index])
        child = int(links.first_children[row, nodes[index]])
        while child != NO_NODE and (
            links.keys[row, child] != keys[index] or tree.events[row, child] != events[index]
        ):
            child = int(tree.siblings[row, child])
        children[index] = child


@kernel
def back_up_paths(
    tree: Tree,
    links: Links,
    rows: npt.NDArray[np.int32],
    players: npt.NDArray[np.int32],
    values: npt.NDArray[np.float32],
) -> None:
    """Adds to every edge of each walk's path the value that it found, for `players`."""
    for index in range(len(rows)):
        row, player, value = int(rows[index]), int(players[index]), float(values[index])
        for step in range(int(links.path_lengths[row])):
            node, edge = int(links.path_nodes[row, step]), int(links.path_edges[row, step])
            tree.visits[row, edge] += 1
            tree.value_sums[row, edge] = float(tree.value_sums[row, edge]) + seen_by(
                int(tree.players[row, node]), player, value
            )


@kernel
def expand_sets(
    tree: Tree,
    links: Links,
    rows: npt.NDArray[np.int32],
    nodes: npt.NDArray[np.int32],
    events: npt.NDArray[np.int32],
    keys: npt.NDArray[np.uint64],
    players: npt.NDArray[np.int32],
    legal_actions: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    prior_logits: npt.NDArray[np.float32],
    values: npt.NDArray[np.float32],
) -> int:
    """Makes the nodes of unfinished games that walks have come to. There is room for their edges.

    Args:
        tree: the trees.
        links: of the trees.
        rows: int32 [n].
        nodes: int32 [n]: the nodes they came from; −1 makes the root.
        events: int32 [n].
        keys: uint64 [n].
        players: int32 [n]: who is to move.
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n].
        prior_logits: float32 [n, width].
        values: float32 [n], for `players`.

    Returns:
        −1; or the first of them whose logits or value are not what `Evaluator` promises.
    """
    for index in range(len(rows)):
        row, above = int(rows[index]), int(nodes[index])
        node, first = int(tree.num_nodes[row]), int(tree.num_used_edges[row])
        count = int(counts[index])
        if not _add_node(
            tree,
            row,
            int(players[index]),
            float(values[index]),
            legal_actions[index],
            count,
            prior_logits,
            index,
        ):
            return index
        for edge in range(first, first + count):
            links.availability[row, edge] = 0
            links.next_edges[row, edge] = edge + 1 if edge + 1 < first + count else NO_EDGE
        tree.events[row, node] = events[index]
        links.keys[row, node] = keys[index]
        links.first_children[row, node] = NO_NODE
        tree.siblings[row, node] = NO_NODE
        if above != NO_NODE:
            tree.siblings[row, node] = links.first_children[row, above]
            links.first_children[row, above] = node
    return -1


@inner_kernel
def _add_node(
    tree: Tree,
    row: int,
    player: int,
    value: float,
    legal_actions: npt.NDArray[np.int32],
    count: int,
    prior_logits: npt.NDArray[np.float32],
    source: int,
) -> bool:
    """Gives a tree its next node and the node its edges, all but what links it to others.

    `walk.expand` does the same in its own loop: called from there, this cost tic-tac-toe a third.

    Args:
        tree: the trees.
        row: of the tree.
        player: who is to move.
        value: for that player.
        legal_actions: int32 [max_legal_actions].
        count: of them, at least 1.
        prior_logits: float32 [m, width].
        source: row of `prior_logits`.

    Returns:
        Whether logits and value are what `Evaluator` promises.
    """
    node, first = int(tree.num_nodes[row]), int(tree.num_used_edges[row])
    tree.num_nodes[row] = node + 1
    tree.num_used_edges[row] = first + count
    tree.players[row, node] = player
    tree.raw_values[row, node] = value
    tree.first_edges[row, node] = first
    tree.num_edges[row, node] = count
    if (
        source >= prior_logits.shape[0]
        or count > prior_logits.shape[1]
        or not abs(value) <= LARGEST_VALUE  # so written, NaN is refused
    ):
        return False
    largest, smallest, total = -math.inf, math.inf, 0.0
    for column in range(count):
        logit = float(prior_logits[source, column])
        largest, smallest = max(largest, logit), min(smallest, logit)
    for column in range(count):
        new_edge = first + column
        weight = math.exp(float(prior_logits[source, column]) - largest)
        total += weight
        tree.priors[row, new_edge] = weight
        tree.actions[row, new_edge] = legal_actions[column]
        tree.visits[row, new_edge] = 0
        tree.value_sums[row, new_edge] = 0.0
    # NaN and +∞ make the sum NaN; −∞ alone passes as a weight of 0.
    if not total < math.inf or smallest == -math.inf:
        return False
    for new_edge in range(first, first + count):
        tree.priors[row, new_edge] = float(tree.priors[row, new_edge]) / total
    return True
