"""What a player sees: the observation planes by name, in order.

An observation is float32 [54, 8, 8], all values in [0, 1], from the given player's own side: row 0
is that player's back rank, columns are files a to h, *own* pieces are that player's. The planes are
Markov up to older repetition history: they tell everything that decides how the game can go on,
save which earlier positions could come again.

The sixteen kinds of the four main armies have a plane each. A kind of the derived armies is told by
two of them at once, whose moves it joins; no two kinds look alike. Likewise an army is told by
which shares of its four pieces are (or are made of) pieces of each main army.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.armies import ARMIES, NUM_MAIN_ARMIES, NUM_SLOTS
from cotulenh_env.cwda.pieces import KIND_LETTERS, KIND_NAMES, KING, PAWN, kind_named

_MAIN_KINDS = tuple(kind for army in ARMIES[:NUM_MAIN_ARMIES] for kind in army.kinds)
_SEEN_KINDS = (*_MAIN_KINDS, KING, PAWN)

COMPOUNDS = {
    "amazon": ("queen", "knight"),
    "forequeen": ("queen", "charging_rook"),
    "bishight": ("bishop", "knight"),
    "knishop": ("bishop", "charging_knight"),
    "crab": ("knight", "fibnif"),
}
"""Kind of a derived army → the kinds whose planes tell it together."""


class Plane(NamedTuple):
    """One observation plane.

    Attributes:
        name: unique, as in `GameSpec.plane_names`.
        meaning: what its values say.
    """

    name: str
    meaning: str


def _parts(kind: int) -> tuple[int, ...]:
    names = COMPOUNDS.get(KIND_NAMES[kind])
    return (kind,) if names is None else tuple(map(kind_named, names))


def _letters(kind: int) -> str:
    letters = [
        KIND_LETTERS[other].upper() for other in range(1, len(KIND_NAMES)) if kind in _parts(other)
    ]
    return ", ".join(letters)


def _side_planes(side: str) -> list[Plane]:
    return [
        Plane(f"{side}_{KIND_NAMES[kind]}", f"1 where a piece {_letters(kind)} stands")
        for kind in _SEEN_KINDS
    ]


def _army_planes(side: str, whose: str) -> list[Plane]:
    return [
        Plane(
            f"{side}_army_{army.code.lower()}",
            f"all: share of {army.code} in {whose} army, 1 if it is that army",
        )
        for army in ARMIES[:NUM_MAIN_ARMIES]
    ]


PLANES: tuple[Plane, ...] = (
    *_side_planes("own"),
    *_side_planes("enemy"),
    Plane("own_castles_short", "all 1 if the player may still castle with its h-file piece"),
    Plane("own_castles_long", "all 1 if the player may still castle with its a-file piece"),
    Plane("enemy_castles_short", "all 1 if the enemy may still castle with its h-file piece"),
    Plane("enemy_castles_long", "all 1 if the enemy may still castle with its a-file piece"),
    Plane("en_passant", "1 where a legal capture in passing goes"),
    Plane("stood_twice", "all 1 if the position stands at least for the second time"),
    Plane("stood_thrice", "all 1 if it stands for the third time, which draws"),
    Plane("quiet_plies", "all: moves of both sides since a capture or pawn move ÷ 100"),
    *_army_planes("own", "the player's"),
    *_army_planes("enemy", "the enemy's"),
    Plane("white", "all 1 if the player is White"),
    Plane("to_move", "all 1 if the player is to move: a plane of ones for whoever acts"),
)

PLANE_NAMES = tuple(plane.name for plane in PLANES)
NUM_PLANES = len(PLANES)

NO_PLANE = -1


def _build_piece_planes() -> npt.NDArray[np.int64]:
    planes = np.full((2, len(KIND_NAMES), 2), NO_PLANE, np.int64)
    for owner, side in enumerate(("own", "enemy")):
        for kind in range(1, len(KIND_NAMES)):
            for index, part in enumerate(_parts(kind)):
                planes[owner, kind, index] = PLANE_NAMES.index(f"{side}_{KIND_NAMES[part]}")
    return planes


PIECE_PLANES = _build_piece_planes()
"""int64 [own or enemy, kind, 2]: the planes that tell the kind; the second may be NO_PLANE."""


def _build_army_shares() -> npt.NDArray[np.float32]:
    shares = np.zeros((len(ARMIES), NUM_MAIN_ARMIES), np.float32)
    for index, army in enumerate(ARMIES):
        for main, main_army in enumerate(ARMIES[:NUM_MAIN_ARMIES]):
            related = [any(part in main_army.kinds for part in _parts(kind)) for kind in army.kinds]
            shares[index, main] = sum(related) / NUM_SLOTS
    return shares


ARMY_SHARES = _build_army_shares()
"""float32 [army, main army]: values of the army planes."""

CASTLING = PLANE_NAMES.index("own_castles_short")
EN_PASSANT = PLANE_NAMES.index("en_passant")
STOOD_TWICE = PLANE_NAMES.index("stood_twice")
STOOD_THRICE = PLANE_NAMES.index("stood_thrice")
QUIET_PLIES = PLANE_NAMES.index("quiet_plies")
OWN_ARMY = PLANE_NAMES.index("own_army_ff")
ENEMY_ARMY = PLANE_NAMES.index("enemy_army_ff")
WHITE = PLANE_NAMES.index("white")
TO_MOVE = PLANE_NAMES.index("to_move")
