"""Pieces, the stacks they form, and where a stack stands (R2, R7.1 to R7.6)."""

from dataclasses import dataclass

from .board import BANK, COAST, SEA, Point
from .rules import Rules

RED, BLUE = 0, 1
KINDS = "HNFTCIMEAGS"  # in canonical order (R7.5)
LAND_KINDS = "CIMETAGSH"  # R2.1
HEAVY_KINDS = "AGS"  # R2.1
VALUES = {
    "C": 100,
    "I": 10,
    "E": 10,
    "M": 10,
    "T": 20,
    "A": 30,
    "G": 10,
    "S": 20,
    "F": 40,
    "N": 80,
    "H": 10,
}
MAX_STACK = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of one side."""

    kind: str
    side: int
    heroic: bool = False

    @property
    def value(self) -> int:
        """R2 and R9.2."""
        return VALUES[self.kind] + (10 if self.heroic else 0)

    @property
    def letter(self) -> str:
        """The upper-case letter, marked when heroic."""
        return ("+" if self.heroic else "") + self.kind


Stack = tuple[Piece, ...]
Board = dict[Point, Stack]


def canonical(pieces: Stack) -> Stack:
    """R7.5: the order of the pieces on one point."""
    return tuple(sorted(pieces, key=lambda piece: (KINDS.index(piece.kind), not piece.heroic)))


def letters(pieces: Stack) -> str:
    return "".join(piece.letter for piece in pieces)


def without(pieces: Stack, removed: Stack) -> Stack:
    """The pieces that remain when some of them (equal ones being the same) are taken out."""
    rest = list(pieces)
    for piece in removed:
        rest.remove(piece)
    return tuple(rest)


def _carries(carrier: str, passengers: list[str], rules: Rules) -> bool:
    """R7.1: whether a carrier may carry exactly these kinds."""
    if len(passengers) > 2:
        return False
    kinds = set(passengers)
    if carrier == "N":
        return kinds <= set("FTCIM")
    if carrier == "F":
        tanks = 1 if rules.aircraft_carries_tank else 0
        return kinds <= set("TCIM") and passengers.count("T") <= tanks
    if carrier == "T":
        infantry = 2 if rules.tank_carries_two_infantry else 1
        return kinds <= set("CIM") and passengers.count("I") <= infantry
    if carrier == "E":
        return len(passengers) == 1 and kinds <= set(HEAVY_KINDS)
    if carrier == "H":
        return passengers == ["C"]
    return False


def is_legal_stack(pieces: Stack, rules: Rules) -> bool:
    """R7.1: a single piece, or a carrier with one or two passengers, in canonical order."""
    if len({piece.side for piece in pieces}) != 1:
        return False
    if len(pieces) == 1:
        return True
    kinds = [piece.kind for piece in pieces]
    return _carries(kinds[0], kinds[1:], rules)


def can_stand(kind: str, point: Point) -> bool:
    """R1.2."""
    if kind == "N":
        return point in SEA or point in COAST
    return point not in SEA


def may_stay(pieces: Stack, point: Point, rules: Rules) -> bool:
    """R7.10: what may stand on a point when a turn ends; nothing at all is fine too."""
    if not pieces:
        return True
    return is_legal_stack(pieces, rules) and can_stand(pieces[0].kind, point)


def carries_heavy(stack: Stack) -> bool:
    """Whether this is an engineer together with a heavy piece (R7.6)."""
    return stack[0].kind == "E" and len(stack) > 1


def may_join(group: Stack, stack: Stack, point: Point, rules: Rules) -> bool:
    """R7.3: whether a moving group and a friendly stack form a stack on that stack's point."""
    together = canonical(group + stack)
    if carries_heavy(together) and point not in BANK:  # R7.6
        return False
    return may_stay(together, point, rules)


def place(board: Board, point: Point, stack: Stack) -> None:
    """Put pieces on a point, or clear it."""
    if stack:
        board[point] = canonical(stack)
    else:
        board.pop(point, None)
