"""What a player sees: the observation planes by name, in order.

An observation is float32 [planes, 12, 11], all values in [0, 1], from the given player's own side:
row 0 is that player's back rank, columns are files a to k, *own* pieces are that player's. The
planes are Markov up to older repetition history: they tell everything that decides how the game can
go on, save which earlier positions could come again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cotulenh_env.commander.board import DEEP_RIVER, IS_BANK, IS_COAST, IS_SEA
from cotulenh_env.commander.pieces import (
    COMMANDER,
    HEADQUARTERS,
    KIND_LETTERS,
    MAX_STACK,
    NUM_KINDS,
)
from cotulenh_env.commander.rules import BATTLES
from cotulenh_env.commander.state import ARMED_AIR, ARMED_COMMANDER, ARMED_LAND, ARMED_NAVY
from cotulenh_env.commander.switches import SWITCHES

KIND_NAMES = (
    "", "headquarters", "navy", "air_force", "tank", "commander", "infantry", "militia",
    "engineer", "artillery", "anti_aircraft", "missile",
)  # fmt: skip
"""At the kind's own index."""

_HEROIC_KINDS = [kind for kind in range(1, NUM_KINDS + 1) if kind not in (COMMANDER, HEADQUARTERS)]
_DIVISIONS = {"commander": "C", "air_force": "F", "land": "I, T or A", "navy": "N"}
"""In the order of the bits ARMED_*, with the pieces that they consist of."""

_ANY = ARMED_COMMANDER | ARMED_AIR | ARMED_LAND | ARMED_NAVY


class Plane(NamedTuple):
    """One observation plane.

    Attributes:
        name: unique, as in `GameSpec.plane_names`.
        meaning: what its values say.
        rule: the rule that makes it matter.
    """

    name: str
    meaning: str
    rule: str


def _side_planes(side: str) -> list[Plane]:
    pieces = [
        Plane(f"{side}_{KIND_NAMES[kind]}", f"pieces {KIND_LETTERS[kind]} on the point ÷ 2", "R7.1")
        for kind in range(1, NUM_KINDS + 1)
    ]
    heroes = [
        Plane(
            f"{side}_heroic_{KIND_NAMES[kind]}",
            f"heroic ones among the {KIND_LETTERS[kind]} on the point ÷ 2",
            "R9.2",
        )
        for kind in _HEROIC_KINDS
    ]
    return pieces + heroes


def _slot_planes(what: str, meaning: str) -> list[Plane]:
    return [
        Plane(f"{what}_{slot + 1}", f"1 at the origin if piece {slot + 1} there {meaning}", "R7.7")
        for slot in range(MAX_STACK)
    ]


def _decisive_planes(side: str) -> list[Plane]:
    return [
        Plane(
            f"{side}_decisive_{name}",
            f"all 1 if the {'player' if side == 'own' else 'enemy'} loses with its last {pieces}",
            "R10.1, R10.2",
        )
        for name, pieces in _DIVISIONS.items()
    ]


PLANES: tuple[Plane, ...] = (
    *_side_planes("own"),
    *_side_planes("enemy"),
    Plane("origin", "1 at the point of the unfinished deployment, whoever deploys", "R7.7"),
    *_slot_planes("unacted", "(in canonical order) has not acted"),
    *_slot_planes("selected", "(in canonical order) is selected"),
    Plane(
        "sub_move_made", "all 1 if the deployment has made a sub-move, so that it may end", "R7.9"
    ),
    Plane("turn_loss", "all 1 if a piece was lost in the turn under way", "R10.5"),
    Plane("own_zones", "1 where own air defence covers the point", "R8.1"),
    Plane("enemy_zones", "1 where enemy air defence covers the point", "R8.1"),
    Plane("sea", "1 on sea points", "R1.2"),
    Plane("coast", "1 on coast points", "R1.2"),
    Plane("bank", "1 on bank points of the river", "R1.3"),
    Plane("reef", "1 on both ends of the reefs", "R1.3"),
    Plane("to_move", "all 1 if the observing player is to move", "R7.7"),
    Plane("quiet_left", "all: turns without capture or loss left until the draw ÷ 127", "R10.5"),
    Plane("turns_left", "all: n ÷ (n + 100) for n turns left until points decide", "R10.6"),
    Plane("own_points", "all: official points of the player ÷ 2000", "R10.6"),
    Plane("enemy_points", "all: official points of the enemy ÷ 2000", "R10.6"),
    Plane(
        "occurrences", "all: how often the position at this turn's start has stood ÷ limit", "R10.5"
    ),
    Plane("repetition", "all: 2 ÷ how many occurrences of a position draw", "R10.5"),
    Plane("enforce_check", "all 1 if turns may not expose the own commander", "R10.8"),
    Plane("allow_shoot_down", "all 1 if flights may end in being shot down", "R8.5"),
    *(Plane(switch.name, f"all 1 if {switch.meaning}", "R12") for switch in SWITCHES),
    *_decisive_planes("own"),
    *_decisive_planes("enemy"),
    *(
        Plane(
            f"next_{KIND_NAMES[kind]}",
            f"all 1 if the player to move places {KIND_LETTERS[kind]} next",
            "R10.7",
        )
        for kind in range(1, NUM_KINDS + 1)
    ),
)

