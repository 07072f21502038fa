"""The kernels against the slow reference, which was written from the rules without seeing them.

Random positions (captures, stacks, heroes, coasts and air defence favoured; every edition, battle
and option, placement included, and each switch of the editions alone) are compared in their legal
actions, in words, and in everything that can be seen after each of a few random actions.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.switches import SWITCHES, Switch
from cotulenh_env.registry import load_game
from tests.reference.commander import BATTLES, EDITIONS, Edition, Rules
from tests.reference.commander import Game as Reference
from tests.reference.random_positions import random_position, random_rules, random_walk

NUM_BATCHES = 8
NUM_POSITIONS = 125
NUM_POSITIONS_PER_SWITCH = 60
NUM_ACTIONS = 6


def rule_set(rules: Rules) -> RuleSet:
    """The same rules for the kernels."""
    options = asdict(rules)
    if rules.edition == "bga":
        del options["exposure"]  # it may not be asked for in battles that it has no effect in
    return RuleSet(**options)


def assert_same(position: Position, reference: Reference, context: str) -> None:
    """Everything that both can show is equal."""
    assert position.fen() == reference.fen(), context
    assert position.winner == reference.winner, context
    assert position.reason == reference.reason, context
    assert position.points == tuple(reference.points), context
    assert position.turn == reference.turn, context
    assert position.turns == reference.turns, context
    assert position.legal_actions() == reference.legal_actions(), context


def plain_words(position: Position, action: int) -> str:
    """The move in the reference's words, in which two selections may read alike."""
    words = position.move_text(action)
    return words.replace("+", "") if words.startswith("SELECT") else words


def compare(rng: Random, fen: str, rules: Rules) -> None:
    """The position and a few random actions after it."""
    position = Position.from_fen(fen, rule_set(rules))
    reference = Reference.from_fen(fen, rules)
    context = f"{fen} {rules}"
    assert_same(position, reference, context)
    words = {action: plain_words(position, action) for action in position.legal_actions()}
    assert words == reference.legal_texts(), context
    follower = reference.copy()
    for action in random_walk(rng, reference, NUM_ACTIONS):
        position.push(action)
        follower.push(action)
        context += f" {action}"
        assert_same(position, follower, context)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(NUM_BATCHES))
def test_random_positions_agree(seed: int, edition: Edition) -> None:
    """R1–R12: legal actions, words and results of random positions and the actions after them.

    Battles and options are drawn anew for every position.
    """
    rng = Random(f"{edition} {seed}")
    seen = set()
    for _ in range(NUM_POSITIONS):
        fen, rules = random_position(rng, [edition])
        seen |= {rules.battle, f"enforce {rules.enforce_check}", f"shot {rules.allow_shoot_down}"}
        compare(rng, fen, rules)
    assert seen >= {*BATTLES, "enforce True", "enforce False", "shot True", "shot False"}


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_switches_agree_alone(switch: Switch) -> None:
    """R12: each switch by itself, with all others as in the official edition."""
    rng = Random(switch.name)
    for _ in range(NUM_POSITIONS_PER_SWITCH):
        rules = random_rules(rng, switches={switch.name: switch.choices[1]})
        if switch.name == "exposure" and not rules.commander_loss_ends:
            rules = replace(rules, battle="full")
        fen, rules = random_position(rng, rules=rules)
        compare(rng, fen, rules)


def test_batches_may_mix_rules() -> None:
    """DESIGN §3: one batch of games under different rules plays as each game does alone."""
    game = load_game("commander")
    rng = Random(99)
    found = [random_position(rng, EDITIONS) for _ in range(200)]
    references = [Reference.from_fen(fen, rules) for fen, rules in found]
    states = np.stack([game.from_text(fen, rule_set(rules)) for fen, rules in found])
    for _ in range(8):
        legal, counts = game.legal_actions(states)
        actions = np.full(len(states), -1, np.int32)
        for row, reference in enumerate(references):
            expected = reference.legal_actions()
            assert legal[row, : counts[row]].tolist() == expected
            if expected:
                actions[row] = rng.choice(expected)
                reference.push(int(actions[row]))
        going = actions >= 0
        states[going], _ = game.apply(states[going], actions[going])
        for row, reference in enumerate(references):
            assert game.to_text(states[row]) == reference.fen()
        assert game.is_terminal(states).tolist() == [
            reference.winner is not None for reference in references
        ]
