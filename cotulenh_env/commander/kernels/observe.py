"""Observation planes of states (observation.py says what they mean)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import MIRRORED_POINT
from cotulenh_env.commander.board import DISC, DISC_SIZE, NUM_POINTS
from cotulenh_env.commander.kernels.notes import Note
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.kernels.stacks import Board, code_at, stack_at
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
from cotulenh_env.commander.pieces import MAX_STACK, NUM_KINDS
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.commander.tables import ZONE_RADIUS
from cotulenh_env.kernel import inner_kernel

PIECE_WEIGHT = 0.5
"""Of one piece in its plane: a stack may hold two of a kind. Sums of it are exact."""

PlaneRows = npt.NDArray[np.float32]
"""float32 [planes, 132]: the planes of one state, points as the observing player numbers them."""


@inner_kernel
def observe(state: Record, player: int, planes: PlaneRows, note: Note) -> None:
    """Makes the planes those of the state, from what the note says they hold; updates the note."""
    if planes[FIRST_TERRAIN, 0] == 0:  # a1 is sea: they are as good as new
        for index in range(len(TERRAIN)):
            for point in range(NUM_POINTS):
                planes[FIRST_TERRAIN + index, point] = TERRAIN[index, point]
    _add_pieces(note["board"], int(note["player"]), planes, -PIECE_WEIGHT)
    _add_pieces(state["board"], player, planes, PIECE_WEIGHT)
    for point in range(NUM_POINTS):
        note["board"][point] = state["board"][point]
    _show_deployment(state, player, planes, note)
    _show_clocks(state, player, planes)
    _show_rules(state, player, planes)
    note["player"] = player


@inner_kernel
def _set(planes: PlaneRows, plane: int, value: float) -> None:
    """Makes a plane that holds one value hold this one."""
    number = np.float32(value)
    if planes[plane, 0] != number:
        # A loop: assigning to a slice compiles ten times as long.
        for point in range(NUM_POINTS):
            planes[plane, point] = number


@inner_kernel
def _add_pieces(board: Board, player: int, planes: PlaneRows, weight: float) -> None:
    """Adds the weight for every piece, a negative one takes it away; likewise zones (R8.1)."""
    for point in range(NUM_POINTS):
        stack = stack_at(board, point)
        if stack == 0:
            continue
        seen = int(MIRRORED_POINT[player, point])
        owner = 0 if stack >> 15 == player else 1
        for slot in range(MAX_STACK):
            code = code_at(stack, slot)
            if code == 0:
                break
            planes[PIECE_PLANE[owner] + (code >> 1) - 1, seen] += np.float32(weight)
            if code & 1 == 0:
                planes[HEROIC_PLANE[owner, code >> 1], seen] += np.float32(weight)
        radius = int(ZONE_RADIUS[code_at(stack, 0)])
        zones = OWN_ZONES if owner == 0 else ENEMY_ZONES
        # A disc mirrored is the mirrored point's disc.
        for index in range(DISC_SIZE[radius, seen]):
            planes[zones, DISC[radius, seen, index]] = 1.0 if weight > 0 else 0.0


@inner_kernel
def _show_deployment(state: Record, player: int, planes: PlaneRows, note: Note) -> None:
    _set(planes, TURN_LOSS, 1.0 if state["turn_loss"] else 0.0)
    _set(planes, SUB_MOVE_MADE, 1.0 if state["num_sub_moves"] else 0.0)
    shown = int(note["origin"])
    if shown != NO_POINT:
        seen = int(MIRRORED_POINT[int(note["player"]), shown])
        planes[ORIGIN, seen] = 0
        for slot in range(MAX_STACK):
            planes[UNACTED + slot, seen] = 0
            planes[SELECTED + slot, seen] = 0
    origin = int(state["origin"])
    note["origin"] = origin
    if origin == NO_POINT:
        return
    seen = int(MIRRORED_POINT[player, origin])
    planes[ORIGIN, seen] = 1
    for slot in range(MAX_STACK):
        planes[UNACTED + slot, seen] = int(state["unacted"]) >> slot & 1
        planes[SELECTED + slot, seen] = int(state["selected"]) >> slot & 1


@inner_kernel
def _show_clocks(state: Record, player: int, planes: PlaneRows) -> None:
    _set(planes, TO_MOVE, 1.0 if state["player"] == player else 0.0)
    # The clock is set back when the turn ends, but the loss has happened already.
    quiet_turns = 0 if state["turn_loss"] else int(state["quiet_turns"])
    quiet_left = max(0, int(state["quiet_limit"]) - quiet_turns)
    _set(planes, QUIET_LEFT, quiet_left / QUIET_SCALE)
    turns_left = max(0, int(state["turn_limit"]) - int(state["turns"]))
    _set(planes, TURNS_LEFT, turns_left / (turns_left + TURNS_SCALE))
    for index in range(2):
        points = int(state["points"][player if index == 0 else 1 - player])
        _set(planes, OWN_POINTS + index, min(1.0, points / POINTS_SCALE))
    repetition = int(state["repetition"])
    _set(planes, OCCURRENCES, min(1.0, _occurrences(state) / repetition))
    _set(planes, REPETITION, 2.0 / repetition)


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
def _show_rules(state: Record, player: int, planes: PlaneRows) -> None:
    _set(planes, ENFORCE_CHECK, 1.0 if state["enforce_check"] else 0.0)
    _set(planes, ALLOW_SHOOT_DOWN, 1.0 if state["allow_shoot_down"] else 0.0)
    for index in range(len(OFFICIAL_SWITCHES)):
        is_changed = int(state["switches"]) >> index & 1 != 0
        _set(planes, FIRST_SWITCH + index, 1.0 if OFFICIAL_SWITCHES[index] != is_changed else 0.0)
    decisive = int(DECISIVE[int(state["battle"])])
    # While pieces are placed none is armed yet, and all will be.
    own = -1 if state["placing"] else int(state["armed"][player])
    enemy = -1 if state["placing"] else int(state["armed"][1 - player])
    for division in range(NUM_DIVISIONS):
        _set(planes, OWN_DECISIVE + division, 1.0 if decisive & own & 1 << division else 0.0)
        _set(planes, ENEMY_DECISIVE + division, 1.0 if decisive & enemy & 1 << division else 0.0)
    following = 0
    if state["placing"]:
        following = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
    for kind in range(1, NUM_KINDS + 1):
        _set(planes, NEXT_PIECE + kind - 1, 1.0 if kind == following else 0.0)
