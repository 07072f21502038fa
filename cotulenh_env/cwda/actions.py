"""Actions and moves: a pure inverse pair over the 5,632 action numbers.

    action = square × 88 + plane

    planes 0–55    N NE E SE S SW W NW × distance 1–7     direction × 7 + distance − 1
           56–63   a knight's leaps (moves.py)
           64–87   PROMOTION: NW N NE × what the pawn becomes    64 + direction × 8 + slot

Castling is the king's move of two or three squares along its rank. Slots are the own army's rook,
knight, bishop and queen, then the other army's; a kind that both armies have is the own army's.

Squares and directions are the *mover's*: for Black rank r becomes 9 − r, files stay.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.armies import NUM_SLOTS
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE
from cotulenh_env.cwda.moves import MAX_DISTANCE, NUM_MOVE_PLANES, PLANE_STEPS
from cotulenh_env.errors import IllegalActionError

FIRST_PROMOTION_PLANE = NUM_MOVE_PLANES
NUM_PROMOTIONS = 2 * NUM_SLOTS
NUM_PLANES = FIRST_PROMOTION_PLANE + 3 * NUM_PROMOTIONS
NUM_ACTIONS = NUM_SQUARES * NUM_PLANES

PUSH_PLANE, DOUBLE_STEP_PLANE = 0, 1
EAST_PLANE, WEST_PLANE = 2 * MAX_DISTANCE, 6 * MAX_DISTANCE
"""One step to the side; longer ones follow."""

CAPTURE_PLANE = np.array([7 * MAX_DISTANCE, 0, 1 * MAX_DISTANCE], np.int64)
"""int64 [NW, N, NE]: a pawn's single steps, in the order of the promotion planes."""

NO_SLOT = -1


class Move(NamedTuple):
    """An action taken apart, seen from the mover's side.

    Attributes:
        square: where from.
        target: where to, or -1 when it leads off the board.
        slot: 0–7, what a pawn becomes; -1 for everything but promotions.
    """

    square: int
    target: int
    slot: int = NO_SLOT


def encode(move: Move) -> int:
    """The action number of a move whose displacement is one of the planes'."""
    rank = move.target // SIZE - move.square // SIZE
    file = move.target % SIZE - move.square % SIZE
    if move.slot == NO_SLOT:
        return move.square * NUM_PLANES + PLANE_STEPS.index((rank, file))
    plane = FIRST_PROMOTION_PLANE + (file + 1) * NUM_PROMOTIONS + move.slot
    return move.square * NUM_PLANES + plane


def decode(action: int) -> Move:
    """The move of an action number.

    Raises:
        IllegalActionError: the number is outside 0 … 5631.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(f"action {action} is outside 0 … {NUM_ACTIONS - 1}")
    square, plane = divmod(action, NUM_PLANES)
    slot = NO_SLOT
    if plane >= FIRST_PROMOTION_PLANE:
        direction, slot = divmod(plane - FIRST_PROMOTION_PLANE, NUM_PROMOTIONS)
        step = 1, direction - 1
    else:
        step = PLANE_STEPS[plane]
    rank, file = square // SIZE + step[0], square % SIZE + step[1]
    inside = 0 <= rank < SIZE and 0 <= file < SIZE
    return Move(square, rank * SIZE + file if inside else -1, slot)


def policy_index() -> npt.NDArray[np.int32]:
    """int32 [num_actions]: place of each action's logit in planes × 8 × 8."""
    square, plane = np.divmod(np.arange(NUM_ACTIONS, dtype=np.int32), NUM_PLANES)
    index: npt.NDArray[np.int32] = plane * NUM_SQUARES + square
    return index
