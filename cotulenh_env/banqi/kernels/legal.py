"""The legal actions of a state (rules 3 and 4)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import JUMP_ACTION, MAX_LEGAL_ACTIONS, STEP_ACTION
from cotulenh_env.banqi.board import (
    ALL_CELLS,
    COLUMN_JUMP,
    FIRST_COLUMN,
    LAST_COLUMN,
    NEIGHBOURS,
    NUM_CELLS,
    NUM_COLUMNS,
    NUM_DIRECTIONS,
    NUM_ROWS,
    ROW_JUMP,
    STRIDE,
)
from cotulenh_env.banqi.kernels.cells import lowest_cell
from cotulenh_env.banqi.pieces import CANNON, EMPTY, NUM_TYPES
from cotulenh_env.banqi.state import FACE_DOWN_CELLS, NO_COLOUR, UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel

ActionList = npt.NDArray[np.int32]

_ROW = (1 << NUM_COLUMNS) - 1
_COLLECT = 1 << 24 | 1 << 17 | 1 << 10 | 1 << 3
"""Times a set within column a, it has the set's rows in the bits 24 to 27."""


@inner_kernel
def list_legal_actions(state: Record, actions: ActionList) -> int:
    """Writes the legal actions of one state in ascending order; returns their count.

    Args:
        state: a record.
        actions: int32 [MAX_LEGAL_ACTIONS]; what follows the legal actions is overwritten, too.
    """
    if state["winner"] != UNFINISHED:
        return 0
    count = 0
    face_down = int(state["cells"][FACE_DOWN_CELLS])
    rest = face_down
    while rest:
        actions[count] = lowest_cell(rest)
        count += 1
        rest &= rest - 1
    if state["first_colour"] == NO_COLOUR:
        return count
    colour = int(state["first_colour"]) ^ int(state["player"])
    own, enemy = int(state["cells"][colour]), int(state["cells"][1 - colour])
    free = ALL_CELLS & ~(own | face_down)
    first_piece, first_enemy = colour * NUM_TYPES, (1 - colour) * NUM_TYPES
    board = state["board"]
    cannons = 0
    rest = own
    while rest:
        cell = lowest_cell(rest)
        rest &= rest - 1
        kind = int(board[cell]) - first_piece
        if kind == CANNON:
            cannons |= 1 << cell
            targets = 1 << EMPTY
        else:
            targets = int(state["captures"][kind]) << first_enemy | 1 << EMPTY
        near = free & int(NEIGHBOURS[cell])
        if near == 0:
            continue
        for direction in range(NUM_DIRECTIONS):
            # Without a branch, which could not be foretold: what is not legal is overwritten.
            target = cell + int(STRIDE[direction]) & NUM_CELLS - 1
            actions[count] = STEP_ACTION[cell, direction]
            count += near >> target & targets >> int(board[target]) & 1
    return _add_jumps(state, cannons, enemy, ALL_CELLS & ~free | enemy, first_enemy, actions, count)


@inner_kernel
def _add_jumps(
    state: Record,
    cannons: int,
    enemy: int,
    occupied: int,
    first_enemy: int,
    actions: ActionList,
    count: int,
) -> int:
    """Appends the captures of cannons, from the lowest cell up; returns the count (rule 3.4)."""
    board = state["board"]
    targets = int(state["captures"][CANNON]) << first_enemy
    while cannons:
        cell = lowest_cell(cannons)
        cannons &= cannons - 1
        row, column = cell // NUM_COLUMNS, cell % NUM_COLUMNS
        in_row = occupied >> row * NUM_COLUMNS & _ROW
        in_column = (occupied >> column & FIRST_COLUMN) * _COLLECT >> 24 & (1 << NUM_ROWS) - 1
        for index in range(NUM_DIRECTIONS):
            # The order of the cells that a jump may land on: up, left, right, down.
            if index == 0 or index == NUM_DIRECTIONS - 1:
                place = int(COLUMN_JUMP[row, in_column, index // 3])
                target = place * NUM_COLUMNS + column
            else:
                place = int(ROW_JUMP[column, in_row, index - 1])
                target = row * NUM_COLUMNS + place
            if place >= 0 and enemy >> target & 1 and targets >> int(board[target]) & 1:
                actions[count] = JUMP_ACTION[cell, target]
                count += 1
    return count


@inner_kernel
def has_legal_action(state: Record) -> bool:
    """Whether the player to move could act, if the game is not over."""
    if state["cells"][FACE_DOWN_CELLS]:
        return True
    colour = int(state["first_colour"]) ^ int(state["player"])
    own, enemy = int(state["cells"][colour]), int(state["cells"][1 - colour])
    near = (
        own << NUM_COLUMNS
        | own >> NUM_COLUMNS
        | (own & ~LAST_COLUMN) << 1
        | (own & ~FIRST_COLUMN) >> 1
    )
    if near & ALL_CELLS & ~(own | enemy):
        return True  # a step to an empty cell
    return bool(list_legal_actions(state, np.empty(MAX_LEGAL_ACTIONS, np.int32)) > 0)
