"""Playing one action (rules 2 and 3)."""

from __future__ import annotations

from cotulenh_env.banqi.actions import FIRST_STEP, START, TARGET
from cotulenh_env.banqi.kernels.outcome import end_turn
from cotulenh_env.banqi.pieces import EMPTY, FACE_DOWN, NUM_PIECES, NUM_TYPES
from cotulenh_env.banqi.state import FACE_DOWN_CELLS, NO_COLOUR, ZOBRIST, Record
from cotulenh_env.kernel import inner_kernel

NO_EVENT = 0
"""Of an action whose result is certain."""


@inner_kernel
def apply_action(state: Record, action: int, draw: float) -> int:
    """Plays one legal action; returns its event: the piece that a flip turns up, else NO_EVENT."""
    if action < FIRST_STEP:
        piece = _turn_up(state, action, draw)
        end_turn(state, True)
        return piece
    start, target = int(START[action]), int(TARGET[action])
    board = state["board"]
    piece, captured = int(board[start]), int(board[target])
    board[start] = EMPTY
    board[target] = piece
    state["key"] ^= ZOBRIST[piece, start] ^ ZOBRIST[piece, target] ^ ZOBRIST[captured, target]
    state["cells"][piece // NUM_TYPES] ^= 1 << start | 1 << target
    if captured != EMPTY:
        state["cells"][captured // NUM_TYPES] ^= 1 << target
        state["left"][captured // NUM_TYPES] -= 1
    end_turn(state, captured != EMPTY)
    return NO_EVENT


@inner_kernel
def _turn_up(state: Record, cell: int, draw: float) -> int:
    """Turns up one of the pieces still face down, all of them equally likely (rule 2.3)."""
    hidden = state["hidden"]
    num_face_down = int(state["num_face_down"])
    # Pieces come in the order of their numbers, as `chance_outcomes` has them.
    rank = min(int(draw * num_face_down), num_face_down - 1)
    piece = 0
    while piece < NUM_PIECES - 1 and rank >= hidden[piece]:
        rank -= int(hidden[piece])
        piece += 1
    hidden[piece] -= 1
    state["num_face_down"] = num_face_down - 1
    state["board"][cell] = piece
    state["cells"][FACE_DOWN_CELLS] ^= 1 << cell
    state["cells"][piece // NUM_TYPES] ^= 1 << cell
    state["key"] ^= ZOBRIST[FACE_DOWN, cell] ^ ZOBRIST[piece, cell]
    if state["first_colour"] == NO_COLOUR:
        state["first_colour"] = piece // NUM_TYPES  # only player 0 can have flipped (rule 2.4)
    return piece
