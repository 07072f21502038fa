"""Where aircraft fly and strike, and the zones of air defence (R8)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import DISC, DISC_SIZE, IS_SEA, NEXT_POINT, NUM_POINTS
from cotulenh_env.commander.kernels.rays import (
    BOARD_DIRECTION,
    FIRST_MOVE,
    FIRST_STRIKE,
    append,
    first_action,
)
from cotulenh_env.commander.kernels.stacks import (
    Board,
    carrier_kind,
    may_join,
    stack_at,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import AIR_FORCE, CODE_MASK
from cotulenh_env.commander.state import Record
from cotulenh_env.commander.tables import MOVE_RANGE, ORTHOGONAL, ZONE_RADIUS
from cotulenh_env.kernel import inner_kernel, kernel

Zones = npt.NDArray[np.int32]
"""int32 [132]: bit i of a point = the i-th air-defence unit of one side covers it."""

SAFE, IN_ZONE, SHOT_DOWN = 0, 1, 2
"""How a flight to a point fares (R8.4)."""


@kernel
def fill_zones(board: Board, side: int, zones: Zones) -> None:
    """Writes the zones that the carriers and single pieces of `side` project (R8.1)."""
    for point in range(NUM_POINTS):
        zones[point] = 0
    bit = 1
    for point in range(NUM_POINTS):
        stack = stack_at(board, point)
        if stack == 0 or stack >> 15 != side:
            continue
        radius = int(ZONE_RADIUS[stack & CODE_MASK])
        if radius == 0:
            continue
        for index in range(DISC_SIZE[radius, point]):
            zones[DISC[radius, point, index]] |= bit
        bit <<= 1


@kernel
def flight_fate(zones: Zones, code: int, origin: int, direction: int, distance: int) -> int:
    """SAFE, IN_ZONE or SHOT_DOWN for a flight of `distance` points (R8.4, R8.6)."""
    if code & 1 == 0:
        return SAFE
    entered = 0
    point = origin
    here = 0
    for _ in range(distance):
        point = int(NEXT_POINT[direction, point])
        here = int(zones[point])
        if entered & ~here:
            return SHOT_DOWN
        entered |= here
    return IN_ZONE if here else SAFE


@inner_kernel
def add_flight_rays(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    first: int,
    stop: int,
    allow_shoot_down: bool,
    count: int,
) -> int:
    """Flights, landings, captures and bombings of an aircraft and its passengers.

    The workspace's zones are the enemy's; they are not looked at for a heroic aircraft.
    """
    board = state["board"]
    switches = int(state["switches"])
    zones = work["zones"]
    code = group & CODE_MASK
    is_heroic = code & 1 == 0
    move_range = int(MOVE_RANGE[0, ORTHOGONAL, code])  # the same in every edition and direction
    base = first_action(side, origin)
    for index in range(first, stop):
        direction = int(BOARD_DIRECTION[side, index])
        move = base + int(FIRST_MOVE[index])
        point = origin
        entered = 0
        is_shot_down = False
        for distance in range(move_range):
            point = int(NEXT_POINT[direction, point])
            if point < 0:
                break
            here = 0 if is_heroic else int(zones[point])
            is_shot_down = is_shot_down or entered & ~here != 0
            entered |= here
            stack = stack_at(board, point)
            if stack == 0 or stack >> 15 == side:
                if (IS_SEA[point]) if stack == 0 else (not may_join(switches, stack, group, point)):
                    continue  # R8.2: it cannot land there
                if allow_shoot_down or not (is_shot_down or here):
                    count = append(work, count, move + distance)
            elif is_shot_down:
                if allow_shoot_down:
                    count = append(work, count, move + distance)
            elif here:  # kamikaze (R8.4)
                count = append(work, count, move + distance)
            else:  # R8.3
                is_sea = bool(IS_SEA[point])
                if not is_sea:
                    count = append(work, count, move + distance)
                if is_sea or carrier_kind(stack) != AIR_FORCE:
                    count = append(work, count, base + int(FIRST_STRIKE[index]) + distance)
    return count
