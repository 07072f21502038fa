"""`Position` against the reference over random games of rules that differ in every option.

Both play the same moves; legal actions and result are compared after every one. A larger run by
hand: `python -m tests.banqi.test_differential 500`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from typing import Any

import numpy as np

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.actions import START, TARGET
from cotulenh_env.banqi.rules import matrix_text
from tests.banqi.helpers import ALL_RULES, push_random
from tests.reference.banqi import STANDARD, TAIWANESE, Action, Reference, Rules

KINDS = "GAERHCS"


def reference_rules(rules: RuleSet) -> Rules:
    captures = {
        kind: "".join(victim for victim, entry in zip(KINDS, row, strict=True) if entry)
        for kind, row in zip(KINDS, rules.captures, strict=True)
    }
    return Rules(
        captures,
        rules.quiet_limit,
        rules.occurrences_that_draw,
        rules.elimination_ends,
        rules.adjudicate_dead_material,
    )


def action_of(number: int) -> Action:
    start, target = divmod(int(START[number]), 8), divmod(int(TARGET[number]), 8)
    return start, target


def random_endgame(rules: RuleSet, rng: np.random.Generator) -> tuple[Position, Reference]:
    """A few pieces anywhere, some of them face down, as both see them."""
    pieces = rng.permutation(list("GAAEERRHHCCSSSSSgaaeerrhhccsssss"))[: rng.integers(2, 7)]
    cells = rng.permutation(32)[: len(pieces)]
    num_hidden = int(rng.integers(0, 3)) if rng.random() < 0.3 else 0
    letters = ["?"] * num_hidden + pieces[num_hidden:].tolist()
    board = {divmod(int(cell), 8): str(p) for cell, p in zip(cells, letters, strict=True)}
    red_player, player = (int(number) for number in rng.integers(0, 2, 2))
    rows = ["".join(board.get((row, column), "1") for column in range(8)) for row in range(4)]
    placed = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(rows))
    hidden = "".join(pieces[:num_hidden])
    colours = "rb"[player != red_player], "rb"[red_player]
    fen = f"{placed} {' '.join(colours)} {hidden or '-'} 0"
    reference = Reference(reference_rules(rules), board, hidden, red_player, player)
    return Position.from_fen(fen, rules), reference


def compare_game(
    position: Position, reference: Reference, rng: np.random.Generator
) -> tuple[str, int]:
    """Plays one random game by both; returns its reason and how many turns it had."""
    while True:
        numbers = position.legal_actions()
        actions = {action_of(number): number for number in numbers}
        assert set(actions) == reference.legal()
        expected: Any = reference.result or (None, "")
        assert (position.winner, position.reason) == expected
        assert position.hidden == dict(reference.hidden)
        if not numbers:
            return position.reason, position.turns
        assert position.turn == reference.player
        captures = [number for number in numbers if "x" in position.move_text(number)]
        # Random games seldom come to an end: every other capture is made.
        choice = captures if captures and rng.random() < 0.5 else numbers
        number = int(rng.choice(choice))
        start, target = action_of(number)
        push_random(position, number, rng)
        name = f"{'abcdefgh'[start[1]]}{4 - start[0]}"
        reference.play((start, target), position.piece_at(name) if start == target else "")


def test_presets_are_those_of_the_reference() -> None:
    """BANQI's table of captures, read once more from its rows."""
    for preset, captures in (("standard", STANDARD), ("taiwanese", TAIWANESE)):
        matrix = [[victim in captures[kind] for victim in KINDS] for kind in KINDS]
        assert matrix_text(RuleSet(preset=preset).captures) == matrix_text(matrix)


def run(num_games: int, num_endgames: int, seed: int) -> tuple[Counter[str], int]:
    """Compares so many games; returns their reasons and the number of all turns."""
    rng = np.random.default_rng(seed)
    reasons: Counter[str] = Counter()
    num_turns = 0
    for game in range(num_games + num_endgames):
        rules = ALL_RULES[game % len(ALL_RULES)]
        if game < num_games:
            pair = Position(rules), Reference(reference_rules(rules))
        else:
            pair = random_endgame(rules, rng)
        if pair[0].is_game_over():  # a reference does not begin with its end
            continue
        reason, turns = compare_game(*pair, rng)
        reasons[reason] += 1
        num_turns += turns
    return reasons, num_turns


def test_random_games() -> None:
    reasons, num_turns = run(24, 120, seed=11)
    assert set(reasons) == {"all captured", "no move", "dead material", "repetition", "quiet"}
    assert num_turns > 4_000


if __name__ == "__main__":
    print(*run(int(sys.argv[1]), 5 * int(sys.argv[1]), seed=12))
