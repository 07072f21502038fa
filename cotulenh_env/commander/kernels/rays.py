"""Where land pieces go and capture (R2.2, R3, R4), and what the rays of all kinds share.

Rays 0–7 of a point are N E S W NE SE SW NW as the mover sees them, in the order of the MOVE planes;
`direction` is the board's. Along the rays `first` to `stop` a kernel appends to the lists of the
workspace an action for every point where the group may move, join, capture or strike.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.actions import (
    MIRRORED_DIRECTION,
    MIRRORED_POINT,
    MOVE_PLANE,
    NUM_PLANES,
    STRIKE_PLANE,
)
from cotulenh_env.commander.board import (
    DEEP_RIVER,
    IS_BANK,
    IS_COAST,
    IS_SEA,
    NEXT_POINT,
    NUM_FILES,
)
from cotulenh_env.commander.kernels.headquarters import falls_alone, may_attack
from cotulenh_env.commander.kernels.river import is_barred
from cotulenh_env.commander.kernels.stacks import (
    carrier_kind,
    may_join,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import CODE_MASK, ENGINEER, NAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.commander.tables import (
    CAPTURE_RANGE,
    CAPTURES_OVER,
    MOVE_RANGE,
    RANGE_BITS,
    RANGE_SHIFT,
)
from cotulenh_env.kernel import inner_kernel

_SEEN_DIRECTIONS = (0, 2, 4, 6, 1, 3, 5, 7)
"""The mover's directions in the order of the MOVE planes; the index numbers the rays of a point."""

NUM_ORTHOGONAL, NUM_RAYS = 4, 8

BOARD_DIRECTION = np.array(
    [MIRRORED_DIRECTION[side, _SEEN_DIRECTIONS] for side in (0, 1)], np.int64
)
"""int64 [side, ray]: the direction on the board."""

RAY = np.argsort(BOARD_DIRECTION, axis=1)
"""int64 [side, direction on the board]: the ray."""

FIRST_MOVE = MOVE_PLANE[np.array(_SEEN_DIRECTIONS)]
FIRST_STRIKE = STRIKE_PLANE[np.array(_SEEN_DIRECTIONS)]
"""int64 [ray]: plane of a MOVE and STRIKE by one point; each further point adds 1."""


@inner_kernel
def append(work: Workspace, count: int, action: int) -> int:
    """Writes the action at the index `count` of the lists; returns the next index."""
    work["lists"][count] = action
    return count + 1


@inner_kernel
def first_action(side: int, origin: int) -> int:
    """The point's first action number; the planes of FIRST_MOVE and FIRST_STRIKE add to it."""
    return int(MIRRORED_POINT[side, origin]) * NUM_PLANES


@inner_kernel
def is_coast_navy(stack: int, point: int) -> bool:
    """Whether the stack is a navy on the coast, which blocks no land piece (R3.3)."""
    return bool(IS_COAST[point]) and carrier_kind(stack) == NAVY


@inner_kernel
def add_land_rays(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    first: int,
    stop: int,
    count: int,
) -> int:
    """Moves, joins, captures and strikes of a land group other than the commander."""
    board = state["board"]
    switches = int(state["switches"])
    variant = switches >> RANGE_SHIFT & RANGE_BITS
    code = group & CODE_MASK
    kind = code >> 1
    captures_over = bool(CAPTURES_OVER[variant, code])
    is_ferry = kind == ENGINEER and stack_size(group) > 1
    base = first_action(side, origin)
    for index in range(first, stop):
        direction = int(BOARD_DIRECTION[side, index])
        move_range = int(MOVE_RANGE[variant, index >> 2, code])
        capture_range = int(CAPTURE_RANGE[variant, index >> 2, code])
        if move_range == 0 and capture_range == 0:
            continue
        if is_ferry:
            # R7.6: together only the one vertical step across the river.
            ranks = origin // NUM_FILES + int(NEXT_POINT[direction, origin]) // NUM_FILES
            if direction & 3 or ranks != 11 or not IS_BANK[origin]:
                continue
            move_range = capture_range = 1
        move = base + int(FIRST_MOVE[index])
        point = origin
        is_cut_off = False
        for distance in range(max(move_range, capture_range)):
            # R3.5, R4.5: across the river only captures go on.
            if DEEP_RIVER[direction, point]:
                is_cut_off = is_cut_off or is_barred(state, side, code, direction, point)
            point = int(NEXT_POINT[direction, point])
            if point < 0:
                break
            may_move = distance < move_range and not is_cut_off
            stack = stack_at(board, point)
            if stack == 0:
                # Sea points are passed on the way to or from a navy (R3.4), never entered alone.
                if may_move and not IS_SEA[point]:
                    count = append(work, count, move + distance)
                continue
            if stack >> 15 == side:
                if may_move and may_join(switches, stack, group, point):
                    count = append(work, count, move + distance)
            elif distance < capture_range and may_attack(switches, kind, stack):
                # R4.3: a target at sea is struck, any other replaced.
                strikes = bool(IS_SEA[point]) or falls_alone(switches, kind, stack)
                action = base + int(FIRST_STRIKE[index]) if strikes else move
                count = append(work, count, action + distance)
            if not is_coast_navy(stack, point):
                if not captures_over:
                    break
                move_range = 0  # it shoots over pieces but is blocked by them (§2)
    return count
