"""Clocks, repetition, and the end of a game."""

from __future__ import annotations

from cotulenh_env.cwda.rules import QUIET_LIMIT, REPETITION
from cotulenh_env.cwda.state import (
    BY_BARE_KINGS,
    BY_CHECKMATE,
    BY_FIFTY_MOVES,
    BY_REPETITION,
    BY_STALEMATE,
    DRAW,
    HISTORY_LENGTH,
    Record,
)
from cotulenh_env.kernel import inner_kernel

_MAX_CLOCK = 99_999


@inner_kernel
def count_move(state: Record, is_irreversible: bool) -> None:
    """Sets the clocks after a move; a capture or pawn move makes older positions impossible."""
    state["turns"] += 1
    if state["player"]:
        state["move_number"] = min(int(state["move_number"]) + 1, _MAX_CLOCK)
    if is_irreversible:
        for index in range(int(state["history_length"])):
            state["history"][index] = 0
        state["history_length"] = 0
        state["quiet_plies"] = 0
    else:
        state["quiet_plies"] = min(int(state["quiet_plies"]) + 1, _MAX_CLOCK)


@inner_kernel
def remember_position(state: Record) -> None:
    """Adds the position to the history, and counts how often it has stood."""
    key = int(state["key"])
    length = int(state["history_length"])
    history = state["history"]
    occurrences = 1
    # Only every other position has the same side to move, and none comes back after one move each.
    for index in range(length - 4, -1, -2):
        if history[index] == key:
            occurrences += 1
    if length < HISTORY_LENGTH:
        history[length] = key
        state["history_length"] = length + 1
    state["occurrences"] = occurrences


@inner_kernel
def settle(state: Record, count: int, is_check: bool) -> None:
    """Ends the game if it is over: mate and stalemate come before the draws by count.

    Args:
        state: with the player to move, clocks and history up to date.
        count: legal actions; only whether there are any matters.
        is_check: whether the player to move is in check.
    """
    state["in_check"] = 1 if is_check else 0
    if count == 0:
        if is_check:
            _finish(state, 1 - int(state["player"]), BY_CHECKMATE)
        else:
            _finish(state, DRAW, BY_STALEMATE)
    elif state["num_men"][0] == 1 and state["num_men"][1] == 1:
        _finish(state, DRAW, BY_BARE_KINGS)
    elif state["occurrences"] >= REPETITION:
        _finish(state, DRAW, BY_REPETITION)
    elif state["quiet_plies"] >= QUIET_LIMIT:
        _finish(state, DRAW, BY_FIFTY_MOVES)


@inner_kernel
def _finish(state: Record, winner: int, reason: int) -> None:
    state["winner"] = winner
    state["reason"] = reason
