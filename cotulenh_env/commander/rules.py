"""The options of a game: `RuleSet` (R10, R12)."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from cotulenh_env.commander.switches import SWITCHES, Switch, Value
from cotulenh_env.errors import RulesError, shown
from cotulenh_env.rule_options import (
    changes_text,
    check_choice,
    check_flag,
    check_whole_number,
    rules_from,
)

EDITIONS = ("official", "bga", "russian")
"""Published rule sets; the index is the state's `edition`."""

BATTLES = ("standard", "sea", "air", "surprise", "full")
STANDARD, SEA, AIR = range(3)
"""The index is the state's `battle` (R10.1)."""

COMMANDER_DECIDES = np.array([battle in ("standard", "surprise", "full") for battle in BATTLES])
"""By battle: whether losing the commander ends the game (R10.1)."""

_MAX_TURN_LIMIT = 65_535
_MAX_QUIET_LIMIT = 127
_MAX_REPETITION = 127


@dataclass(frozen=True, repr=False)
class RuleSet:
    """Rules of one game.

    The fields behind `turn_limit` are the switches in which the editions differ. None means as the
    edition says, and a switch set to what the edition says anyway becomes None: equal rules are
    equal. `resolved` has what holds.

    >>> RuleSet(edition="bga") == RuleSet(edition="bga", short_missile=True)
    True
    >>> RuleSet(engineer_bridges=True).resolved["engineer_bridges"]
    True
    >>> RuleSet(battle="full", edition="bga", repetition=3)
    RuleSet(edition='bga', battle='full')

    Attributes:
        edition: published rule set: `"official"`, `"bga"` (R12.1), `"russian"` (R12.2).
        battle: what ends the game (R10.1): `"standard"`, `"sea"`, `"air"`, `"surprise"`, `"full"`.
        placement: the advanced battle: players first place their pieces themselves (R10.7).
        enforce_check: a turn may not leave one's own commander open to capture (R10.8).
        allow_shoot_down: flights that end in being shot down are legal moves (R8.5).
        repetition: the same position this many times draws (R10.5); 2–127.
        quiet_limit: this many turns without capture or loss draw (R10.5); 1–127.
        turn_limit: after this many turns of both sides together points decide (R10.6); 1–65535.
        tank_carries_two_infantry: a tank may carry two infantry (R7.1); false in bga.
        aircraft_carries_tank: an aircraft may carry a tank (R7.1); false in russian.
        short_missile: a missile moves and captures 1, orthogonally only, a heroic one 2 and 1
            diagonally; its zone stays. True in bga.
        heroes_as_missile: heroic I, E, M and G move and capture as a plain missile does, captures
            passing over pieces. True in russian.
        missile_captures_over: a missile captures over pieces. True in russian.
        navies_block_navies: a navy blocks the navies that would pass it (R5.1); false in bga.
        exposure: `"legal"`, or `"loss"`: a turn after which the commanders stand face to face loses
            for the player who made it. `"loss"` in bga, where the battle is about the commander.
        infantry_needs_reef: an infantry that does not capture crosses the river by a reef step
            only. True in russian.
        engineer_bridges: heavy pieces also cross the river on a file where a friendly engineer
            stands on a bank point. True in russian.
        headquarters_falls_alone: only A, F and N capture a headquarters with its commander whole;
            all others strike the headquarters and leave the commander, instead of R4.4. True in
            russian.
        last_defender_infantry_only: R9.3 makes only an infantry heroic. True in russian.
        navy_missile_strikes: an enemy navy that is reached may be struck instead of replaced
            (R5.2). True in russian.
        navy_moves_after_strike: a navy that has struck, alone or as a whole stack, may still make
            one move, join or replacement. True in russian.

    Raises:
        RulesError: a value is unknown, out of range or of the wrong type, or two do not go
            together.
    """

    edition: str = "official"
    battle: str = "standard"
    placement: bool = False
    enforce_check: bool = False
    allow_shoot_down: bool = True
    repetition: int = 3
    quiet_limit: int = 100
    turn_limit: int = 400
    tank_carries_two_infantry: bool | None = None
    aircraft_carries_tank: bool | None = None
    short_missile: bool | None = None
    heroes_as_missile: bool | None = None
    missile_captures_over: bool | None = None
    navies_block_navies: bool | None = None
    exposure: str | None = None
    infantry_needs_reef: bool | None = None
    engineer_bridges: bool | None = None
    headquarters_falls_alone: bool | None = None
    last_defender_infantry_only: bool | None = None
    navy_missile_strikes: bool | None = None
    navy_moves_after_strike: bool | None = None

    def __post_init__(self) -> None:
        check_choice("edition", self.edition, EDITIONS)
        check_choice("battle", self.battle, BATTLES)
        for name in ("placement", "enforce_check", "allow_shoot_down"):
            check_flag(name, getattr(self, name))
        check_whole_number("repetition", self.repetition, 2, _MAX_REPETITION)
        check_whole_number("quiet_limit", self.quiet_limit, 1, _MAX_QUIET_LIMIT)
        check_whole_number("turn_limit", self.turn_limit, 1, _MAX_TURN_LIMIT)
        for switch in SWITCHES:
            value = getattr(self, switch.name)
            if value is not None:
                _check_switch(switch, value)
        for switch in SWITCHES:
            if getattr(self, switch.name) == self._edition_value(switch):
                object.__setattr__(self, switch.name, None)
        self._check_sense()

    def __repr__(self) -> str:
        """The options that are not as in `RuleSet()`; to be read back by Python."""
        return changes_text(self)

    @property
    def resolved(self) -> dict[str, Value]:
        """Every switch by name, with the value that holds in these rules."""
        return {switch.name: self._value(switch) for switch in SWITCHES}

    @property
    def switches(self) -> int:
        """The switches as the bits that a state carries (switches.py)."""
        return sum(switch.bit for switch in SWITCHES if self._value(switch) != switch.choices[0])

    def _edition_value(self, switch: Switch) -> Value:
        if switch.name == "exposure" and not self._commander_decides:
            return "legal"  # R12.1: not in battles that losing the commander does not end
        return switch.values[EDITIONS.index(self.edition)]

    @property
    def _commander_decides(self) -> bool:
        return bool(COMMANDER_DECIDES[BATTLES.index(self.battle)])

    def _value(self, switch: Switch) -> Value:
        value: Value | None = getattr(self, switch.name)
        return self._edition_value(switch) if value is None else value

    def _check_sense(self) -> None:
        resolved = self.resolved
        if resolved["short_missile"] and resolved["heroes_as_missile"]:
            raise RulesError(
                "rule options short_missile and heroes_as_missile do not go together: "
                "heroes would gain nothing from a missile's single step"
            )
        if self.exposure == "loss" and not self._commander_decides:
            raise RulesError(
                f"rule option exposure is not 'loss' in the {self.battle} battle, "
                "which goes on without commanders"
            )


@functools.lru_cache(maxsize=1024, typed=True)
def rules_with_switches(switches: int, edition: str, **options: Any) -> RuleSet:
    """The RuleSet of an edition whose switches hold the given bits.

    Args:
        switches: bits as `RuleSet.switches` gives them.
        edition: name of the edition.
        options: the other fields.

    Raises:
        RulesError: there are no such rules.
    """
    values = {switch.name: switch.choices[bool(switches & switch.bit)] for switch in SWITCHES}
    return make_rules(edition=edition, **values, **options)


def make_rules(**options: Any) -> RuleSet:
    """A `RuleSet` from keyword options.

    Raises:
        RulesError: an option is unknown, or its value is refused.
    """
    return rules_from(RuleSet, options)


def _check_switch(switch: Switch, value: object) -> None:
    official = switch.choices[0]
    if type(value) is not type(official) or value not in switch.choices:
        choices = (
            "true or false"
            if isinstance(official, bool)
            else " or ".join(map(repr, switch.choices))
        )
        raise RulesError(
            f"rule option {switch.name} is {choices}, or None for what the edition says, "
            f"got {shown(value)}"
        )
