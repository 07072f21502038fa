"""What stands on a board, and who could capture or shoot at what: questions to a state record."""

from __future__ import annotations

from typing import NamedTuple, TypeGuard

import numpy as np

from cotulenh_env.commander.board import NUM_FILES, NUM_POINTS, NUM_RANKS, parse_point, point_name
from cotulenh_env.commander.kernels.attackers import fill_attackers
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.workspace import MAX_ATTACKERS
from cotulenh_env.commander.pieces import (
    KIND_LETTERS,
    SIDE_BIT,
    VALUE,
    piece_text,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.setup import piece_counts
from cotulenh_env.commander.state import NO_POINT, Record, Records
from cotulenh_env.errors import PositionError, shown

_RANK_NUMBERS = [str(rank) for rank in range(NUM_RANKS)]
_FILE_NUMBERS = [str(file) for file in range(NUM_FILES)]


class Piece(NamedTuple):
    """A piece where it stands.

    Attributes:
        point: its point, such as `"f4"`.
        text: its letter in upper case, `+` before it when heroic, such as `"+T"`.
        side: whose it is, 0 Red or 1 Blue.
    """

    point: str
    text: str
    side: int


class Material(NamedTuple):
    """What a side has on the board.

    Attributes:
        counts: number of pieces by letter, in canonical order (R7.5), all eleven kinds.
        points: their official points, heroic ones at their heroic value.
    """

    counts: dict[str, int]
    points: int


class Deployment(NamedTuple):
    """A turn that has begun and is not finished (R7.7).

    Attributes:
        point: the one that the turn belongs to.
        unacted: the pieces there that have not acted, such as `"F+T"`; empty when a navy has
            struck and may move on (R12.2).
        selected: those among them that act next; empty when no group is selected.
    """

    point: str
    unacted: str
    selected: str


def point_index(point: str | int) -> int:
    """The index of a point written `"f4"`, in the official way `"3,5"`, or as the index itself.

    Raises:
        PositionError: there is no such point.
    """
    if isinstance(point, str):
        rank, comma, file = point.partition(",")
        if not comma:
            return parse_point(point)
        if rank in _RANK_NUMBERS and file in _FILE_NUMBERS:
            return int(rank) * NUM_FILES + int(file)
    elif _is_whole_number(point) and 0 <= point < NUM_POINTS:
        return int(point)
    raise PositionError(
        f"{shown(point)} is no point: points are 'a1' to 'k12', '0,0' to '11,10', or 0 to 131"
    )


def checked_side(side: object) -> int:
    """A side, 0 Red or 1 Blue.

    Raises:
        PositionError: it is neither.
    """
    if _is_whole_number(side) and side in (0, 1):
        return int(side)
    raise PositionError(f"a side is 0 (Red) or 1 (Blue), got {shown(side)}")


def _is_whole_number(value: object) -> TypeGuard[int]:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def stack_at(state: Record, point: int) -> tuple[Piece, ...]:
    """The pieces on a point, the carrier first."""
    stack = int(state["board"][point])
    name, side = point_name(point), stack // SIDE_BIT
    return tuple(Piece(name, piece_text(code), side) for code in stack_codes(stack))


def pieces_of(state: Record, side: int) -> tuple[Piece, ...]:
    """A side's pieces from a1 to k12, those of a point in canonical order."""
    return tuple(
        piece
        for point in np.flatnonzero(state["board"])
        for piece in stack_at(state, int(point))
        if piece.side == side
    )


def material_of(state: Record, side: int) -> Material:
    """What a side has on the board."""
    counts = piece_counts(state["board"])[side]
    points = sum(
        int(VALUE[code])
        for stack in state["board"].tolist()
        if stack and stack // SIDE_BIT == side
        for code in stack_codes(stack)
    )
    letters = enumerate(KIND_LETTERS[1:], start=1)
    return Material({letter: int(counts[kind]) for kind, letter in letters}, points)


def deployment_of(state: Record) -> Deployment | None:
    """The turn under way, once a group is selected or has acted."""
    origin = int(state["origin"])
    if origin == NO_POINT:
        return None
    codes = stack_codes(int(state["board"][origin]))
    unacted, selected = (
        pieces_text([code for slot, code in enumerate(codes) if int(state[name]) >> slot & 1])
        for name in ("unacted", "selected")
    )
    return Deployment(point_name(origin), unacted, selected)


def attackers_of(states: Records, point: int) -> tuple[Piece, ...]:
    """The pieces that could capture the stack on a point, in the order of `pieces_of`.

    Args:
        states: one record [1].
        point: any; nothing attacks an empty one.
    """
    state = states[0]
    stack = int(state["board"][point])
    if not stack:
        return ()
    found = np.empty(MAX_ATTACKERS, np.int32)
    count = fill_attackers(states, 1 - stack // SIDE_BIT, point, found)
    return tuple(stack_at(state, place >> 2)[place & 3] for place in sorted(found[:count].tolist()))


def checkers_of(states: Records, side: int) -> tuple[Piece, ...]:
    """The pieces that could capture the side's commander; none when it has no commander."""
    point = int(states[0]["commander"][side])
    return () if point == NO_POINT else attackers_of(states, point)


def zones_of(state: Record, side: int) -> dict[str, tuple[Piece, ...]]:
    """By point, from a1 to k12, the side's pieces whose air defence covers it (R8.1)."""
    coverers: list[list[Piece]] = [[] for _ in range(NUM_POINTS)]
    zone = np.empty(NUM_POINTS, np.int32)
    for point in np.flatnonzero(state["board"]):
        # Asked for each carrier apart, so that it is known whose zone it is.
        alone = np.zeros(NUM_POINTS, np.uint16)
        alone[point] = state["board"][point]
        fill_zones(alone, side, zone)
        for covered in np.flatnonzero(zone):
            coverers[covered].append(stack_at(state, int(point))[0])
    return {point_name(point): tuple(found) for point, found in enumerate(coverers) if found}
