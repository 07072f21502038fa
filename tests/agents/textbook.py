"""A slow, obvious Gumbel search of one position, written apart from the kernels.

Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022. Dense float64 arithmetic,
node objects, recursion; deterministic games only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from agents.evaluator import Evaluator
from agents.search import SearchSettings
from cotulenh_env.game import Game, States

Vector = npt.NDArray[np.float64]


@dataclass
class Position:
    state: States
    player: int
    value: float
    actions: list[int]
    logits: Vector
    visits: npt.NDArray[np.int64] = field(init=False)
    sums: Vector = field(init=False)
    children: dict[int, Position] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.visits = np.zeros(len(self.actions), np.int64)
        self.sums = np.zeros(len(self.actions))


def softmax(logits: Vector) -> Vector:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


class TextbookSearch:
    def __init__(self, game: Game, evaluator: Evaluator, settings: SearchSettings) -> None:
        self.game, self.evaluator, self.settings = game, evaluator, settings

    def position(self, state: States) -> Position:
        game, batch = self.game, state[None]
        player = int(game.current_player(batch)[0])
        if game.is_terminal(batch)[0]:
            value = float(game.returns(batch)[0, player])
            return Position(state, player, value, [], np.zeros(0))
        legal_actions, counts = game.legal_actions(batch)
        players = np.array([player], np.int32)
        logits, values = self.evaluator.evaluate(batch, players, legal_actions, counts)
        actions = [int(action) for action in legal_actions[0, : counts[0]]]
        own = logits[0, : counts[0]].astype(np.float64)
        return Position(state, player, float(values[0]), actions, own)

    def completed(self, node: Position) -> Vector:
        """Q-values of all actions; those never tried have the mixed value."""
        prior = softmax(node.logits)
        tried = node.visits > 0
        mixed = node.value
        if tried.any():
            q = node.sums[tried] / node.visits[tried]
            weighted = (prior[tried] * q).sum() / prior[tried].sum()
            total = node.visits.sum()
            mixed = (node.value + total * weighted) / (1 + total)
        return np.array(
            [
                node.sums[i] / node.visits[i] if node.visits[i] else mixed
                for i in range(len(node.actions))
            ]
        )

    def sigma(self, node: Position) -> Vector:
        q = self.completed(node)
        if self.settings.rescale_values:
            q = (q - q.min()) / max(q.max() - q.min(), 1e-8)
        scale = (self.settings.maxvisit_init + node.visits.max()) * self.settings.value_scale
        return np.asarray(scale * q)

    def improved(self, node: Position) -> Vector:
        return softmax(node.logits + self.sigma(node))

    def simulate(self, node: Position, place: int) -> tuple[int, float]:
        """Takes an action of `node`; returns a player and the value it found for that player."""
        if place not in node.children:
            action = np.array([node.actions[place]], np.int32)
            state, _ = self.game.apply(node.state[None], action)
            node.children[place] = leaf = self.position(state[0])
            player, value = leaf.player, leaf.value
        else:
            child = node.children[place]
            if child.actions:
                wanted = self.improved(child) - child.visits / (1 + child.visits.sum())
                player, value = self.simulate(child, int(np.argmax(wanted)))
            else:
                player, value = child.player, child.value
        node.visits[place] += 1
        node.sums[place] += value if player == node.player else -value
        return player, value

    def schedule(self, num_actions: int, num_simulations: int) -> list[int]:
        """Sequential halving, as visits that the action of each simulation must have so far.

        Every candidate once more, and again, for an equal share of the budget; then the better
        half of them, but never fewer than two.
        """
        remaining = min(self.settings.max_num_considered_actions, num_actions)
        if remaining == 1:
            return list(range(num_simulations))
        phases = int(np.ceil(np.log2(remaining)))
        sequence: list[int] = []
        visits = 0
        while len(sequence) < num_simulations:
            for _ in range(max(1, num_simulations // (phases * remaining))):
                sequence += [visits] * remaining
                visits += 1
            remaining = max(2, remaining // 2)
        return sequence[:num_simulations]

    def search(self, state: States, noise: Vector, num_simulations: int) -> Position:
        root = self.position(state)
        self.go_on(root, noise, num_simulations)
        return root

    def go_on(self, root: Position, noise: Vector, num_simulations: int) -> int:
        """Searches a node of which something may be known already; returns the action chosen.

        Sequential halving counts only the simulations of this search.
        """
        before = root.visits.copy()
        for visits in self.schedule(len(root.actions), num_simulations):
            scores = noise + root.logits + self.sigma(root)
            scores[root.visits - before != visits] = -np.inf
            self.simulate(root, int(np.argmax(scores)))
        scores = noise + root.logits + self.sigma(root)
        new = root.visits - before
        scores[new < new.max()] = -np.inf
        return root.actions[int(np.argmax(scores))]

    def choice(self, root: Position, noise: Vector) -> int:
        scores = noise + root.logits + self.sigma(root)
        scores[root.visits < root.visits.max()] = -np.inf
        return root.actions[int(np.argmax(scores))]
