"""Headquarters with their commander inside (R4.4, R12.2)."""

from __future__ import annotations

from cotulenh_env.commander.kernels.stacks import carrier_kind, stack_size
from cotulenh_env.commander.pieces import HEADQUARTERS
from cotulenh_env.commander.switches import HEADQUARTERS_FALLS_ALONE
from cotulenh_env.commander.tables import CAPTURES_HIDDEN_COMMANDER
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def holds_commander(stack: int) -> bool:
    """Whether the stack is a headquarters with its commander inside."""
    return carrier_kind(stack) == HEADQUARTERS and stack_size(stack) > 1


@inner_kernel
def may_attack(switches: int, kind: int, target: int) -> bool:
    """Whether land pieces of the kind may do anything to that stack (R4.4)."""
    if switches & HEADQUARTERS_FALLS_ALONE or not holds_commander(target):
        return True
    return bool(CAPTURES_HIDDEN_COMMANDER[0, kind])


@inner_kernel
def falls_alone(switches: int, kind: int, target: int) -> bool:
    """Whether the kind takes only the headquarters of that stack, by a strike (R12.2)."""
    if not switches & HEADQUARTERS_FALLS_ALONE or not holds_commander(target):
        return False
    return not CAPTURES_HIDDEN_COMMANDER[1, kind]
