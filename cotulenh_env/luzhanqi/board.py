r"""The board: a graph of 60 places, joined by railway and road, as constant tables.

row                                     place = row × 5 + column, both from zero;
     a     b     c     d     e          row 0 is player 0's back row
 12  o --- H --- o --- H --- o
     |     |     |     |     |          o    post
 11  R === R === R === R === R          R    post on the railway
     ‖  \  |  /  |  \  |  /  ‖          ( )  camp: whoever is in it cannot be attacked
 10  R -- ( ) -- o -- ( ) -- R          H    headquarters: whoever is in it cannot leave
     ‖  /  |  \  |  /  |  \  ‖
  9  R --- o -- ( ) -- o --- R          === ‖   railway, 35 edges
     ‖  \  |  /  |  \  |  /  ‖          -- | \ /   road, 98 edges; diagonals only at camps
  8  R -- ( ) -- o -- ( ) -- R
     ‖  /  |  \  |  /  |  \  ‖
  7  R === R === R === R === R
     ‖           ‖           ‖          mountains between b6 and b7, d6 and d7: no edge
  6  R === R === R === R === R
     ‖  \  |  /  |  \  |  /  ‖
  5  R -- ( ) -- o -- ( ) -- R          The half below is the half above turned round:
     ‖  /  |  \  |  /  |  \  ‖          place i lies opposite 59 - i.
  4  R --- o -- ( ) -- o --- R
     ‖  \  |  /  |  \  |  /  ‖
  3  R -- ( ) -- o -- ( ) -- R
     ‖  /  |  \  |  /  |  \  ‖
  2  R === R === R === R === R
     |     |     |     |     |
  1  o --- H --- o --- H --- o

A road edge is one step. Along the railway any number of places may be passed, in a straight line;
an engineer turns corners as well. There are no arcs on this board (L15).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, shown

NUM_ROWS = 12
NUM_COLUMNS = 5
NUM_PLACES = NUM_ROWS * NUM_COLUMNS
COLUMNS = "abcde"

_HALF_CAMPS = ((2, 1), (2, 3), (3, 2), (4, 1), (4, 3))
_HALF_HEADQUARTERS = ((0, 1), (0, 3))
_RAIL_ROWS = (1, 5, 6, 10)
_RAIL_COLUMNS = (0, 4)
_BRIDGE_COLUMN = 2
_ORTHOGONALS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def opposite(place: int) -> int:
    """The place as seen from the other side, and the other way round."""
    return NUM_PLACES - 1 - place


def mirrored(place: int) -> int:
    """The place in the mirror: columns a and e change places, b and d."""
    row, column = divmod(place, NUM_COLUMNS)
    return row * NUM_COLUMNS + NUM_COLUMNS - 1 - column


def place_name(place: int) -> str:
    """The place in letter and number, for example `b1` for 1."""
    return f"{COLUMNS[place % NUM_COLUMNS]}{place // NUM_COLUMNS + 1}"


def parse_place(text: object) -> int:
    """The place written as `b1`.

    Raises:
        PositionError: there is no such place.
    """
    column, row = (text[:1], text[1:]) if isinstance(text, str) else ("", "")
    # isascii: int() also reads digits of other scripts.
    if column and column in COLUMNS and row.isascii() and row.isdigit() and row[0] != "0":
        number = int(row) if len(row) <= 2 else 0
        if 1 <= number <= NUM_ROWS:
            return (number - 1) * NUM_COLUMNS + COLUMNS.index(column)
    raise PositionError(f"{shown(text)} is no place: places are a1 to e12")


def _places(half: tuple[tuple[int, int], ...]) -> frozenset[int]:
    own = {row * NUM_COLUMNS + column for row, column in half}
    return frozenset(own | {opposite(place) for place in own})


CAMPS = _places(_HALF_CAMPS)
HEADQUARTERS = _places(_HALF_HEADQUARTERS)
"""Frozen sets of places."""

IS_CAMP = np.array([place in CAMPS for place in range(NUM_PLACES)])
IS_HEADQUARTERS = np.array([place in HEADQUARTERS for place in range(NUM_PLACES)])
"""Bool [place]."""

HEADQUARTERS_BIT = np.array(
    [1 << sorted(HEADQUARTERS).index(p) if p in HEADQUARTERS else 0 for p in range(NUM_PLACES)],
    np.int8,
)
"""int8 [place]: a bit of its own for each headquarters, 0 elsewhere."""


def _neighbours(place: int, steps: tuple[tuple[int, int], ...]) -> list[int]:
    row, column = divmod(place, NUM_COLUMNS)
    return [
        (row + up) * NUM_COLUMNS + column + right
        for up, right in steps
        if 0 <= row + up < NUM_ROWS and 0 <= column + right < NUM_COLUMNS
    ]


def _is_rail(place: int, other: int) -> bool:
    """Whether two orthogonal neighbours are joined by railway."""
    row, column = divmod(min(place, other), NUM_COLUMNS)
    other_row = max(place, other) // NUM_COLUMNS
    if row == other_row:
        return row in _RAIL_ROWS
    if (row, other_row) == (5, 6) and column == _BRIDGE_COLUMN:
        return True
    return column in _RAIL_COLUMNS and row >= _RAIL_ROWS[0] and other_row <= _RAIL_ROWS[-1]


def _is_mountain(place: int, other: int) -> bool:
    rows = {place // NUM_COLUMNS, other // NUM_COLUMNS}
    return rows == {5, 6} and place % NUM_COLUMNS in (1, 3)


def _build_edges() -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    rail: list[tuple[int, int]] = []
    road: list[tuple[int, int]] = []
    for place in range(NUM_PLACES):
        for other in _neighbours(place, _ORTHOGONALS):
            if place < other and not _is_mountain(place, other):
                (rail if _is_rail(place, other) else road).append((place, other))
        for other in _neighbours(place, _DIAGONALS):
            if place < other and (place in CAMPS or other in CAMPS):
                road.append((place, other))
    return sorted(rail), sorted(road)


RAIL_EDGES, ROAD_EDGES = _build_edges()
"""Sorted pairs of places, the lower one first."""

IS_RAIL = np.isin(np.arange(NUM_PLACES), RAIL_EDGES)
"""Bool [place]: on the railway."""

DEAL_PLACES = np.flatnonzero(~IS_CAMP).astype(np.int8)
"""int8 [50]: where pieces stand in the beginning; the first 25 are the lower half's."""

