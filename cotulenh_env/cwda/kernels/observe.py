"""Observation planes of states (observation.py says what they mean)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.armies import NUM_MAIN_ARMIES
from cotulenh_env.cwda.board import NUM_SQUARES, TURN
from cotulenh_env.cwda.kernels.notes import Note
from cotulenh_env.cwda.observation import (
    ARMY_SHARES,
    CASTLING,
    EN_PASSANT,
    ENEMY_ARMY,
    OWN_ARMY,
    PIECE_PLANES,
    QUIET_PLIES,
    STOOD_THRICE,
    STOOD_TWICE,
    TO_MOVE,
    WHITE,
)
from cotulenh_env.cwda.pieces import KIND_MASK, SIDE_SHIFT
from cotulenh_env.cwda.rules import QUIET_LIMIT, REPETITION
from cotulenh_env.cwda.state import Record
from cotulenh_env.kernel import inner_kernel

PlaneRows = npt.NDArray[np.float32]
"""float32 [planes, 64]: the planes of one state, squares as the observing player sees them."""


@inner_kernel
def observe(state: Record, player: int, planes: PlaneRows, note: Note) -> None:
    """Makes the planes those of the state, from what the note says they hold; updates the note."""
    shown_player = int(note["player"])
    board, shown = state["board"], note["board"]
    is_same_side = shown_player == player
    for square in range(NUM_SQUARES):
        code, old = int(board[square]), int(shown[square])
        if old and (old != code or not is_same_side):
            _set_piece(planes, shown_player, square, old, 0.0)
    for square in range(NUM_SQUARES):
        code, old = int(board[square]), int(shown[square])
        if code and (old != code or not is_same_side):
            _set_piece(planes, player, square, code, 1.0)
        shown[square] = code
    _show_passing(state, player, planes, note)
    note["player"] = player

    rights = int(state["castling"])
    for index in range(4):
        bit = index ^ (2 * player)
        _set(planes, CASTLING + index, 1.0 if rights >> bit & 1 else 0.0)
    _set(planes, STOOD_TWICE, 1.0 if state["occurrences"] >= REPETITION - 1 else 0.0)
    _set(planes, STOOD_THRICE, 1.0 if state["occurrences"] >= REPETITION else 0.0)
    _set(planes, QUIET_PLIES, min(1.0, int(state["quiet_plies"]) / QUIET_LIMIT))
    own, enemy = int(state["armies"][player]), int(state["armies"][1 - player])
    for army in range(NUM_MAIN_ARMIES):
        _set(planes, OWN_ARMY + army, ARMY_SHARES[own, army])
        _set(planes, ENEMY_ARMY + army, ARMY_SHARES[enemy, army])
    _set(planes, WHITE, 0.0 if player else 1.0)
    _set(planes, TO_MOVE, 1.0 if state["player"] == player else 0.0)


@inner_kernel
def _set_piece(planes: PlaneRows, player: int, square: int, code: int, value: float) -> None:
    owner = (code >> SIDE_SHIFT) ^ player
    kind = code & KIND_MASK
    seen = square ^ (TURN * player)
    planes[PIECE_PLANES[owner, kind, 0], seen] = value
    second = PIECE_PLANES[owner, kind, 1]
    if second >= 0:
        planes[second, seen] = value


@inner_kernel
def _show_passing(state: Record, player: int, planes: PlaneRows, note: Note) -> None:
    shown = int(note["passing"])
    if shown:
        planes[EN_PASSANT, shown - 1] = 0.0
    note["passing"] = 0
    if state["can_en_passant"]:
        seen = int(state["en_passant"]) ^ (TURN * player)
        planes[EN_PASSANT, seen] = 1.0
        note["passing"] = seen + 1


@inner_kernel
def _set(planes: PlaneRows, plane: int, value: float) -> None:
    """Makes a plane that holds one value hold this one."""
    number = np.float32(value)
    if planes[plane, 0] != number:
        # A loop: assigning to a slice compiles ten times as long.
        for square in range(NUM_SQUARES):
            planes[plane, square] = number
