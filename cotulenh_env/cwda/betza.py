"""Betza's funny notation, as far as the armies need it: text to displacements.

    W  1 straight   F  1 diagonal   D  leap 2 straight   A  leap 2 diagonal   H  leap 3 straight
    N  knight       K = WF          R  rook              B  bishop            Q = RB
    R4 a rook that goes at most 4

Small letters before an atom keep only some of its directions: f forward, b backward, l and r to a
side, s both sides, v forward and backward. A knight's leap may be f or ff (the two narrow forward
ones), fs (the two wide forward ones), fh (these four), likewise b, bb, bs, bh; v keeps the four
narrow ones, s the four wide ones.

After Ralph Betza; the letters are explained at https://www.gnu.org/software/xboard/Betza.html
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum

from cotulenh_env.cwda.board import DIRECTION_STEPS, KNIGHT_STEPS, SIZE


class Reach(IntEnum):
    """How a displacement is made."""

    NONE = 0
    SLIDE = 1
    """All squares on the way must be empty."""
    LEAP = 2
    """Whatever is on the way."""


Step = tuple[int, int]
"""(rank, file), forward and to the right positive."""

_STRAIGHT = tuple(step for step in DIRECTION_STEPS if 0 in step)
_DIAGONAL = tuple(step for step in DIRECTION_STEPS if 0 not in step)

_ATOMS: dict[str, tuple[tuple[Step, ...], int, Reach]] = {
    "W": (_STRAIGHT, 1, Reach.SLIDE),
    "F": (_DIAGONAL, 1, Reach.SLIDE),
    "K": (_STRAIGHT + _DIAGONAL, 1, Reach.SLIDE),
    "D": (_STRAIGHT, 2, Reach.LEAP),
    "A": (_DIAGONAL, 2, Reach.LEAP),
    "H": (_STRAIGHT, 3, Reach.LEAP),
    "N": (KNIGHT_STEPS, 1, Reach.LEAP),
    "R": (_STRAIGHT, SIZE - 1, Reach.SLIDE),
    "B": (_DIAGONAL, SIZE - 1, Reach.SLIDE),
    "Q": (_STRAIGHT + _DIAGONAL, SIZE - 1, Reach.SLIDE),
}
"""Directions, farthest distance in steps, and how it is made. A leap is that distance only."""

_DIRECTIONS: dict[str, Callable[[int, int], bool]] = {
    "f": lambda rank, file: rank > 0,
    "b": lambda rank, file: rank < 0,
    "l": lambda rank, file: file < 0,
    "r": lambda rank, file: file > 0,
    "s": lambda rank, file: file != 0,
    "v": lambda rank, file: rank != 0,
}
_KNIGHT_LEAPS: dict[str, Callable[[int, int], bool]] = {
    "ff": lambda rank, file: rank == 2,
    "fs": lambda rank, file: rank == 1,
    "fh": lambda rank, file: rank > 0,
    "bb": lambda rank, file: rank == -2,
    "bs": lambda rank, file: rank == -1,
    "bh": lambda rank, file: rank < 0,
    "f": lambda rank, file: rank == 2,
    "b": lambda rank, file: rank == -2,
    "v": lambda rank, file: abs(rank) == 2,
    "s": lambda rank, file: abs(file) == 2,
}
_PART = re.compile(r"([a-z]*)([A-Z])(\d?)")


def displacements(betza: str) -> dict[Step, Reach]:
    """Where a piece goes on an empty board, as seen from its own side.

    >>> displacements("WD")[1, 0].name, displacements("WD")[2, 0].name, len(displacements("WD"))
    ('SLIDE', 'LEAP', 8)
    >>> sorted(displacements("ffNbsN"))
    [(-1, -2), (-1, 2), (2, -1), (2, 1)]

    Args:
        betza: atoms with their modifiers, such as `fhNbKsW`.

    Raises:
        ValueError: the text is not of these atoms and modifiers.
    """
    if not re.fullmatch(f"({_PART.pattern})+", betza):
        raise ValueError(f"{betza!r} is no piece in Betza's notation")
    found: dict[Step, Reach] = {}
    for modifiers, atom, digit in _PART.findall(betza):
        if atom not in _ATOMS:
            raise ValueError(f"{betza!r} has the unknown atom {atom!r}")
        steps, farthest, reach = _ATOMS[atom]
        wanted = _wanted(modifiers, _KNIGHT_LEAPS if atom == "N" else _DIRECTIONS)
        farthest = int(digit) if digit else farthest
        for rank, file in steps:
            if not any(test(rank, file) for test in wanted):
                continue
            nearest = farthest if reach == Reach.LEAP else 1
            for distance in range(nearest, farthest + 1):
                step = distance * rank, distance * file
                found[step] = max(reach, found.get(step, Reach.NONE))
    return found


def _wanted(
    modifiers: str, meanings: dict[str, Callable[[int, int], bool]]
) -> list[Callable[[int, int], bool]]:
    """The tests of which a direction must pass one."""
    tests: list[Callable[[int, int], bool]] = []
    rest = modifiers
    while rest:
        length = 2 if rest[:2] in meanings else 1
        if rest[:length] not in meanings:
            raise ValueError(f"{modifiers!r} has the unknown modifier {rest[0]!r}")
        tests.append(meanings[rest[:length]])
        rest = rest[length:]
    return tests or [lambda rank, file: True]
