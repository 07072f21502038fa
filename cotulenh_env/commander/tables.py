"""The tables in which editions differ by numbers: ranges, zones and stacks (R2, R7.1, R9.2, R12).

Their first index is cut from a state's switches (switches.py), so that kernels are the same for
every edition: `switches & STACK_BITS` for stacks, `switches >> RANGE_SHIFT & RANGE_BITS` for
ranges.
"""

from __future__ import annotations

import itertools

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
from cotulenh_env.commander.switches import (
    AIRCRAFT_CARRIES_NO_TANK,
    HEROES_AS_MISSILE,
    MISSILE_CAPTURES_OVER,
    SHORT_MISSILE,
    TANK_CARRIES_ONE_INFANTRY,
)

STACK_BITS = TANK_CARRIES_ONE_INFANTRY | AIRCRAFT_CARRIES_NO_TANK
RANGE_SHIFT = 2
RANGE_BITS = (SHORT_MISSILE | HEROES_AS_MISSILE | MISSILE_CAPTURES_OVER) >> RANGE_SHIFT

_STACK_VARIANTS = range(STACK_BITS + 1)
_RANGE_VARIANTS = [variant << RANGE_SHIFT for variant in range(RANGE_BITS + 1)]

ORTHOGONAL, DIAGONAL = 0, 1
"""Second index of the range tables: `ray >> 2` in the kernels (rays.py)."""

#                 kind: (orthogonal, diagonal) of a plain piece; heroes add 1 to both (R9.2)
_MOVES = {
    COMMANDER: (11, 0), INFANTRY: (1, 0), ENGINEER: (1, 0), MILITIA: (1, 1), TANK: (2, 0),
    ARTILLERY: (3, 3), ANTI_AIRCRAFT: (1, 0), MISSILE: (2, 1), AIR_FORCE: (4, 4), NAVY: (4, 4),
}  # fmt: skip
_CAPTURES = {**_MOVES, COMMANDER: (1, 0)}
_ZONES = {ANTI_AIRCRAFT: 1, NAVY: 1, MISSILE: 2}
_NAVY_GUN_RANGE = 3

_SHORT_RANGES = {False: (1, 0), True: (2, 1)}
"""By whether it is heroic (R12.1)."""

_HEROES_AS_MISSILE: tuple[int, ...] = (INFANTRY, ENGINEER, MILITIA, ANTI_AIRCRAFT)
"""R12.2."""


def _ranges(plain: dict[int, tuple[int, int]], switches: int) -> npt.NDArray[np.int8]:
    """[ORTHOGONAL or DIAGONAL, code] from the ranges of plain pieces."""
    table = np.zeros((2, NUM_CODES), np.int8)
    for code in range(2, NUM_CODES):
        kind = code >> 1
        orthogonal, diagonal = plain.get(kind, (0, 0))
        if is_heroic(code) and kind not in (COMMANDER, HEADQUARTERS):
            # A hero uses all eight directions: the diagonal of a piece without one is its
            # orthogonal range, a missile keeps its shorter one.
            diagonal = (diagonal or orthogonal) + 1
            orthogonal += 1
            if switches & HEROES_AS_MISSILE and kind in _HEROES_AS_MISSILE:
                orthogonal, diagonal = plain[MISSILE]
        if switches & SHORT_MISSILE and kind == MISSILE:
            orthogonal, diagonal = _SHORT_RANGES[is_heroic(code)]
        table[:, code] = orthogonal, diagonal
    return table


def _captures_over(switches: int) -> npt.NDArray[np.bool_]:
    """[code]: whether a land piece captures over pieces (§2, R12.2)."""
    table = np.zeros(NUM_CODES, np.bool_)
    for code in range(2, NUM_CODES):
        kind = code >> 1
        table[code] = (
            kind == ARTILLERY
            or (kind == MISSILE and switches & MISSILE_CAPTURES_OVER)
            or (is_heroic(code) and kind in _HEROES_AS_MISSILE and switches & HEROES_AS_MISSILE)
        )
    return table


