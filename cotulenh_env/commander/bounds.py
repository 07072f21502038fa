"""How many legal actions a position can have, and why not more.

Count the actions of one point by their targets:

* A piece other than the commander acts over at most 5 points in 8 directions: from the middle of
  the board on 40 points, from elsewhere on fewer. The commander's ranks and files hold
  21 points.
* A target is moved to or struck. Only an aircraft may do both (R8.3), and only to an enemy stack:
  at most 19 points of an enemy with 19 pieces.
* A point with a stack has at most 6 SELECTs besides, but takes two or three of the side's 19
  pieces. Apart these would have more actions: even the last of the 19 best points has 32 targets.
  So most actions have 19 single pieces, each on one of the 19 points with the farthest reach.

That makes 678 targets and 19 × 19 strikes. In a deployment only one point acts: 40 + 19 + 6 + END;
while pieces are placed there are 66 points in a player's half.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.board import NEXT_POINT, NUM_DIRECTIONS, NUM_POINTS
from cotulenh_env.commander.pieces import NUM_PIECES_PER_SIDE

MAX_DISTANCE = 5
"""The farthest a piece other than the commander acts: heroic aircraft and navies (R9.2)."""

MAX_LEGAL_ACTIONS = 1040
"""No loadable position has more: 678 + 19 × 19, rounded up."""


def _reach(point: int) -> int:
    count = 0
    for direction in range(NUM_DIRECTIONS):
        target = int(NEXT_POINT[direction, point])
        for _ in range(MAX_DISTANCE):
            if target < 0:
                break
            count += 1
            target = int(NEXT_POINT[direction, target])
    return count


def count_bound() -> int:
    """The bound worked out anew, for the test of `MAX_LEGAL_ACTIONS`."""
    reach = sorted((_reach(point) for point in range(NUM_POINTS)), reverse=True)
    targets = int(np.sum(reach[:NUM_PIECES_PER_SIDE]))
    return targets + NUM_PIECES_PER_SIDE**2
