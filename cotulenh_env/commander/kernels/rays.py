"""Land pieces along one direction (R2.2, R3, R4), and what all kinds of rays share.

A ray starts at the group's origin and appends to the lists of the workspace an action for every
point where the group may move, join, capture or strike. `direction` is the board's; actions are
numbered from the mover's side.
"""

from __future__ import annotations

from cotulenh_env.commander.actions import (
    MIRRORED_DIRECTION,
    MIRRORED_POINT,
    MOVE_PLANE,
    NUM_PLANES,
    STRIKE_PLANE,
)
from cotulenh_env.commander.board import (
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
    merge,
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


@inner_kernel
def append(work: Workspace, count: int, action: int) -> int:
    """Writes the action at the index `count` of the lists; returns the next index."""
    work["lists"][count] = action
    return count + 1


@inner_kernel
def first_move(side: int, origin: int, direction: int) -> int:
    """The action MOVE by one point; each further point adds 1."""
    plane = MOVE_PLANE[MIRRORED_DIRECTION[side, direction]]
    return int(MIRRORED_POINT[side, origin]) * NUM_PLANES + int(plane)


@inner_kernel
def first_strike(side: int, origin: int, direction: int) -> int:
    """The action STRIKE at one point's distance; each further point adds 1."""
    plane = STRIKE_PLANE[MIRRORED_DIRECTION[side, direction]]
    return int(MIRRORED_POINT[side, origin]) * NUM_PLANES + int(plane)


@inner_kernel
def is_coast_navy(stack: int, point: int) -> bool:
    """Whether the stack is a navy on the coast, which blocks no land piece (R3.3)."""
    return bool(IS_COAST[point]) and carrier_kind(stack) == NAVY


@inner_kernel
def add_land_ray(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    direction: int,
    count: int,
) -> int:
    """Moves, joins, captures and strikes of a land group other than the commander."""
    board = state["board"]
    switches = int(state["switches"])
    variant = switches >> RANGE_SHIFT & RANGE_BITS
    code = group & CODE_MASK
    kind = code >> 1
    move_range = int(MOVE_RANGE[variant, direction & 1, code])
    capture_range = int(CAPTURE_RANGE[variant, direction & 1, code])
    if kind == ENGINEER and stack_size(group) > 1:
        # R7.6: together only the one vertical step across the river.
        ranks = origin // NUM_FILES + int(NEXT_POINT[direction, origin]) // NUM_FILES
        if direction & 3 or ranks != 11 or not IS_BANK[origin]:
            return count
        move_range = capture_range = 1
    if move_range == 0 and capture_range == 0:
        return count
    move = first_move(side, origin, direction)
    point = origin
    is_cut_off = False
    for distance in range(max(move_range, capture_range)):
        # R3.5, R4.5: across the river only captures go on.
        is_cut_off = is_cut_off or is_barred(board, switches, side, code, direction, point)
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
            if may_move and merge(switches, stack, group, point) != 0:
                count = append(work, count, move + distance)
        elif distance < capture_range and may_attack(switches, kind, stack):
            # R4.3: a target at sea is struck, any other replaced.
            strikes = bool(IS_SEA[point]) or falls_alone(switches, kind, stack)
            count = append(
                work, count, (first_strike(side, origin, direction) if strikes else move) + distance
            )
        if not is_coast_navy(stack, point):
            if not CAPTURES_OVER[variant, code]:
                break
            move_range = 0  # it shoots over pieces but is blocked by them (§2)
    return count
