"""Changing a point, removing pieces, points and lost divisions (R2.3, R10.1–R10.3, R10.6)."""

from __future__ import annotations

from cotulenh_env.commander.kernels.stacks import (
    code_at,
    stack_at,
)
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ARTILLERY,
    COMMANDER,
    INFANTRY,
    NAVY,
    TANK,
    VALUE,
)
from cotulenh_env.commander.rules import AIR, SEA, STANDARD
from cotulenh_env.commander.state import (
    ARMED_AIR,
    ARMED_COMMANDER,
    ARMED_LAND,
    ARMED_NAVY,
    BY_BATTLE,
    NO_POINT,
    UNFINISHED,
    ZOBRIST,
    Record,
)
from cotulenh_env.kernel import inner_kernel

WIN_BONUS = 100
"""Points for winning by R10.1 (R10.6)."""


@inner_kernel
def stack_key(stack: int, point: int) -> int:
    """The stack's share of a position's key."""
    side = stack >> 15
    key = 0
    for slot in range(3):
        key ^= int(ZOBRIST[side, code_at(stack, slot), point]) >> slot
    return key


@inner_kernel
def put(state: Record, point: int, stack: int) -> None:
    """Sets what stands on a point, and keeps the key true."""
    state["key"] = (
        int(state["key"])
        ^ stack_key(stack_at(state["board"], point), point)
        ^ stack_key(stack, point)
    )
    state["board"][point] = stack


@inner_kernel
def lose(state: Record, stack: int) -> None:
    """Books the pieces of a stack, passengers included, as lost to the other side (R2.3, R10.6)."""
    side = stack >> 15
    for slot in range(3):
        code = code_at(stack, slot)
        if code == 0:
            break
        state["counts"][side, code >> 1] -= 1
        state["points"][1 - side] += VALUE[code]
        if code >> 1 == COMMANDER:
            state["commander"][side] = NO_POINT
    state["turn_loss"] = 1
    state["quiet_turns"] = 0


@inner_kernel
def has_lost_battle(state: Record, side: int) -> bool:
    """Whether the side has lost what the battle is about (R10.1, R10.2)."""
    counts = state["counts"][side]
    armed = int(state["armed"][side])
    battle = int(state["battle"])
    lost_navy = armed & ARMED_NAVY != 0 and counts[NAVY] == 0
    lost_air = armed & ARMED_AIR != 0 and counts[AIR_FORCE] == 0
    if battle == SEA:
        return lost_navy
    if battle == AIR:
        return lost_air
    if armed & ARMED_COMMANDER != 0 and counts[COMMANDER] == 0:
        return True
    if battle != STANDARD:
        return False
    lost_land = armed & ARMED_LAND != 0 and (
        counts[INFANTRY] == 0 and counts[TANK] == 0 and counts[ARTILLERY] == 0
    )
    return lost_navy or lost_air or lost_land


@inner_kernel
def settle_battle(state: Record) -> None:
    """Ends the game if a side has lost the battle; if both have, the mover wins (R10.3)."""
    mover = int(state["player"])
    winner = UNFINISHED
    if has_lost_battle(state, 1 - mover):
        winner = mover
    elif has_lost_battle(state, mover):
        winner = 1 - mover
    if winner != UNFINISHED:
        state["winner"] = winner
        state["reason"] = BY_BATTLE
        state["points"][winner] += WIN_BONUS
