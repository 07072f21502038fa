"""Games on which searches are compared: random trees, tic-tac-toe and Commander Chess."""

from __future__ import annotations

import numpy as np

from cotulenh_env.game import Game
from cotulenh_env.registry import load_game
from tests.agents.table_game import Node, TableGame


def double_moves(depth: int, rng: np.random.Generator, player: int = 0) -> Node:
    """A random tree in which the player to move changes at random."""
    if depth == 0 or rng.random() < 0.1:
        return Node(player, result=float(rng.integers(-1, 2)))
    children = [
        double_moves(depth - 1, rng, int(rng.integers(2))) for _ in range(rng.integers(1, 5))
    ]
    return Node(player, children)


def chance_tree(depth: int, rng: np.random.Generator) -> Node:
    """A random tree in which half of the actions lead to one of three nodes by chance."""
    if depth == 0:
        return Node(int(rng.integers(2)), result=float(rng.integers(-1, 2)))
    children: list[Node | list[tuple[float, Node]]] = []
    for _ in range(3):
        if rng.random() < 0.5:
            children.append([(p, chance_tree(depth - 1, rng)) for p in (0.5, 0.25, 0.25)])
        else:
            children.append(chance_tree(depth - 1, rng))
    return Node(int(rng.integers(2)), children)


GAMES: dict[str, Game] = {
    "tictactoe": load_game("tictactoe"),
    "several actions in a row": TableGame(
        Node(0, [double_moves(5, np.random.default_rng(4)) for _ in range(6)])
    ),
    "chance": TableGame(chance_tree(5, np.random.default_rng(3))),
    "commander": load_game("commander"),
}
