"""Who attacks a stack, a commander's above all (R6.4, R9.1, R10.8).

An attacker is looked for outward from its target; whether it could capture is asked of its own
ray, so that capturing has one implementation.
"""

from __future__ import annotations

from cotulenh_env.commander.board import NEXT_POINT
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.groups import add_rays
from cotulenh_env.commander.kernels.headquarters import falls_alone
from cotulenh_env.commander.kernels.rays import FIRST_MOVE, FIRST_STRIKE, RAY, first_action
from cotulenh_env.commander.kernels.stacks import (
    code_at,
    stack_at,
)
from cotulenh_env.commander.kernels.workspace import ANSWERS, Workspace
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    COMMANDER,
    HEADQUARTERS,
    SIDE_BIT,
)
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.kernel import inner_kernel

MAX_ATTACK_DISTANCE = 5
"""No piece but a commander captures further (heroic aircraft and navies)."""

MAX_SIGHT = 11
"""Commanders capture each other across the whole board (R6.4)."""


@inner_kernel
def attacks_along(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    code: int,
    direction: int,
    distance: int,
    target_stack: int,
) -> bool:
    """Whether the piece, alone on its point, could capture an enemy stack whole (R9.1).

    Args:
        state: the position.
        work: its zones are the other side's, needed for a plain aircraft.
        side: of the piece.
        origin: where it stands.
        code: the piece; a commander is taken as it stands (R6.4, R6.5).
        direction: board direction towards the stack.
        distance: in points.
        target_stack: what stands there.
    """
    if code >> 1 == HEADQUARTERS:
        return False
    if falls_alone(int(state["switches"]), code >> 1, target_stack):
        return False  # R12.2: it would leave the commander
    group = code | SIDE_BIT if side else code
    # Shot-down flights are left out: they capture nothing.
    ray = int(RAY[side, direction])
    stop = add_rays(state, work, side, origin, group, ray, ray + 1, False, ANSWERS)
    base = first_action(side, origin) + distance - 1
    move = base + int(FIRST_MOVE[ray])
    strike = base + int(FIRST_STRIKE[ray])
    for index in range(ANSWERS, stop):
        if work["lists"][index] == move or work["lists"][index] == strike:
            return True
    return False


@inner_kernel
def find_attackers(
    state: Record,
    work: Workspace,
    side: int,
    target: int,
    max_distance: int,
    is_one_enough: bool,
    count: int,
) -> int:
    """Appends the side's pieces that could capture the enemy stack on a point, one by one (R9.1).

    Args:
        state: the position.
        work: its `attackers` get point × 4 + slot; its zones are overwritten.
        side: of the attackers.
        target: a point where the other side stands.
        max_distance: MAX_ATTACK_DISTANCE leaves commanders out, MAX_SIGHT looks for them, too.
        is_one_enough: stop at the first.
        count: index in `attackers` from which to write.

    Returns:
        The index behind the last.
    """
    board = state["board"]
    target_stack = stack_at(board, target)
    zones_filled = False
    for outward in range(8):
        point = target
        for distance in range(1, max_distance + 1):
            point = int(NEXT_POINT[outward, point])
            if point < 0:
                break
            stack = stack_at(board, point)
            if stack == 0 or stack >> 15 != side:
                continue
            for slot in range(3):
                code = code_at(stack, slot)
                if code == 0:
                    break
                if code >> 1 == COMMANDER:
                    if max_distance < MAX_SIGHT:
                        continue
                elif distance > MAX_ATTACK_DISTANCE:
                    continue
                if code >> 1 == AIR_FORCE and not zones_filled:
                    fill_zones(board, 1 - side, work["zones"])
                    zones_filled = True
                inward = (outward + 4) & 7
                if attacks_along(state, work, side, point, code, inward, distance, target_stack):
                    work["attackers"][count] = point << 2 | slot
                    count += 1
                    if is_one_enough:
                        return count
    return count


@inner_kernel
def is_commander_exposed(state: Record, work: Workspace, side: int) -> bool:
    """Whether some enemy piece or group could capture the side's commander now (R10.8).

    A group captures what its carrier alone could, so single pieces suffice.
    """
    target = int(state["commander"][side])
    if target == NO_POINT:
        return False
    return find_attackers(state, work, 1 - side, target, MAX_SIGHT, True, 0) > 0
