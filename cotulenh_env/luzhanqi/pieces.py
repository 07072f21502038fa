"""Piece kinds, their counts and letters, and the fight table.

    kind   letter  count                   kind   letter  count
     1     E       3      engineer          7     D       2      division
     2     P       3      platoon           8     A       1      army
     3     K       3      company           9     C       1      chief
     4     T       2      battalion        10     X       2      bomb
     5     R       2      regiment         11     M       3      mine
     6     B       2      brigade          12     F       1      flag

A higher rank (1–9) beats a lower one, and engineers clear mines.

A piece is a code: colour × 12 + kind, so 1–12 red, 13–24 black; 0 is no piece.
"""

from __future__ import annotations

import numpy as np

ENGINEER, PLATOON, COMPANY, BATTALION, REGIMENT, BRIGADE, DIVISION, ARMY, CHIEF = range(1, 10)
BOMB, MINE, FLAG = 10, 11, 12
NUM_KINDS = 12
NUM_CODES = 2 * NUM_KINDS + 1
RED, BLACK = 0, 1

KIND_LETTERS = ".EPKTRBDACXMF"
"""Letter of each kind in a text, at the kind's own index: upper case red, lower case black."""

KIND_NAMES = (
    "", "engineer", "platoon", "company", "battalion", "regiment", "brigade", "division", "army",
    "chief", "bomb", "mine", "flag",
)  # fmt: skip
"""At the kind's own index. The ranks are those of the units that the officers command."""

COUNT = np.array([0, 3, 3, 3, 2, 2, 2, 2, 1, 1, 2, 3, 1], np.int8)
"""int8 [kind]: pieces a side; all sources agree."""

NUM_PIECES = int(COUNT.sum())
"""A side's pieces: 25."""

VALUE = np.array([0, 4, 1, 2, 3, 4, 5, 7, 9, 10, 5, 3, 0], np.float32)
"""float32 [kind]: a rough worth, for `score`. The rules give pieces none."""

ATTACKER_SURVIVES, DEFENDER_SURVIVES, BOTH_REMOVED, FLAG_CAPTURED = 1, 2, 3, 4
"""Outcomes of a fight; 0 is no fight."""

OUTCOME_WORDS = ("", "attacker survives", "defender survives", "both removed", "flag captured")
"""At the outcome's own number."""


def _outcome(attacker: int, defender: int) -> int:
    if defender == FLAG:
        return FLAG_CAPTURED  # by a bomb, too (L9)
    if BOMB in (attacker, defender):
        return BOTH_REMOVED
    if defender == MINE:
        return ATTACKER_SURVIVES if attacker == ENGINEER else DEFENDER_SURVIVES  # L7
    if attacker == defender:
        return BOTH_REMOVED  # L13
    return ATTACKER_SURVIVES if attacker > defender else DEFENDER_SURVIVES


OUTCOME = np.zeros((NUM_KINDS + 1, NUM_KINDS + 1), np.int8)
"""int8 [attacker, defender]: how the kinds' fight ends; 0 where no such fight can be."""
for _attacker in range(ENGINEER, BOMB + 1):
    for _defender in range(ENGINEER, FLAG + 1):
        OUTCOME[_attacker, _defender] = _outcome(_attacker, _defender)


def is_movable(kind: int) -> bool:
    """Whether pieces of the kind ever move."""
    return ENGINEER <= kind <= BOMB


def piece_code(colour: int, kind: int) -> int:
    """The code of a piece."""
    return colour * NUM_KINDS + kind


def code_letter(code: int) -> str:
    """The letter of a piece in a text, for example `e` for a black engineer."""
    letter = KIND_LETTERS[(code - 1) % NUM_KINDS + 1]
    return letter.lower() if code > NUM_KINDS else letter


def letter_code(letter: str) -> int:
    """The code of a letter; 0 if it is none."""
    kind = KIND_LETTERS.find(letter.upper())
    return piece_code(int(letter.islower()), kind) if letter.isascii() and kind > 0 else 0
