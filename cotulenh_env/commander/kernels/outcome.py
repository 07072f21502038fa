"""Ending a turn, and the game when that decides it (R10.2, R10.4–R10.6, R10.9, R12.1)."""

from __future__ import annotations

from cotulenh_env.commander.kernels.commander import are_face_to_face
from cotulenh_env.commander.kernels.heroes import promote_heroes
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ARTILLERY,
    COMMANDER,
    INFANTRY,
    NAVY,
    TANK,
)
from cotulenh_env.commander.state import (
    ARMED_AIR,
    ARMED_COMMANDER,
    ARMED_LAND,
    ARMED_NAVY,
    BY_EXPOSURE,
    BY_NO_MOVE,
    BY_QUIET,
    BY_REPETITION,
    BY_TURN_LIMIT,
    DRAW,
    HISTORY_LENGTH,
    NO_POINT,
    ZOBRIST_BLUE,
    Record,
)
from cotulenh_env.commander.switches import EXPOSURE_LOSES
from cotulenh_env.kernel import inner_kernel

_MAX_CLOCK = 65_535


@inner_kernel
def end_turn(state: Record, work: Workspace) -> None:
    """Promotes, passes the turn, and looks at what ends the game then (R10.9).

    Whether the other side has a legal turn is left to the caller, who lists its actions anyway.
    """
    promote_heroes(state, work)
    close_deployment(state)
    state["turns"] += 1
    if state["turn_loss"]:
        # What stood on the board before cannot come again.
        for index in range(int(state["history_length"])):
            state["history"][index] = 0
        state["history_length"] = 0
        state["turn_loss"] = 0
    else:
        state["quiet_turns"] = min(int(state["quiet_turns"]) + 1, _MAX_CLOCK)
    player = 1 - int(state["player"])
    if state["switches"] & EXPOSURE_LOSES and are_face_to_face(state):  # R12.1
        _finish(state, player, BY_EXPOSURE)
        return
    state["player"] = player
    if player == 0:
        state["move_number"] = min(int(state["move_number"]) + 1, _MAX_CLOCK)
    occurrences = remember_position(state)
    if occurrences >= state["repetition"]:
        _finish(state, DRAW, BY_REPETITION)
    elif state["quiet_turns"] >= state["quiet_limit"]:
        _finish(state, DRAW, BY_QUIET)
    elif state["turns"] >= state["turn_limit"]:
        red, blue = int(state["points"][0]), int(state["points"][1])
        _finish(state, DRAW if red == blue else (0 if red > blue else 1), BY_TURN_LIMIT)


@inner_kernel
def close_deployment(state: Record) -> None:
    """Clears what belongs to the turn of one point."""
    state["origin"] = NO_POINT
    state["unacted"] = 0
    state["selected"] = 0
    state["num_sub_moves"] = 0


@inner_kernel
def remember_position(state: Record) -> int:
    """Adds the position to the history; returns how often it has stood at a turn's end (R10.5)."""
    key = int(state["key"]) ^ (ZOBRIST_BLUE if state["player"] else 0)
    length = int(state["history_length"])
    if length < HISTORY_LENGTH:
        state["history"][length] = key
        length += 1
        state["history_length"] = length
    occurrences = 0
    for index in range(length):
        if state["history"][index] == key:
            occurrences += 1
    return occurrences


@inner_kernel
def arm_divisions(state: Record) -> None:
    """Notes which divisions each side has a piece of when the game begins (R10.2)."""
    for side in range(2):
        counts = state["counts"][side]
        armed = 0
        if counts[COMMANDER]:
            armed |= ARMED_COMMANDER
        if counts[AIR_FORCE]:
            armed |= ARMED_AIR
        if counts[INFANTRY] or counts[TANK] or counts[ARTILLERY]:
            armed |= ARMED_LAND
        if counts[NAVY]:
            armed |= ARMED_NAVY
        state["armed"][side] = armed


@inner_kernel
def settle_no_move(state: Record) -> None:
    """A side to move without a legal turn loses (R10.4)."""
    _finish(state, 1 - int(state["player"]), BY_NO_MOVE)


@inner_kernel
def _finish(state: Record, winner: int, reason: int) -> None:
    state["winner"] = winner
    state["reason"] = reason