def _zone_radii() -> npt.NDArray[np.int8]:
    table = np.zeros(NUM_CODES, np.int8)
    for code in range(2, NUM_CODES):
        radius = _ZONES.get(code >> 1, 0)
        table[code] = radius + is_heroic(code) if radius else 0
    return table


def _can_carry(carrier: int, passengers: tuple[int, ...], switches: int) -> bool:
    """R7.1, R12.1, R12.2."""
    if carrier == NAVY:
        return all(kind in (AIR_FORCE, TANK, COMMANDER, INFANTRY, MILITIA) for kind in passengers)
    if carrier == AIR_FORCE:
        num_tanks = 0 if switches & AIRCRAFT_CARRIES_NO_TANK else 1
        can_ride = all(kind in (TANK, COMMANDER, INFANTRY, MILITIA) for kind in passengers)
        return can_ride and passengers.count(TANK) <= num_tanks
    if carrier == TANK:
        num_infantry = 1 if switches & TANK_CARRIES_ONE_INFANTRY else 2
        can_ride = all(kind in (COMMANDER, INFANTRY, MILITIA) for kind in passengers)
        return can_ride and passengers.count(INFANTRY) <= num_infantry
    if carrier == ENGINEER:
        return len(passengers) == 1 and passengers[0] in HEAVY_KINDS
    return carrier == HEADQUARTERS and passengers == (COMMANDER,)


def _legal_stacks(switches: int) -> npt.NDArray[np.bool_]:
    """[kind, kind, kind] in canonical order, 0 = no piece: single pieces and legal stacks."""
    table = np.zeros((NUM_KINDS + 1,) * 3, np.bool_)
    kinds = range(1, NUM_KINDS + 1)
    for carrier in kinds:
        table[carrier, 0, 0] = True
        for first in kinds:
            table[carrier, first, 0] = _can_carry(carrier, (first,), switches)
    for carrier, first, second in itertools.product(kinds, repeat=3):
        table[carrier, first, second] = first <= second and _can_carry(
            carrier, (first, second), switches
        )
    return table


MOVE_RANGE = np.array([_ranges(_MOVES, switches) for switches in _RANGE_VARIANTS])
"""int8 [range variant, ORTHOGONAL or DIAGONAL, code] (table of §2, R9.2)."""

CAPTURE_RANGE = np.array([_ranges(_CAPTURES, switches) for switches in _RANGE_VARIANTS])
"""int8 [range variant, ORTHOGONAL or DIAGONAL, code]; of navies the anti-ship missile's (R5.2)."""

CAPTURES_OVER = np.array([_captures_over(switches) for switches in _RANGE_VARIANTS])
"""bool [range variant, code]: land pieces whose captures nothing blocks."""

GUN_RANGE = np.array([_NAVY_GUN_RANGE + is_heroic(code) for code in range(NUM_CODES)], np.int8)
"""int8 [code]: a navy's gun (R5.3)."""

ZONE_RADIUS = _zone_radii()
"""int8 [code]: of the air-defence disc (R8.1); 0 = none."""

CAPTURES_HIDDEN_COMMANDER = np.array(
    [
        [kind not in (INFANTRY, MILITIA, ANTI_AIRCRAFT, MISSILE) for kind in range(NUM_KINDS + 1)],
        [kind in (ARTILLERY, AIR_FORCE, NAVY) for kind in range(NUM_KINDS + 1)],
    ]
)
"""bool [0, or 1 where headquarters fall alone; kind]: who captures a headquarters and the commander
inside (R4.4, R12.2)."""

LEGAL_STACK = np.array([_legal_stacks(switches) for switches in _STACK_VARIANTS])
"""bool [stack variant, kind, kind, kind] in canonical order, 0 = no piece (R7.1)."""

MAY_SHARE = np.zeros(LEGAL_STACK.shape[:3], np.bool_)
"""bool [stack variant, kind, kind]: whether some legal stack holds both kinds."""
for _variant, *_kinds in np.argwhere(LEGAL_STACK).tolist():
    for _first, _second in itertools.permutations(_kinds, 2):
        MAY_SHARE[_variant, _first, _second] = True
