"""What a player sees: the observation planes of both modes by name, in order.

An observation is float32 [planes, 12, 5], all values in [0, 1], from the given player's own seat:
row 0 is that player's back row; for player 1 the board is turned round, as actions are. Options of
the rules are no planes: train one network per RuleSet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cotulenh_env.luzhanqi.board import IS_CAMP, IS_HEADQUARTERS, IS_RAIL
from cotulenh_env.luzhanqi.pieces import KIND_NAMES, NUM_KINDS

_KINDS = KIND_NAMES[1:]


class Plane(NamedTuple):
    """One observation plane.

    Attributes:
        name: unique, as in `GameSpec.plane_names`.
        meaning: what its values say.
    """

    name: str
    meaning: str


_TERRAIN = (
    Plane("camp", "1 at camps"),
    Plane("headquarters", "1 at headquarters"),
    Plane("railway", "1 at places on the railway"),
)

FLIP_PLANES: tuple[Plane, ...] = (
    *(Plane(f"own_{kind}", f"1 where an own {kind} lies face up") for kind in _KINDS),
    *(Plane(f"enemy_{kind}", f"1 where an enemy {kind} lies face up") for kind in _KINDS),
    Plane("face_down", "1 where a piece lies face down"),
    Plane("empty", "1 where nothing stands"),
    *(
        Plane(f"own_{kind}_face_down", f"all: own {kind} pieces face down ÷ initial number")
        for kind in _KINDS
    ),
    *(
        Plane(f"enemy_{kind}_face_down", f"all: enemy {kind} pieces face down ÷ initial number")
        for kind in _KINDS
    ),
    *_TERRAIN,
    Plane("quiet", "all: plies since the last removal ÷ limit"),
    Plane("own_mines_lost", "all: own mines removed ÷ 3"),
    Plane("enemy_mines_lost", "all: enemy mines removed ÷ 3"),
    Plane("enemy_flag_open", "all 1 if the enemy's flag may be captured"),
    Plane("own_flag_open", "all 1 if the own flag may be captured"),
    Plane("colours_assigned", "all 1 once the first piece has been flipped"),
    Plane("plies", "all: plies played ÷ 200, at most 1"),
    Plane("ones", "all 1"),
)

REFEREE_PLANES: tuple[Plane, ...] = (
    *(Plane(f"own_{kind}", f"1 where an own {kind} stands") for kind in _KINDS),
    Plane("enemy", "1 where an enemy piece stands"),
    Plane("enemy_moved", "1 where an enemy piece stands that has moved: no mine, no flag"),
    Plane("enemy_beat", "highest own rank that the enemy piece has beaten ÷ 9"),
    Plane("enemy_withstood", "1 where an enemy piece beat an attacker and has never moved"),
    Plane("enemy_in_headquarters", "1 where an enemy piece has stood in a headquarters all along"),
    Plane("enemy_flag", "1 where the enemy's flag is, if it is shown"),
    Plane("own_moved", "1 where an own piece stands that has moved"),
    Plane("own_won", "1 where an own piece stands that has won a fight"),
    Plane("own_flag_shown", "1 where the own flag is, if it is shown to the enemy"),
    *(
        Plane(f"own_{kind}_lost", f"all: own {kind} pieces lost ÷ initial number")
        for kind in _KINDS
    ),
    Plane("enemy_lost", "all: enemy pieces lost ÷ 25"),
    *_TERRAIN,
    Plane("last_from", "1 where the last move began"),
    Plane("last_to", "1 where the last move went"),
    Plane("last_attacker_survived", "all 1 if the last move was a fight that the attacker won"),
    Plane("last_defender_survived", "all 1 if the last move was a fight that the defender won"),
    Plane("last_both_removed", "all 1 if the last move was a fight that removed both"),
    Plane("quiet", "all: plies since the last removal ÷ limit"),
    Plane("plies", "all: plies played ÷ 200, at most 1"),
    Plane("ones", "all 1"),
)

FLIP_PLANE_NAMES = tuple(plane.name for plane in FLIP_PLANES)
REFEREE_PLANE_NAMES = tuple(plane.name for plane in REFEREE_PLANES)
NUM_FLIP_PLANES = len(FLIP_PLANES)
NUM_REFEREE_PLANES = len(REFEREE_PLANES)

PLIES_SCALE = 200.0
MINES_SCALE = 3.0
RANK_SCALE = 9.0

TERRAIN = np.stack([IS_CAMP, IS_HEADQUARTERS, IS_RAIL]).astype(np.float32)
"""float32 [3, place]: the same for both seats."""

_flip, _referee = FLIP_PLANE_NAMES.index, REFEREE_PLANE_NAMES.index

# Flip mode. The first of twelve, where there is one for each kind.
OWN_UP = _flip("own_engineer")
ENEMY_UP = _flip("enemy_engineer")
DOWN = _flip("face_down")
EMPTY_PLACE = _flip("empty")
OWN_DOWN = _flip("own_engineer_face_down")
ENEMY_DOWN = _flip("enemy_engineer_face_down")
FLIP_TERRAIN = _flip("camp")
FLIP_QUIET = _flip("quiet")
OWN_MINES_LOST = _flip("own_mines_lost")
ENEMY_MINES_LOST = _flip("enemy_mines_lost")
ENEMY_FLAG_OPEN = _flip("enemy_flag_open")
OWN_FLAG_OPEN = _flip("own_flag_open")
COLOURS_ASSIGNED = _flip("colours_assigned")
FLIP_PLIES = _flip("plies")
FLIP_ONES = _flip("ones")

# Referee mode.
OWN_KIND = _referee("own_engineer")
ENEMY = _referee("enemy")
ENEMY_MOVED = _referee("enemy_moved")
ENEMY_BEAT = _referee("enemy_beat")
ENEMY_WITHSTOOD = _referee("enemy_withstood")
ENEMY_IN_HEADQUARTERS = _referee("enemy_in_headquarters")
ENEMY_FLAG = _referee("enemy_flag")
OWN_MOVED = _referee("own_moved")
OWN_WON = _referee("own_won")
OWN_FLAG_SHOWN = _referee("own_flag_shown")
OWN_LOST = _referee("own_engineer_lost")
ENEMY_LOST = _referee("enemy_lost")
REFEREE_TERRAIN = _referee("camp")
LAST_FROM = _referee("last_from")
LAST_TO = _referee("last_to")
LAST_OUTCOME = _referee("last_attacker_survived")
REFEREE_QUIET = _referee("quiet")
REFEREE_PLIES = _referee("plies")
REFEREE_ONES = _referee("ones")

assert (NUM_FLIP_PLANES, NUM_REFEREE_PLANES, NUM_KINDS) == (61, 45, 12)
