"""The armies as data: four kinds each, how they castle, and what a pawn may become.

An army is an entry in `ARMIES`; everything else about it follows from here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.pieces import KING, kind_named

NUM_SLOTS = 4
"""Rook, knight, bishop, queen: the places of the FIDE pieces that an army's pieces take."""

ROOK_SLOT = 0


class Army(NamedTuple):
    """An army.

    Attributes:
        code: as in the rule options.
        name: in full.
        kinds: those of the rook's, knight's, bishop's and queen's place.
        long_castling_file: where the king goes when it castles to the queen's side: file c, or
            b where a king that goes two squares would make the corner piece change its colour.
    """

    code: str
    name: str
    kinds: tuple[int, int, int, int]
    long_castling_file: str = "c"

    @property
    def rook(self) -> int:
        """The kind that castles."""
        return self.kinds[ROOK_SLOT]


def _kinds(rook: str, knight: str, bishop: str, queen: str) -> tuple[int, int, int, int]:
    return kind_named(rook), kind_named(knight), kind_named(bishop), kind_named(queen)


ARMIES = (
    Army("FF", "Fabulous FIDEs", _kinds("rook", "knight", "bishop", "queen")),
    Army("CC", "Colorbound Clobberers", _kinds("bede", "waffle", "fad", "cardinal"), "b"),
    Army("NN", "Nutty Knights", _kinds("charging_rook", "fibnif", "charging_knight", "colonel")),
    Army("RR", "Remarkable Rookies", _kinds("short_rook", "woody_rook", "half_duck", "chancellor")),
    # derived
    Army("AM", "Amazon Army", _kinds("short_rook", "knight", "bishop", "amazon")),
    Army("AC", "Amazon Army with crabs", _kinds("short_rook", "crab", "bishop", "amazon")),
    Army("AA", "All-Around Allstars", _kinds("charging_rook", "fibnif", "bishop", "chancellor")),
    Army("FW", "Forward FIDEs", _kinds("charging_rook", "knishop", "bishight", "forequeen")),
)
"""The index is the state's `armies`."""

NUM_MAIN_ARMIES = 4
"""The first ones: only these are drawn at random."""

ARMY_CODES = tuple(army.code for army in ARMIES)


def army_index(code: str) -> int:
    """The army of that code."""
    return ARMY_CODES.index(code)


def back_rank(army: int) -> list[int]:
    """The kinds on an army's back rank, from file a to file h."""
    rook, knight, bishop, queen = ARMIES[army].kinds
    return [rook, knight, bishop, queen, KING, bishop, knight, rook]


def _build_promotions() -> npt.NDArray[np.int64]:
    kinds = np.zeros((len(ARMIES), len(ARMIES), 2 * NUM_SLOTS), np.int64)
    for own, own_army in enumerate(ARMIES):
        for other, other_army in enumerate(ARMIES):
            for slot in range(NUM_SLOTS):
                kinds[own, other, slot] = own_army.kinds[slot]
                kind = other_army.kinds[slot]
                if kind not in own_army.kinds:
                    kinds[own, other, NUM_SLOTS + slot] = kind
    return kinds


PROMOTIONS = _build_promotions()
"""int64 [own army, other army, slot]: what a pawn becomes, the own army's four slots and the other
army's four; 0 where a kind of both armies has its slot among the own."""

LONG_CASTLING_FILE = np.array(["abc".index(army.long_castling_file) for army in ARMIES], np.int64)
"""int64 [army]: where the king goes on the queen's side; the corner piece goes to the next file."""
