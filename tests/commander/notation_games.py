"""Positions drawn by hand, and random games, for the tests of notation and records."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from cotulenh_env.commander import GameRecord, NotationStyle, Position, RuleSet
from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.notation import REMARKS
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

TAGS = [("Event", 'The "club" \\ evening'), ("Date", "2024.05.01"), ("Red", "Bình"), ("Note", "")]


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


def record_of(rules: RuleSet, seed: int = 0, max_actions: int = 400) -> GameRecord:
    """A random game with notes of every kind."""
    start, actions = random_game(rules, seed, max_actions)
    bare = GameRecord.from_game(start, actions, tags=TAGS)
    turns = [
        replace(
            turn,
            remark=("", *REMARKS)[number % (len(REMARKS) + 1)],
            comment=("", "", "hay quá!  = 1-0 * [x] 3. T3,5")[number % 3],
            clock=None if number % 4 else 900 - number / 7,
        )
        for number, turn in enumerate(bare.turns)
    ]
    return replace(bare, turns=tuple(turns), comment="a whole game")


WON = position_of("Tf4 cf6 Ck1")
WIN = GameRecord.from_game(WON, [WON.parse_move("T f4-f6 capture")])
