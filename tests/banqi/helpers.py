"""Rules that differ in every option, random games, and small things to compare with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.game import Banqi
from cotulenh_env.game import States

GAME = Banqi()

ALL_RULES = [
    RuleSet(),
    RuleSet(preset="taiwanese"),
    RuleSet(horse_takes_horse=True, repetition=2, quiet_limit=20),
    RuleSet(preset="taiwanese", repetition=4, adjudicate_dead_material=True, quiet_limit=127),
    RuleSet(cannon_takes_horse=True, elimination=False, adjudicate_dead_material=True),
    RuleSet(
        matrix="1111111/1111111/0111111/0011111/1001111/0000001/1000010",
        quiet_limit=9,
        repetition=0,
    ),
]


def random_games(
    num_games: int, rules: list[RuleSet], seed: int, max_actions: int = 10_000
) -> Iterator[Position]:
    """Every position of some random games; rules are taken in turn."""
    rng = np.random.default_rng(seed)
    for game in range(num_games):
        position = Position(rules[game % len(rules)])
        yield position
        for _ in range(max_actions):
            legal = position.legal_actions()
            if not legal:
                break
            position = position.copy()
            push_random(position, int(rng.choice(legal)), rng)
            yield position


def push_random(position: Position, action: int, rng: np.random.Generator) -> None:
    """Plays an action; a flip turns up what chance wants."""
    if position.outcomes(action):
        position.push(action, rng=rng)
    else:
        position.push(action)


def random_states(num_games: int, seed: int, num_actions: int = 10_000) -> States:
    """Every state of some random games of all rules."""
    games = random_games(num_games, ALL_RULES, seed, num_actions)
    return np.stack([position.state for position in games])
