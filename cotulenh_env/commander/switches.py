"""The switches in which the editions differ (rules R12, docs/rules.md).

Each is a bit of a state's `switches`. A bit is set where a game departs from the official edition,
which has none set. Kernels test the bits, and read their tables (tables.py) at an index cut from
the lowest of them; which edition a game was set up with means nothing to them.
"""

from __future__ import annotations

from typing import NamedTuple

Value = bool | str

# Bits 0–1 choose the table of stacks, bits 2–4 those of ranges (tables.py).
TANK_CARRIES_ONE_INFANTRY = 1 << 0
AIRCRAFT_CARRIES_NO_TANK = 1 << 1
SHORT_MISSILE = 1 << 2
HEROES_AS_MISSILE = 1 << 3
MISSILE_CAPTURES_OVER = 1 << 4
NAVIES_PASS_NAVIES = 1 << 5
EXPOSURE_LOSES = 1 << 6
INFANTRY_NEEDS_REEF = 1 << 7
ENGINEER_BRIDGES = 1 << 8
HEADQUARTERS_FALLS_ALONE = 1 << 9
LAST_DEFENDER_IS_INFANTRY = 1 << 10
NAVY_MISSILE_STRIKES = 1 << 11
NAVY_MOVES_AFTER_STRIKE = 1 << 12


class Switch(NamedTuple):
    """One switch.

    Attributes:
        name: the field of `RuleSet`.
        bit: set when the value is not the official one.
        values: what official, bga and russian say, in the order of `rules.EDITIONS`.
        meaning: what it decides, for the planes of an observation.
    """

    name: str
    bit: int
    values: tuple[Value, Value, Value]
    meaning: str

    @property
    def choices(self) -> tuple[Value, Value]:
        """The official value, and the other."""
        official = self.values[0]
        return official, next(value for value in self.values if value != official)


SWITCHES = (
    Switch(
        "tank_carries_two_infantry", TANK_CARRIES_ONE_INFANTRY, (True, False, True),
        "a tank may carry two infantry",
    ),
    Switch(
        "aircraft_carries_tank", AIRCRAFT_CARRIES_NO_TANK, (True, True, False),
        "an aircraft may carry a tank",
    ),
    Switch(
        "short_missile", SHORT_MISSILE, (False, True, False),
        "missiles have one step less, a plain one no diagonal",
    ),
    Switch(
        "heroes_as_missile", HEROES_AS_MISSILE, (False, False, True),
        "heroic I, E, M, G act as a plain missile, capturing over pieces",
    ),
    Switch(
        "missile_captures_over", MISSILE_CAPTURES_OVER, (False, False, True),
        "missiles capture over pieces",
    ),
    Switch(
        "navies_block_navies", NAVIES_PASS_NAVIES, (True, False, True),
        "a navy blocks other navies",
    ),
    Switch(
        "exposure", EXPOSURE_LOSES, ("legal", "loss", "legal"),
        "a turn that leaves the commanders face to face loses",
    ),
    Switch(
        "infantry_needs_reef", INFANTRY_NEEDS_REEF, (False, False, True),
        "infantry that does not capture crosses the river by a reef only",
    ),
    Switch(
        "engineer_bridges", ENGINEER_BRIDGES, (False, False, True),
        "heavy pieces cross the river on the file of an engineer at the bank",
    ),
    Switch(
        "headquarters_falls_alone", HEADQUARTERS_FALLS_ALONE, (False, False, True),
        "all but A, F and N take only the headquarters of a commander inside",
    ),
    Switch(
        "last_defender_infantry_only", LAST_DEFENDER_IS_INFANTRY, (False, False, True),
        "only an infantry becomes heroic as last defender",
    ),
    Switch(
        "navy_missile_strikes", NAVY_MISSILE_STRIKES, (False, False, True),
        "a navy may strike a navy that it reaches",
    ),
    Switch(
        "navy_moves_after_strike", NAVY_MOVES_AFTER_STRIKE, (False, False, True),
        "a navy that has struck may move on",
    ),
)  # fmt: skip
"""In the order of their bits."""
