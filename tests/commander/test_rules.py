"""`RuleSet`: editions, switches, and what does not go together.

- what each edition says is the list of R12, written out by hand
- a switch left out is the edition's, and equal rules are equal
- rules survive a trip through a state
- senseless combinations and wrong values are refused in one sentence
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.rules import EDITIONS, make_rules
from cotulenh_env.commander.switches import SWITCHES
from cotulenh_env.errors import RulesError

OFFICIAL: dict[str, Any] = {
    "tank_carries_two_infantry": True,  # R7.1: any two of C I M
    "aircraft_carries_tank": True,  # R7.1: at most one T
    "short_missile": False,  # §2: 1–2 orthogonal, 1 diagonal
    "heroes_as_missile": False,  # R9.2
    "missile_captures_over": False,  # §2: blocked when capturing
    "navies_block_navies": True,  # R5.1
    "exposure": "legal",  # R6.4
    "infantry_needs_reef": False,  # R3.5
    "engineer_bridges": False,  # R3.5
    "headquarters_falls_alone": False,  # R4.4
    "last_defender_infantry_only": False,  # R9.3
    "navy_missile_strikes": False,  # R5.2
    "navy_moves_after_strike": False,  # R7.7
}
BGA = OFFICIAL | {  # R12.1
    "short_missile": True,
    "navies_block_navies": False,
    "tank_carries_two_infantry": False,
    "exposure": "loss",
}
RUSSIAN = OFFICIAL | {  # R12.2
    "missile_captures_over": True,
    "infantry_needs_reef": True,
    "engineer_bridges": True,
    "aircraft_carries_tank": False,
    "headquarters_falls_alone": True,
    "heroes_as_missile": True,
    "last_defender_infantry_only": True,
    "navy_missile_strikes": True,
    "navy_moves_after_strike": True,
}
SAID = {"official": OFFICIAL, "bga": BGA, "russian": RUSSIAN}


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_each_edition_says(edition: str) -> None:
    """R12."""
    assert RuleSet(edition=edition).resolved == SAID[edition]


def test_switches_are_in_the_order_of_their_bits() -> None:
    assert [switch.bit for switch in SWITCHES] == [1 << index for index in range(len(SWITCHES))]
    assert {switch.name for switch in SWITCHES} == set(OFFICIAL)


@pytest.mark.parametrize("edition", EDITIONS)
def test_saying_what_the_edition_says_changes_nothing(edition: str) -> None:
    rules = RuleSet(edition=edition)
    assert RuleSet(edition=edition, **SAID[edition]) == rules
    assert hash(RuleSet(edition=edition, **SAID[edition])) == hash(rules)


def other(value: bool | str) -> bool | str:
    return not value if isinstance(value, bool) else "loss" if value == "legal" else "legal"


REFUSED_BELOW = {("bga", "heroes_as_missile"), ("russian", "short_missile")}


@pytest.mark.parametrize(
    ("edition", "name"),
    sorted({(edition, name) for edition in EDITIONS for name in OFFICIAL} - REFUSED_BELOW),
)
def test_each_switch_can_be_set_alone(edition: str, name: str) -> None:
    value = other(SAID[edition][name])
    rules = make_rules(edition=edition, **{name: value})
    assert rules.resolved == SAID[edition] | {name: value}
    assert rules != RuleSet(edition=edition)
    assert Position(rules).rules == rules
    assert Position.from_state(Position(rules).state).rules == rules


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"short_missile": True, "heroes_as_missile": True}, "short_missile and heroes_as_missile"),
        ({"edition": "bga", "heroes_as_missile": True}, "short_missile and heroes_as_missile"),
        ({"edition": "russian", "short_missile": True}, "short_missile and heroes_as_missile"),
        ({"battle": "sea", "exposure": "loss"}, "not 'loss' in the sea battle"),
        ({"battle": "air", "exposure": "loss", "edition": "russian"}, "not 'loss' in the air"),
        ({"exposure": True}, "exposure is 'legal' or 'loss', or None"),
        ({"exposure": "lost"}, "got 'lost'"),
        ({"short_missile": 1}, "short_missile is true or false, or None"),
        ({"engineer_bridges": "yes"}, "engineer_bridges is true or false, or None"),
        ({"edition": "english"}, "official, bga, russian"),
        ({"edition": None}, "official, bga, russian"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=re.escape(words)) as error:
        make_rules(**options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("battle", ["sea", "air"])
def test_bga_has_no_exposure_where_commanders_do_not_decide(battle: str) -> None:
    """R12.1: what holds is told as it holds, by `resolved`, the state and the observation alike."""
    rules = RuleSet(edition="bga", battle=battle)
    assert rules.resolved == BGA | {"exposure": "legal"}
    assert Position(rules).rules == rules
    with pytest.raises(RulesError, match="exposure is not 'loss'"):
        RuleSet(edition="bga", battle=battle, exposure="loss")


def test_heroes_as_missile_and_a_short_missile_can_be_exchanged() -> None:
    """What an edition says can be switched off to make room for the other."""
    rules = RuleSet(edition="russian", short_missile=True, heroes_as_missile=False)
    assert Position(rules).rules == rules


def test_exposure_has_no_effect_where_the_battle_goes_on_without_commanders() -> None:
    """R12.1: not in battles that losing the commander does not end."""
    fen = "5c5/11/11/11/11/11/11/5T5/11/11/11/N4C5 r - - 0 1"
    for battle, winner in (("full", 1), ("sea", None), ("air", None)):
        position = Position.from_fen(fen, RuleSet(edition="bga", battle=battle))
        position.push(position.parse_move("T f5-g5 move"))
        assert position.winner == winner, battle
        assert position.reason == ("exposure" if winner is not None else ""), battle
        assert position.turns == 1
        assert position.points == (0, 0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "RuleSet()"),
        ({"battle": "full", "edition": "bga"}, "RuleSet(edition='bga', battle='full')"),
        ({"edition": "bga", "short_missile": True, "quiet_limit": 100}, "RuleSet(edition='bga')"),
        ({"exposure": "loss", "turn_limit": 9}, "RuleSet(turn_limit=9, exposure='loss')"),
    ],
)
def test_repr_shows_what_differs(options: dict[str, Any], text: str) -> None:
    rules = RuleSet(**options)
    assert repr(rules) == text
    assert eval(text, {"RuleSet": RuleSet}) == rules
