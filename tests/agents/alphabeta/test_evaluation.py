"""The static evaluation: symmetric, and each of its terms counted by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from agents.alphabeta import EvaluationWeights, evaluate
from agents.alphabeta.values import DECIDED
from agents.errors import AgentError
from cotulenh_env.commander import RuleSet
from cotulenh_env.game import States
from tests.agents.alphabeta.positions import COMMANDER, SMALL, changed, mirrored_fen
from tests.commander.helpers import ALL_RULES, random_games

NONE = EvaluationWeights(**{field.name: 0 for field in dataclasses.fields(EvaluationWeights)})


def term(name: str, fen: str, rules: RuleSet | None = None) -> int:
    """The number that a weight is multiplied with, for the player to move."""
    weights = dataclasses.replace(NONE, **{name: 1})
    return int(evaluate(COMMANDER.from_text(fen, rules or RuleSet())[None], weights)[0])


def flipped(state: States) -> States:
    """The same state for the other player to move."""
    return changed(state, player=1 - int(COMMANDER.current_player_of(state)))


@pytest.mark.parametrize(("fen", "rules"), SMALL)
def test_colours_swapped_is_the_same_value(fen: str, rules: RuleSet) -> None:
    one, other = (COMMANDER.from_text(text, rules)[None] for text in (fen, mirrored_fen(fen)))
    assert evaluate(one).tolist() == evaluate(other).tolist()


def test_colours_swapped_is_the_same_value_in_games() -> None:
    """In every edition and battle, along random games; and what one gains the other loses."""
    rows: dict[str, list[States]] = {"one": [], "other": []}
    for count, position in enumerate(random_games(20, ALL_RULES, seed=5, max_actions=120)):
        if count % 7 or position.winner is not None or " place" in position.fen():
            continue
        rules = position.rules
        rows["one"].append(COMMANDER.from_text(position.fen(), rules))
        rows["other"].append(COMMANDER.from_text(mirrored_fen(position.fen()), rules))
    one, other = np.array(rows["one"]), np.array(rows["other"])
    assert len(one) > 100
    np.testing.assert_array_equal(evaluate(one), evaluate(other))
    against = np.array([flipped(state) for state in one])
    np.testing.assert_array_equal(evaluate(one), -evaluate(against))
    assert len(np.unique(evaluate(one))) > 50


def test_the_start_is_even() -> None:
    for rules in ALL_RULES:
        assert evaluate(COMMANDER.new_states(1, rules=rules)).tolist() == [0]


SEVENTH = "11/6hc3/11/11/11/{}/11/11/11/11/4C6/11 r - - 0 1"
"""Commanders on e2 and h11, a blue headquarters on g11, and rank 7."""

NEAR = "11/6hc3/11/11/{}/11/11/11/{}/{}/{}/11 r - - 0 1"
"""Blue as above, ranks 8 and 4 to 2."""


@pytest.mark.parametrize(
    ("name", "fen", "expected"),
    [
        ("point", SEVENTH.format("3T7"), 20 - 10),  # R2.2; 10 for the headquarters
        ("point", SEVENTH.format("2(N+FT)6t1"), 80 + 50 + 20 - 20 - 10),
        ("hero", SEVENTH.format("2(N+FT)5+t2"), 1 - 1),
        ("hero", SEVENTH.format("3+T4+I2"), 2),
        ("mobility", SEVENTH.format("11"), 4 - 3),  # the commanders
        ("mobility", SEVENTH.format("3T7"), 4 - 3 + 4),
        ("mobility", SEVENTH.format("1N9"), 4 - 3 + 4),
        ("mobility", SEVENTH.format("2I8"), 4 - 3 + 3),  # not onto the sea
        ("mobility", SEVENTH.format("2N8"), 4 - 3 + 4),  # d7 is a river mouth
        ("mobility", SEVENTH.format("5TT4"), 4 - 3 + 6),
        ("advance", SEVENTH.format("3T5i1"), 6 - 5),  # ranks ahead of rank 1, of rank 12
        ("advance", SEVENTH.format("2N8"), 0),
        ("pressure", SEVENTH.format("7T3"), 7 - 4),  # from h7 to h11
        ("pressure", SEVENTH.format("7E3"), 0),
        ("pressure", SEVENTH.format("11"), 0),
        ("zone", SEVENTH.format("3G4f2"), 1),
        ("zone", SEVENTH.format("3G7"), 0),  # Blue has no aircraft
        ("zone", SEVENTH.format("2(EG)5f2"), 0),  # a passenger
        ("zone", SEVENTH.format("2N4sF2"), -1),  # only Red flies
        ("air_cover", NEAR.format("3f7", "11", "4G6", "4C6"), 1),
        ("air_cover", NEAR.format("3f7", "4G6", "11", "4C6"), 0),
        ("attacked_commander", NEAR.format("11", "4t6", "11", "4C6"), -1),
        ("attacked_commander", NEAR.format("11", "4t6", "4I6", "4C6"), 0),
        ("attacked_commander", NEAR.format("11", "4a6", "4I6", "4C6"), -1),
        ("attacked_commander", NEAR.format("11", "11", "3t7", "4C6"), 0),  # no diagonals
        ("attacked_commander", NEAR.format("11", "11", "3+t7", "4C6"), -1),
        ("attacked_commander", NEAR.format("11", "11", "4i6", "4(HC)6"), 0),  # R4.4
        ("open_commander", SEVENTH.format("11"), -4 + 3),
        ("open_commander", NEAR.format("11", "11", "4I6", "4C6"), -3 + 3),
        ("sheltered_commander", NEAR.format("11", "11", "11", "4(HC)6"), 1),
        ("last_of_division", SEVENTH.format("3FT1t4"), -1),  # Blue never had aircraft
        ("last_of_division", SEVENTH.format("nN1FT1i4"), -3 + 2),
    ],
)
def test_terms_by_hand(name: str, fen: str, expected: int) -> None:
    assert term(name, fen) == expected


def test_terms_depend_on_the_battle() -> None:
    """The commander's safety where it decides, last divisions where they do (R10.1)."""
    attacked = NEAR.format("11", "4t6", "11", "4C6")
    last = SEVENTH.format("1N1F3T2i")
    for battle, safety, divisions in (
        ("standard", -1, -3 + 1),
        ("full", -1, 0),
        ("surprise", -1, 0),
        ("sea", 0, -1),
        ("air", 0, -1),
    ):
        rules = RuleSet(battle=battle)
        assert term("attacked_commander", attacked, rules) == safety
        assert term("last_of_division", last, rules) == divisions


