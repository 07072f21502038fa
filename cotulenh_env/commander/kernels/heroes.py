"""Promotions at the end of a turn (R9)."""

from __future__ import annotations

from cotulenh_env.commander.board import NEXT_POINT, NUM_POINTS
from cotulenh_env.commander.kernels.attack import MAX_ATTACK_DISTANCE, attacks_along
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.losses import put
from cotulenh_env.commander.kernels.stacks import (
    code_at,
    sort_codes,
    stack_at,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    COMMANDER,
    HEADQUARTERS,
    INFANTRY,
    NUM_KINDS,
    SIDE_BIT,
)
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.commander.switches import LAST_DEFENDER_IS_INFANTRY
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def promote_heroes(state: Record, work: Workspace) -> None:
    """Marks every attacker of a commander, and last defenders, as heroic.

    All are found before any is marked: promotions of one turn are simultaneous (R9.1).
    """
    count = 0
    for side in range(2):
        count = _find_attackers(state, work, side, count)
    for index in range(count):
        _promote(state, int(work["promotions"][index]) >> 3, int(work["promotions"][index]) & 7)
    for side in range(2):
        _promote_last_defender(state, side)


@inner_kernel
def _find_attackers(state: Record, work: Workspace, side: int, count: int) -> int:
    """Appends the plain pieces of `side` that attack the other commander (R9.1)."""
    target = int(state["commander"][1 - side])
    if target == NO_POINT:
        return count
    board = state["board"]
    zones_filled = False
    for outward in range(8):
        point = target
        for distance in range(1, MAX_ATTACK_DISTANCE + 1):
            point = int(NEXT_POINT[outward, point])
            if point < 0:
                break
            stack = stack_at(board, point)
            if stack == 0 or stack >> 15 != side:
                continue
            mask = 0
            for slot in range(3):
                code = code_at(stack, slot)
                if code & 1 == 0 or code >> 1 == COMMANDER:
                    continue
                if code >> 1 == AIR_FORCE and not zones_filled:
                    fill_zones(board, 1 - side, work["zones"])
                    zones_filled = True
                inward = (outward + 4) & 7
                if attacks_along(state, work, side, point, code, inward, distance):
                    mask |= 1 << slot
            if mask:
                work["promotions"][count] = point << 3 | mask
                count += 1
    return count


@inner_kernel
def _promote(state: Record, point: int, mask: int) -> None:
    """Makes the pieces in the slots heroic; the canonical order may change (R7.5)."""
    stack = stack_at(state["board"], point)
    first, second, third = code_at(stack, 0), code_at(stack, 1), code_at(stack, 2)
    if mask & 1:
        first &= ~1
    if mask & 2:
        second &= ~1
    if mask & 4:
        third &= ~1
    put(state, point, sort_codes(first, second, third) | (stack & SIDE_BIT))


@inner_kernel
def _promote_last_defender(state: Record, side: int) -> None:
    """A commander's only companion, headquarters not counted, becomes heroic (R9.3, R12.2)."""
    counts = state["counts"][side]
    companions = 0
    for kind in range(1, NUM_KINDS + 1):
        if kind != COMMANDER and kind != HEADQUARTERS:
            companions += int(counts[kind])
    if companions != 1 or counts[COMMANDER] == 0:
        return
    board = state["board"]
    for point in range(NUM_POINTS):
        stack = stack_at(board, point)
        if stack == 0 or stack >> 15 != side:
            continue
        for slot in range(3):
            code = code_at(stack, slot)
            if code & 1 and code >> 1 != COMMANDER and code >> 1 != HEADQUARTERS:
                if code >> 1 == INFANTRY or not state["switches"] & LAST_DEFENDER_IS_INFANTRY:
                    _promote(state, point, 1 << slot)
                return
