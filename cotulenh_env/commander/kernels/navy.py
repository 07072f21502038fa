"""Where navies sail and shoot (R5, R3.3)."""

from __future__ import annotations

from cotulenh_env.commander.board import NAVIGABLE, NEXT_POINT
from cotulenh_env.commander.kernels.rays import (
    BOARD_DIRECTION,
    FIRST_MOVE,
    FIRST_STRIKE,
    append,
    first_action,
)
from cotulenh_env.commander.kernels.stacks import (
    carrier_kind,
    may_join,
    stack_at,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import CODE_MASK, NAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.commander.switches import NAVIES_PASS_NAVIES, NAVY_MISSILE_STRIKES
from cotulenh_env.commander.tables import GUN_RANGE, MOVE_RANGE, ORTHOGONAL
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def add_navy_rays(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    first: int,
    stop: int,
    count: int,
) -> int:
    """Moves, joins, missile captures and gun captures of a navy and its passengers."""
    board = state["board"]
    switches = int(state["switches"])
    code = group & CODE_MASK
    move_range = int(MOVE_RANGE[0, ORTHOGONAL, code])  # the same in every edition and direction
    gun_range = int(GUN_RANGE[code])
    base = first_action(side, origin)
    for index in range(first, stop):
        direction = int(BOARD_DIRECTION[side, index])
        move = base + int(FIRST_MOVE[index])
        strike = base + int(FIRST_STRIKE[index])
        point = origin
        reaches = True  # R5.1
        for distance in range(max(move_range, gun_range)):
            reaches = reaches and distance < move_range and bool(NAVIGABLE[direction, point])
            if not reaches and distance >= gun_range:
                break
            point = int(NEXT_POINT[direction, point])
            if point < 0:
                break
            stack = stack_at(board, point)
            if stack == 0:
                if reaches:
                    count = append(work, count, move + distance)
                continue
            is_navy = carrier_kind(stack) == NAVY
            if stack >> 15 == side:
                if reaches and may_join(switches, stack, group, point):
                    count = append(work, count, move + distance)
            elif is_navy:
                if reaches:  # the anti-ship missile (R5.2)
                    count = append(work, count, move + distance)
                    if switches & NAVY_MISSILE_STRIKES:
                        count = append(work, count, strike + distance)
            elif distance < gun_range:  # the gun (R5.3): replaces what the navy can reach
                count = append(work, count, (move if reaches else strike) + distance)
            if is_navy and not switches & NAVIES_PASS_NAVIES:
                reaches = False
    return count