@pytest.mark.parametrize(
    ("turns", "expected"), [(0, 0), (360, 0), (380, 10), (390, 15), (399, 19), (400, 20)]
)
def test_the_lead_counts_when_the_turn_limit_is_near(turns: int, expected: int) -> None:
    """20 official points of lead, over the last 40 of 400 turns (R10.6)."""
    state = COMMANDER.from_text(SEVENTH.format("11"))
    weights = dataclasses.replace(NONE, lead=1)
    for points, sign in (((30, 10), 1), ((10, 30), -1)):
        row = changed(state, turns=turns, points=points)[None]
        assert evaluate(row, weights).tolist() == [sign * expected]


def test_the_evaluation_leaves_its_states_alone() -> None:
    states = COMMANDER.new_states(3)
    before = states.copy()
    assert evaluate(states).dtype == np.int32
    np.testing.assert_array_equal(states, before)


def test_the_largest_weights_stay_below_a_win() -> None:
    """Eighteen heroic navies in the open, against one commander, with all the lead there is."""
    largest = EvaluationWeights(**dict.fromkeys((f.name for f in dataclasses.fields(NONE)), 10_000))
    ships = "/".join(["+N+NC8", *8 * ["+N+N9"]])
    state = COMMANDER.from_text(f"6c4/11/11/{ships} r - - 0 1")
    row = changed(state, turns=399, points=(2000, 0))[None]
    assert DECIDED / 2 > evaluate(row, largest)[0] > 10_000_000


@pytest.mark.parametrize("value", [-1, 10_001, 1.5, True, None, "many", 10**30])
def test_weights_are_checked(value: object) -> None:
    with pytest.raises(AgentError, match="hero is an integer in 0–10000"):
        EvaluationWeights(hero=value)  # type: ignore[arg-type]
