"""Piece kinds, their codes in a state, and stacks of them (rules R2 and R7, docs/rules.md).

A piece is a 5-bit code, ordered as the canonical order R7.5 orders pieces:

    code = 2 × kind + (1 if plain, 0 if heroic)        0 = no piece

A point holds a uint16: the codes of up to three pieces from the low bits up, the carrier first, and
the side in the top bit. An empty point is 0.

    bit   15 | 14 … 10 | 9 … 5 | 4 … 0
        side |  third  | second| carrier
"""

from __future__ import annotations

import numpy as np

HEADQUARTERS, NAVY, AIR_FORCE, TANK, COMMANDER, INFANTRY = 1, 2, 3, 4, 5, 6
MILITIA, ENGINEER, ARTILLERY, ANTI_AIRCRAFT, MISSILE = 7, 8, 9, 10, 11
NUM_KINDS = 11
KIND_LETTERS = ".HNFTCIMEAGS"
"""Letter of each kind in a FEN, at the kind's own index."""

NUM_CODES = 2 * (NUM_KINDS + 1)
CODE_BITS = 5
CODE_MASK = 31
SIDE_BIT = 1 << 15
PIECES_MASK = SIDE_BIT - 1
MAX_STACK = 3

STARTING_COUNTS = {
    COMMANDER: 1, INFANTRY: 2, TANK: 2, MILITIA: 1, ENGINEER: 2, ARTILLERY: 2,
    ANTI_AIRCRAFT: 2, MISSILE: 1, AIR_FORCE: 2, NAVY: 2, HEADQUARTERS: 2,
}  # fmt: skip
NUM_PIECES_PER_SIDE = sum(STARTING_COUNTS.values())

LAND_KINDS = (COMMANDER, INFANTRY, TANK, MILITIA, ENGINEER, ARTILLERY, ANTI_AIRCRAFT, MISSILE)
HEAVY_KINDS = (ARTILLERY, ANTI_AIRCRAFT, MISSILE)

IS_HEAVY = np.array([code >> 1 in HEAVY_KINDS for code in range(NUM_CODES)])
"""By code (R2.1)."""

POINT_VALUES = (0, 10, 80, 40, 20, 100, 10, 10, 10, 30, 10, 20)
VALUE = np.array(
    [POINT_VALUES[code >> 1] + (0 if code & 1 or code < 2 else 10) for code in range(NUM_CODES)],
    np.int32,
)
"""Official points by code; a heroic piece is worth 10 more (R9.2)."""


def piece_code(kind: int, heroic: bool) -> int:
    """The code of a piece."""
    return 2 * kind + (0 if heroic else 1)


def is_heroic(code: int) -> bool:
    """Whether the piece has the heroic mark."""
    return code & 1 == 0


def stack_codes(stack: int) -> list[int]:
    """The codes at a point in canonical order."""
    codes = [stack >> (CODE_BITS * slot) & CODE_MASK for slot in range(MAX_STACK)]
    return [code for code in codes if code]


def make_stack(codes: list[int], side: int) -> int:
    """The uint16 of up to three pieces, in any order, of one side."""
    stack = SIDE_BIT if side and codes else 0
    for slot, code in enumerate(sorted(codes)):
        stack |= code << (CODE_BITS * slot)
    return stack


def piece_text(code: int) -> str:
    """Upper-case letter with `+` before it when heroic, for example `+T`."""
    return ("+" if is_heroic(code) else "") + KIND_LETTERS[code >> 1]


def pieces_text(codes: list[int]) -> str:
    """Letters of several pieces in the order given, for example `NF+T`."""
    return "".join(piece_text(code) for code in codes)
