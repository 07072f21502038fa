"""How many legal actions a position can have at most: a proof in numbers, for buffers.

Let a side have k pieces that can move, at most 21 and among them at most 3 engineers.

- Every road step joins an own piece with a place that is not own: at most 98 steps, one for each
  road edge, and at most 8 a piece.
- A straight line of the railway takes a piece to a place only if it is the next one on either side
  of it, so every place of every line is reached at most twice: 42 places of 7 lines (four rows of
  5, two columns of 10, the bridge of 2).
- An engineer reaches at most the 31 other places of the railway.
- Whatever lies face down can be flipped: at most 50 - k pieces.
"""

from __future__ import annotations

from cotulenh_env.luzhanqi.board import RAIL_EDGES, ROAD_EDGES
from cotulenh_env.luzhanqi.pieces import COUNT, ENGINEER, FLAG, MINE, NUM_PIECES

_MAX_ROADS = 8
_NUM_LINE_PLACES = 4 * 5 + 2 * 10 + 2
_NUM_RAIL_TARGETS = len({place for edge in RAIL_EDGES for place in edge}) - 1


def _max_moves(num_movable: int) -> int:
    num_engineers = min(num_movable, int(COUNT[ENGINEER]))
    roads = min(len(ROAD_EDGES), _MAX_ROADS * num_movable)
    return roads + 2 * _NUM_LINE_PLACES + _NUM_RAIL_TARGETS * num_engineers


_MOST_MOVABLE = NUM_PIECES - int(COUNT[MINE]) - int(COUNT[FLAG])

MAX_REFEREE_ACTIONS = max(_max_moves(k) for k in range(_MOST_MOVABLE + 1))
"""275: of any position in referee mode; placements are fewer."""

MAX_FLIP_ACTIONS = max(2 * NUM_PIECES - k + _max_moves(k) for k in range(_MOST_MOVABLE + 1))
"""312: of any position in flip mode."""
