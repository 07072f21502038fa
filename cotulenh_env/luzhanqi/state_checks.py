"""Checks of saved states: a record from outside is played only if a game can be in it.

What a record says is written as text, read back with all checks that texts get, and compared.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.flip_fen import flip_fen_of, flip_state_of
from cotulenh_env.luzhanqi.pieces import NUM_KINDS, NUM_PIECES
from cotulenh_env.luzhanqi.referee_fen import referee_fen_of, referee_state_of
from cotulenh_env.luzhanqi.setup import COUNT_BY_CODE, flip_rules_of, referee_rules_of
from cotulenh_env.luzhanqi.state import (
    BY_REPETITION,
    DRAW,
    FACE_DOWN,
    HAS_TURNED,
    HISTORY_LENGTH,
    MAX_FIGHTS,
    MAX_PLIES,
    NO_COLOUR,
    UNFINISHED,
    Record,
    flip_keys_of,
)
from cotulenh_env.saved_states import require


def check_flip_record(state: Record) -> None:
    """Refuses a record of FLIP_DTYPE that no game can be in.

    Raises:
        StateError: with the reason.
    """
    require(_within(state["board"], 0, FACE_DOWN), "a code on the board")
    remaining = state["remaining"]
    require((remaining >= 0).all() and (remaining <= COUNT_BY_CODE).all(), "pieces face down")
    require(_within(state["first_colour"], NO_COLOUR, 1), "player 0's colour")
    _check_common(state)
    require(_within(state["entered"], 0, 15), "headquarters entered")
    _check_history(state)
    try:
        rules = flip_rules_of(state)
        again = flip_state_of(flip_fen_of(state), rules)
    except (PositionError, RulesError) as error:
        raise StateError(f"no game can be in the saved state: {error}") from None
    for name in ("history", "history_length", "first_ply"):
        again[name] = state[name]
    by_repetition = state["winner"] == DRAW and state["reason"] == BY_REPETITION
    if by_repetition and rules.repetition and again["winner"] == UNFINISHED:
        again["winner"], again["reason"] = DRAW, BY_REPETITION
    require(again.tobytes() == state.tobytes(), "its fields do not fit each other")


def check_referee_record(state: Record) -> None:
    """Refuses a record of REFEREE_DTYPE that no game can be in.

    Raises:
        StateError: with the reason.
    """
    require(_within(state["board"], 0, 2 * NUM_PIECES), "a token on the board")
    require(_within(state["kinds"], 0, NUM_KINDS), "a kind")
    require(_within(state["moved"], 0, HAS_TURNED), "whether a piece has moved")
    require(_within(state["num_fights"], 0, MAX_FIGHTS), "the number of fights")
    require(_within(state["num_placed"], 0, 2 * NUM_PIECES), "the number of placed pieces")
    require(_within(state["last"], -1, NUM_PLACES - 1), "the last move")
    require((state["last"][0] < 0) == (state["last"][1] < 0), "the last move")
    require(_within(state["last"][2], 0, 4), "the last outcome")
    fights = state["fights"][: state["num_fights"]]
    require(_within(fights, 1, 2 * NUM_PIECES), "a fight")
    _check_common(state)
    try:
        again = referee_state_of(referee_fen_of(state), referee_rules_of(state))
    except (PositionError, RulesError) as error:
        raise StateError(f"no game can be in the saved state: {error}") from None
    for name in ("course", "first_ply"):
        again[name] = state[name]
    require(again.tobytes() == state.tobytes(), "its fields do not fit each other")


def _check_common(state: Record) -> None:
    require(_within(state["player"], 0, 1), "the player to move")
    require(_within(state["plies"], 0, MAX_PLIES), "plies")
    require(_within(state["first_ply"], 0, int(state["plies"])), "plies of the beginning")
    require(_within(state["quiet_plies"], 0, 127), "quiet plies")
    require(_within(state["hq_lock"], 0, 2), "hq_lock")
    require(_within(state["winner"], UNFINISHED, 1), "the winner")


def _check_history(state: Record) -> None:
    length = int(state["history_length"])
    require(0 <= length <= HISTORY_LENGTH, "the length of its history")
    require(not state["history"][length:].any(), "positions behind the end of its history")
    if not state["repetition"]:
        require(length == 0, "a history without need")
    elif state["winner"] == UNFINISHED:
        key = int(flip_keys_of(state.reshape(1)).view(np.int64)[0])
        require(length > 0 and state["history"][length - 1] == key, "the end of its history")


def _within(values: object, low: int, high: int) -> bool:
    array = np.asarray(values)
    return bool(((array >= low) & (array <= high)).all())
