"""Actions in words, and back, in both modes.

    flip b3     a2-a7     a2xa7      place b1

Places are the board's, not the mover's. No word tells a kind, so that what is said in referee mode
may be heard by everybody, except where a piece is placed.
"""

from __future__ import annotations

from cotulenh_env.luzhanqi.actions import (
    FIRST_FLIP_MOVE,
    ActionKind,
    Move,
    decode_announcement,
    decode_flip,
    decode_referee,
)
from cotulenh_env.luzhanqi.board import opposite, place_name
from cotulenh_env.luzhanqi.pieces import OUTCOME_WORDS, code_letter
from cotulenh_env.luzhanqi.state import Record


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
