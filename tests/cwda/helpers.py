"""Positions and random games for the tests of Chess with Different Armies."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.state import STATE_DTYPE

MAIN = ("FF", "CC", "NN", "RR")
PAIRINGS = [RuleSet(white, black) for white in MAIN for black in MAIN]
DERIVED = [RuleSet("AM", "FF"), RuleSet("FW", "AA"), RuleSet("CC", "FW"), RuleSet("AC", "RR")]

ENDGAMES = [
    ("FF-FF", "8/8/4k3/8/8/3RK3/8/8 w - - 80 60"),
    ("CC-NN", "3g4/8/4k3/8/8/3DK3/8/8 w - - 60 60"),
    ("RR-CC", "8/1P2k3/8/8/8/8/4K1p1/8 b - - 0 40"),
    ("NN-RR", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40"),
]
"""Positions from which random games soon end, in each of the ways there are."""


def rules_named(text: str) -> RuleSet:
    """The rules written as `FF-CC`."""
    return RuleSet(*text.split("-"))


def load(text: str, fen: str) -> Position:
    """A position between armies written as `FF-CC`."""
    return Position.from_fen(fen, rules_named(text))


def play(position: Position, *moves: str) -> Position:
    """Plays moves written as `e2e4`; returns the position."""
    for move in moves:
        position.push(position.parse_move(move))
    return position


def texts(position: Position) -> list[str]:
    """The legal moves, sorted."""
    return sorted(text for _, text in position.legal_moves())


def random_games(
    starts: list[Position], seed: int, max_moves: int = 200
) -> Iterator[tuple[Position, int | None]]:
    """Every position of a random game from each start, with the action played there; None at the
    end of a game. Captures are rarer than at random, so that games are long."""
    rng = np.random.default_rng(seed)
    for start in starts:
        position = start.copy()
        for _ in range(max_moves):
            legal = position.legal_actions()
            if not legal:
                yield position.copy(), None
                break
            action = int(rng.choice(legal))
            yield position.copy(), action
            position.push(action)


def varied_starts() -> list[Position]:
    """The start of every pairing, of some derived ones, and endgames."""
    starts = [Position(rules) for rules in (*PAIRINGS, *DERIVED)]
    return starts + [load(armies, fen) for armies, fen in ENDGAMES]


def record(position: Position) -> Any:
    """A copy of the position's record."""
    return position.state.view(STATE_DTYPE)[0]


def changed(position: Position, **fields: Any) -> npt.NDArray[np.uint8]:
    """The position's state with some fields of its record changed."""
    state = position.state
    for name, value in fields.items():
        state.view(STATE_DTYPE)[0][name] = value
    return state
