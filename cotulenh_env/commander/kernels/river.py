"""Crossing the river without capturing (R3.5, R12.2)."""

from __future__ import annotations

from cotulenh_env.commander.board import NEXT_POINT
from cotulenh_env.commander.kernels.stacks import carrier_kind, stack_at
from cotulenh_env.commander.pieces import ENGINEER, INFANTRY, IS_HEAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.commander.switches import ENGINEER_BRIDGES, INFANTRY_NEEDS_REEF
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def is_barred(state: Record, side: int, code: int, direction: int, point: int) -> bool:
    """Whether a step from the point across deep water is barred for the piece."""
    switches = int(state["switches"])
    if not IS_HEAVY[code]:
        return code >> 1 == INFANTRY and switches & INFANTRY_NEEDS_REEF != 0
    if not switches & ENGINEER_BRIDGES or direction & 3:
        return True
    return not (
        _is_engineer(state, side, point)
        or _is_engineer(state, side, int(NEXT_POINT[direction, point]))
    )


@inner_kernel
def _is_engineer(state: Record, side: int, point: int) -> bool:
    """Whether a friendly engineer stands there; in a stack it is the carrier (R7.1)."""
    stack = stack_at(state["board"], point)
    return carrier_kind(stack) == ENGINEER and stack >> 15 == side
