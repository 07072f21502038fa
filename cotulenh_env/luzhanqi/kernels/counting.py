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
from typing import NamedTuple

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


class Counting(NamedTuple):
    """Scratch memory: what `left` can be after each token of the head, and the worlds from there.

    Attributes:
        place_of: int32 [values of left]: by its number 1 + where it lies in the arrays below, 0
            where it is not.
        left: int64 [values of left]: layer by layer.
        number: int32 [values of left]: likewise.
        worlds: int64 [values of left]: how many worlds follow.
        first: int32 [27]: where the layer of each token of the head begins.
        spread: int64 [26, MAX_SPECIAL]: by tail token and special pieces left, the ways to spread
            these.
    """

    place_of: npt.NDArray[np.int32]
    left: npt.NDArray[np.int64]
    number: npt.NDArray[np.int32]
    worlds: npt.NDArray[np.int64]
    first: npt.NDArray[np.int32]
    spread: npt.NDArray[np.int64]


@inner_kernel
def count_worlds(bits: KindBits, choices: Choices, counting: Counting) -> int:
    """How many worlds there are; leaves in `counting` what drawing needs."""
    for place in range(int(counting.first[NUM_PIECES + 1])):
        counting.place_of[counting.number[place]] = 0
    fill_choices(bits, choices)
    _count_spreads(choices, counting.spread)
    num_head = int(choices["num_head"])
    end = _list_left(choices, counting)
    counting.first[NUM_PIECES + 1] = end  # what is to be wiped
    for place in range(int(counting.first[num_head]), end):
        counting.worlds[place] = _count_tail(int(counting.left[place]), choices, counting.spread)
    for head in range(num_head - 1, -1, -1):
        _count_layer(head, choices, counting)
    return int(counting.worlds[0]) * _repeats(choices)


@inner_kernel
def _list_left(choices: Choices, counting: Counting) -> int:
    """Lists all values of `left`, layer by layer; returns how many there are.

    A value belongs to one layer, since every token takes one piece.
    """
    # Arrays out of the tuple once: handing it on to a function costs more than a step does.
    place_of, lefts, numbers = counting.place_of, counting.left, counting.number
    num_groups = int(choices["num_groups"])
    lefts[0] = int(choices["all_left"])
    numbers[0] = int(choices["number"])
    place_of[numbers[0]] = 1
    counting.first[0] = 0
    end = 1
    for head in range(int(choices["num_head"])):
        chosen = int(choices["chosen"][head])
        counting.first[head + 1] = end
        for place in range(int(counting.first[head]), int(counting.first[head + 1])):
            left, number = int(lefts[place]), int(numbers[place])
            for group in range(num_groups):
                if chosen >> group & 1 == 0 or digit(left, group) == 0:
                    continue
                after = number - int(choices["factor"][group])
                if place_of[after] == 0:
                    lefts[end] = left - (1 << DIGIT_BITS * group)
                    numbers[end] = after
                    end += 1
                    place_of[after] = end
    return end


@inner_kernel
def _count_layer(head: int, choices: Choices, counting: Counting) -> None:
    """Counts the worlds from every value of `left` before a token of the head."""
    place_of, lefts, numbers = counting.place_of, counting.left, counting.number
    worlds = counting.worlds
    num_groups = int(choices["num_groups"])
    chosen = int(choices["chosen"][head])
    for place in range(int(counting.first[head]), int(counting.first[head + 1])):
        left, number = int(lefts[place]), int(numbers[place])
        total = 0
        for group in range(num_groups):
            if chosen >> group & 1 and digit(left, group) > 0:
                after = number - int(choices["factor"][group])
                total += int(worlds[int(place_of[after]) - 1])
        worlds[place] = total


@inner_kernel
def worlds_after(head: int, place: int, group: int, choices: Choices, counting: Counting) -> int:
    """The worlds in which a token of the head takes a piece of a group."""
    chosen = int(choices["chosen"][head])
    if chosen >> group & 1 == 0 or digit(int(counting.left[place]), group) == 0:
        return 0
    after = int(counting.number[place]) - int(choices["factor"][group])
    return int(counting.worlds[int(counting.place_of[after]) - 1])


@inner_kernel
def _count_spreads(choices: Choices, spread: npt.NDArray[np.int64]) -> None:
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
def spreads_after(
    tail: int, special: int, group: int, choices: Choices, spread: npt.NDArray[np.int64]
) -> int:
    """The ways in which a token of the tail takes a special piece of a group."""
    factor = int(choices["special_factor"][group])
    chosen = int(choices["chosen"][int(choices["num_head"]) + tail])
    if factor == 0 or chosen >> group & 1 == 0:
        return 0
    if special // factor % (int(choices["size"][group]) + 1) == 0:
        return 0
    return int(spread[tail + 1, special - factor])


@inner_kernel
def _count_tail(left: int, choices: Choices, spread: npt.NDArray[np.int64]) -> int:
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
