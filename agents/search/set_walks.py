"""`SetWalks`: the simulations of a search with hidden information.

Every simulation begins at the root in a world that the searching player cannot tell from the real
one, drawn anew, and plays on in it; trees are shared by all worlds. Nothing but the draw of worlds
ever looks at the real state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.evaluator import Evaluator, Logits
from agents.noise import Seeds, uniform
from agents.search.availability import choose_available
from agents.search.information_sets import (
    EDGE_BYTES,
    NODE_BYTES,
    back_up_paths,
    expand_sets,
    extend_paths,
    find_children,
    links_with_room,
    new_links,
)
from agents.search.refusals import bad_evaluation, check_memory
from agents.search.rule import rule_of
from agents.search.settings import SearchSettings
from agents.search.tree import NO_NODE, bytes_for, grown_edges, new_tree, with_room
from agents.search.worlds import Worlds
from cotulenh_env.game import Actions, Counts, Events, Game, Players, States

Rows = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class _Places:
    """Where walks are, and in which worlds; one entry for each.

    Attributes:
        rows: int32 [n]: trees.
        nodes: int32 [n].
        states: uint8 [n, state_size].
        events: int32 [n]: of the last action.
        players: int32 [n]: who is to move.
    """

    rows: Rows
    nodes: Rows
    states: States
    events: Events
    players: Players

    def at(self, wanted: npt.NDArray[np.generic]) -> _Places:
        """Some of them."""
        return _Places(
            self.rows[wanted],
            self.nodes[wanted],
            self.states[wanted],
            self.events[wanted],
            self.players[wanted],
        )


class SetWalks:
    """Trees of information sets, one for each row, and walks through them.

    Args:
        game: with hidden information.
        evaluator: of positions of that game.
        settings: of the search.
        states: uint8 [n, state_size] of unfinished games.
        num_simulations: int32 [n].
        seeds: uint64 [n].

    Raises:
        AgentError: the trees need more memory than the settings allow.
        EvaluationError: see `BatchedSearch.search`.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        settings: SearchSettings,
        states: States,
        num_simulations: Counts,
        seeds: Seeds,
    ) -> None:
        n, spec = len(states), game.spec
        self._game = game
        self._evaluator = evaluator
        self._rule = rule_of(settings)
        self._allowed_megabytes = settings.max_tree_megabytes
        self._seeds = seeds
        self._searchers = game.current_player(states)
        self._worlds = Worlds(game, states, num_simulations, seeds)
        num_nodes = int(num_simulations.max()) + 1
        num_edges = max(256, spec.max_legal_actions)
        self._check_memory(n, num_nodes, num_edges)
        # A node is many states, so that it keeps none.
        self.tree = new_tree(n, num_nodes, num_edges, state_size=0)
        self._links = new_links(self.tree, spec.num_actions, spec.max_legal_actions)
        self.root_logits = self._plant()

    def _plant(self) -> Logits:
        """Makes the roots; returns the evaluator's logits."""
        n = len(self._seeds)
        rows, no_nodes = np.arange(n, dtype=np.int32), np.full(n, NO_NODE, np.int32)
        worlds = self._worlds.of(rows, 0)
        places = _Places(rows, no_nodes, worlds, np.zeros(n, np.int32), self._searchers)
        legal_actions, counts = self._game.legal_actions(worlds)
        return self._expand(places, np.zeros(n, np.uint64), legal_actions, counts)

    def simulate(self, rows: Rows, edges: Rows, simulation: int, first_draw: int) -> None:
        """One simulation in every tree of `rows`, leaving the root by `edges`.

        Args:
            rows: int32 [n].
            edges: int32 [n].
            simulation: ascending from call to call.
            first_draw: where the rows' streams have draws for this simulation's chance events.
        """
        game = self._game
        states = self._worlds.of(rows, simulation)
        self._links.path_lengths[rows] = 0
        nodes = np.zeros(len(rows), np.int32)
        leaves: list[tuple[_Places, Keys, Actions, Counts]] = []
        step = 0
        while len(rows):
            actions = np.empty(len(rows), np.int32)
            extend_paths(self.tree, self._links, rows, nodes, edges, actions)
            draws = uniform(self._seeds[rows], np.uint64(first_draw + step))
            states, events = game.apply(states, actions, draws)
            places = self._end_games(
                _Places(rows, nodes, states, events, game.current_player(states))
            )
            if not len(places.rows):
                break
            legal_actions, counts = game.legal_actions(places.states)
            keys = game.info_key(places.states, self._searchers[places.rows])
            children = np.empty(len(places.rows), np.int32)
            find_children(
                self.tree, self._links, places.rows, places.nodes, places.events, keys, children
            )
            is_new = children == NO_NODE
            if is_new.any():
                new = places.at(is_new)
                leaves.append((new, keys[is_new], legal_actions[is_new], counts[is_new]))
            goes_on = ~is_new
            places = places.at(goes_on)
            rows, nodes, states = places.rows, children[goes_on], places.states
            edges = self._choose(rows, nodes, legal_actions[goes_on], counts[goes_on])
            step += 1
        if leaves:
            self._expand_all(leaves)

    def _end_games(self, places: _Places) -> _Places:
        """Backs up the results of finished games; returns the others.

        They need no nodes: how a game ended may differ from world to world.
        """
        done = self._game.is_terminal(places.states)
        if not done.any():
            return places
        ended = places.at(done)
        results = self._game.returns(ended.states)[np.arange(len(ended.rows)), ended.players]
        back_up_paths(self.tree, self._links, ended.rows, ended.players, results)
        return places.at(~done)

    def _choose(self, rows: Rows, nodes: Rows, legal_actions: Actions, counts: Counts) -> Rows:
        edges = np.empty(len(rows), np.int32)
        if len(rows):
            self._make_room(rows, counts)
            choose_available(
                self.tree, self._links, rows, nodes, legal_actions, counts, self._rule, edges
            )
        return edges

    def _expand_all(self, leaves: list[tuple[_Places, Keys, Actions, Counts]]) -> None:
        """Evaluates all leaves of one simulation together."""
        parts = [leaf[0] for leaf in leaves]
        places = _Places(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.nodes for part in parts]),
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.events for part in parts]),
            np.concatenate([part.players for part in parts]),
        )
        _, keys, legal_actions, counts = zip(*leaves, strict=True)
        self._expand(
            places, np.concatenate(keys), np.concatenate(legal_actions), np.concatenate(counts)
        )

    def _expand(
        self, places: _Places, keys: Keys, legal_actions: Actions, counts: Counts
    ) -> Logits:
        """Evaluates places that have no node yet, makes their nodes and backs the values up."""
        logits, given = self._evaluator.evaluate(
            places.states, places.players, legal_actions, counts
        )
        values = np.asarray(given, np.float32)
        self._make_room(places.rows, counts)
        refused = expand_sets(
            self.tree,
            self._links,
            places.rows,
            places.nodes,
            places.events,
            keys,
            places.players,
            legal_actions,
            counts,
            logits,
            values,
        )
        if refused >= 0:
            position = self._game.to_text(places.states[refused])
            own_logits = logits[refused:][:1].reshape(-1)
            raise bad_evaluation(float(values[refused]), own_logits, int(counts[refused]), position)
        back_up_paths(self.tree, self._links, places.rows, places.players, values)
        return logits

    def _make_room(self, rows: Rows, counts: Counts) -> None:
        num_edges = int((self.tree.num_used_edges[rows] + counts).max())
        if num_edges > self.tree.actions.shape[1]:
            num_trees, num_nodes = self.tree.players.shape
            self._check_memory(num_trees, num_nodes, grown_edges(self.tree, num_edges))
            self.tree = with_room(self.tree, num_edges)
            self._links = links_with_room(self._links, self.tree.actions.shape[1])

    def _check_memory(self, num_trees: int, num_nodes: int, num_edges: int) -> None:
        needed = bytes_for(num_trees, num_nodes, num_edges, state_size=0)
        needed += num_trees * (num_nodes * NODE_BYTES + num_edges * EDGE_BYTES)
        check_memory(needed, self._allowed_megabytes, num_trees, num_nodes)
