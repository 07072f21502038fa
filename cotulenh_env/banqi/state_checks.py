"""Checks bytes offered as a saved state: whether a game can be in it.

Kernels trust their states, so nothing that came from a file gets to them unchecked.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.loading import (
    Setup,
    board_key,
    cells_of,
    check_setup,
    pieces_left,
    position_key,
    result_of,
    rules_of,
)
from cotulenh_env.banqi.pieces import FACE_DOWN, NUM_CODES, NUM_TYPES
from cotulenh_env.banqi.rules import PRESETS
from cotulenh_env.banqi.state import (
    HISTORY_LENGTH,
    NO_COLOUR,
    REASONS,
    STATE_DTYPE,
    Record,
)
from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.kernel_game import record_from

MAX_TURNS = 63 * 128
"""More than any game has: each of 32 flips and 31 captures, then at most 127 quiet turns."""


def checked_state(state: bytes | npt.NDArray[np.uint8]) -> Record:
    """A record of its own from foreign bytes.

    Args:
        state: bytes, or uint8 [state_size].

    Raises:
        StateError: no game can be in that state, with the reason.
    """
    record = record_from(state, STATE_DTYPE)
    check_record(record)
    return record


def check_record(state: Record) -> None:
    """Refuses a record that no game can be in.

    Raises:
        StateError: with the reason.
    """
    _check_rules(state)
    _check_board(state)
    _check_history(state)
    winner, reason = result_of(state)
    found = int(state["winner"]), int(state["reason"])
    words = f"winner {found[0]} by reason {found[1]} where it is {winner} by {reason}"
    _require(found == (winner, reason), words)


def _require(condition: object, words: str) -> None:
    if not condition:
        raise StateError(f"no game can be in the saved state: {words}")


def _check_rules(state: Record) -> None:
    _require(0 <= state["preset"] < len(PRESETS), f"preset {state['preset']}")
    for name in ("elimination", "adjudicate"):
        _require(state[name] in (0, 1), f"{name} is {state[name]}")
    captures = state["captures"]
    _require(((captures >= 0) & (captures < 1 << NUM_TYPES)).all(), f"captures {captures.tolist()}")
    try:
        rules_of(state)
    except RulesError as error:
        raise StateError(f"no game can be in the saved state: {error}") from None


def _check_board(state: Record) -> None:
    board, hidden = state["board"], state["hidden"]
    _require(((board >= 0) & (board < NUM_CODES)).all(), f"board {board.tolist()}")
    _require((hidden >= 0).all(), f"pieces face down {hidden.tolist()}")
    _require(state["player"] in (0, 1), f"player {state['player']} to move")
    _require(state["first_colour"] in (NO_COLOUR, 0, 1), f"colour {state['first_colour']}")
    quiet = int(state["quiet"])
    _require(quiet >= 0, f"quiet turns {quiet}")
    setup = Setup(board, hidden, int(state["player"]), int(state["first_colour"]), quiet)
    try:
        check_setup(setup)
    except PositionError as error:
        raise StateError(f"the saved position cannot be: {error}") from None
    _require(state["key"] == board_key(board), "its hash is not the board's")
    _require(
        np.array_equal(state["left"], pieces_left(board, hidden)), "its counts are not the board's"
    )
    _require(state["cells"].tolist() == cells_of(board), "its sets of cells are not the board's")
    _require(state["num_face_down"] == (board == FACE_DOWN).sum(), "its counts are not the board's")


def _check_history(state: Record) -> None:
    length, quiet = int(state["history_length"]), int(state["quiet"])
    _require(0 <= state["turns"] <= MAX_TURNS, f"turn {state['turns']}")
    _require(0 <= state["reason"] < len(REASONS), f"reason {state['reason']}")
    # A loaded position may bring quiet turns of which nothing more is known.
    _require(1 <= length <= min(HISTORY_LENGTH, quiet + 1), f"a history of {length} positions")
    _require(length <= state["turns"] + 1, f"a history of {length} positions")
    _require(not state["history"][length:].any(), "positions behind the end of its history")
    _require(
        state["history"][length - 1] == position_key(state),
        "its history does not end with its position",
    )
    earlier = np.unique(state["history"][: length - 1], return_counts=True)[1]
    limit = int(state["repetition"])
    _require(not limit or (earlier < limit).all(), "it went on after a repetition")
