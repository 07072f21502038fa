"""Promotions at the end of a turn (R9)."""

from __future__ import annotations

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.attack import MAX_ATTACK_DISTANCE, find_attackers
from cotulenh_env.commander.kernels.losses import put
from cotulenh_env.commander.kernels.stacks import (
    code_at,
    sort_codes,
    stack_at,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import (
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
        target = int(state["commander"][1 - side])
        if target != NO_POINT:
            count = find_attackers(state, work, side, target, MAX_ATTACK_DISTANCE, False, count)
    attackers = work["attackers"]
    index = 0
    while index < count:
        # One by one they would change places under each other (R7.5).
        point = int(attackers[index]) >> 2
        mask = 0
        while index < count and attackers[index] >> 2 == point:
            mask |= 1 << (int(attackers[index]) & 3)
            index += 1
        _promote(state, point, mask)
    for side in range(2):
        _promote_last_defender(state, side)


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
