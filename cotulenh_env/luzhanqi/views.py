"""What a drawing says of a record besides the pieces."""

from __future__ import annotations

import numpy as np

from cotulenh_env.luzhanqi.board import DEAL_PLACES, opposite
from cotulenh_env.luzhanqi.drawing import Marks, result_words
from cotulenh_env.luzhanqi.fen import Board
from cotulenh_env.luzhanqi.pieces import KIND_NAMES, NUM_PIECES, OUTCOME_WORDS, piece_code
from cotulenh_env.luzhanqi.placement import PLACEMENT_ORDER
from cotulenh_env.luzhanqi.state import NO_COLOUR, Record, codes_of

_COLOUR_NAMES = ("red", "black")


def flip_marks(state: Record) -> Marks:
    """Marks of a record of FLIP_DTYPE."""
    player, first = int(state["player"]), int(state["first_colour"])
    colour = "" if first == NO_COLOUR else f" ({_COLOUR_NAMES[first ^ player]})"
    num_down = int(state["remaining"].sum())
    return Marks(result_words(state) or f"Player {player}{colour} to move, {num_down} face down")


def referee_marks(state: Record) -> Marks:
    """Marks of a record of REFEREE_DTYPE: nothing that is not announced."""
    start, end, outcome = state["last"].tolist()
    player, num_placed = int(state["player"]), int(state["num_placed"])
    words = result_words(state)
    if not words and state["placing"] and num_placed < 2 * NUM_PIECES:
        kind = KIND_NAMES[PLACEMENT_ORDER[num_placed % NUM_PIECES]]
        words = f"Player {player} ({_COLOUR_NAMES[player]}) to place a {kind}"
    if not words:
        words = f"Player {player} ({_COLOUR_NAMES[player]}) to move"
        words += f"; {OUTCOME_WORDS[outcome]}" if outcome else ""
    return Marks(words, (start, end) if start >= 0 else None)


def shown_codes(state: Record) -> Board:
    """int8 [60]: what a record of REFEREE_DTYPE shows at each place, placements included."""
    codes: Board = codes_of(np.frombuffer(state.tobytes(), state.dtype))[0]
    if not state["board"].any():
        for player, token in np.argwhere(state["kinds"]).tolist():
            place = int(DEAL_PLACES[token])
            kind = int(state["kinds"][player, token])
            codes[opposite(place) if player else place] = piece_code(player, kind)
    return codes
