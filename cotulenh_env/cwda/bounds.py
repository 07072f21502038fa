"""How many legal actions a position can have, and why not more.

A side has at most 20 men, one of them its king; loaders refuse more. (A game begins with 16, but
positions made by hand are not so strict.) A man other than the king has at most as many moves as
the kind with the most on its square: the amazon, since a pawn about to promote has 3 × 8. So no
position has more than nineteen amazons on the nineteen best squares, with nothing in their way, and
the king's 8 steps and 2 castlings.
"""

from __future__ import annotations

from cotulenh_env.cwda.board import NUM_SQUARES, SIZE
from cotulenh_env.cwda.moves import MOVES, PLANE_STEPS
from cotulenh_env.cwda.pieces import NUM_KINDS

MAX_MEN = 20

MAX_LEGAL_ACTIONS = 640
"""No loadable position has more: 633 worked out as above, rounded up."""

_MAX_PAWN_MOVES = 24
_MAX_KING_MOVES = 10


def _num_targets(kind: int, square: int) -> int:
    rank, file = divmod(square, SIZE)
    return sum(
        0 <= rank + rank_step < SIZE and 0 <= file + file_step < SIZE
        for plane, (rank_step, file_step) in enumerate(PLANE_STEPS)
        if MOVES[kind, plane]
    )


def count_bound() -> int:
    """The bound worked out anew, for the test of `MAX_LEGAL_ACTIONS`."""
    best = sorted(
        max(
            _MAX_PAWN_MOVES,
            *(_num_targets(kind, square) for kind in range(1, NUM_KINDS + 1)),
        )
        for square in range(NUM_SQUARES)
    )
    return sum(best[1 - MAX_MEN :]) + _MAX_KING_MOVES
