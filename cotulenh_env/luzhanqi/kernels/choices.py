"""Referee mode: the choices of the enemy's tokens as counting needs them (worlds.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.kernels.evidence import KindBits
from cotulenh_env.luzhanqi.pieces import CHIEF, COUNT, ENGINEER, NUM_KINDS, NUM_PIECES

ALL_RANKS = sum(1 << kind for kind in range(ENGINEER, CHIEF + 1))

MAX_SPECIAL = 24
"""Of a number with digits for one flag, three mines and two bombs: 2 × 4 × 3."""

DIGIT_BITS = 5
DIGIT_MASK = (1 << DIGIT_BITS) - 1
"""Twelve groups, each of at most 25 pieces, fit into 60 bits."""

CHOICES_DTYPE = np.dtype(
    [
        ("num_groups", np.int32),
        ("group_of", np.int32, (NUM_KINDS + 1,)),  # by kind
        ("size", np.int32, (NUM_KINDS + 1,)),  # by group: its pieces
        ("factor", np.int32, (NUM_KINDS + 1,)),  # by group: the value of its digit in a number
        ("all_left", np.int64),  # `left` before the first choice
        ("number", np.int32),  # its number
        ("num_head", np.int32),
        ("order", np.int32, (NUM_PIECES,)),  # tokens: the head, then the tail
        ("chosen", np.int32, (NUM_PIECES,)),  # in that order: bits 1 << group of what they can be
        ("common", np.int32),  # bits 1 << group of what all of the tail can be
        ("special", np.int32),  # bits 1 << group of what only some of it can be
        ("special_factor", np.int32, (NUM_KINDS + 1,)),  # by group: its digit in a special number
        ("num_special", np.int32),  # how many special numbers there are, at most MAX_SPECIAL
    ]
)

Choices = Any
"""A record of CHOICES_DTYPE."""


@inner_kernel
def fill_choices(bits: KindBits, choices: Choices) -> None:
    """Groups the kinds, and sorts the tokens into head and tail.

    Args:
        bits: int32 [25], by token: bits 1 << kind of what it can be.
        choices: a record, overwritten.
    """
    _group_kinds(bits, choices)
    _order_tokens(bits, choices)
    _sort_groups(choices)


@inner_kernel
def _group_kinds(bits: KindBits, choices: Choices) -> None:
    columns = np.zeros(NUM_KINDS + 1, np.int64)
    num_groups = 0
    for kind in range(1, NUM_KINDS + 1):
        column = 0
        for token in range(NUM_PIECES):
            column |= (int(bits[token]) >> kind & 1) << token
        found = 0
        while found < num_groups and columns[found] != column:
            found += 1
        if found == num_groups:
            columns[found] = column
            choices["size"][found] = 0
            num_groups += 1
        choices["group_of"][kind] = found
        choices["size"][found] += int(COUNT[kind])
    choices["num_groups"] = num_groups
    factor = 1
    all_left = 0
    for group in range(num_groups):
        choices["factor"][group] = factor
        factor *= int(choices["size"][group]) + 1
        all_left += int(choices["size"][group]) << DIGIT_BITS * group
    choices["all_left"] = all_left
    choices["number"] = factor - 1


@inner_kernel
def _order_tokens(bits: KindBits, choices: Choices) -> None:
    """The head begins with the tokens that can be least, and equal ones are neighbours."""
    widest = 0
    for token in range(NUM_PIECES):
        if _num_bits(int(bits[token]) & ALL_RANKS) > _num_bits(widest):
            widest = int(bits[token]) & ALL_RANKS
    num_head = 0
    for token in range(NUM_PIECES):
        if int(bits[token]) & ALL_RANKS == widest:
            continue
        chosen = _groups_in(int(bits[token]), choices)
        place = num_head
        while place > 0 and _comes_before(chosen, int(choices["chosen"][place - 1])):
            choices["chosen"][place] = choices["chosen"][place - 1]
            choices["order"][place] = choices["order"][place - 1]
            place -= 1
        choices["chosen"][place] = chosen
        choices["order"][place] = token
        num_head += 1
    choices["num_head"] = num_head
    for token in range(NUM_PIECES):
        if int(bits[token]) & ALL_RANKS == widest:
            choices["chosen"][num_head] = _groups_in(int(bits[token]), choices)
            choices["order"][num_head] = token
            num_head += 1


@inner_kernel
def _groups_in(kinds: int, choices: Choices) -> int:
    groups = 0
    for kind in range(1, NUM_KINDS + 1):
        if kinds >> kind & 1:
            groups |= 1 << int(choices["group_of"][kind])
    return groups


@inner_kernel
def _comes_before(one: int, other: int) -> bool:
    fewer = _num_bits(other) - _num_bits(one)
    return fewer > 0 or (fewer == 0 and one < other)


@inner_kernel
def _num_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@inner_kernel
def _sort_groups(choices: Choices) -> None:
    """Finds out which groups are common and which are special to the tail."""
    common, some = -1, 0
    for place in range(int(choices["num_head"]), NUM_PIECES):
        common &= int(choices["chosen"][place])
        some |= int(choices["chosen"][place])
    choices["common"] = common & some
    choices["special"] = some & ~common
    factor = 1
    for group in range(int(choices["num_groups"])):
        choices["special_factor"][group] = 0
        if int(choices["special"]) >> group & 1:
            choices["special_factor"][group] = factor
            factor *= int(choices["size"][group]) + 1
    choices["num_special"] = factor


@inner_kernel
def digit(left: int, group: int) -> int:
    """How many pieces of a group are left."""
    return left >> DIGIT_BITS * group & DIGIT_MASK
