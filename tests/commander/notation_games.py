"""Positions drawn by hand, and random games, for the tests of notation and records."""

from __future__ import annotations

import re

import numpy as np

from cotulenh_env.commander import NotationStyle, Position, RuleSet
from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.rules import EDITIONS
from tests.commander.helpers import ALL_RULES, random_action

STYLES = [
    NotationStyle(letters, coordinates)
    for letters in ("english", "vietnamese")
    for coordinates in ("axes", "points")
]

RULE_SETS = [
    *ALL_RULES,
    *(RuleSet(edition=edition, battle="full", placement=True) for edition in EDITIONS),
    *(RuleSet(edition=edition, battle="sea", turn_limit=120) for edition in EDITIONS),
]

FULL = RuleSet(battle="full")


def position_of(pieces: str, side: str = "r", rules: RuleSet = FULL, rest: str = "0 1") -> Position:
    """The position of pieces such as `Tf4 (nft)c5 Ck1`."""
    points = [""] * 132
    for word in pieces.split():
        match = re.fullmatch(r"(.*?)([a-k][0-9]+)", word)
        assert match is not None
        points[parse_point(match[2])] = match[1]
    ranks = [points[rank * 11 : rank * 11 + 11] for rank in reversed(range(12))]
    board = "/".join(
        re.sub("1+", lambda ones: str(len(ones[0])), "".join(stack or "1" for stack in rank))
        for rank in ranks
    )
    return Position.from_fen(f"{board} {side} - - {rest}", rules)


def random_game(rules: RuleSet, seed: int, max_actions: int = 400) -> tuple[Position, list[int]]:
    """A start and the actions of a random game, which may stop in mid-turn."""
    rng = np.random.default_rng(seed)
    start = Position(rules)
    position = start.copy()
    actions = []
    for _ in range(max_actions):
        legal = position.legal_actions()
        if not legal:
            break
        actions.append(random_action(position, legal, rng))
        position.push(actions[-1])
    return start, actions
