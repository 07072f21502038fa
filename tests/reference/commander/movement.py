"""Every sub-move of a group, whatever carries it, and who can capture what (R7.2, R9.1)."""

from collections.abc import Iterator

from . import commander, flight, land, navy
from .board import Point, direction_to
from .pieces import Board, Piece, Stack
from .rules import Rules
from .steps import CAPTURES, Step


def steps_along(
    board: Board, group: Stack, origin: Point, direction: int, rules: Rules
) -> Iterator[Step]:
    """R7.2: a group moves, captures and is blocked as its carrier."""
    kind = group[0].kind
    if kind == "C":
        return commander.steps_along(board, group, origin, direction, rules)
    if kind == "F":
        return flight.steps_along(board, group, origin, direction, rules)
    if kind == "N":
        return navy.steps_along(board, group, origin, direction, rules)
    return land.steps_along(board, group, origin, direction, rules)


def steps_of(board: Board, group: Stack, origin: Point, rules: Rules) -> list[Step]:
    """All sub-moves of a group that stands at the origin, the rest of the turn disregarded."""
    return [
        step
        for direction in range(8)
        for step in steps_along(board, group, origin, direction, rules)
    ]


def can_capture(board: Board, piece: Piece, origin: Point, target: Point, rules: Rules) -> bool:
    """Whether a piece at the origin could capture the stack at the target whole.

    By a move, strike or kamikaze: being shot down is no attack, nor is striking a headquarters
    alone (R9.1, R12.2).
    """
    direction = direction_to(origin, target)
    if direction is None:
        return False
    return any(
        step.target == target and step.word in CAPTURES
        for step in steps_along(board, (piece,), origin, direction, rules)
    )
