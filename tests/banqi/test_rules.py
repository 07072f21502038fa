"""`RuleSet` of Banqi.

- the presets differ in three entries of the matrix, the repetition and the elimination
- equal rules are equal, however they are said, and survive the state record and their own text
- what makes no sense is refused in one sentence
"""

from __future__ import annotations

from typing import Any

import pytest

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.rules import make_rules
from cotulenh_env.errors import RulesError
from cotulenh_env.rules_text import parse_options, rules_text
from tests.banqi.helpers import ALL_RULES

STANDARD = "1111110/0111111/0011111/0001111/0000011/1111011/1000000"


def test_presets() -> None:
    """BANQI.md: same but horse takes horse, cannon takes horse, soldier takes soldier."""
    standard, taiwanese = RuleSet().captures, RuleSet(preset="taiwanese").captures
    different = {
        (attacker, victim)
        for attacker in range(7)
        for victim in range(7)
        if standard[attacker][victim] != taiwanese[attacker][victim]
    }
    assert different == {(4, 4), (5, 4), (6, 6)}
    assert "/".join("".join(map(str, row)) for row in standard) == STANDARD
    assert (RuleSet().occurrences_that_draw, RuleSet().elimination_ends) == (3, True)
    other = RuleSet(preset="taiwanese")
    assert (other.occurrences_that_draw, other.elimination_ends) == (0, False)
    assert RuleSet().quiet_limit == other.quiet_limit == 50


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (RuleSet(), RuleSet(matrix=STANDARD, repetition=3, elimination=True)),
        (RuleSet(), RuleSet(horse_takes_horse=False)),
        (RuleSet(horse_takes_horse=True), RuleSet(matrix=STANDARD.replace("0000011", "0000111"))),
        (RuleSet(preset="taiwanese"), RuleSet(preset="taiwanese", repetition=0, elimination=False)),
    ],
)
def test_equal_rules_are_equal(one: RuleSet, same: RuleSet) -> None:
    assert one == same
    assert hash(one) == hash(same)
    assert repr(one) == repr(same)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_rules_come_back(rules: RuleSet) -> None:
    assert Position(rules).rules == rules
    assert make_rules(**parse_options(rules_text(rules))) == rules
    assert eval(repr(rules)) == rules


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"preset": "japanese"}, "preset is one of standard, taiwanese, got 'japanese'"),
        ({"preset": 3}, "preset"),
        ({"matrix": "1111110"}, "matrix is seven rows of seven 0 or 1"),
        ({"matrix": [[1] * 7] * 7}, "matrix is seven rows"),
        ({"matrix": STANDARD.replace("1", "2")}, "matrix is seven rows"),
        ({"matrix": STANDARD, "horse_takes_horse": True}, "say the same thing: give one"),
        ({"soldier_takes_soldier": 1}, "soldier_takes_soldier is true or false, or None"),
        ({"quiet_limit": 0}, "quiet_limit is a whole number from 1 to 127, got 0"),
        ({"quiet_limit": 128}, "quiet_limit"),
        ({"quiet_limit": True}, "quiet_limit"),
        ({"repetition": 1}, "repetition is 0 for never, or a whole number from 2 to 127, got 1"),
        ({"repetition": False}, "repetition"),
        ({"elimination": "yes"}, "elimination is true or false"),
        ({"adjudicate_dead_material": None}, "adjudicate_dead_material is true or false"),
        ({"colour": "red"}, "unknown rule option 'colour': the options are preset, "),
    ],
)
def test_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words) as raised:
        make_rules(**options)
    assert "\n" not in str(raised.value)
