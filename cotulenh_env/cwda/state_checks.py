"""Checks bytes offered as a saved state: whether a game can be in it.

Kernels trust their states, so nothing that came from a file gets to them unchecked.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.cwda.armies import ARMIES
from cotulenh_env.cwda.loading import Setup, load
from cotulenh_env.cwda.pieces import KIND_MASK, NUM_KINDS, SIDE_SHIFT
from cotulenh_env.cwda.rules import QUIET_LIMIT, REPETITION
from cotulenh_env.cwda.state import (
    BY_FIFTY_MOVES,
    BY_REPETITION,
    DRAW,
    HISTORY_LENGTH,
    NO_SQUARE,
    UNFINISHED,
    Record,
)
from cotulenh_env.errors import PositionError, StateError
from cotulenh_env.saved_states import require

_FOLLOWING = ("key", "num_men", "can_en_passant", "in_check")
"""Fields that the position alone decides."""


def check_record(state: Record) -> None:
    """Refuses a record that no game can be in.

    Raises:
        StateError: with the reason.
    """
    _check_fields(state)
    white, black = state["armies"]
    setup = Setup(
        board=state["board"],
        armies=(int(white), int(black)),
        player=int(state["player"]),
        castling=int(state["castling"]),
        en_passant=int(state["en_passant"]),
        quiet_plies=int(state["quiet_plies"]),
        move_number=int(state["move_number"]),
    )
    try:
        fresh = load(setup)
    except PositionError as error:
        raise StateError(f"the saved position cannot be: {error}") from None
    for name in _FOLLOWING:
        require(np.array_equal(state[name], fresh[name]), f"its {name} is not the position's")
    _check_history(state)
    _check_result(state, fresh)


def _check_fields(state: Record) -> None:
    for name, low, high in (
        ("player", 0, 1),
        ("castling", 0, 15),
        ("en_passant", NO_SQUARE, 63),
        ("turns", 0, 2**30),
        ("move_number", 0, 99_999),
        ("quiet_plies", 0, 99_999),
        ("history_length", 1, HISTORY_LENGTH),
    ):
        require(low <= state[name] <= high, f"{name} is {state[name]}")
    armies = state["armies"]
    require(((armies >= 0) & (armies < len(ARMIES))).all(), f"armies {armies.tolist()}")
    require(not state["unused"].any(), "bytes are set that mean nothing")
    for code in state["board"].tolist():
        kind, side = code & KIND_MASK, code >> SIDE_SHIFT
        require(code == 0 or (1 <= kind <= NUM_KINDS and side <= 1), f"{code} on its board")


def _check_history(state: Record) -> None:
    length, history = int(state["history_length"]), state["history"]
    require(length <= state["quiet_plies"] + 1, f"{length} positions since the last capture")
    require(length <= state["turns"] + 1, f"{length} positions in {state['turns']} turns")
    require(not history[length:].any(), "positions behind the end of its history")
    require(history[length - 1] == state["key"], "its history does not end with its position")
    _, times = np.unique(history[: length - 1], return_counts=True)
    require((times < REPETITION).all(), "a game that went on after a repetition")
    occurrences = int((history[length - 1 :: -2] == state["key"]).sum())
    require(state["occurrences"] == occurrences <= REPETITION, f"{occurrences} occurrences")


def _check_result(state: Record, fresh: Record) -> None:
    """Holds the result to what the position and its clocks say."""
    winner, reason = int(fresh["winner"]), int(fresh["reason"])
    if winner == UNFINISHED and state["occurrences"] >= REPETITION:
        winner, reason = DRAW, BY_REPETITION
    elif winner == UNFINISHED and state["quiet_plies"] >= QUIET_LIMIT:
        winner, reason = DRAW, BY_FIFTY_MOVES
    require(
        state["winner"] == winner and state["reason"] == reason,
        f"winner {state['winner']}, reason {state['reason']}",
    )
