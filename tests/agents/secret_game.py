"""Games written down as trees in which players do not see everything.

A game begins at one of several roots, its worlds, dealt with equal chances. Every node says what
each player knows there; nodes of one player's that say the same cannot be told apart by it. An
action that is not legal is written as `ILLEGAL`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.noise import hashed
from cotulenh_env.game import Actions, Counts, Game, Players, States
from tests.agents.table_game import Node, TableGame

ILLEGAL: list[tuple[float, Node]] = []


@dataclass
class SecretNode(Node):
    """A position, and what players 0 and 1 know of it."""

    seen: tuple[Hashable, Hashable] = ("", "")


class SecretGame(TableGame):
    """`worlds_of` gives the states of the roots."""

    def __init__(self, *worlds: SecretNode) -> None:
        self.worlds = worlds
        super().__init__(Node(0, list(worlds)))
        self.spec = replace(self.spec, name="secret", has_hidden_information=True)
        seen = [getattr(node, "seen", (None, None)) for node in self.nodes]
        self._groups = np.array(
            [[[s[player] for s in seen].index(own[player]) for own in seen] for player in (0, 1)]
        )

    def worlds_of(self) -> States:
        return self.states_of(*self.worlds)

    def new_states(
        self, n: int, rng: np.random.Generator | None = None, rules: Any | None = None
    ) -> States:
        assert rng is not None
        return self.worlds_of()[rng.integers(len(self.worlds), size=n)]

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        out, counts = super().legal_actions(states, out, counts)
        for row, number in enumerate(self.numbers(states)):
            legal = [i for i, child in enumerate(self.nodes[number].children) if child != ILLEGAL]
            out[row].fill(-1)
            out[row, : len(legal)] = legal
            counts[row] = len(legal)
        return out, counts

    def resample_hidden(self, states: States, players: Players, rng: np.random.Generator) -> States:
        drawn = np.zeros(len(states), np.int32)
        for row, (number, player) in enumerate(zip(self.numbers(states), players, strict=True)):
            groups = self._groups[player]
            drawn[row] = rng.choice(np.flatnonzero(groups == groups[number]))
        return self._states(drawn)

    def info_key(self, states: States, players: Players) -> npt.NDArray[np.uint64]:
        groups = self._groups[players, self.numbers(states)].astype(np.uint64)
        return hashed(groups, players.astype(np.uint64))


def as_if_hidden(game: Game) -> Game:
    """The game, said to have hidden information though there is none."""

    class Open(type(game)):  # type: ignore[misc] # the class is known when this runs
        pass

    made = Open.__new__(Open)
    made.__dict__.update(game.__dict__)
    made.spec = replace(game.spec, has_hidden_information=True)
    opened: Game = made
    return opened
