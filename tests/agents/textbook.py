"""Slow, obvious searches of one position, written apart from the kernels.

Gumbel: Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022. PUCT: Silver et
al., Science 2018, with first-play urgency as in Wu, "Accelerating self-play learning in Go", 2019.
Dense float64 arithmetic, node objects, recursion; noise and draws of chance are given.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from agents.evaluator import Evaluator
from agents.noise import uniform
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
    children: dict[tuple[int, int], Position] = field(default_factory=dict)  # (place, event)

    def __post_init__(self) -> None:
        self.visits = np.zeros(len(self.actions), np.int64)
        self.sums = np.zeros(len(self.actions))


def softmax(logits: Vector) -> Vector:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


Draws = Callable[[int, int], float]
"""Of a chance event, by number of the simulation and of the step in it."""


def draws_of(seed: np.uint64) -> Draws:
    """The draws that the search takes from a row's stream: a place for every step there can be."""

    def draw(simulation: int, step: int) -> float:
        place = np.uint64((1 << 32) + simulation * (1 << 22) + step)
        return float(uniform(np.array([seed], np.uint64), place)[0])

    return draw


class Textbook(ABC):
    """What both searches do alike."""

    def __init__(self, game: Game, evaluator: Evaluator, settings: SearchSettings) -> None:
        self.game, self.evaluator, self.settings = game, evaluator, settings

    @abstractmethod
    def select(self, node: Position) -> int:
        """Place of the action that a simulation takes below the root."""

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

    def simulate(self, node: Position, place: int, draws: Iterator[float]) -> tuple[int, float]:
        """Takes an action of `node`; returns a player and the value it found for that player."""
        action = np.array([node.actions[place]], np.int32)
        after, events = self.game.apply(node.state[None], action, np.array([next(draws)]))
        key = (place, int(events[0]))
        child = node.children.get(key)
        if child is None:
            node.children[key] = child = self.position(after[0])
            player, value = child.player, child.value
        elif child.actions:
            player, value = self.simulate(child, self.select(child), draws)
        else:
            player, value = child.player, child.value
        node.visits[place] += 1
        node.sums[place] += value if player == node.player else -value
        return player, value

    def steps(self, draws: Draws | None, simulation: int) -> Iterator[float]:
        return (0.0 if draws is None else draws(simulation, step) for step in itertools.count())


class TextbookSearch(Textbook):
    """Gumbel."""

    def select(self, node: Position) -> int:
        wanted = self.improved(node) - node.visits / (1 + node.visits.sum())
        return int(np.argmax(wanted))

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

    def search(
        self, state: States, noise: Vector, num_simulations: int, draws: Draws | None = None
    ) -> Position:
        root = self.position(state)
        self.go_on(root, noise, num_simulations, draws)
        return root

    def go_on(
        self, root: Position, noise: Vector, num_simulations: int, draws: Draws | None = None
    ) -> int:
        """Searches a node of which something may be known already; returns the action chosen.

        Sequential halving counts only the simulations of this search.
        """
        before = root.visits.copy()
        schedule = self.schedule(len(root.actions), num_simulations)
        for simulation, visits in enumerate(schedule):
            scores = noise + root.logits + self.sigma(root)
            scores[root.visits - before != visits] = -np.inf
            self.simulate(root, int(np.argmax(scores)), self.steps(draws, simulation))
        scores = noise + root.logits + self.sigma(root)
        new = root.visits - before
        scores[new < new.max()] = -np.inf
        return root.actions[int(np.argmax(scores))]

    def choice(self, root: Position, noise: Vector) -> int:
        scores = noise + root.logits + self.sigma(root)
        scores[root.visits < root.visits.max()] = -np.inf
        return root.actions[int(np.argmax(scores))]


class TextbookPuct(Textbook):
    """PUCT."""

    def urgency(self, node: Position, prior: Vector, reduction: float) -> float:
        """Q-value of actions never tried."""
        return self.value(node) - reduction * float(np.sqrt(prior[node.visits > 0].sum()))

    def value(self, node: Position) -> float:
        return float((node.value + node.sums.sum()) / (1 + node.visits.sum()))

    def scores(
        self, node: Position, prior: Vector, visits: npt.NDArray[np.int64], reduction: float
    ) -> Vector:
        settings = self.settings
        tried = node.visits > 0
        q = np.full(len(node.actions), self.value(node))
        q[tried] = node.sums[tried] / node.visits[tried]
        low, high = -1.0, 1.0
        if settings.rescale_values:
            low, high = min(q.min(), self.value(node)), max(q.max(), self.value(node))
        q[~tried] = max(low, self.urgency(node, prior, reduction))
        n = 1 + visits.sum()
        c = settings.c_puct
        if settings.c_puct_base:
            c += np.log((n + settings.c_puct_base + 1) / settings.c_puct_base)
        bonus = c * prior * np.sqrt(n) / (1 + visits)
        return np.asarray((q - low) / max(high - low, 1e-8) + bonus)

    def select(self, node: Position) -> int:
        prior = softmax(node.logits)
        return int(np.argmax(self.scores(node, prior, node.visits, self.settings.fpu_reduction)))

    def go_on(
        self,
        root: Position,
        noise: Vector | None,
        num_simulations: int,
        draws: Draws | None = None,
    ) -> npt.NDArray[np.int64]:
        """Searches a node of which something may be known already; returns the new visits.

        `noise` is what is mixed into the root's priors, None for nothing.
        """
        fraction = 0.0 if noise is None else self.settings.dirichlet_fraction
        prior = softmax(root.logits)
        if noise is not None:
            prior = (1 - fraction) * prior + fraction * noise
        before = root.visits.copy()
        for simulation in range(num_simulations):
            new = root.visits - before
            scores = self.scores(root, prior, new, self.settings.root_fpu_reduction)
            self.simulate(root, int(np.argmax(scores)), self.steps(draws, simulation))
        return root.visits - before
