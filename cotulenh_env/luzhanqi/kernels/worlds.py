"""Referee mode: the enemy's layouts that a player cannot tell apart, counted and drawn exactly.

A world gives every enemy token a kind that it can be (evidence.py), and each kind to as many tokens
as there are pieces of it. When layouts are dealt uniformly all worlds are equally likely.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel, kernel
from cotulenh_env.luzhanqi.kernels.choices import (
    CHOICES_DTYPE,
    DIGIT_BITS,
    MAX_SPECIAL,
    Choices,
    digit,
)
from cotulenh_env.luzhanqi.kernels.counting import (
    MOST_LEFT,
    PLACE_OF,
    WORLDS,
    Counting,
    Spread,
    count_worlds,
    spreads_after,
    worlds_after,
)
from cotulenh_env.luzhanqi.kernels.evidence import (
    ANY_MOBILITY,
    CAN_MOVE,
    CANNOT_MOVE,
    IMMOVABLE,
    MOVABLE,
    KindBits,
    bits_of_free_tokens,
    fill_kind_bits,
    mobility_of_enemy,
)
from cotulenh_env.luzhanqi.pieces import COUNT, NUM_KINDS, NUM_PIECES
from cotulenh_env.luzhanqi.state import Records

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NUM_DRAWS = 2 * NUM_PIECES + 1
"""Random numbers that a world needs."""

_MOST_IMMOVABLE = 4
"""Three mines and the flag: of more tokens one can move."""


@kernel
def fill_evidence(
    states: Records, players: Integers, bits: Integers, free: Integers, mobility: Integers
) -> None:
    """What each row's player knows of the enemy's tokens one by one.

    Args:
        states: records [n] of REFEREE_DTYPE.
        players: int32 [n].
        bits: int32 [n, 25], overwritten: by token, bits 1 << kind of what it can be.
        free: int32 [n], overwritten: bits 1 << token of what can move unless it is mine or flag.
        mobility: int32 [n], overwritten: ANY_MOBILITY, CAN_MOVE or CANNOT_MOVE of the enemy.
    """
    for row in range(len(states)):
        state = states[row]
        player = int(players[row])
        fill_kind_bits(state, player, bits[row])
        mobility[row] = mobility_of_enemy(state, player)
        free[row] = 0
        if mobility[row] != ANY_MOBILITY:
            free[row] = bits_of_free_tokens(state, player)


@kernel
def find_worlds(
    bits: Integers,
    free: Integers,
    mobility: Integers,
    draws: Floats,
    kinds: npt.NDArray[np.int8],
    counts: npt.NDArray[np.int64],
) -> None:
    """Counts each row's worlds, and draws one of them, each with the same probability.

    Rows that are equal to the one before are not counted again, which is most of the work.

    Args:
        bits: int32 [n, 25], of `fill_evidence`.
        free: int32 [n], likewise.
        mobility: int32 [n], likewise.
        draws: float64 [n, NUM_DRAWS] in [0, 1); or [0, NUM_DRAWS]: nothing is drawn.
        kinds: int8 [n, 25], overwritten with a world, or with zeros where there is none.
        counts: int64 [n], overwritten: how many worlds there are.
    """
    counting = np.zeros((4, MOST_LEFT), np.int64)
    first = np.zeros(NUM_PIECES + 2, np.int64)
    spread = np.zeros((NUM_PIECES + 1, MAX_SPECIAL), np.int64)
    in_case = np.zeros(_MOST_IMMOVABLE + 1, np.int64)
    restricted = np.empty(NUM_PIECES, np.int32)
    all_choices = np.zeros(1, CHOICES_DTYPE)
    counted = -1
    for row in range(len(bits)):
        choices = all_choices[0]
        if row == 0 or not _is_same(bits, free, mobility, row):
            for case in range(len(in_case)):
                in_case[case] = 0
                if _restrict(bits[row], int(free[row]), int(mobility[row]), case, restricted):
                    in_case[case] = count_worlds(restricted, choices, counting, first, spread)
                    counted = case
        total = 0
        for case in range(len(in_case)):
            total += in_case[case]
        counts[row] = total
        if len(draws) == 0:
            continue
        if total == 0:
            for token in range(NUM_PIECES):
                kinds[row, token] = 0
            continue
        case = _pick(in_case, total, float(draws[row, 0]))
        if case != counted:
            _restrict(bits[row], int(free[row]), int(mobility[row]), case, restricted)
            count_worlds(restricted, choices, counting, first, spread)
            counted = case
        _draw_world(choices, counting, spread, draws[row], kinds[row])


@inner_kernel
def _is_same(bits: Integers, free: Integers, mobility: Integers, row: int) -> bool:
    """Whether a row's player knows the same as that of the row before."""
    same = bool(free[row] == free[row - 1] and mobility[row] == mobility[row - 1])
    for token in range(NUM_PIECES):
        same = same and bits[row, token] == bits[row - 1, token]
    return same


