"""Actions, moves and announcements: pure inverse pairs.

    flip mode       0–59        flip the piece at a place
                    60 + k      the k-th of the 1188 moves in board.MOVES
    referee mode    k           the k-th move
                    1188 + j    place the next piece at place j of the own half (0–29)

Places are the *mover's*: for player 1 every place i stands for 59 - i. 12 of the moves leave a
headquarters, and are legal only where the rules unlock it.

In a network an action's logit lies at the place it begins from, in the plane of its step (rows,
columns); flips and placements have a plane of their own.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import IllegalActionError
from cotulenh_env.luzhanqi.board import MOVE_NUMBER, MOVES, NUM_COLUMNS, NUM_MOVES, NUM_PLACES
from cotulenh_env.luzhanqi.board import mirrored as mirrored_place

FIRST_FLIP_MOVE = NUM_PLACES
"""The flip mode's first action that is a move."""

NUM_FLIP_ACTIONS = NUM_PLACES + NUM_MOVES

NUM_HALF_PLACES = NUM_PLACES // 2
FIRST_PLACEMENT = NUM_MOVES
"""The referee mode's first action that is a placement."""

NUM_REFEREE_ACTIONS = NUM_MOVES + NUM_HALF_PLACES

PASS = -1
"""A turn forfeited by a time-out: no action of the game, but kernels know it (match_rules.py)."""


class ActionKind(IntEnum):
    """What an action does."""

    FLIP = 0
    MOVE = 1
    PLACE = 2


class Move(NamedTuple):
    """An action taken apart, in places of the mover's side.

    Attributes:
        kind: what it does.
        start: the place that it is about, or that it leaves.
        end: where a MOVE goes; else the same as `start`.
    """

    kind: ActionKind
    start: int
    end: int


def encode_flip(move: Move) -> int:
    """The action number in flip mode."""
    if move.kind == ActionKind.FLIP:
        return move.start
    return FIRST_FLIP_MOVE + int(MOVE_NUMBER[move.start, move.end])


def decode_flip(action: int) -> Move:
    """The move of an action number in flip mode.

    Raises:
        IllegalActionError: the number is outside 0 … 1247.
    """
    _check_range(action, NUM_FLIP_ACTIONS)
    if action < FIRST_FLIP_MOVE:
        return Move(ActionKind.FLIP, action, action)
    start, end = MOVES[action - FIRST_FLIP_MOVE].tolist()
    return Move(ActionKind.MOVE, start, end)


def encode_referee(move: Move) -> int:
    """The action number in referee mode."""
    if move.kind == ActionKind.PLACE:
        return FIRST_PLACEMENT + move.start
    return int(MOVE_NUMBER[move.start, move.end])


def decode_referee(action: int) -> Move:
    """The move of an action number in referee mode.

    Raises:
        IllegalActionError: the number is outside 0 … 1217.
    """
    _check_range(action, NUM_REFEREE_ACTIONS)
    if action >= FIRST_PLACEMENT:
        place = action - FIRST_PLACEMENT
        return Move(ActionKind.PLACE, place, place)
    start, end = MOVES[action].tolist()
    return Move(ActionKind.MOVE, start, end)


def _check_range(action: int, num_actions: int) -> None:
    if not 0 <= action < num_actions:
        raise IllegalActionError(f"action {action} is outside 0 … {num_actions - 1}")


# --- announcements ------------------------------------------------------------------------------


FIRST_SHOWN_STEP = 5
SECOND_SHOWN_STEP = 3 * FIRST_SHOWN_STEP
END_STEP = 3 * SECOND_SHOWN_STEP
NUM_ANNOUNCEMENTS = 3 * END_STEP
"""An event is outcome + step × what is shown of each player's flag + step × end."""


class Announcement(NamedTuple):
    """What the referee says after a move, besides where it went (L21).

    Attributes:
        outcome: of the fight: 0 none, 1 attacker survives, 2 defender survives, 3 both removed,
            4 flag captured.
        shown: by player, which flag is shown by this move (L12): 0 none, 1 at `b1`, 2 at `d1` as
            its owner sees the board.
        end: 0, 1 when the next player has no move, 2 when neither has.
    """

    outcome: int = 0
    shown: tuple[int, int] = (0, 0)
    end: int = 0


def encode_announcement(announcement: Announcement) -> int:
    """The event of an announcement, 0–134."""
    first, second = announcement.shown
    shown = FIRST_SHOWN_STEP * first + SECOND_SHOWN_STEP * second
    return announcement.outcome + shown + END_STEP * announcement.end


def decode_announcement(event: int) -> Announcement:
    """The announcement of an event in referee mode."""
    end, rest = divmod(event, END_STEP)
    second, rest = divmod(rest, SECOND_SHOWN_STEP)
    first, outcome = divmod(rest, FIRST_SHOWN_STEP)
    return Announcement(outcome, (first, second), end)


# --- tables for networks ------------------------------------------------------------------------


def _move_planes() -> tuple[npt.NDArray[np.int32], int]:
    """int32 [1188]: a number for each move's (rows, columns), and how many there are."""
    rows, columns = (MOVES // NUM_COLUMNS).astype(np.int64), (MOVES % NUM_COLUMNS).astype(np.int64)
    steps = np.stack([rows[:, 1] - rows[:, 0], columns[:, 1] - columns[:, 0]], axis=1)
    distinct, planes = np.unique(steps, axis=0, return_inverse=True)
    return planes.reshape(-1).astype(np.int32), len(distinct)


_MOVE_PLANE, _NUM_MOVE_PLANES = _move_planes()

NUM_POLICY_PLANES = _NUM_MOVE_PLANES + 1
"""In both modes: flips and placements have the last plane."""

_OF_MOVES = _MOVE_PLANE * NUM_PLACES + MOVES[:, 0].astype(np.int32)
_OF_PLACES = np.int32(_NUM_MOVE_PLANES * NUM_PLACES) + np.arange(NUM_PLACES, dtype=np.int32)

FLIP_POLICY_INDEX = np.concatenate([_OF_PLACES, _OF_MOVES])
"""int32 [1248]: place of each action's logit in planes × 12 × 5."""

REFEREE_POLICY_INDEX = np.concatenate([_OF_MOVES, _OF_PLACES[:NUM_HALF_PLACES]])
"""int32 [1218]: likewise."""

MIRRORED_PLACE = np.array([mirrored_place(place) for place in range(NUM_PLACES)], np.int32)
"""int32 [place]: the other place of the pair that the mirror exchanges."""

_MIRRORED_MOVE = MOVE_NUMBER[MIRRORED_PLACE[MOVES[:, 0]], MIRRORED_PLACE[MOVES[:, 1]]]

MIRRORED_FLIP_ACTION = np.concatenate(
    [MIRRORED_PLACE, FIRST_FLIP_MOVE + _MIRRORED_MOVE.astype(np.int32)]
)
"""int32 [1248]: the action's image in the mirror."""

MIRRORED_REFEREE_ACTION = np.concatenate(
    [_MIRRORED_MOVE.astype(np.int32), FIRST_PLACEMENT + MIRRORED_PLACE[:NUM_HALF_PLACES]]
)
"""int32 [1218]: likewise."""
