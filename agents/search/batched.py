"""`BatchedSearch`: Monte Carlo tree search over many positions at once.

One round is one simulation in every tree: one kernel walks all trees down to a leaf, the game plays
all leaves' actions, the evaluator sees all new positions together, and one kernel hangs them into
their trees and backs their values up. Where players do not know everything, `SetWalks` does this.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.errors import AgentError
from agents.evaluator import Evaluator, Logits
from agents.noise import Seeds, row_seeds, uniform
from agents.search.arguments import checked_seeds, noise_by_row, simulations_by_row
from agents.search.gumbel import GumbelRoot
from agents.search.puct import PuctRoot
from agents.search.refusals import bad_evaluation, check_memory
from agents.search.result import SearchResult, empty_result
from agents.search.reuse import keep_subtrees
from agents.search.root import RootRule
from agents.search.rule import rule_of
from agents.search.set_walks import SetWalks
from agents.search.settings import SearchSettings
from agents.search.tree import (
    NO_NODE,
    Tree,
    bytes_for,
    grown_edges,
    num_bytes,
    with_room,
)
from agents.search.walk import descend, expand, follow_events
from agents.search.workspace import Workspace
from agents.win_finder import WinFinder
from cotulenh_env.errors import StateError
from cotulenh_env.game import Counts, Game, States

_FIRST_DRAW = 1 << 32
"""Where a row's stream turns from noise to the draws of chance events."""
_FIRST_WIDTH = 128
"""Edges of a node, when room for them is first made."""
_MAX_STEPS = 1 << 22
"""More than a walk can take: more than a tree has nodes."""


