"""Actions and moves: a pure inverse pair over the 14,653 action numbers.

    action = point × 111 + plane        END = 132 × 111 = 14652

    planes 0–43      MOVE     N E S W × distance 1–11       direction × 11 + distance − 1
           44–63     MOVE     NE SE SW NW × distance 1–5    44 + direction × 5 + distance − 1
           64–103    STRIKE   N NE E SE S SW W NW × 1–5     64 + direction × 5 + distance − 1
           104–109   SELECT   a group to deploy, mask 1–6   104 + mask − 1
           110       PLACE    the next piece here (option `placement`)

Points and directions are the *mover's*: for Blue ranks are mirrored, files stay. A SELECT mask is
over the pieces at the point that have not acted yet, in canonical order, bit 0 = first.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import DIRECTION_STEPS, NUM_FILES, NUM_POINTS, NUM_RANKS
from cotulenh_env.errors import IllegalActionError

NUM_PLANES = 111
END = NUM_POINTS * NUM_PLANES
NUM_ACTIONS = END + 1

MAX_ORTHOGONAL = 11
MAX_DIAGONAL = 5
MAX_STRIKE = 5
FIRST_STRIKE_PLANE = 64
FIRST_SELECT_PLANE = 104
PLACE_PLANE = 110

MOVE_PLANE = np.array([0, 44, 11, 49, 22, 54, 33, 59], np.int64)
"""int64 [direction]: plane of a MOVE of distance 1; longer ones follow."""

STRIKE_PLANE = np.array([64, 69, 74, 79, 84, 89, 94, 99], np.int64)
"""int64 [direction]: plane of a STRIKE of distance 1; longer ones follow."""

MIRRORED_POINT = np.array(
    [
        [point for point in range(NUM_POINTS)],
        [
            (NUM_RANKS - 1 - point // NUM_FILES) * NUM_FILES + point % NUM_FILES
            for point in range(NUM_POINTS)
        ],
    ],
    np.int16,
)
"""int16 [side, point]: the board's point as seen by the side, and the other way round."""

MIRRORED_DIRECTION = np.array([[0, 1, 2, 3, 4, 5, 6, 7], [4, 3, 2, 1, 0, 7, 6, 5]], np.int8)
"""int8 [side, direction]: the board's direction as seen by the side, and the other way round."""

_ORTHOGONALS = (0, 2, 4, 6)
_DIAGONALS = (1, 3, 5, 7)


class ActionKind(IntEnum):
    """What an action does."""

    MOVE = 0
    STRIKE = 1
    SELECT = 2
    PLACE = 3
    END = 4


class Move(NamedTuple):
    """An action taken apart, seen from the mover's side.

    Attributes:
        kind: what it does.
        point: where from, or where to place; 0 for END.
        direction: 0–7 clockwise from N, of MOVE and STRIKE; else 0.
        distance: in points, of MOVE and STRIKE; else 0.
        mask: 1–6, of SELECT; else 0.
    """

    kind: ActionKind
    point: int = 0
    direction: int = 0
    distance: int = 0
    mask: int = 0

    @property
    def target(self) -> int:
        """Point that a MOVE or STRIKE goes to, or -1 when it leaves the board."""
        rank_step, file_step = DIRECTION_STEPS[self.direction]
        rank = self.point // NUM_FILES + rank_step * self.distance
        file = self.point % NUM_FILES + file_step * self.distance
        inside = 0 <= rank < NUM_RANKS and 0 <= file < NUM_FILES
        return rank * NUM_FILES + file if inside else -1


def encode(move: Move) -> int:
    """The action number of a move."""
    if move.kind == ActionKind.END:
        return END
    if move.kind == ActionKind.MOVE:
        plane = int(MOVE_PLANE[move.direction]) + move.distance - 1
    elif move.kind == ActionKind.STRIKE:
        plane = int(STRIKE_PLANE[move.direction]) + move.distance - 1
    elif move.kind == ActionKind.SELECT:
        plane = FIRST_SELECT_PLANE + move.mask - 1
    else:
        plane = PLACE_PLANE
    return move.point * NUM_PLANES + plane


def decode(action: int) -> Move:
    """The move of an action number.

    Raises:
        IllegalActionError: the number is outside 0 … 14652.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(f"action {action} is outside 0 … {NUM_ACTIONS - 1}")
    if action == END:
        return Move(ActionKind.END)
    point, plane = divmod(action, NUM_PLANES)
    if plane < 4 * MAX_ORTHOGONAL:
        direction, step = divmod(plane, MAX_ORTHOGONAL)
        return Move(ActionKind.MOVE, point, _ORTHOGONALS[direction], step + 1)
    if plane < FIRST_STRIKE_PLANE:
        direction, step = divmod(plane - 4 * MAX_ORTHOGONAL, MAX_DIAGONAL)
        return Move(ActionKind.MOVE, point, _DIAGONALS[direction], step + 1)
    if plane < FIRST_SELECT_PLANE:
        direction, step = divmod(plane - FIRST_STRIKE_PLANE, MAX_STRIKE)
        return Move(ActionKind.STRIKE, point, direction, step + 1)
    if plane < PLACE_PLANE:
        return Move(ActionKind.SELECT, point, mask=plane - FIRST_SELECT_PLANE + 1)
    return Move(ActionKind.PLACE, point)


def policy_index() -> npt.NDArray[np.int32]:
    """int32 [num_actions]: place of each action's logit in planes × 12 × 11 followed by END's."""
    index = np.empty(NUM_ACTIONS, np.int32)
    point, plane = np.divmod(np.arange(END, dtype=np.int32), NUM_PLANES)
    index[:END] = plane * NUM_POINTS + point
    index[END] = NUM_PLANES * NUM_POINTS
    return index