@inner_kernel
def _restrict(bits: KindBits, free: int, mobility: int, case: int, restricted: KindBits) -> bool:
    """What tokens can be in one of the cases that exclude each other; whether there is the case.

    There is one case, unless it depends on a few tokens whether the enemy can move: then in case i
    the first i of them cannot, and the next one can.
    """
    num_free = 0
    is_sure = mobility == ANY_MOBILITY
    for token in range(NUM_PIECES):
        restricted[token] = bits[token]
        if free >> token & 1:
            num_free += 1
            is_sure = is_sure or (mobility == CAN_MOVE and int(bits[token]) & IMMOVABLE == 0)
    if is_sure or (mobility == CAN_MOVE and num_free > _MOST_IMMOVABLE):
        return case == 0
    if case > 0 and (mobility == CANNOT_MOVE or case >= num_free):
        return False
    seen = 0
    for token in range(NUM_PIECES):
        if free >> token & 1:
            if mobility == CANNOT_MOVE or seen < case:
                restricted[token] &= IMMOVABLE
            elif seen == case:
                restricted[token] &= MOVABLE
            seen += 1
    return mobility == CANNOT_MOVE or num_free > 0


# --- drawing ------------------------------------------------------------------------------------


@inner_kernel
def _pick(weights: npt.NDArray[np.int64], total: int, draw: float) -> int:
    """An index with probability weight ÷ total."""
    wanted = draw * total
    picked = 0
    passed = 0
    for index in range(len(weights)):
        if weights[index] == 0:
            continue
        picked = index  # the last one, should rounding lead beyond it
        passed += int(weights[index])
        if wanted < passed:
            break
    return picked


@inner_kernel
def _draw_world(
    choices: Choices, counting: Counting, spread: Spread, draws: Floats, kinds: npt.NDArray[np.int8]
) -> None:
    """Draws a world of those that are counted."""
    weights = np.zeros(NUM_KINDS + 1, np.int64)
    groups = np.zeros(NUM_PIECES, np.int32)  # by place in the order of choosing
    num_groups = int(choices["num_groups"])
    num_head = int(choices["num_head"])
    left, number = int(choices["all_left"]), int(choices["number"])
    for head in range(num_head):
        place = int(counting[PLACE_OF, number]) - 1
        for group in range(num_groups):
            weights[group] = worlds_after(head, place, group, choices, counting)
        group = _pick(weights, int(counting[WORLDS, place]), float(draws[1 + head]))
        groups[head] = group
        left -= 1 << DIGIT_BITS * group
        number -= int(choices["factor"][group])
    special = 0
    for group in range(num_groups):
        special += digit(left, group) * int(choices["special_factor"][group])
    for tail in range(NUM_PIECES - num_head):
        for group in range(num_groups):
            weights[group] = spreads_after(tail, special, group, choices, spread)
        weights[num_groups] = int(spread[tail + 1, special])
        total = int(spread[tail, special])
        group = _pick(weights, total, float(draws[1 + num_head + tail]))
        groups[num_head + tail] = group  # num_groups stands for any of the common ones
        if group < num_groups:
            special -= int(choices["special_factor"][group])
    _deal_kinds(choices, groups, draws, kinds)


@inner_kernel
def _deal_kinds(
    choices: Choices, groups: Integers, draws: Floats, kinds: npt.NDArray[np.int8]
) -> None:
    """Draws each token's kind from its group, or from all that are common."""
    rest = COUNT.copy()
    num_groups = int(choices["num_groups"])
    for place in range(NUM_PIECES):
        group = int(groups[place])
        allowed = int(choices["common"]) if group == num_groups else 1 << group
        total = 0
        for kind in range(1, NUM_KINDS + 1):
            if allowed >> int(choices["group_of"][kind]) & 1:
                total += int(rest[kind])
        number = int(draws[1 + NUM_PIECES + place] * total)
        for kind in range(1, NUM_KINDS + 1):
            if allowed >> int(choices["group_of"][kind]) & 1:
                number -= int(rest[kind])
                if number < 0:
                    kinds[int(choices["order"][place])] = kind
                    rest[kind] -= 1
                    break
