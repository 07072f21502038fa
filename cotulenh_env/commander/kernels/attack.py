"""Who attacks a commander (R6.4, R9.1, R10.8).

An attacker is looked for outward from the commander; whether it could capture is asked of its own
ray, so that capturing has one implementation.
"""

from __future__ import annotations

from cotulenh_env.commander.board import NEXT_POINT
from cotulenh_env.commander.kernels.commander import are_face_to_face
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.groups import add_ray
from cotulenh_env.commander.kernels.headquarters import falls_alone
from cotulenh_env.commander.kernels.rays import first_move, first_strike
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


@inner_kernel
def attacks_along(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    code: int,
    direction: int,
    distance: int,
) -> bool:
    """Whether the piece, alone on its point, could capture the enemy commander's stack (R9.1).

    Args:
        state: the position.
        work: its zones are the other side's, needed for a plain aircraft.
        side: of the piece.
        origin: where it stands.
        code: the piece; no commander.
        direction: board direction towards the commander.
        distance: in points.
    """
    if code >> 1 == HEADQUARTERS:
        return False
    target = stack_at(state["board"], int(state["commander"][1 - side]))
    if falls_alone(int(state["switches"]), code >> 1, target):
        return False  # R12.2: it would leave the commander
    group = code | SIDE_BIT if side else code
    # Shot-down flights are left out: they capture nothing.
    stop = add_ray(state, work, side, origin, group, direction, False, ANSWERS)
    move = first_move(side, origin, direction) + distance - 1
    strike = first_strike(side, origin, direction) + distance - 1
    for index in range(ANSWERS, stop):
        if work["lists"][index] == move or work["lists"][index] == strike:
            return True
    return False


@inner_kernel
def is_commander_exposed(state: Record, work: Workspace, side: int) -> bool:
    """Whether some enemy piece or group could capture the side's commander now (R10.8).

    A group captures what its carrier alone could, so single pieces suffice. Overwrites
    the workspace's zones.
    """
    target = int(state["commander"][side])
    if target == NO_POINT:
        return False
    board = state["board"]
    enemy = 1 - side
    switches = int(state["switches"])
    if are_face_to_face(state):
        return True
    zones_filled = False
    for outward in range(8):
        point = target
        for distance in range(1, MAX_ATTACK_DISTANCE + 1):
            point = int(NEXT_POINT[outward, point])
            if point < 0:
                break
            stack = stack_at(board, point)
            if stack == 0 or stack >> 15 != enemy:
                continue
            for slot in range(3):
                code = code_at(stack, slot)
                if code == 0:
                    break
                if code >> 1 == COMMANDER:
                    if (
                        distance == 1
                        and outward & 1 == 0
                        and not falls_alone(switches, COMMANDER, stack_at(board, target))
                    ):
                        return True
                    continue
                if code >> 1 == AIR_FORCE and not zones_filled:
                    fill_zones(board, side, work["zones"])
                    zones_filled = True
                inward = (outward + 4) & 7
                if attacks_along(state, work, enemy, point, code, inward, distance):
                    return True
    return False
