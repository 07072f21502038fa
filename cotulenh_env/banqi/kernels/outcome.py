"""Ending a turn, and the game when that decides it (rule 5)."""

from __future__ import annotations

from cotulenh_env.banqi.kernels.legal import has_legal_action
from cotulenh_env.banqi.pieces import NUM_PIECES, NUM_TYPES
from cotulenh_env.banqi.state import (
    BY_ALL_CAPTURED,
    BY_DEAD_MATERIAL,
    BY_NO_MOVE,
    BY_QUIET,
    BY_REPETITION,
    DRAW,
    FACE_DOWN_CELLS,
    HISTORY_LENGTH,
    ZOBRIST_PLAYER,
    Record,
)
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def end_turn(state: Record, is_irreversible: bool) -> None:
    """Passes the turn, and looks at what ends the game then, in the order of rule 5.

    Args:
        state: a record whose board, counts and key are those after the action.
        is_irreversible: whether the action was a flip or a capture.
    """
    player = 1 - int(state["player"])
    state["player"] = player
    state["turns"] += 1
    if is_irreversible:
        # What stood on the board before cannot come again.
        for index in range(int(state["history_length"])):
            state["history"][index] = 0
        state["history_length"] = 0
        state["quiet"] = 0
    else:
        state["quiet"] += 1
    occurrences = _remember_position(state)
    loser = _side_without_pieces(state)
    if loser >= 0 and state["elimination"]:
        _finish(state, 1 - loser, BY_ALL_CAPTURED)
    elif not has_legal_action(state):
        _finish(state, 1 - player, BY_NO_MOVE)
    elif state["adjudicate"] and _is_dead(state):
        _finish(state, DRAW, BY_DEAD_MATERIAL)
    elif state["repetition"] and occurrences >= state["repetition"]:
        _finish(state, DRAW, BY_REPETITION)
    elif state["quiet"] >= state["quiet_limit"]:
        _finish(state, DRAW, BY_QUIET)


@inner_kernel
def _remember_position(state: Record) -> int:
    """Adds the position to the history; returns how often it has stood (rule 5.3)."""
    key = int(state["key"]) ^ (ZOBRIST_PLAYER if state["player"] else 0)
    length = int(state["history_length"])
    if length < HISTORY_LENGTH:
        state["history"][length] = key
        length += 1
        state["history_length"] = length
    occurrences = 1
    # The same side is to move in every second position, and none comes again before the fourth.
    for index in range(length - 5, -1, -2):
        if state["history"][index] == key:
            occurrences += 1
    return occurrences


@inner_kernel
def _side_without_pieces(state: Record) -> int:
    """The player all of whose pieces have been captured, -1 if there is none (rule 5.1)."""
    for colour in range(2):
        if state["left"][colour] == 0:
            return 0 if colour == state["first_colour"] else 1
    return -1


@inner_kernel
def _is_dead(state: Record) -> bool:
    """Whether no piece that is left could ever capture another (rule 5.5)."""
    if state["cells"][FACE_DOWN_CELLS]:
        return False
    present = 0
    for cell in range(len(state["board"])):
        present |= 1 << int(state["board"][cell])
    for piece in range(NUM_PIECES):
        if present >> piece & 1:
            colour, kind = piece // NUM_TYPES, piece % NUM_TYPES
            enemies = present >> (1 - colour) * NUM_TYPES & (1 << NUM_TYPES) - 1
            if int(state["captures"][kind]) & enemies:
                return False
    return True


@inner_kernel
def _finish(state: Record, winner: int, reason: int) -> None:
    state["winner"] = winner
    state["reason"] = reason