class BatchedSearch:
    """Searches many positions of one game at once; a row's result is its own.

    An object keeps the arrays of its last search for the next one, so two threads need two objects.

    Args:
        game: any; it is seen only through `Game`.
        evaluator: of positions of that game.
        settings: how to search.

    Attributes:
        evaluator: as it was given, without what `find_wins` adds.

    Raises:
        AgentError: subtrees are to be reused in a game with hidden information.
    """

    def __init__(
        self, game: Game, evaluator: Evaluator, settings: SearchSettings | None = None
    ) -> None:
        self.game = game
        self.settings = SearchSettings() if settings is None else settings
        if game.spec.has_hidden_information and self.settings.reuse_subtrees:
            raise AgentError(
                f"reuse_subtrees is not for {game.spec.name}, which has hidden information: "
                "a kept tree would know worlds that have been ruled out since"
            )
        self.evaluator = evaluator
        self._evaluator = WinFinder(game, evaluator) if self.settings.find_wins else evaluator
        self._rule = rule_of(self.settings)
        self._workspace: Workspace | None = None

    def search(
        self,
        states: States,
        rng: np.random.Generator,
        num_simulations: int | Counts | None = None,
        *,
        noise_scale: float | npt.NDArray[np.floating] = 1.0,
        seeds: Seeds | None = None,
    ) -> SearchResult:
        """Searches every row; afresh, unless the settings say `reuse_subtrees`.

        Args:
            states: uint8 [n, state_size] of unfinished games; left unchanged.
            rng: gives one seed per row and nothing else.
            num_simulations: for all rows or int32 [n] for each; None as in the settings.
            noise_scale: for all rows or float [n] for each, in 0–1: share of the noise of the
                settings, `gumbel_scale` or `dirichlet_fraction`; 0 explores no more.
            seeds: uint64 [n] to take instead of the generator's: a row's result depends only on
                its state, its seed, its number of simulations and share of noise, the evaluator,
                and the subtree that it takes over, if any.

        Raises:
            StateError: a row is a finished game.
            AgentError: a number of simulations is negative or above 1000000, a share of noise is
                not in 0–1, or there is not one per row.
            EvaluationError: the evaluator gave a number that is not finite, or a value that is
                not in [-1, 1].
        """
        n, game = len(states), self.game
        seeds = row_seeds(n, rng) if seeds is None else checked_seeds(n, seeds)
        if num_simulations is None:
            num_simulations = self.settings.num_simulations
        simulations = simulations_by_row(n, num_simulations)
        noise_scales = noise_by_row(n, noise_scale)
        if n == 0:
            return empty_result()
        done = game.is_terminal(states)
        if done.any():
            row = int(np.argmax(done))
            raise StateError(f"a finished game cannot be searched: {game.to_text(states[row])!r}")
        forest: Workspace | SetWalks
        if game.spec.has_hidden_information:
            forest = SetWalks(game, self._evaluator, self.settings, states, simulations, seeds)
            root_logits = forest.root_logits
        else:
            forest, root_logits = self._plant(states, int(simulations.max()))
        # The root's edges are the tree's first.
        counts = forest.tree.num_edges[:n, 0].copy()
        width = int(counts.max())
        is_edge = np.arange(width) < counts[:, None]
        legal_actions = np.where(is_edge, forest.tree.actions[:n, :width], np.int32(-1))
        root = self._root(forest.tree, root_logits, is_edge, simulations, seeds, noise_scales)
        all_rows, all_edges = np.arange(n, dtype=np.int32), np.empty(n, np.int32)
        same_for_all = int(simulations.min())
        for simulation in range(int(simulations.max())):
            if simulation < same_for_all:
                rows = all_rows
            else:
                rows = np.flatnonzero(simulations > simulation).astype(np.int32)
            edges = all_edges[: len(rows)]
            root.choose(forest.tree, rows, simulation, edges)
            # A tree takes at most one step per node, so (simulation, step) is unique.
            first_draw = _FIRST_DRAW + simulation * _MAX_STEPS
            if isinstance(forest, SetWalks):
                forest.simulate(rows, edges, simulation, first_draw)
            else:
                self._simulate(forest, rows, edges, first_draw, seeds)
        found = root.finish(forest.tree)
        return SearchResult(
            actions=legal_actions[np.arange(n), found.columns],
            legal_actions=legal_actions,
            counts=counts,
            visit_counts=found.visit_counts,
            policy=found.policy,
            values=found.values,
            qvalues=found.qvalues,
        )

    def num_bytes(self) -> int:
        """Memory of the trees kept for the next search, an upper bound of what is really used."""
        return 0 if self._workspace is None else num_bytes(self._workspace.tree)

    def _root(
        self,
        tree: Tree,
        logits: Logits,
        is_edge: npt.NDArray[np.bool_],
        simulations: Counts,
        seeds: Seeds,
        noise_scales: npt.NDArray[np.float64],
    ) -> RootRule:
        """The rule at the roots, whose edges are the tree's first."""
        n, width = is_edge.shape
        counts = tree.num_edges[:n, 0].copy()
        if self.settings.algorithm == "puct":
            return PuctRoot(self.settings, self._rule, tree, counts, seeds, noise_scales)
        before = np.where(is_edge, tree.visits[:n, :width], np.int32(0))
        return GumbelRoot(
            self.settings, self._rule, logits, counts, simulations, seeds, noise_scales, before
        )

    def _plant(self, states: States, num_simulations: int) -> tuple[Workspace, Logits]:
        """Makes every row the root of a tree of its own.

        Returns:
            The workspace, and the roots' logits, of meaning for their legal actions only.
        """
        n = len(states)
        reuses = self.settings.reuse_subtrees
        # What is kept depends on its row alone, not on how much the others are searched.
        most_kept = self.settings.num_simulations + 1 if reuses else 0
        work = self._room_for(n, most_kept + num_simulations + 1)
        num_kept = work.tree.num_nodes[:n]
        if reuses:
            words = np.ascontiguousarray(states).view(np.uint64)
            keep_subtrees(work.tree, words, most_kept, work.moved_nodes)
        else:
            num_kept[:] = 0
            work.tree.num_used_edges[:n] = 0
        fresh = np.flatnonzero(num_kept == 0)
        is_kept = num_kept[:, None] > 0
        found = self._plant_afresh(work, states, fresh) if len(fresh) else None
        counts = work.tree.num_edges[:n, 0]
        logits = np.zeros((n, int(counts.max())), np.float32)
        if found is not None:
            width = min(found.shape[1], logits.shape[1])
            logits[fresh, :width] = found[:, :width]
        if len(fresh) < n:
            # Behind a root's own edges lie those of other nodes, or nothing at all.
            is_edge = np.arange(logits.shape[1]) < counts[:, None]
            priors = work.tree.priors[:n, : logits.shape[1]]
            with np.errstate(divide="ignore"):  # log 0 = −inf: the root knows what to do with it
                np.log(priors, out=logits, where=is_kept & is_edge)
        return work, logits

    def _plant_afresh(self, work: Workspace, states: States, rows: npt.NDArray[np.intp]) -> Logits:
        """Makes the rows' states roots of empty trees; returns the evaluator's logits."""
        k = len(rows)
        children = work.child_states.view(np.uint8)[:k]
        children[:] = states[rows]
        work.leaves.rows[:k] = rows
        work.leaves.nodes[:k] = NO_NODE
        work.leaves.edges[:k] = NO_NODE
        work.events[:k] = 0
        self.game.refresh(children, work.buffers.rows(0, k))
        return self._expand(work, k)

    def forget(self) -> None:
        """Drops the trees of the last search: the next one begins as if there had been none."""
        self._workspace = None

    def _room_for(self, num_trees: int, num_nodes: int) -> Workspace:
        work = self._workspace
        if work is None or len(work.all_rows) < num_trees or work.num_nodes < num_nodes:
            width = min(self.game.spec.max_legal_actions, _FIRST_WIDTH)
            num_edges = max(256, width * (1 + num_nodes // 4))
            self._check_memory(num_trees, num_nodes, num_edges)
            self._workspace = work = None  # frees it before the new one is made
            work = Workspace(self.game, num_trees, num_nodes, num_edges)
            self._workspace = work
        return work

    def _simulate(
        self,
        work: Workspace,
        rows: npt.NDArray[np.int32],
        edges: npt.NDArray[np.int32],
        first_draw: int,
        seeds: Seeds,
    ) -> None:
        """One simulation in every tree of `rows`, leaving the root by `edges`.

        Draws of chance events are numbers of the rows' streams from `first_draw` on.
        """
        has_chance = self.game.spec.has_chance
        nodes = work.walk_nodes[: len(rows)]
        nodes[:] = 0
        num_leaves, num_steps = 0, 0
        while len(rows):
            start = num_leaves
            num_leaves = descend(
                work.tree, rows, nodes, edges, has_chance, self._rule, work.leaves, start
            )
            if num_leaves == start:
                break
            leaf_rows = work.leaves.rows[start:num_leaves]
            if not has_chance:
                self._step(work, num_leaves)
                break
            _, work.events[start:num_leaves] = self.game.apply(
                work.leaves.states.view(np.uint8)[start:num_leaves],
                work.leaves.actions[start:num_leaves],
                uniform(seeds[leaf_rows], np.uint64(first_draw + num_steps)),
                work.child_states.view(np.uint8)[start:num_leaves],
            )
            num_leaves, num_walks = follow_events(
                work.tree,
                work.leaves,
                work.child_states,
                work.events,
                start,
                num_leaves,
                work.walk_rows,
                work.walk_nodes,
                work.walk_edges,
            )
            rows = work.walk_rows[:num_walks]
            nodes, edges = work.walk_nodes[:num_walks], work.walk_edges[:num_walks]
            num_steps += 1
        if num_leaves:
            if has_chance:  # only now is it known which walks end here
                children = work.child_states.view(np.uint8)[:num_leaves]
                self.game.refresh(children, work.buffers.rows(0, num_leaves))
            self._expand(work, num_leaves)

    def _step(self, work: Workspace, n: int) -> None:
        """Plays the first `n` leaves' actions and lists what is legal then, in one call."""
        children = work.child_states.view(np.uint8)[:n]
        children[:] = work.leaves.states.view(np.uint8)[:n]
        buffers = work.buffers.rows(0, n)
        self.game.step_into(children, work.leaves.actions[:n], None, buffers)
        work.events[:n] = buffers.events

    def _expand(self, work: Workspace, n: int) -> Logits:
        """Evaluates the first `n` child states, listed already, and hangs them into their trees.

        Returns:
            The evaluator's logits.
        """
        game = self.game
        states = work.child_states.view(np.uint8)[:n]
        players = game.current_player(states)
        legal_actions, counts = work.legal_actions[:n], work.counts[:n]
        done = game.is_terminal(states)
        values, logit_rows = work.values[:n], work.logit_rows[:n]
        if done.any():
            values[:] = game.returns(states)[np.arange(n), players]
            alive = np.flatnonzero(~done)
            logit_rows[alive] = np.arange(len(alive))
            logits: Logits = np.zeros((0, 1), np.float32)
            if len(alive):
                logits, values[alive] = self._evaluator.evaluate(
                    states[alive], players[alive], legal_actions[alive], counts[alive]
                )
        else:
            logit_rows[:] = work.all_rows[:n]
            logits, values[:] = self._evaluator.evaluate(states, players, legal_actions, counts)
        work.tree = self._with_room_for(work.tree, work.leaves.rows[:n], counts)
        refused = expand(
            work.tree,
            work.leaves,
            n,
            work.child_states,
            work.events,
            players,
            work.legal_actions,
            work.counts,
            logits,
            work.logit_rows,
            work.values,
        )
        if refused >= 0:
            self.forget()  # that tree is of no use
            raise bad_evaluation(
                float(values[refused]),
                logits[logit_rows[refused] :][:1].reshape(-1),
                int(counts[refused]),
                game.to_text(states[refused]),
            )
        return logits

    def _with_room_for(self, tree: Tree, rows: npt.NDArray[np.int32], counts: Counts) -> Tree:
        num_edges = int((tree.num_used_edges[rows] + counts).max())
        if num_edges > tree.actions.shape[1]:
            num_trees, num_nodes = tree.players.shape
            self._check_memory(num_trees, num_nodes, grown_edges(tree, num_edges))
        return with_room(tree, num_edges)

    def _check_memory(self, num_trees: int, num_nodes: int, num_edges: int) -> None:
        needed = bytes_for(num_trees, num_nodes, num_edges, self.game.spec.state_size)
        check_memory(needed, self.settings.max_tree_megabytes, num_trees, num_nodes)
