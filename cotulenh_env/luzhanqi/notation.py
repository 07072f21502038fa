"""Actions in words, and back, in both modes.

    flip b3     a2-a7     a2xa7      place b1

Places are the board's, not the mover's. No word tells a kind, so that what is said in referee mode
may be heard by everybody, except where a piece is placed.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.luzhanqi.actions import (
    FIRST_FLIP_MOVE,
    ActionKind,
    Announcement,
    Move,
    decode_announcement,
    decode_flip,
    decode_referee,
    encode_announcement,
)
from cotulenh_env.luzhanqi.board import DEAL_PLACES, NUM_COLUMNS, opposite, place_name
from cotulenh_env.luzhanqi.pieces import FLAG, NUM_PIECES, OUTCOME_WORDS, code_letter
from cotulenh_env.luzhanqi.state import BY_BOTH_IMMOBILE, BY_NO_MOVE, Record


def flip_move_text(state: Record, action: int) -> str:
    """An action of the flip mode in words."""
    return _text(state, decode_flip(action))


def referee_move_text(state: Record, action: int) -> str:
    """An action of the referee mode in words."""
    return _text(state, decode_referee(action))


def _text(state: Record, move: Move) -> str:
    player = int(state["player"])
    start, end = (opposite(p) if player else p for p in (move.start, move.end))
    if move.kind == ActionKind.FLIP:
        return f"flip {place_name(start)}"
    if move.kind == ActionKind.PLACE:
        return f"place {place_name(start)}"
    stroke = "x" if state["board"][end] else "-"
    return f"{place_name(start)}{stroke}{place_name(end)}"


def piece_text(action: int, event: int) -> str:
    """The letter of the piece that a flip turns up; empty for other actions."""
    return code_letter(event + 1) if action < FIRST_FLIP_MOVE else ""


def announcement_words(event: int) -> str:
    """What the referee says, in words; empty if nothing.

    >>> from cotulenh_env.luzhanqi.actions import Announcement, encode_announcement
    >>> announcement_words(encode_announcement(Announcement(3, (0, 2))))
    'both removed and the flag of player 1 is at b12'
    """
    announcement = decode_announcement(event)
    words = [OUTCOME_WORDS[announcement.outcome]] if announcement.outcome else []
    for player, shown in enumerate(announcement.shown):
        if shown:
            own = 1 if shown == 1 else 3
            name = place_name(opposite(own) if player else own)
            words.append(f"the flag of player {player} is at {name}")
    if announcement.end:
        words.append("the next player has no move" if announcement.end == 1 else "no move is left")
    return " and ".join(words)


def last_event(state: Record) -> int:
    """The event of the action that led to a record of REFEREE_DTYPE; 0 if there was none."""
    outcome = int(state["last"][2])
    fighters: list[int] = []
    if outcome and state["num_fights"]:
        fighters = state["fights"][int(state["num_fights"]) - 1, :2].tolist()
    first, second = (
        _flag_place(state, player)
        if state["shown"][player] and player * NUM_PIECES + state["shown"][player] in fighters
        else 0
        for player in (0, 1)
    )
    end = {BY_NO_MOVE: 1, BY_BOTH_IMMOBILE: 2}.get(int(state["reason"]), 0)
    return encode_announcement(Announcement(outcome, (first, second), end))


def _flag_place(state: Record, player: int) -> int:
    """The headquarters of a player's flag, as an announcement has it."""
    token = int(np.flatnonzero(state["kinds"][player] == FLAG)[0])
    return 1 if int(DEAL_PLACES[token]) % NUM_COLUMNS == 1 else 2
