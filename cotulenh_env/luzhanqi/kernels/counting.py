"""Referee mode: counting the enemy's layouts that a player cannot tell apart (worlds.py).

Tokens choose one after the other, for what can follow depends only on how many pieces of each kind
are left:

    worlds(token, left) = sum of worlds(token + 1, left - kind) over the kinds that it can be

- Kinds that the same tokens can be are one *group* until the end. `left` has one digit for each
  group; it is kept as bits, since its digits are needed, and as a dense number, which is an index.
- Only tokens that cannot be every rank choose so (the *head*). The others (the *tail*) have not
  fought: all of them can be the *common* groups, and some of them the *special* ones, which are
  among flag, mines and bombs. What is left after the head goes to the tail in
  (ways to spread the special pieces) × (multinomial coefficient of the common ones) ways.

All counts are below 7.1e17, exact in int64.
"""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.kernels.choices import (
    DIGIT_BITS,
    Choices,
    digit,
    fill_choices,
)
from cotulenh_env.luzhanqi.kernels.evidence import KindBits
from cotulenh_env.luzhanqi.pieces import COUNT, NUM_KINDS, NUM_PIECES

MOST_LEFT = int(np.prod(COUNT[1:].astype(np.int64) + 1))
"""Values of `left` if every kind is a group of its own: 497,664."""

_BINOMIAL = np.array([[comb(n, k) for k in range(NUM_PIECES + 1)] for n in range(NUM_PIECES + 1)])
"""int64 [n, k]."""


PLACE_OF, LEFT, NUMBER, WORLDS = range(4)

Counting = npt.NDArray[np.int64]
"""int64 [4, values of left]: scratch memory, zeros to begin with.

    PLACE_OF   by the number of a `left`: 1 + where it lies in the other rows, 0 where it is not
    LEFT       what can be left, layer by layer: before each token of the head, and after the last
    NUMBER     its number
    WORLDS     how many worlds follow from there
"""

Layers = npt.NDArray[np.int64]
"""int64 [27]: where the layer of each token of the head begins; the last one is the end of all."""

Spread = npt.NDArray[np.int64]
"""int64 [26, MAX_SPECIAL]: from a token of the tail on, the ways to spread special pieces."""


@inner_kernel
def count_worlds(
    bits: KindBits, choices: Choices, counting: Counting, first: Layers, spread: Spread
) -> int:
    """How many worlds there are; leaves in the other arrays what drawing needs."""
    for place in range(int(first[NUM_PIECES + 1])):
        counting[PLACE_OF, counting[NUMBER, place]] = 0
    fill_choices(bits, choices)
    _count_spreads(choices, spread)
    num_head = int(choices["num_head"])
    end = _list_left(choices, counting, first)
    first[NUM_PIECES + 1] = end  # what is to be wiped
    for place in range(int(first[num_head]), end):
        counting[WORLDS, place] = _count_tail(int(counting[LEFT, place]), choices, spread)
    for head in range(num_head - 1, -1, -1):
        _count_layer(head, choices, counting, first)
    return int(counting[WORLDS, 0]) * _repeats(choices)


@inner_kernel
def _list_left(choices: Choices, counting: Counting, first: Layers) -> int:
    """Lists all values of `left`, layer by layer; returns how many there are.

    A value belongs to one layer, since every token takes one piece.
    """
    num_groups = int(choices["num_groups"])
    counting[LEFT, 0] = int(choices["all_left"])
    counting[NUMBER, 0] = int(choices["number"])
    counting[PLACE_OF, counting[NUMBER, 0]] = 1
    first[0] = 0
    end = 1
    for head in range(int(choices["num_head"])):
        chosen = int(choices["chosen"][head])
        first[head + 1] = end
        for place in range(int(first[head]), int(first[head + 1])):
            left, number = int(counting[LEFT, place]), int(counting[NUMBER, place])
            for group in range(num_groups):
                if chosen >> group & 1 == 0 or digit(left, group) == 0:
                    continue
                after = number - int(choices["factor"][group])
                if counting[PLACE_OF, after] == 0:
                    counting[LEFT, end] = left - (1 << DIGIT_BITS * group)
                    counting[NUMBER, end] = after
                    end += 1
                    counting[PLACE_OF, after] = end
    return end


@inner_kernel
def _count_layer(head: int, choices: Choices, counting: Counting, first: Layers) -> None:
    """Counts the worlds from every value of `left` before a token of the head."""
    num_groups = int(choices["num_groups"])
    chosen = int(choices["chosen"][head])
    for place in range(int(first[head]), int(first[head + 1])):
        left, number = int(counting[LEFT, place]), int(counting[NUMBER, place])
        total = 0
        for group in range(num_groups):
            if chosen >> group & 1 and digit(left, group) > 0:
                after = number - int(choices["factor"][group])
                total += int(counting[WORLDS, int(counting[PLACE_OF, after]) - 1])
        counting[WORLDS, place] = total


@inner_kernel
def worlds_after(head: int, place: int, group: int, choices: Choices, counting: Counting) -> int:
    """The worlds in which a token of the head takes a piece of a group."""
    chosen = int(choices["chosen"][head])
    if chosen >> group & 1 == 0 or digit(int(counting[LEFT, place]), group) == 0:
        return 0
    after = int(counting[NUMBER, place]) - int(choices["factor"][group])
    return int(counting[WORLDS, int(counting[PLACE_OF, after]) - 1])


@inner_kernel
def _count_spreads(choices: Choices, spread: Spread) -> None:
    """Ways to spread special pieces among the tail from each of its tokens on."""
    num_tail = NUM_PIECES - int(choices["num_head"])
    for special in range(int(choices["num_special"])):
        spread[num_tail, special] = 1 if special == 0 else 0
    for tail in range(num_tail - 1, -1, -1):
        for special in range(int(choices["num_special"])):
            total = int(spread[tail + 1, special])  # it takes a common piece
            for group in range(int(choices["num_groups"])):
                if int(choices["special"]) >> group & 1:
                    total += spreads_after(tail, special, group, choices, spread)
            spread[tail, special] = total


@inner_kernel
def spreads_after(tail: int, special: int, group: int, choices: Choices, spread: Spread) -> int:
    """The ways in which a token of the tail takes a special piece of a group."""
    factor = int(choices["special_factor"][group])
    chosen = int(choices["chosen"][int(choices["num_head"]) + tail])
    if factor == 0 or chosen >> group & 1 == 0:
        return 0
    if special // factor % (int(choices["size"][group]) + 1) == 0:
        return 0
    return int(spread[tail + 1, special - factor])


@inner_kernel
def _count_tail(left: int, choices: Choices, spread: Spread) -> int:
    """The worlds of the tail, if these pieces are left to it."""
    special, num_common, ways = 0, 0, 1
    for group in range(int(choices["num_groups"])):
        number = digit(left, group)
        if int(choices["common"]) >> group & 1:
            num_common += number
            ways *= int(_BINOMIAL[num_common, number])
        elif int(choices["special"]) >> group & 1:
            special += number * int(choices["special_factor"][group])
        elif number > 0:
            return 0
    return ways * int(spread[0, special])


@inner_kernel
def _repeats(choices: Choices) -> int:
    """The ways to give the tokens of every group its kinds."""
    taken = np.zeros(NUM_KINDS + 1, np.int64)
    ways = 1
    for kind in range(1, NUM_KINDS + 1):
        group = int(choices["group_of"][kind])
        taken[group] += int(COUNT[kind])
        ways *= int(_BINOMIAL[taken[group], int(COUNT[kind])])
    return ways
