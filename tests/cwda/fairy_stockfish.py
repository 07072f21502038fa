"""The pairings as variants of Fairy-Stockfish, by way of its Python library `pyffish`.

It writes kinds in Betza's notation too, but reads it with a parser of its own. What it cannot
express is that one side castles to file b and the other to file c: where only one of the armies
does, the long castling rights of Black's king are left out of its positions.
"""

from __future__ import annotations

from typing import Any

BETZA = {
    "d": "BD", "w": "WA", "f": "FAD", "a": "BN", "g": "fsRbK", "i": "FvN", "h": "fhNbKsW",
    "l": "KfsRfhN", "s": "R4", "o": "WD", "u": "HFD", "m": "RN", "x": "QN", "e": "fRsRfBbKbhN",
    "t": "fBbhN", "j": "fhNbB", "c": "ffNbsN",
}  # fmt: skip
"""Section 3 and 10 of the rules, in the spelling that Fairy-Stockfish parses as meant."""

ARMIES = {
    "FF": "rnbq", "CC": "dwfa", "NN": "gihl", "RR": "soum", "AM": "snbx", "AC": "scbx",
    "AA": "gibm", "FW": "gjte",
}  # fmt: skip
"""Letters of the rook's, knight's, bishop's and queen's place."""


def define_variants(pyffish: Any, pairings: list[tuple[str, str]]) -> None:
    """Teaches the library the given pairings."""
    pyffish.load_variant_config("\n".join(_variant(*pairing) for pairing in pairings))


def name_of(white: str, black: str) -> str:
    """The variant of a pairing."""
    return f"armies{white}{black}".lower()


def is_shared_castling(white: str, black: str) -> bool:
    """Whether both sides castle to the same files."""
    return (white == "CC") == (black == "CC")


def _variant(white: str, black: str) -> str:
    letters = "".join(dict.fromkeys(ARMIES[white] + ARMIES[black]))
    lines = [f"[{name_of(white, black)}:chess]"]
    lines += [f"{name} = -" for name in ("rook", "knight", "bishop", "queen")]
    orthodox = {"r": "rook", "n": "knight", "b": "bishop", "q": "queen"}
    lines += [f"{orthodox[letter]} = {letter}" for letter in letters if letter in orthodox]
    custom = [letter for letter in letters if letter in BETZA]
    lines += [
        f"customPiece{number} = {letter}:{BETZA[letter]}"
        for number, letter in enumerate(custom, start=1)
    ]
    corners = "".join(dict.fromkeys(ARMIES[white][0] + ARMIES[black][0]))
    lines.append(f"promotionPieceTypes = {letters}")
    lines.append(f"castlingRookPieces = {corners}")
    lines.append(f"castlingQueensideFile = {'b' if white == 'CC' else 'c'}")
    return "\n".join(lines) + "\n"
