"""Checks bytes offered as a saved state: whether a game can be in it.

Kernels trust their states, so nothing that came from a file gets to them unchecked.
"""

from __future__ import annotations

import numpy as np

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
    Record,
)
from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.saved_states import require

MAX_TURNS = 63 * 128
"""More than any game has: each of 32 flips and 31 captures, then at most 127 quiet turns."""


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
    require(found == (winner, reason), words)


def _check_rules(state: Record) -> None:
    require(0 <= state["preset"] < len(PRESETS), f"preset {state['preset']}")
    for name in ("elimination", "adjudicate"):
        require(state[name] in (0, 1), f"{name} is {state[name]}")
    captures = state["captures"]
    require(((captures >= 0) & (captures < 1 << NUM_TYPES)).all(), f"captures {captures.tolist()}")
    try:
        rules_of(state)
    except RulesError as error:
        raise StateError(f"no game can be in the saved state: {error}") from None


def _check_board(state: Record) -> None:
    board, hidden = state["board"], state["hidden"]
    require(((board >= 0) & (board < NUM_CODES)).all(), f"board {board.tolist()}")
    require((hidden >= 0).all(), f"pieces face down {hidden.tolist()}")
    require(state["player"] in (0, 1), f"player {state['player']} to move")
    require(state["first_colour"] in (NO_COLOUR, 0, 1), f"colour {state['first_colour']}")
    quiet = int(state["quiet"])
    require(quiet >= 0, f"quiet turns {quiet}")
    setup = Setup(board, hidden, int(state["player"]), int(state["first_colour"]), quiet)
    try:
        check_setup(setup)
    except PositionError as error:
        raise StateError(f"the saved position cannot be: {error}") from None
    require(state["key"] == board_key(board), "its hash is not the board's")
    require(
        np.array_equal(state["left"], pieces_left(board, hidden)), "its counts are not the board's"
    )
    require(state["cells"].tolist() == cells_of(board), "its sets of cells are not the board's")
    require(state["num_face_down"] == (board == FACE_DOWN).sum(), "its counts are not the board's")


def _check_history(state: Record) -> None:
    length, quiet = int(state["history_length"]), int(state["quiet"])
    require(0 <= state["turns"] <= MAX_TURNS, f"turn {state['turns']}")
    require(0 <= state["reason"] < len(REASONS), f"reason {state['reason']}")
    # A loaded position may bring quiet turns of which nothing more is known.
    require(1 <= length <= min(HISTORY_LENGTH, quiet + 1), f"a history of {length} positions")
    require(length <= state["turns"] + 1, f"a history of {length} positions")
    require(not state["history"][length:].any(), "positions behind the end of its history")
    require(
        state["history"][length - 1] == position_key(state),
        "its history does not end with its position",
    )
    earlier = np.unique(state["history"][: length - 1], return_counts=True)[1]
    limit = int(state["repetition"])
    require(not limit or (earlier < limit).all(), "it went on after a repetition")