NUM_DIRECTIONS = len(_ORTHOGONALS)
MAX_RAY = 9
"""Steps of the longest straight line: column a or e from row 2 to row 11."""


def _build_rays() -> npt.NDArray[np.int8]:
    rays = np.full((NUM_PLACES, NUM_DIRECTIONS, MAX_RAY), -1, np.int8)
    rail = {*RAIL_EDGES, *((other, place) for place, other in RAIL_EDGES)}
    for start in range(NUM_PLACES):
        for direction, (up, right) in enumerate(_ORTHOGONALS):
            place, length = start, 0
            while (place, place + up * NUM_COLUMNS + right) in rail:
                place += up * NUM_COLUMNS + right
                rays[start, direction, length] = place
                length += 1
    return rays


RAY = _build_rays()
"""int8 [place, direction, 9]: the places of a straight railway line from there, then -1."""


def _build_moves() -> npt.NDArray[np.int16]:
    """What any piece can ever do: all road steps, and from every place on the railway to any other.

    The railway is one connected net, so that an engineer can get everywhere on an empty board.
    """
    rail = np.flatnonzero(IS_RAIL).tolist()
    moves = {(start, end) for start in rail for end in rail if start != end}
    moves |= {*ROAD_EDGES, *((other, place) for place, other in ROAD_EDGES)}
    return np.array(sorted(moves), np.int16)


MOVES = _build_moves()
"""int16 [1188, 2]: (from, to), sorted."""

NUM_MOVES = len(MOVES)

_STARTS, _ENDS = MOVES[:, 0].astype(np.int64), MOVES[:, 1].astype(np.int64)

IS_ROAD_MOVE = np.array([(min(a, b), max(a, b)) in set(ROAD_EDGES) for a, b in MOVES.tolist()])
"""Bool [1188]: a road step; the others go by railway."""

_IS_STRAIGHT = np.array([end in RAY[start] for start, end in MOVES.tolist()])

FIRST_MOVE = np.searchsorted(_STARTS, np.arange(NUM_PLACES + 1)).astype(np.int16)
"""int16 [61]: the moves from a place are FIRST_MOVE[place] … FIRST_MOVE[place + 1] - 1."""

PLAIN_MOVES = np.flatnonzero(IS_ROAD_MOVE | _IS_STRAIGHT).astype(np.int16)
"""int16 [458]: the moves that others than engineers can make, sorted."""

FIRST_PLAIN_MOVE = np.searchsorted(_STARTS[PLAIN_MOVES], np.arange(NUM_PLACES + 1)).astype(np.int16)
"""int16 [61]: likewise into PLAIN_MOVES."""

MOVE_NUMBER = np.full((NUM_PLACES, NUM_PLACES), -1, np.int16)
"""int16 [from, to]: the move's index in MOVES, -1 where no piece can ever go so."""
MOVE_NUMBER[_STARTS, _ENDS] = np.arange(NUM_MOVES)
