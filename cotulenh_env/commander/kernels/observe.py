"""Observation planes of states (observation.py says what they mean)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import MIRRORED_POINT
from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.flight import Zones, fill_zones
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.kernels.stacks import code_at
from cotulenh_env.commander.observation import (
    ALLOW_SHOOT_DOWN,
    DECISIVE,
    ENEMY_DECISIVE,
    ENEMY_ZONES,
    ENFORCE_CHECK,
    FIRST_SWITCH,
    FIRST_TERRAIN,
    HEROIC_PLANE,
    NEXT_PIECE,
    NUM_DIVISIONS,
    OCCURRENCES,
    OFFICIAL_SWITCHES,
    ORIGIN,
    OWN_DECISIVE,
    OWN_POINTS,
    OWN_ZONES,
    PIECE_PLANE,
    POINTS_SCALE,
    QUIET_LEFT,
    QUIET_SCALE,
    REPETITION,
    SELECTED,
    SUB_MOVE_MADE,
    TERRAIN,
    TO_MOVE,
    TURN_LOSS,
    TURNS_LEFT,
    TURNS_SCALE,
    UNACTED,
)
from cotulenh_env.commander.pieces import MAX_STACK
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.kernel import inner_kernel

PlaneRows = npt.NDArray[np.float32]
"""float32 [planes, 132]: the planes of one state, points as the observing player numbers them."""


@inner_kernel
def observe(state: Record, player: int, planes: PlaneRows, zones: Zones) -> None:
    """Writes the planes of one state; `zones` is overwritten."""
    for plane in range(len(planes)):
        _fill(planes, plane, 0.0)
    for index in range(len(TERRAIN)):
        for point in range(NUM_POINTS):
            planes[FIRST_TERRAIN + index, point] = TERRAIN[index, point]
    _fill_pieces(state, player, planes)
    _fill_zones(state, player, player, OWN_ZONES, planes, zones)
    _fill_zones(state, player, 1 - player, ENEMY_ZONES, planes, zones)
    _fill_deployment(state, player, planes)
    _fill_clocks(state, player, planes)
    _fill_rules(state, player, planes)


@inner_kernel
def _fill(planes: PlaneRows, plane: int, value: float) -> None:
    """A loop: assigning to a slice compiles ten times as long."""
    for point in range(NUM_POINTS):
        planes[plane, point] = value


@inner_kernel
def _fill_pieces(state: Record, player: int, planes: PlaneRows) -> None:
    board = state["board"]
    for point in range(NUM_POINTS):
        stack = int(board[point])
        if stack == 0:
            continue
        seen = int(MIRRORED_POINT[player, point])
        owner = 0 if stack >> 15 == player else 1
        for slot in range(MAX_STACK):
            code = code_at(stack, slot)
            if code == 0:
                break
            planes[PIECE_PLANE[owner] + (code >> 1) - 1, seen] += np.float32(0.5)
            if code & 1 == 0:
                planes[HEROIC_PLANE[owner, code >> 1], seen] += np.float32(0.5)


@inner_kernel
def _fill_zones(
    state: Record, player: int, side: int, plane: int, planes: PlaneRows, zones: Zones
) -> None:
    fill_zones(state["board"], side, zones)
    for point in range(NUM_POINTS):
        if zones[point] != 0:
            planes[plane, MIRRORED_POINT[player, point]] = 1


@inner_kernel
def _fill_deployment(state: Record, player: int, planes: PlaneRows) -> None:
    if state["turn_loss"]:
        _fill(planes, TURN_LOSS, 1.0)
    origin = int(state["origin"])
    if origin == NO_POINT:
        return
    seen = int(MIRRORED_POINT[player, origin])
    planes[ORIGIN, seen] = 1
    for slot in range(MAX_STACK):
        planes[UNACTED + slot, seen] = int(state["unacted"]) >> slot & 1
        planes[SELECTED + slot, seen] = int(state["selected"]) >> slot & 1
    if state["num_sub_moves"]:
        _fill(planes, SUB_MOVE_MADE, 1.0)


@inner_kernel
def _fill_clocks(state: Record, player: int, planes: PlaneRows) -> None:
    if state["player"] == player:
        _fill(planes, TO_MOVE, 1.0)
    # The clock is set back when the turn ends, but the loss has happened already.
    quiet_turns = 0 if state["turn_loss"] else int(state["quiet_turns"])
    quiet_left = max(0, int(state["quiet_limit"]) - quiet_turns)
    _fill(planes, QUIET_LEFT, quiet_left / QUIET_SCALE)
    turns_left = max(0, int(state["turn_limit"]) - int(state["turns"]))
    _fill(planes, TURNS_LEFT, turns_left / (turns_left + TURNS_SCALE))
    for index in range(2):
        points = int(state["points"][player if index == 0 else 1 - player])
        _fill(planes, OWN_POINTS + index, min(1.0, points / POINTS_SCALE))
    repetition = int(state["repetition"])
    _fill(planes, OCCURRENCES, min(1.0, _occurrences(state) / repetition))
    _fill(planes, REPETITION, 2.0 / repetition)


@inner_kernel
def _occurrences(state: Record) -> int:
    """How often the position at the beginning of this turn has stood at a turn's end (R10.5)."""
    length = int(state["history_length"])
    count = 0
    for index in range(length):
        if state["history"][index] == state["history"][length - 1]:
            count += 1
    return count


@inner_kernel
def _fill_rules(state: Record, player: int, planes: PlaneRows) -> None:
    if state["enforce_check"]:
        _fill(planes, ENFORCE_CHECK, 1.0)
    if state["allow_shoot_down"]:
        _fill(planes, ALLOW_SHOOT_DOWN, 1.0)
    for index in range(len(OFFICIAL_SWITCHES)):
        is_changed = int(state["switches"]) >> index & 1 != 0
        if OFFICIAL_SWITCHES[index] != is_changed:
            _fill(planes, FIRST_SWITCH + index, 1.0)
    decisive = int(DECISIVE[int(state["battle"])])
    for division in range(NUM_DIVISIONS):
        if not decisive >> division & 1:
            continue
        # While pieces are placed none is armed yet, and all will be.
        if state["placing"] or int(state["armed"][player]) >> division & 1:
            _fill(planes, OWN_DECISIVE + division, 1.0)
        if state["placing"] or int(state["armed"][1 - player]) >> division & 1:
            _fill(planes, ENEMY_DECISIVE + division, 1.0)
    if state["placing"]:
        _fill(planes, NEXT_PIECE + PLACEMENT_ORDER[int(state["num_placed"]) // 2] - 1, 1.0)
