"""Positions of the flip mode as text, and back.

    ?????/?????/…/????? 0 - F1M3X2…e3 0 0          the start
    1C?2/…/…            1 r M1x2e1    12 40 b1     in a game

board, player to move, player 0's colour (`r`, `b`, or `-` before the first flip), the pieces that
lie face down with their numbers (`-` if there are none), quiet plies, plies. A seventh field tells,
where dealt pieces may walk out of headquarters, in which ones a piece stands that walked in.

Earlier positions, which repetition counts, are not told.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import parse_number
from cotulenh_env.luzhanqi.board import HEADQUARTERS, HEADQUARTERS_BIT, parse_place, place_name
from cotulenh_env.luzhanqi.fen import (
    board_text,
    parse_board,
    parse_player,
    position_fields,
)
from cotulenh_env.luzhanqi.pieces import COUNT, NUM_CODES, NUM_KINDS, code_letter, letter_code
from cotulenh_env.luzhanqi.rules import LOCK_ENTERED, FlipRuleSet
from cotulenh_env.luzhanqi.setup import (
    begin_history,
    check_flip_setup,
    new_flip_records,
    settle_flip,
)
from cotulenh_env.luzhanqi.state import FACE_DOWN, NO_COLOUR, Record

_COLOURS = "rb-"
_NAMES = "board, player to move, colour, face down, quiet plies, plies, and perhaps headquarters"


def flip_fen_of(state: Record) -> str:
    """The text of a record."""
    fields = [
        board_text(state["board"]),
        str(state["player"]),
        _COLOURS[state["first_colour"]],
        _remaining_text(state),
        str(state["quiet_plies"]),
        str(state["plies"]),
    ]
    if state["hq_lock"] == LOCK_ENTERED:
        places = [p for p in sorted(HEADQUARTERS) if state["entered"] & HEADQUARTERS_BIT[p]]
        fields.append(",".join(map(place_name, places)) or "-")
    return " ".join(fields)


def _remaining_text(state: Record) -> str:
    text = ""
    for colour in (0, 1):
        for kind in range(NUM_KINDS, 0, -1):
            code = colour * NUM_KINDS + kind
            number = int(state["remaining"][code])
            text += f"{code_letter(code)}{number}" if number else ""
    return text or "-"


def flip_state_of(text: str, rules: FlipRuleSet) -> Record:
    """The record of a text.

    Raises:
        PositionError: the text is malformed or the position cannot be, with the reason.
    """
    try:
        return _parse(position_fields(text, (6, 7), _NAMES), rules)
    except PositionError as error:
        raise PositionError(f"{error}, in {shown(text)}") from None


def _parse(fields: list[str], rules: FlipRuleSet) -> Record:
    states = new_flip_records(1, rules)
    state = states[0]
    state["board"] = parse_board(fields[0])
    state["player"] = parse_player(fields[1])
    if fields[2] not in tuple(_COLOURS):
        raise PositionError(f"player 0's colour is r, b or -, got {shown(fields[2])}")
    state["first_colour"] = NO_COLOUR if fields[2] == "-" else _COLOURS.index(fields[2])
    state["remaining"] = _parse_remaining(fields[3])
    quiet = parse_number("number of quiet plies", fields[4])
    if quiet > rules.quiet_limit:
        raise PositionError(f"{quiet} quiet plies are more than the limit {rules.quiet_limit}")
    state["quiet_plies"] = quiet
    state["plies"] = state["first_ply"] = parse_number("number of plies", fields[5])
    state["entered"] = _parse_entered(fields[6] if len(fields) == 7 else "-", state)
    check_flip_setup(state)
    begin_history(states)
    settle_flip(states)
    return states[0]


def _parse_remaining(text: str) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    remaining = np.zeros(NUM_CODES, np.int8)
    if text == "-":
        return remaining
    if len(text) % 2:
        raise PositionError(f"pieces face down are letters with a digit each, got {shown(text)}")
    for letter, digit in zip(text[::2], text[1::2], strict=True):
        code = letter_code(letter)
        if code == 0 or remaining[code]:
            raise PositionError(f"{letter!r} in {shown(text)} is no piece, or comes twice")
        most = int(COUNT[(code - 1) % NUM_KINDS + 1])
        if not "1" <= digit <= str(most):
            raise PositionError(f"1 to {most} of {letter!r} lie face down, not {digit!r}")
        remaining[code] = int(digit)
    return remaining


def _parse_entered(text: str, state: Record) -> int:
    if text == "-":
        return 0
    if state["hq_lock"] != LOCK_ENTERED:
        raise PositionError("who walked into headquarters matters with hq_lock 'entered' only")
    bits = 0
    for name in text.split(","):
        place = parse_place(name)
        if place not in HEADQUARTERS or state["board"][place] in (0, FACE_DOWN):
            raise PositionError(f"no piece has walked into a headquarters at {name}")
        bits |= int(HEADQUARTERS_BIT[place])
    return bits
