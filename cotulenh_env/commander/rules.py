"""Rule options (`RuleSet`) and the tables in which editions differ by numbers (R2, R7, R10).

Tables have the edition as their first index, so that kernels are the same for every edition.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ANTI_AIRCRAFT,
    ARTILLERY,
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    HEAVY_KINDS,
    INFANTRY,
    MILITIA,
    MISSILE,
    NAVY,
    NUM_CODES,
    NUM_KINDS,
    TANK,
    is_heroic,
)
from cotulenh_env.errors import RulesError, shown

EDITIONS = ("official",)
"""Editions that can be played; the index is the state's `edition`."""

BATTLES = ("standard", "sea", "air", "surprise", "full")
STANDARD, SEA, AIR, SURPRISE, FULL = range(5)
"""The index is the state's `battle` (R10.1)."""

_PUBLISHED_EDITIONS = ("official", "bga", "russian")
_MAX_TURN_LIMIT = 65_535
_MAX_QUIET_LIMIT = 127
_MAX_REPETITION = 127


@dataclass(frozen=True)
class RuleSet:
    """Rules of one game.

    Attributes:
        edition: published rule set; only `"official"` is playable yet.
        battle: what ends the game (R10.1): `"standard"`, `"sea"`, `"air"`, `"surprise"`, `"full"`.
        placement: the advanced battle: players first place their pieces themselves (R10.7).
        enforce_check: a turn may not leave one's own commander open to capture (R10.8).
        allow_shoot_down: flights that end in being shot down are legal moves (R8.5).
        repetition: the same position this many times draws (R10.5); 2–127.
        quiet_limit: this many turns without capture or loss draw (R10.5); 1–127.
        turn_limit: after this many turns of both sides together points decide (R10.6); 1–65535.

    Raises:
        RulesError: a value is unknown, out of range or of the wrong type.
    """

    edition: str = "official"
    battle: str = "standard"
    placement: bool = False
    enforce_check: bool = False
    allow_shoot_down: bool = True
    repetition: int = 3
    quiet_limit: int = 100
    turn_limit: int = 400

    def __post_init__(self) -> None:
        if self.edition in _PUBLISHED_EDITIONS and self.edition not in EDITIONS:
            raise RulesError(f"edition {self.edition!r} is not playable yet, only {EDITIONS[0]!r}")
        _check_choice("edition", self.edition, EDITIONS)
        _check_choice("battle", self.battle, BATTLES)
        for name in ("placement", "enforce_check", "allow_shoot_down"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise RulesError(f"rule option {name} is true or false, got {shown(value)}")
        _check_range("repetition", self.repetition, 2, _MAX_REPETITION)
        _check_range("quiet_limit", self.quiet_limit, 1, _MAX_QUIET_LIMIT)
        _check_range("turn_limit", self.turn_limit, 1, _MAX_TURN_LIMIT)


def make_rules(**options: Any) -> RuleSet:
    """A `RuleSet` from keyword options.

    Raises:
        RulesError: an option is unknown, or its value is refused.
    """
    known = [field.name for field in fields(RuleSet)]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise RulesError(f"unknown rule option {unknown[0]!r}: the options are {', '.join(known)}")
    return RuleSet(**options)


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise RulesError(f"rule option {name} is one of {', '.join(choices)}, got {shown(value)}")


def _check_range(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RulesError(
            f"rule option {name} is a whole number from {low} to {high}, got {shown(value)}"
        )


# --- tables -------------------------------------------------------------------------------------

ORTHOGONAL, DIAGONAL = 0, 1
"""Second index of the range tables: `direction & 1`."""

#                 kind: (orthogonal, diagonal) of a plain piece; heroes add 1 to both (R9.2)
_OFFICIAL_MOVES = {
    COMMANDER: (11, 0), INFANTRY: (1, 0), ENGINEER: (1, 0), MILITIA: (1, 1), TANK: (2, 0),
    ARTILLERY: (3, 3), ANTI_AIRCRAFT: (1, 0), MISSILE: (2, 1), AIR_FORCE: (4, 4), NAVY: (4, 4),
}  # fmt: skip
_OFFICIAL_CAPTURES = {**_OFFICIAL_MOVES, COMMANDER: (1, 0)}
_OFFICIAL_ZONES = {ANTI_AIRCRAFT: 1, NAVY: 1, MISSILE: 2}
_NAVY_GUN_RANGE = 3


def _ranges(plain: dict[int, tuple[int, int]]) -> npt.NDArray[np.int8]:
    """[ORTHOGONAL or DIAGONAL, code] from the ranges of plain pieces."""
    table = np.zeros((2, NUM_CODES), np.int8)
    for code in range(2, NUM_CODES):
        orthogonal, diagonal = plain.get(code >> 1, (0, 0))
        if is_heroic(code) and code >> 1 not in (COMMANDER, HEADQUARTERS):
            # A hero uses all eight directions: the diagonal of a piece without one is its
            # orthogonal range, a missile keeps its shorter one.
            diagonal = (diagonal or orthogonal) + 1
            orthogonal += 1
        table[:, code] = orthogonal, diagonal
    return table


def _zone_radii_squared(plain: dict[int, int]) -> npt.NDArray[np.int16]:
    table = np.zeros(NUM_CODES, np.int16)
    for code in range(2, NUM_CODES):
        radius = plain.get(code >> 1, 0)
        if radius:
            table[code] = (radius + is_heroic(code)) ** 2
    return table


def _official_can_carry(carrier: int, passengers: tuple[int, ...]) -> bool:
    """R7.1."""
    if carrier == NAVY:
        return all(kind in (AIR_FORCE, TANK, COMMANDER, INFANTRY, MILITIA) for kind in passengers)
    if carrier == AIR_FORCE:
        kinds = (TANK, COMMANDER, INFANTRY, MILITIA)
        return all(kind in kinds for kind in passengers) and passengers.count(TANK) <= 1
    if carrier == TANK:
        return all(kind in (COMMANDER, INFANTRY, MILITIA) for kind in passengers)
    if carrier == ENGINEER:
        return len(passengers) == 1 and passengers[0] in HEAVY_KINDS
    return carrier == HEADQUARTERS and passengers == (COMMANDER,)


def _legal_stacks() -> npt.NDArray[np.bool_]:
    """[kind, kind, kind] in canonical order, 0 = no piece: single pieces and legal stacks."""
    table = np.zeros((NUM_KINDS + 1,) * 3, np.bool_)
    kinds = range(1, NUM_KINDS + 1)
    for carrier in kinds:
        table[carrier, 0, 0] = True
        for first in kinds:
            table[carrier, first, 0] = _official_can_carry(carrier, (first,))
    for carrier, first, second in itertools.product(kinds, repeat=3):
        table[carrier, first, second] = first <= second and _official_can_carry(
            carrier, (first, second)
        )
    return table


MOVE_RANGE = np.array([_ranges(_OFFICIAL_MOVES)])
"""int8 [edition, ORTHOGONAL or DIAGONAL, code] (table of §2, R9.2)."""

CAPTURE_RANGE = np.array([_ranges(_OFFICIAL_CAPTURES)])
"""int8 [edition, ORTHOGONAL or DIAGONAL, code]; of navies the anti-ship missile's (R5.2)."""

GUN_RANGE = np.array([[_NAVY_GUN_RANGE + is_heroic(code) for code in range(NUM_CODES)]], np.int8)
"""int8 [edition, code]: a navy's gun (R5.3)."""

ZONE_RADIUS_SQUARED = np.array([_zone_radii_squared(_OFFICIAL_ZONES)])
"""int16 [edition, code]: air-defence disc (R8.1); 0 = none."""

LEGAL_STACK = np.array([_legal_stacks()])
"""bool [edition, kind, kind, kind] in canonical order, 0 = no piece (R7.1)."""

MAY_SHARE = np.zeros(LEGAL_STACK.shape[:3], np.bool_)
"""bool [edition, kind, kind]: whether some legal stack holds both kinds."""
for _edition, *_kinds in np.argwhere(LEGAL_STACK).tolist():
    for _first, _second in itertools.permutations(_kinds, 2):
        MAY_SHARE[_edition, _first, _second] = True

COMMANDER_DECIDES = np.array([battle in ("standard", "surprise", "full") for battle in BATTLES])
"""By battle: whether losing the commander ends the game (R10.1)."""