PLANE_NAMES = tuple(plane.name for plane in PLANES)
NUM_PLANES = len(PLANES)

PIECE_PLANE = np.array(
    [PLANE_NAMES.index("own_headquarters"), PLANE_NAMES.index("enemy_headquarters")]
)
"""int64 [own or enemy]: plane of kind 1; the other kinds follow."""

HEROIC_PLANE = np.array(
    [
        [
            PLANE_NAMES.index(f"{side}_heroic_{KIND_NAMES[kind]}") if kind in _HEROIC_KINDS else -1
            for kind in range(NUM_KINDS + 1)
        ]
        for side in ("own", "enemy")
    ]
)
"""int64 [own or enemy, kind]."""

ORIGIN = PLANE_NAMES.index("origin")
UNACTED = PLANE_NAMES.index("unacted_1")
SELECTED = PLANE_NAMES.index("selected_1")
SUB_MOVE_MADE = PLANE_NAMES.index("sub_move_made")
TURN_LOSS = PLANE_NAMES.index("turn_loss")
OWN_ZONES = PLANE_NAMES.index("own_zones")
ENEMY_ZONES = PLANE_NAMES.index("enemy_zones")
FIRST_TERRAIN = PLANE_NAMES.index("sea")
TO_MOVE = PLANE_NAMES.index("to_move")
QUIET_LEFT = PLANE_NAMES.index("quiet_left")
TURNS_LEFT = PLANE_NAMES.index("turns_left")
OWN_POINTS = PLANE_NAMES.index("own_points")
OCCURRENCES = PLANE_NAMES.index("occurrences")
REPETITION = PLANE_NAMES.index("repetition")
ENFORCE_CHECK = PLANE_NAMES.index("enforce_check")
ALLOW_SHOOT_DOWN = PLANE_NAMES.index("allow_shoot_down")
FIRST_SWITCH = PLANE_NAMES.index(SWITCHES[0].name)
"""The other switches follow in the order of their bits."""

OFFICIAL_SWITCHES = np.array([switch.values[0] is True for switch in SWITCHES])
"""bool [switch]: what its plane says in the official edition, where no bit is set."""

OWN_DECISIVE = PLANE_NAMES.index("own_decisive_commander")
ENEMY_DECISIVE = PLANE_NAMES.index("enemy_decisive_commander")
NEXT_PIECE = PLANE_NAMES.index("next_headquarters")
NUM_DIVISIONS = len(_DIVISIONS)

POINTS_SCALE = 2000
"""More than 19 pieces and a victory are worth."""

TURNS_SCALE = 100
QUIET_SCALE = 127

DECISIVE = np.array(
    [
        {"standard": _ANY, "sea": ARMED_NAVY, "air": ARMED_AIR}.get(battle, ARMED_COMMANDER)
        for battle in BATTLES
    ]
)
"""int64 [battle]: divisions of which no side may lose the last piece (R10.1), as bits ARMED_*."""

_IS_REEF = IS_BANK & ~(DEEP_RIVER[0] | DEEP_RIVER[4])
TERRAIN = np.array([IS_SEA, IS_COAST, IS_BANK, _IS_REEF], np.float32)
"""float32 [4, 132]: sea, coast, bank, reef ends; the same from both sides."""
