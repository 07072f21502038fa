"""Arrays of a search, kept for the next one."""

from __future__ import annotations

import numpy as np

from agents.search.tree import new_tree
from agents.search.walk import Leaves
from cotulenh_env.game import Game


class Workspace:
    """Arrays kept from search to search, for up to `num_trees` trees."""

    def __init__(self, game: Game, num_trees: int, num_nodes: int, num_edges: int) -> None:
        spec = game.spec
        words = spec.state_size // 8
        self.num_nodes = num_nodes
        self.tree = new_tree(num_trees, num_nodes, num_edges, spec.state_size)
        self.leaves = Leaves(
            rows=np.zeros(num_trees, np.int32),
            nodes=np.zeros(num_trees, np.int32),
            edges=np.zeros(num_trees, np.int32),
            actions=np.zeros(num_trees, np.int32),
            states=np.zeros((num_trees, words), np.uint64),
        )
        self.child_states = np.zeros((num_trees, words), np.uint64)
        self.events = np.zeros(num_trees, np.int32)
        self.buffers = game.new_buffers(num_trees, mask=False, observations=False)
        self.legal_actions, self.counts = self.buffers.legal_actions, self.buffers.counts
        self.values = np.zeros(num_trees, np.float32)
        self.logit_rows = np.zeros(num_trees, np.int32)
        self.walk_rows = np.zeros(num_trees, np.int32)
        self.walk_nodes = np.zeros(num_trees, np.int32)
        self.walk_edges = np.zeros(num_trees, np.int32)
        self.all_rows = np.arange(num_trees, dtype=np.int32)
        self.moved_nodes = np.zeros((2, num_nodes), np.int32)
