"""Moves in words: `T f4-f6 move`, `F f4*f8 strike`, `SELECT c5 NF`, `PLACE f2 H`, `END`.

    GROUP FROM-TO WORD    MOVE; the word is move, join, capture, shot or kamikaze
    GROUP FROM*TO WORD    STRIKE; the word is strike, or hqonly if the commander inside stays
    SELECT FROM GROUP     a group to deploy, without heroic marks unless two groups differ in them
    PLACE POINT PIECE     the next piece of the advanced battle
    END                   the pieces that have not acted stay

Points are the board's for both sides; pieces are upper case, `+` before heroic ones.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from cotulenh_env.commander.actions import (
    MIRRORED_DIRECTION,
    MIRRORED_POINT,
    ActionKind,
    decode,
)
from cotulenh_env.commander.board import NUM_POINTS, point_name
from cotulenh_env.commander.kernels.flight import IN_ZONE, SAFE, SHOT_DOWN, fill_zones, flight_fate
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    HEADQUARTERS,
    MAX_STACK,
    SIDE_BIT,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.state import Record
from cotulenh_env.commander.switches import HEADQUARTERS_FALLS_ALONE
from cotulenh_env.commander.tables import CAPTURES_HIDDEN_COMMANDER
from cotulenh_env.errors import IllegalActionError


class BoardMove(NamedTuple):
    """An action on the board, the same for both sides.

    Attributes:
        kind: what it does.
        point: where from, or where to place; -1 for END.
        target: where to, of MOVE and STRIKE; else -1.
        codes: the pieces that move, strike, are selected or placed.
        choice: the pieces at `point` that have not acted, among which SELECT chooses.
    """

    kind: ActionKind
    point: int = -1
    target: int = -1
    codes: tuple[int, ...] = ()
    choice: tuple[int, ...] = ()


def board_move(state: Record, action: int) -> BoardMove:
    """An action of the player to move, turned to the board's own points.

    Args:
        state: the position.
        action: legal in it, or at least one with pieces to act and a target on the board.

    Raises:
        IllegalActionError: it is neither.
    """
    move = decode(action)
    if move.kind == ActionKind.END:
        return BoardMove(ActionKind.END)
    if move.target < 0:
        raise IllegalActionError(f"action {action} leads off the board")
    player = int(state["player"])
    point = int(MIRRORED_POINT[player, move.point])
    if move.kind == ActionKind.PLACE:
        kind = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
        return BoardMove(move.kind, point, codes=(2 * kind + 1,))
    in_deployment = state["origin"] == point
    mask = (1 << MAX_STACK) - 1
    if in_deployment and state["unacted"]:  # a navy that has struck moves on as a whole (R12.2)
        mask = int(state["unacted"])
    if in_deployment and state["selected"]:
        mask = int(state["selected"])
    codes = stack_codes(int(state["board"][point]))
    group = [code for slot, code in enumerate(codes) if mask >> slot & 1]
    if not group:
        raise IllegalActionError(f"action {action}: no piece at {point_name(point)} is to act")
    if move.kind == ActionKind.SELECT:
        selected = [code for index, code in enumerate(group) if move.mask >> index & 1]
        return BoardMove(move.kind, point, codes=tuple(selected), choice=tuple(group))
    target = int(MIRRORED_POINT[player, move.target])
    return BoardMove(move.kind, point, target, tuple(group))


def move_text(state: Record, action: int) -> str:
    """A legal action in words.

    Args:
        state: the position.
        action: legal in it.
    """
    move = board_move(state, action)
    if move.kind == ActionKind.END:
        return "END"
    point = point_name(move.point)
    group = pieces_text(list(move.codes))
    if move.kind == ActionKind.PLACE:
        return f"PLACE {point} {group}"
    if move.kind == ActionKind.SELECT:
        return f"SELECT {point} {group if _needs_marks(move) else group.replace('+', '')}"
    target = point_name(move.target)
    if move.kind == ActionKind.STRIKE:
        word = "hqonly" if falls_alone(state, move) else "strike"
        return f"{group} {point}*{target} {word}"
    return f"{group} {point}-{target} {move_word(state, action, move)}"


def falls_alone(state: Record, move: BoardMove) -> bool:
    """Whether a STRIKE takes a headquarters and leaves the commander inside (R12.2)."""
    if not state["switches"] & HEADQUARTERS_FALLS_ALONE:
        return False
    kinds = [code >> 1 for code in stack_codes(int(state["board"][move.target]))]
    holds_commander = kinds[0] == HEADQUARTERS and len(kinds) > 1
    return holds_commander and not CAPTURES_HIDDEN_COMMANDER[1, move.codes[0] >> 1]


def target_codes(state: Record, move: BoardMove) -> tuple[int, ...]:
    """The pieces that a MOVE or STRIKE is aimed at: a stack, or a headquarters alone (R12.2)."""
    codes = stack_codes(int(state["board"][move.target]))
    if move.kind == ActionKind.STRIKE and falls_alone(state, move):
        return (codes[0],)
    return tuple(codes)


def _needs_marks(move: BoardMove) -> bool:
    """Whether another group of the same kinds could be selected."""
    kinds = [code >> 1 for code in move.codes]
    return any(
        [code >> 1 for code in group] == kinds and group != move.codes
        for group in combinations(move.choice, len(kinds))
    )


def move_word(state: Record, action: int, move: BoardMove) -> str:
    """What becomes of a MOVE: move, join, capture, shot or kamikaze (R3.1, R4.1, R7.3, R8.4).

    Args:
        state: the position.
        action: a legal MOVE in it.
        move: the same as `board_move` gives it.
    """
    target = int(state["board"][move.target])
    is_capture = target != 0 and target // SIDE_BIT != state["player"]
    fate = _flight_fate(state, action, move)
    if fate == SHOT_DOWN or (fate == IN_ZONE and not is_capture):
        return "shot"
    if fate == IN_ZONE:
        return "kamikaze"
    if is_capture:
        return "capture"
    return "join" if target else "move"


def _flight_fate(state: Record, action: int, move: BoardMove) -> int:
    if move.codes[0] >> 1 != AIR_FORCE:
        return SAFE
    player = int(state["player"])
    zones = np.empty(NUM_POINTS, np.int32)
    board = np.ascontiguousarray(state["board"])
    fill_zones(board, 1 - player, zones)
    seen = decode(action)
    direction = int(MIRRORED_DIRECTION[player, seen.direction])
    return int(flight_fate(zones, move.codes[0], move.point, direction, seen.distance))
