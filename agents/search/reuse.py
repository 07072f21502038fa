"""Keeping the part of a tree below the action that was played, for the search that follows.

A new search begins where an old one has been: its position is looked for among the old tree's
nodes, and what hangs below it becomes the new tree. Nodes are numbered in the order in which they
came, parents before children, so moving each to its new, lower place in that order overwrites
nothing that is still needed: no tree is copied as a whole.

    old   0 ── 1 ── 3        the game is now at node 1        new   0 ── 1
          │    └─── 4                                               └─── 2
          └─── 2
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.search.tree import NO_NODE, Tree
from cotulenh_env.kernel import inner_kernel, kernel


@kernel
def keep_subtrees(
    tree: Tree, states: npt.NDArray[np.uint64], max_nodes: int, moved_nodes: npt.NDArray[np.int32]
) -> None:
    """Makes every tree what it knows below its row's state; an empty tree if that is nothing.

    Args:
        tree: the trees of the last search, changed in place.
        states: uint64 [n, state_size / 8]: where the next search begins.
        max_nodes: larger subtrees are dropped, for lack of room.
        moved_nodes: int32 [2, N]: scratch.
    """
    for row in range(len(states)):
        root = _find(tree, row, states)
        num_nodes = 0
        if root != NO_NODE:
            num_nodes = _number(tree, row, root, moved_nodes)
        if root == NO_NODE or num_nodes > max_nodes:
            tree.num_nodes[row] = 0
            tree.num_used_edges[row] = 0
            continue
        _compact(tree, row, root, moved_nodes)
        tree.num_nodes[row] = num_nodes


@inner_kernel
def _find(tree: Tree, row: int, states: npt.NDArray[np.uint64]) -> int:
    """The unfinished node with the row's state, or NO_NODE."""
    for node in range(int(tree.num_nodes[row])):
        if tree.num_edges[row, node] == 0:
            continue
        is_equal = True
        for word in range(states.shape[1]):
            if tree.states[row, node, word] != states[row, word]:
                is_equal = False
                break
        if is_equal:
            return node
    return NO_NODE


@inner_kernel
def _number(tree: Tree, row: int, root: int, moved_nodes: npt.NDArray[np.int32]) -> int:
    """Writes every node's new number, or NO_NODE, and its old first edge; returns how many stay."""
    count = 0
    for node in range(int(tree.num_nodes[row])):
        parent = int(tree.parents[row, node])
        stays = node == root or (node > root and moved_nodes[0, parent] != NO_NODE)
        moved_nodes[0, node] = count if stays else NO_NODE
        moved_nodes[1, node] = tree.first_edges[row, node]
        count += 1 if stays else 0
    return count


@inner_kernel
def _compact(tree: Tree, row: int, root: int, moved_nodes: npt.NDArray[np.int32]) -> None:
    """Moves the nodes that stay to their new numbers, and their edges side by side."""
    num_edges = 0
    for node in range(root, int(tree.num_nodes[row])):
        place = int(moved_nodes[0, node])
        if place == NO_NODE:
            continue
        parent, edge = int(tree.parents[row, node]), int(tree.parent_edges[row, node])
        sibling = int(tree.siblings[row, node])
        if node == root:
            parent = edge = sibling = NO_NODE
        else:
            new_parent = int(moved_nodes[0, parent])
            edge += int(tree.first_edges[row, new_parent]) - int(moved_nodes[1, parent])
            parent = new_parent
            sibling = int(moved_nodes[0, sibling]) if sibling != NO_NODE else NO_NODE
        for word in range(tree.states.shape[2]):
            tree.states[row, place, word] = tree.states[row, node, word]
        tree.players[row, place] = tree.players[row, node]
        tree.raw_values[row, place] = tree.raw_values[row, node]
        tree.events[row, place] = tree.events[row, node]
        tree.num_edges[row, place] = tree.num_edges[row, node]
        tree.parents[row, place] = parent
        tree.parent_edges[row, place] = edge
        tree.siblings[row, place] = sibling
        first = int(moved_nodes[1, node])
        for old in range(first, first + int(tree.num_edges[row, place])):
            tree.actions[row, num_edges] = tree.actions[row, old]
            tree.priors[row, num_edges] = tree.priors[row, old]
            tree.visits[row, num_edges] = tree.visits[row, old]
            tree.value_sums[row, num_edges] = tree.value_sums[row, old]
            child = int(tree.children[row, old])
            tree.children[row, num_edges] = moved_nodes[0, child] if child != NO_NODE else NO_NODE
            num_edges += 1
        tree.first_edges[row, place] = num_edges - int(tree.num_edges[row, place])
    tree.num_used_edges[row] = num_edges
