"""What a position is worth, in tenths of an official point."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.alphabeta.evaluation_weights import EvaluationWeights
from cotulenh_env.commander.board import (
    FILE,
    IS_COAST,
    IS_SEA,
    NEXT_POINT,
    NUM_POINTS,
    NUM_RANKS,
    RANK,
)
from cotulenh_env.commander.kernels.stacks import carrier_kind, code_at, stack_at
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ANTI_AIRCRAFT,
    ARTILLERY,
    CODE_MASK,
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    INFANTRY,
    MAX_STACK,
    NAVY,
    NUM_CODES,
    TANK,
    VALUE,
)
from cotulenh_env.commander.rules import AIR, COMMANDER_DECIDES, SEA, STANDARD
from cotulenh_env.commander.state import (
    ARMED_AIR,
    ARMED_COMMANDER,
    ARMED_LAND,
    ARMED_NAVY,
    NO_POINT,
    STATE_DTYPE,
    Record,
    Records,
)
from cotulenh_env.commander.tables import (
    CAPTURE_RANGE,
    CAPTURES_HIDDEN_COMMANDER,
    CAPTURES_OVER,
    GUN_RANGE,
    RANGE_BITS,
    RANGE_SHIFT,
    ZONE_RADIUS,
)
from cotulenh_env.game import States
from cotulenh_env.kernel import inner_kernel, kernel

LIMIT_NEAR = 40
"""Turns before the turn limit from which on the lead in official points counts (R10.6)."""

_MAX_DISTANCE = 5
_FAR = 7

_ADVANCES = np.array(
    [code >> 1 not in (0, HEADQUARTERS, NAVY, COMMANDER) for code in range(NUM_CODES)]
)
_PRESSES = np.array(
    [
        code >> 1 not in (0, HEADQUARTERS, COMMANDER, ENGINEER, ANTI_AIRCRAFT)
        for code in range(NUM_CODES)
    ]
)
"""bool [code]."""


def evaluate(states: States, weights: EvaluationWeights | None = None) -> npt.NDArray[np.int32]:
    """The static evaluation of unfinished positions, with nothing looked ahead.

    Args:
        states: uint8 [n, state_size], C-contiguous.
        weights: None takes the defaults.

    Returns:
        int32 [n], in tenths of an official point, for the player to move.
    """
    values = np.empty(len(states), np.int32)
    records = np.ndarray(len(states), STATE_DTYPE, states.copy())
    fill_evaluations(records, (weights or EvaluationWeights()).as_records(), values)
    return values


@kernel
def fill_evaluations(
    states: Records, weights: npt.NDArray[np.void], values: npt.NDArray[np.int32]
) -> None:
    """`evaluate` into an array.

    Args:
        states: records [n].
        weights: one record [1] of WEIGHTS_DTYPE.
        values: int32 [n], overwritten.
    """
    for row in range(len(states)):
        values[row] = static_value(states[row], weights[0])


@inner_kernel
def static_value(state: Record, weights: Any) -> int:
    """The evaluation of one state for the player to move."""
    player = int(state["player"])
    value = _value_of_pieces(state, weights, player)
    value -= int(weights["last_of_division"]) * (
        _thin_divisions(state, player) - _thin_divisions(state, 1 - player)
    )
    if COMMANDER_DECIDES[int(state["battle"])]:
        value += _commander_value(state, weights, player)
        value -= _commander_value(state, weights, 1 - player)
    turns_left = int(state["turn_limit"]) - int(state["turns"])
    if turns_left < LIMIT_NEAR:
        lead = int(state["points"][player]) - int(state["points"][1 - player])
        # Towards zero for both players alike: // would round one of them up.
        share = abs(lead) * int(weights["lead"]) * (LIMIT_NEAR - max(turns_left, 0)) // LIMIT_NEAR
        value += share if lead > 0 else -share
    return value


@inner_kernel
def _value_of_pieces(state: Record, weights: Any, player: int) -> int:
    """All terms that go over the pieces, the player's minus the opponent's."""
    board = state["board"]
    decides = bool(COMMANDER_DECIDES[int(state["battle"])])
    red_commander, blue_commander = int(state["commander"][0]), int(state["commander"][1])
    counts = state["counts"]
    red_flies, blue_flies = counts[0, AIR_FORCE] > 0, counts[1, AIR_FORCE] > 0
    points, heroes, mobility, advance, pressure, zones, cover = 0, 0, 0, 0, 0, 0, 0
    for point in range(NUM_POINTS):
        stack = stack_at(board, point)
        if stack == 0:
            continue
        side = stack >> 15
        sign = 1 if side == player else -1
        own_commander = red_commander if side == 0 else blue_commander
        enemy_commander = blue_commander if side == 0 else red_commander
        ranks_ahead = int(RANK[point]) if side == 0 else NUM_RANKS - 1 - int(RANK[point])
        nearness = 0
        if decides and enemy_commander != NO_POINT:
            nearness = max(0, _FAR - _distance(point, enemy_commander))
        for slot in range(MAX_STACK):
            code = code_at(stack, slot)
            if code == 0:
                break
            points += sign * int(VALUE[code])
            heroes += sign * (1 - (code & 1))
            if _ADVANCES[code]:
                advance += sign * ranks_ahead
            if _PRESSES[code]:
                pressure += sign * nearness
        carrier = stack & CODE_MASK
        mobility += sign * _free_points(board, point, carrier >> 1)
        radius = int(ZONE_RADIUS[carrier])
        if radius > 0 and (blue_flies if side == 0 else red_flies):
            zones += sign
            if decides and own_commander != NO_POINT:
                ranks = int(RANK[point]) - int(RANK[own_commander])
                files = int(FILE[point]) - int(FILE[own_commander])
                if ranks * ranks + files * files <= radius * radius:
                    cover += sign
    return (
        points * int(weights["point"])
        + heroes * int(weights["hero"])
        + mobility * int(weights["mobility"])
        + advance * int(weights["advance"])
        + pressure * int(weights["pressure"])
        + zones * int(weights["zone"])
        + cover * int(weights["air_cover"])
    )


@inner_kernel
def _distance(one: int, other: int) -> int:
    """The larger of the distances in ranks and files."""
    ranks = abs(int(RANK[one]) - int(RANK[other]))
    return max(ranks, abs(int(FILE[one]) - int(FILE[other])))


@inner_kernel
def _free_points(board: npt.NDArray[np.uint16], point: int, kind: int) -> int:
    if kind == HEADQUARTERS:
        return 0
    count = 0
    for direction in range(0, 8, 2):
        following = int(NEXT_POINT[direction, point])
        if following >= 0 and board[following] == 0:
            if kind == NAVY:
                count += 1 if IS_SEA[following] or IS_COAST[following] else 0
            else:
                count += 0 if IS_SEA[following] else 1
    return count


@inner_kernel
def _thin_divisions(state: Record, side: int) -> int:
    """Divisions that decide the battle and of which one piece is left (R10.1, R10.2)."""
    battle = int(state["battle"])
    armed = int(state["armed"][side])
    counts = state["counts"][side]
    thin = 0
    if battle in (STANDARD, SEA):
        thin += 1 if armed & ARMED_NAVY and counts[NAVY] == 1 else 0
    if battle in (STANDARD, AIR):
        thin += 1 if armed & ARMED_AIR and counts[AIR_FORCE] == 1 else 0
    if battle == STANDARD:
        num_land = int(counts[INFANTRY]) + int(counts[TANK]) + int(counts[ARTILLERY])
        thin += 1 if armed & ARMED_LAND and num_land == 1 else 0
    return thin


@inner_kernel
def _commander_value(state: Record, weights: Any, side: int) -> int:
    """How safe the commander is. It looks along lines; rivers and air defence are left out."""
    point = int(state["commander"][side])
    if point == NO_POINT or not int(state["armed"][side]) & ARMED_COMMANDER:
        return 0
    board = state["board"]
    variant = int(state["switches"]) >> RANGE_SHIFT & RANGE_BITS
    is_sheltered = carrier_kind(stack_at(board, point)) == HEADQUARTERS
    attackers, num_open = 0, 0
    for direction in range(8):
        place = point
        is_open = True
        for distance in range(1, _MAX_DISTANCE + 1):
            place = int(NEXT_POINT[direction, place])
            if place < 0:
                break
            stack = stack_at(board, place)
            if stack == 0:
                num_open += 1 if distance == 1 and direction & 1 == 0 else 0
                continue
            if stack >> 15 != side:
                for slot in range(MAX_STACK):
                    code = code_at(stack, slot)
                    if code == 0:
                        break
                    kind = code >> 1
                    reach = int(CAPTURE_RANGE[variant, direction & 1, code])
                    shoots_over = kind == AIR_FORCE or bool(CAPTURES_OVER[variant, code])
                    if kind == NAVY:
                        reach = int(GUN_RANGE[code])
                        shoots_over = True
                    if is_sheltered and not CAPTURES_HIDDEN_COMMANDER[0, kind]:
                        reach = 0
                    if distance <= reach and (is_open or shoots_over):
                        attackers += 1
            is_open = False
    value = -attackers * int(weights["attacked_commander"])
    if is_sheltered:
        return value + int(weights["sheltered_commander"])
    return value - num_open * int(weights["open_commander"])
