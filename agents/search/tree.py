"""The arrays of a batch of search trees.

Tree b has nodes 0 … num_nodes[b] − 1 and edges 0 … num_used_edges[b] − 1, both handed out in order.
Node 0 is the root. A node is a position; its edges are its legal actions, side by side:

    node  first_edge ──► edge   edge   edge …   (num_edges of them; none in a finished game)
                          │
                          children ─► node ─ siblings ─► node ─► −1

An edge leads to one child per event that its action has had: a chain through `siblings`, in games
without chance a single node.

Memory of one tree: nodes × (state_size + 29) + edges × 20 bytes, where nodes is the number of
simulations + 1, and edges grow by half when they run out. 200 simulations of Commander Chess,
with 1,376-byte states and 110 legal actions: at most 0.9 MB. Pages never written cost nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NO_NODE = -1

NODE_BYTES, EDGE_BYTES = 29, 20
"""Of a node besides its state, and of an edge."""

_EDGE_FIELDS = ("actions", "priors", "visits", "value_sums", "children")


class Tree(NamedTuple):
    """Trees of `B` positions, with room for `N` nodes and `E` edges each.

    Attributes:
        states: uint64 [B, N, state_size / 8], for copying by words.
        players: int8 [B, N]: who is to move.
        raw_values: float32 [B, N]: the evaluator's value, or the result, for `players`.
        first_edges: int32 [B, N].
        num_edges: int32 [B, N]; 0 in finished games.
        parents: int32 [B, N]: node above; −1 at the root.
        parent_edges: int32 [B, N]: edge that leads here.
        events: int32 [B, N]: event of that edge's action that leads here.
        siblings: int32 [B, N]: next child of the same edge, or −1.
        num_nodes: int32 [B].
        num_used_edges: int32 [B].
        actions: int32 [B, E].
        priors: float32 [B, E]: probabilities, summing to 1 over a node's edges.
        visits: int32 [B, E].
        value_sums: float32 [B, E]: sum over visits, for the player who chooses the edge.
        children: int32 [B, E]: first child, or −1.
    """

    states: npt.NDArray[np.uint64]
    players: npt.NDArray[np.int8]
    raw_values: npt.NDArray[np.float32]
    first_edges: npt.NDArray[np.int32]
    num_edges: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    parent_edges: npt.NDArray[np.int32]
    events: npt.NDArray[np.int32]
    siblings: npt.NDArray[np.int32]
    num_nodes: npt.NDArray[np.int32]
    num_used_edges: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int32]
    priors: npt.NDArray[np.float32]
    visits: npt.NDArray[np.int32]
    value_sums: npt.NDArray[np.float32]
    children: npt.NDArray[np.int32]


def new_tree(num_trees: int, num_nodes: int, num_edges: int, state_size: int) -> Tree:
    """Empty trees.

    Args:
        num_trees: B.
        num_nodes: N.
        num_edges: E, to begin with.
        state_size: bytes of a state, a multiple of 8.
    """
    nodes, edges = (num_trees, num_nodes), (num_trees, num_edges)
    return Tree(
        states=np.empty((*nodes, state_size // 8), np.uint64),
        players=np.empty(nodes, np.int8),
        raw_values=np.empty(nodes, np.float32),
        first_edges=np.empty(nodes, np.int32),
        num_edges=np.empty(nodes, np.int32),
        parents=np.empty(nodes, np.int32),
        parent_edges=np.empty(nodes, np.int32),
        events=np.empty(nodes, np.int32),
        siblings=np.empty(nodes, np.int32),
        num_nodes=np.zeros(num_trees, np.int32),
        num_used_edges=np.zeros(num_trees, np.int32),
        actions=np.empty(edges, np.int32),
        priors=np.empty(edges, np.float32),
        visits=np.empty(edges, np.int32),
        value_sums=np.empty(edges, np.float32),
        children=np.empty(edges, np.int32),
    )


def with_room(tree: Tree, num_edges: int) -> Tree:
    """The tree with room for at least `num_edges` edges each; itself where it has that already."""
    num_trees, capacity = tree.actions.shape
    if num_edges <= capacity:
        return tree
    wider = grown_edges(tree, num_edges)
    used = int(tree.num_used_edges.max(initial=0))
    grown = {}
    for name in _EDGE_FIELDS:
        before = getattr(tree, name)
        after = np.empty((num_trees, wider), before.dtype)
        after[:, :used] = before[:, :used]
        grown[name] = after
    return tree._replace(**grown)


def grown_edges(tree: Tree, num_edges: int) -> int:
    """Room for edges that a tree gets when it must have some for `num_edges`."""
    return max(num_edges, int(tree.actions.shape[1]) * 3 // 2)


def num_bytes(tree: Tree) -> int:
    """Memory of all arrays, an upper bound of what is really used."""
    return sum(array.nbytes for array in tree)


def bytes_for(num_trees: int, num_nodes: int, num_edges: int, state_size: int) -> int:
    """Memory that the arrays of `new_tree` take."""
    return num_trees * (num_nodes * (state_size + NODE_BYTES) + num_edges * EDGE_BYTES + 8)
