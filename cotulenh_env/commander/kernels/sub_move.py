"""Playing one group's move or strike (R4.1, R4.2, R7.3, R7.8, R8.4)."""

from __future__ import annotations

from cotulenh_env.commander.board import NEXT_POINT
from cotulenh_env.commander.kernels.flight import (
    IN_ZONE,
    SAFE,
    SHOT_DOWN,
    fill_zones,
    flight_fate,
)
from cotulenh_env.commander.kernels.headquarters import falls_alone
from cotulenh_env.commander.kernels.losses import lose, put, settle_battle
from cotulenh_env.commander.kernels.stacks import (
    carrier_kind,
    code_at,
    extract,
    extract_mask,
    merge,
    settle_mask,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import AIR_FORCE, CODE_MASK, COMMANDER, NAVY
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.commander.switches import NAVY_MOVES_AFTER_STRIKE
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def begin_deployment(state: Record, origin: int) -> None:
    """Opens the turn of a point, unless it is open already."""
    if state["unacted"] == 0:
        state["origin"] = origin
        state["unacted"] = (1 << stack_size(stack_at(state["board"], origin))) - 1


@inner_kernel
def may_sail_on(state: Record) -> bool:
    """Whether a navy has struck as a whole stack and may still move (R12.2).

    That whole stack has acted in its first sub-move, and stands where it was.
    """
    if state["unacted"] != 0 or state["num_sub_moves"] != 1 or state["origin"] == NO_POINT:
        return False
    if not state["switches"] & NAVY_MOVES_AFTER_STRIKE:
        return False
    return carrier_kind(stack_at(state["board"], int(state["origin"]))) == NAVY


@inner_kernel
def play_sub_move(
    state: Record, work: Workspace, mask: int, direction: int, distance: int, is_strike: bool
) -> None:
    """The pieces in the slots of `mask` at the origin move or strike along a board direction.

    Settles losses, points and the battle; the turn does not end here. Overwrites the
    workspace's zones.
    """
    origin = int(state["origin"])
    stack = stack_at(state["board"], origin)
    side = stack >> 15
    group = extract(stack, mask)
    target = origin
    for _ in range(distance):
        target = int(NEXT_POINT[direction, target])
    target_stack = stack_at(state["board"], target)
    state["num_sub_moves"] += 1
    state["selected"] = 0

    if is_strike:  # R7.8: it returns, and has acted
        taken = 7
        if falls_alone(int(state["switches"]), carrier_kind(group), target_stack):
            taken = 1  # the commander stays (R12.2)
        lose(state, extract(target_stack, taken))
        put(state, target, extract(target_stack, 7 & ~taken))
        state["unacted"] = settle_mask(stack, int(state["unacted"]) & ~mask)
        settle_battle(state)
        return

    fate = SAFE
    if carrier_kind(group) == AIR_FORCE and group & 1:
        fill_zones(state["board"], 1 - side, work["zones"])
        fate = flight_fate(work["zones"], group & CODE_MASK, origin, direction, distance)
    stay_mask = 7 & ~mask
    stay = extract(stack, stay_mask)
    put(state, origin, stay)
    state["unacted"] = (
        settle_mask(stay, extract_mask(int(state["unacted"]), stay_mask)) if stay else 0
    )
    if fate == SHOT_DOWN:
        lose(state, group)
    elif target_stack != 0 and target_stack >> 15 != side:
        lose(state, target_stack)
        if fate == IN_ZONE:  # kamikaze
            lose(state, group)
            put(state, target, 0)
        else:
            _arrive(state, side, group, target, group)
    elif fate == IN_ZONE:
        lose(state, group)
    elif target_stack != 0:
        merged = merge(int(state["switches"]), target_stack, group, target)
        _arrive(state, side, group, target, merged)
    else:
        _arrive(state, side, group, target, group)
    settle_battle(state)


@inner_kernel
def _arrive(state: Record, side: int, group: int, target: int, stack: int) -> None:
    """Puts the stack that the group has become on the target."""
    put(state, target, stack)
    for slot in range(3):
        if code_at(group, slot) >> 1 == COMMANDER:
            state["commander"][side] = target
