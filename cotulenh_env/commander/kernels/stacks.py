"""Pieces on one point: splitting, merging and standing (R7.1, R7.3, R7.5, R7.6)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import IS_BANK, IS_COAST, IS_SEA
from cotulenh_env.commander.pieces import (
    CODE_BITS,
    CODE_MASK,
    ENGINEER,
    NAVY,
    PIECES_MASK,
    SIDE_BIT,
)
from cotulenh_env.commander.tables import LEGAL_STACK, MAY_SHARE, STACK_BITS
from cotulenh_env.kernel import inner_kernel

Board = npt.NDArray[np.uint16]


@inner_kernel
def stack_at(board: Board, point: int) -> int:
    """What stands on the point, as a signed number: Numba makes floats of signed and unsigned."""
    return np.int64(board[point])  # type: ignore[return-value]


@inner_kernel
def carrier_kind(stack: int) -> int:
    """Kind of the first piece; 0 for an empty point."""
    return (stack & CODE_MASK) >> 1


@inner_kernel
def code_at(stack: int, slot: int) -> int:
    """Code of the piece in the slot; 0 when there is none."""
    return (stack >> (CODE_BITS * slot)) & CODE_MASK


@inner_kernel
def stack_size(stack: int) -> int:
    """Number of pieces."""
    pieces = stack & PIECES_MASK
    if pieces == 0:
        return 0
    if pieces < 1 << CODE_BITS:
        return 1
    return 2 if pieces < 1 << (2 * CODE_BITS) else 3


@inner_kernel
def extract(stack: int, mask: int) -> int:
    """The pieces whose slots are in the mask, as a stack of the same side; 0 when there is none."""
    pieces = 0
    shift = 0
    for slot in range(3):
        code = (stack >> (CODE_BITS * slot)) & CODE_MASK
        if code != 0 and (mask >> slot) & 1:
            pieces |= code << shift
            shift += CODE_BITS
    return pieces | (stack & SIDE_BIT) if pieces else 0


@inner_kernel
def extract_mask(mask: int, kept: int) -> int:
    """The mask's bits of the kept slots, closed up as `extract(stack, kept)` does the pieces."""
    result = 0
    shift = 0
    for slot in range(3):
        if (kept >> slot) & 1:
            result |= ((mask >> slot) & 1) << shift
            shift += 1
    return result


@inner_kernel
def expand_mask(mask: int, within: int) -> int:
    """Slots of the mask's bits, counted over the set bits of `within` from the lowest up."""
    result = 0
    index = 0
    for slot in range(3):
        if (within >> slot) & 1:
            result |= ((mask >> index) & 1) << slot
            index += 1
    return result


@inner_kernel
def is_lowest_mask(stack: int, mask: int, within: int) -> bool:
    """Whether no equal piece of a lower slot in `within` could stand in for one of the mask's."""
    for slot in range(1, 3):
        if (mask >> slot) & 1:
            code = code_at(stack, slot)
            for lower in range(slot):
                if (
                    (within >> lower) & 1
                    and not (mask >> lower) & 1
                    and code_at(stack, lower) == code
                ):
                    return False
    return True


@inner_kernel
def settle_mask(stack: int, mask: int) -> int:
    """The same choice of pieces with equal ones in the lowest slots, so equal states are equal."""
    for _ in range(2):
        for slot in range(2):
            pair = (mask >> slot) & 3
            if pair == 2 and code_at(stack, slot) == code_at(stack, slot + 1):
                mask ^= 3 << slot
    return mask


@inner_kernel
def sort_codes(first: int, second: int, third: int) -> int:
    """Three codes (0 = none) packed in canonical order, without side."""
    # No piece sorts last: 0 - 1 wraps to the top of 6 bits.
    a, b, c = (first - 1) & 63, (second - 1) & 63, (third - 1) & 63
    if b < a:
        a, b = b, a
    if c < b:
        b, c = c, b
    if b < a:
        a, b = b, a
    a, b, c = (a + 1) & 63, (b + 1) & 63, (c + 1) & 63
    return a | b << CODE_BITS | c << (2 * CODE_BITS)


@inner_kernel
def is_legal_stack(switches: int, stack: int) -> bool:
    """Whether the pieces are one piece or a legal stack (R7.1)."""
    return bool(
        LEGAL_STACK[
            switches & STACK_BITS,
            code_at(stack, 0) >> 1,
            code_at(stack, 1) >> 1,
            code_at(stack, 2) >> 1,
        ]
    )


@inner_kernel
def can_stand(stack: int, point: int) -> bool:
    """Whether the carrier can stand there (R1.2)."""
    if carrier_kind(stack) == NAVY:
        return bool(IS_SEA[point] or IS_COAST[point])
    return not IS_SEA[point]


@inner_kernel
def may_stay(switches: int, stack: int, point: int) -> bool:
    """Whether what is left at a turn's origin may stay there: nothing, or a legal stack (R7.10)."""
    return stack == 0 or (is_legal_stack(switches, stack) and can_stand(stack, point))


@inner_kernel
def may_join(switches: int, stack: int, group: int, point: int) -> bool:
    """Whether the group may join the stack at the point (R7.3, R7.6).

    The table says no in most cases, and spares the work of `merge`.
    """
    may_share = MAY_SHARE[switches & STACK_BITS, carrier_kind(stack), carrier_kind(group)]
    return bool(may_share) and merge(switches, stack, group, point) != 0


@inner_kernel
def merge(switches: int, stack: int, group: int, point: int) -> int:
    """The stack after the group has joined it at the point, or 0 when it may not (R7.3, R7.6)."""
    size = stack_size(stack)
    joining = stack_size(group)
    if size + joining > 3:
        return 0
    pieces = (stack & PIECES_MASK) | (group & PIECES_MASK) << (CODE_BITS * size)
    merged = sort_codes(code_at(pieces, 0), code_at(pieces, 1), code_at(pieces, 2))
    if not is_legal_stack(switches, merged) or not can_stand(merged, point):
        return 0
    if carrier_kind(merged) == ENGINEER and not IS_BANK[point]:
        return 0
    return merged | (stack & SIDE_BIT)
