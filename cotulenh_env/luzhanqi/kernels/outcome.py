"""How games end: captured flags, players without a move, repetition, quiet plies.

The tests come in this order: flag captured; the next player has no legal action; repetition; quiet.
"""

from __future__ import annotations

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.pieces import NUM_CODES
from cotulenh_env.luzhanqi.state import (
    BY_BOTH_IMMOBILE,
    BY_NO_MOVE,
    BY_QUIET,
    BY_REPETITION,
    DRAW,
    ZOBRIST,
    ZOBRIST_COLOUR,
    ZOBRIST_ENTERED,
    ZOBRIST_PLAYER,
    ZOBRIST_REMAINING,
    Record,
)


@inner_kernel
def finish(state: Record, winner: int, reason: int) -> None:
    """Ends the game."""
    state["winner"] = winner
    state["reason"] = reason


@inner_kernel
def settle_no_move(state: Record, other_can_move: bool) -> None:
    """Ends a game whose next player has no legal action (L11)."""
    if other_can_move:
        finish(state, 1 - int(state["player"]), BY_NO_MOVE)
    else:
        finish(state, DRAW, BY_BOTH_IMMOBILE)


@inner_kernel
def settle_quiet(state: Record) -> bool:
    """Ends a game that has been quiet for too long; returns whether it has."""
    if state["quiet_plies"] < state["quiet_limit"]:
        return False
    finish(state, DRAW, BY_QUIET)
    return True


@inner_kernel
def settle_repetition(state: Record) -> bool:
    """Notes the position and ends the game if it has come too often; returns whether it has (L17).

    The start, and the position after a flip or removal, count as first occurrences.
    """
    if state["repetition"] == 0:
        return False
    key = flip_key(state)
    count = 1
    length = int(state["history_length"])
    for index in range(length):
        if state["history"][index] == key:
            count += 1
    state["history"][length] = key
    state["history_length"] = length + 1
    if count < state["repetition"]:
        return False
    finish(state, DRAW, BY_REPETITION)
    return True


@inner_kernel
def flip_key(state: Record) -> int:
    """The hash that `state.flip_keys_of` gives, as a signed number."""
    key = int(ZOBRIST_PLAYER[int(state["player"])])
    key ^= int(ZOBRIST_COLOUR[int(state["first_colour"]) + 1])
    key ^= int(ZOBRIST_ENTERED[int(state["entered"])])
    for place in range(NUM_PLACES):
        key ^= int(ZOBRIST[place, int(state["board"][place])])
    for code in range(1, NUM_CODES):
        key ^= int(ZOBRIST_REMAINING[code, int(state["remaining"][code])])
    return key
