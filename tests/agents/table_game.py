"""Games written down as trees: bandits, several actions in a row by one player, chance.

    Node(0, [Node(result=1), Node(0, [...]), [(0.5, Node(result=1)), (0.5, Node(result=-1))]])

Player 0 is to move and has three actions: one wins, after the second the same player moves on, the
third is a coin toss. A state is the number of a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, RulesError
from cotulenh_env.game import (
    Actions,
    Counts,
    Draws,
    Events,
    Game,
    GameSpec,
    Planes,
    Players,
    States,
)

STATE_DTYPE = np.dtype([("node", np.int32), ("unused", np.int32)])


@dataclass
class Node:
    """A position.

    Attributes:
        player: who is to move.
        children: per action a node, or (probability, node) pairs; none in a finished game.
        result: of player 0 in a finished game.
        score: of both players.
    """

    player: int = 0
    children: Sequence[Node | list[tuple[float, Node]]] = field(default_factory=list)
    result: float = 0.0
    score: tuple[float, float] = (0.0, 0.0)


class TableGame(Game):
    """Starts at `root`; `states_of` gives the state of any node."""

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = []
        self._outcomes: list[list[list[tuple[float, int]]]] = []
        self._number(root)
        num_actions = max(len(node.children) for node in self.nodes)
        num_nodes = len(self.nodes)
        self._players = np.array([node.player for node in self.nodes], np.int32)
        self._results = np.array([node.result for node in self.nodes], np.float32)
        self._scores = np.array([node.score for node in self.nodes], np.float32)
        self.spec = GameSpec(
            name="table",
            num_actions=num_actions,
            state_dtype=STATE_DTYPE,
            max_legal_actions=num_actions,
            board_shape=(1, num_nodes),
            plane_names=("node", "to_move"),
            policy_planes=1,
            num_global_logits=num_actions,
            policy_index=num_nodes + np.arange(num_actions, dtype=np.int32),
            has_chance=any(len(outcomes) > 1 for actions in self._outcomes for outcomes in actions),
        )

    def _number(self, node: Node) -> int:
        number = len(self.nodes)
        self.nodes.append(node)
        self._outcomes.append([])
        for child in node.children:
            outcomes = [(1.0, child)] if isinstance(child, Node) else child
            self._outcomes[number].append([(p, self._number(after)) for p, after in outcomes])
        return number

    def states_of(self, *nodes: Node) -> States:
        numbers = [next(i for i, own in enumerate(self.nodes) if own is node) for node in nodes]
        return self._states(np.array(numbers, np.int32))

    def _states(self, numbers: npt.NDArray[np.int32]) -> States:
        records = np.zeros(len(numbers), STATE_DTYPE)
        records["node"] = numbers
        return records.view(np.uint8).reshape(len(numbers), -1)

    def numbers(self, states: States) -> npt.NDArray[np.int32]:
        numbers: npt.NDArray[np.int32] = states.view(STATE_DTYPE)[:, 0]["node"]
        return numbers

    def make_rules(self, **options: Any) -> None:
        if options:
            raise RulesError(f"no options, got {options}")

    def new_states(
        self, n: int, rng: np.random.Generator | None = None, rules: Any | None = None
    ) -> States:
        return self._states(np.zeros(n, np.int32))

    def rules_of(self, state: States) -> None:
        return None

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, self.spec.max_legal_actions), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        out.fill(-1)
        for row, number in enumerate(self.numbers(states)):
            counts[row] = len(self.nodes[number].children)
            out[row, : counts[row]] = np.arange(counts[row])
        return out, counts

    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        after, events = np.zeros((2, len(states)), np.int32)
        for row, number in enumerate(self.numbers(states)):
            outcomes = self._outcomes[number][actions[row]]
            if len(outcomes) > 1:
                assert draws is not None
                limits = np.cumsum([p for p, _ in outcomes])
                events[row] = min(int(np.sum(draws[row] >= limits)), len(outcomes) - 1)
            after[row] = outcomes[events[row]][1]
        made = self._states(after)
        if out is None:
            return made, events
        out[:] = made
        return out, events

    def current_player(self, states: States) -> Players:
        return self._players[self.numbers(states)]

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        return np.array([not self.nodes[number].children for number in self.numbers(states)], bool)

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        results = self._results[self.numbers(states)] * self.is_terminal(states)
        return np.stack([results, -results], axis=1).astype(np.float32)

    def score(self, states: States) -> npt.NDArray[np.float32]:
        return self._scores[self.numbers(states)].reshape(-1, 2)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        out = (
            np.empty((len(states), *self.spec.observation_shape), np.float32)
            if out is None
            else out
        )
        out.fill(0)
        out[np.arange(len(states)), 0, 0, self.numbers(states)] = 1
        out[:, 1] = (self.current_player(states) == players)[:, None, None]
        return out

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return self.numbers(states).astype(np.uint64)

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        return np.zeros(len(states), np.int32)

    def to_text(self, state: States) -> str:
        return f"node {self.numbers(state[None])[0]}"

    def from_text(self, text: str, rules: Any | None = None) -> States:
        raise PositionError(f"not needed here, got {text!r}")

    def action_text(self, state: States, action: int) -> str:
        return str(action)

    def draw(self, state: States) -> str:
        return self.to_text(state)

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        return np.zeros((1, 1, 3), np.uint8)
