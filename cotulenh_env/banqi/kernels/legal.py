"""The legal actions of a state (rules 3 and 4)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import JUMP_ACTION, STEP_ACTION
from cotulenh_env.banqi.board import NEIGHBOUR, NUM_CELLS, NUM_DIRECTIONS, REACH, STRIDE
from cotulenh_env.banqi.pieces import BLACK, CANNON, EMPTY, FACE_DOWN, NUM_TYPES, RED
from cotulenh_env.banqi.state import NO_COLOUR, UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel

ActionList = npt.NDArray[np.int32]

JUMP_DIRECTIONS = np.array([0, 2, 3, 1])
"""The directions in the order of the cells that a jump may land on: up, left, right, down."""


@inner_kernel
def list_legal_actions(state: Record, actions: ActionList) -> int:
    """Writes the legal actions of one state in ascending order; returns their count.

    It stops at the end of the list; with a list of length 1 it looks no further than the first.
    """
    if state["winner"] != UNFINISHED:
        return 0
    board = state["board"]
    limit = len(actions)
    count = 0
    if state["num_face_down"]:
        for cell in range(NUM_CELLS):
            if board[cell] == FACE_DOWN and count < limit:
                actions[count] = cell
                count += 1
    colour = int(state["first_colour"])
    if colour == NO_COLOUR or count == limit:
        return count
    if state["player"]:
        colour = BLACK if colour == RED else RED
    first_piece = colour * NUM_TYPES
    first_enemy = NUM_TYPES - first_piece
    has_cannon = False
    for cell in range(NUM_CELLS):
        kind = int(board[cell]) - first_piece
        if kind < 0 or kind >= NUM_TYPES:
            continue
        if kind == CANNON:
            has_cannon = True
            targets = 1 << EMPTY
        else:
            targets = int(state["captures"][kind]) << first_enemy | 1 << EMPTY
        for direction in range(NUM_DIRECTIONS):
            target = int(NEIGHBOUR[cell, direction])
            if target >= 0 and targets >> int(board[target]) & 1 and count < limit:
                actions[count] = STEP_ACTION[cell, direction]
                count += 1
    if not has_cannon:
        return count
    targets = int(state["captures"][CANNON]) << first_enemy
    for cell in range(NUM_CELLS):
        if board[cell] != first_piece + CANNON:
            continue
        for index in range(NUM_DIRECTIONS):
            target = _jump_target(state, cell, int(JUMP_DIRECTIONS[index]))
            if target >= 0 and targets >> int(board[target]) & 1 and count < limit:
                actions[count] = JUMP_ACTION[cell, target]
                count += 1
    return count


@inner_kernel
def _jump_target(state: Record, cell: int, direction: int) -> int:
    """The second cell in that direction on which something stands, -1 if there is none."""
    board = state["board"]
    stride = int(STRIDE[direction])
    is_over = False
    for _ in range(REACH[cell, direction]):
        cell += stride
        if board[cell] != EMPTY:
            if is_over:
                return cell
            is_over = True
    return -1
