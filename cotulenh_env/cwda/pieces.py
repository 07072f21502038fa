"""Piece kinds as data: letters, moves in Betza's notation, values; and their codes on a board.

A square holds a uint8: the kind in the low five bits, the side above them; an empty square is 0.

    code = kind + 32 × side        side 0 White, 1 Black

Betza's notation (betza.py) is from the piece's own side: forward is where its pawns go.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PAWN, KING = 1, 2
KIND_MASK = 31
SIDE_SHIFT = 5
BLACK = 1 << SIDE_SHIFT
"""Added to a kind it makes the code of a black piece."""

NUM_CODES = 64


class Kind(NamedTuple):
    """A kind of piece.

    Attributes:
        name: as in the observation's planes.
        letter: in a FEN and in a promotion; lower case, in a FEN upper case for White.
        betza: how it moves and captures; empty for the pawn, whose moves are rules of their own.
        value: in tenths of a pawn, for scores: that of the FIDE piece whose place it takes.
    """

    name: str
    letter: str
    betza: str
    value: int


KINDS = (
    Kind("", ".", "", 0),
    Kind("pawn", "p", "", 10),
    Kind("king", "k", "K", 0),
    Kind("rook", "r", "R", 50),
    Kind("knight", "n", "N", 30),
    Kind("bishop", "b", "B", 30),
    Kind("queen", "q", "Q", 90),
    Kind("bede", "d", "BD", 50),
    Kind("waffle", "w", "WA", 30),
    Kind("fad", "f", "FAD", 30),
    Kind("cardinal", "a", "BN", 90),
    Kind("charging_rook", "g", "fsRbK", 50),
    Kind("fibnif", "i", "FvN", 30),
    Kind("charging_knight", "h", "fhNbKsW", 30),
    Kind("colonel", "l", "KfsRfhN", 90),
    Kind("short_rook", "s", "R4", 50),
    Kind("woody_rook", "o", "WD", 30),
    Kind("half_duck", "u", "HFD", 30),
    Kind("chancellor", "m", "RN", 90),
    # of the derived armies
    Kind("amazon", "x", "QN", 120),  # a queen and a knight
    Kind("forequeen", "e", "fRsRfBbKbhN", 90),
    Kind("bishight", "t", "fBbhN", 30),
    Kind("knishop", "j", "fhNbB", 30),
    Kind("crab", "c", "ffNbsN", 15),  # half a knight's leaps
)
"""By kind; 0 is no piece."""

NUM_KINDS = len(KINDS) - 1
KIND_LETTERS = "".join(kind.letter for kind in KINDS)
KIND_NAMES = tuple(kind.name for kind in KINDS)

VALUE = np.zeros((2, NUM_CODES), np.float32)
"""float32 [side, code]: what a piece is worth to that side; 0 if it is the other's."""
for _kind, _data in enumerate(KINDS):
    VALUE[0, _kind] = VALUE[1, _kind + BLACK] = _data.value


def kind_named(name: str) -> int:
    """The kind of that name."""
    return KIND_NAMES.index(name)


def piece_code(letter: str) -> int:
    """The code of a piece's letter in a FEN, or 0: there is no such letter."""
    kind = KIND_LETTERS.find(letter.lower()) if letter.isascii() and letter.isalpha() else -1
    return 0 if kind < 1 else kind + (BLACK if letter.islower() else 0)


def piece_letter(code: int) -> str:
    """The letter of a code in a FEN."""
    letter = KIND_LETTERS[code & KIND_MASK]
    return letter if code >> SIDE_SHIFT else letter.upper()
