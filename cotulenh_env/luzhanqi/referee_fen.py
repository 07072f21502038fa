"""Positions of the referee mode as text, and back.

    MFM…/…/…fm 0 0 0                                      a position to begin at
    …          1 12 40 a6a7=1 b1,a1*,…,-K* b12,…,-x 1>30=1   one in a game

board, player to move, quiet plies, plies; and, where the game is to be told, the last move with its
outcome (`-` if there is none), the tokens of both players, and the fights.

- A *token* is a piece by where it began: 25 in the order of the own half's places, `b1` where it
  stands now, or `-K` a removed piece; `*` follows what has moved, `!` what has moved as only an
  engineer does.
- A fight is `1>30=1`: token 0 of player 0 (1 + token) attacked token 4 of player 1 (26 + token),
  and the attacker survived (1; 2 the defender, 3 neither, 4 the flag was captured).
- While the players place their pieces the board is empty, and the tokens are 25 letters, or dots.
- `?` is a piece that the player, as whom the position is seen, does not know; such a text is for
  reading only.

Without tokens every piece in its own half stands where it began, if it can have begun there; the
others began wherever there is room and have moved, and who is missing was removed in no fight.
"""

from __future__ import annotations

import re

import numpy as np

from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import parse_number
from cotulenh_env.luzhanqi.board import parse_place, place_name
from cotulenh_env.luzhanqi.fen import (
    UNKNOWN,
    board_text,
    parse_board,
    parse_player,
    position_fields,
)
from cotulenh_env.luzhanqi.pieces import (
    FLAG_CAPTURED,
    KIND_LETTERS,
    NUM_KINDS,
    NUM_PIECES,
)
from cotulenh_env.luzhanqi.referee_setup import Tokens, arrange, make_records
from cotulenh_env.luzhanqi.rules import RefereeRuleSet
from cotulenh_env.luzhanqi.setup import settle_referee
from cotulenh_env.luzhanqi.state import MAX_FIGHTS, NO_PLACE, Record, codes_of

_NAMES = "board, player to move, quiet plies, plies, and perhaps last move, tokens, tokens, fights"
_MARKS = ("", "*", "!")
"""By the state's `moved`."""

_TOKEN = re.compile(r"(?:(-[A-Z?])|([a-e]\d{1,2}))([*!]?)")
_LAST = re.compile(r"([a-e]\d{1,2})([a-e]\d{1,2})=([0-4])")
_FIGHT = re.compile(r"(\d{1,2})>(\d{1,2})=([1-4])")


def referee_fen_of(state: Record) -> str:
    """The text of a record."""
    codes = codes_of(np.frombuffer(state.tobytes(), state.dtype))[0]
    start, end, outcome = state["last"].tolist()
    last = "-" if start == NO_PLACE else f"{place_name(start)}{place_name(end)}={outcome}"
    fights = [
        f"{attacker}>{defender}={result}"
        for attacker, defender, result in state["fights"][: state["num_fights"]].tolist()
    ]
    return " ".join(
        [
            board_text(codes),
            f"{state['player']} {state['quiet_plies']} {state['plies']}",
            last,
            _tokens_text(state, 0),
            _tokens_text(state, 1),
            ",".join(fights) or "-",
        ]
    )


def _tokens_text(state: Record, player: int) -> str:
    kinds = state["kinds"][player].tolist()
    if not state["board"].any():
        return "".join(KIND_LETTERS[kind] for kind in kinds)
    words = []
    for token, kind in enumerate(kinds):
        places = np.flatnonzero(state["board"] == 1 + player * NUM_PIECES + token)
        letter = KIND_LETTERS[kind] if kind else UNKNOWN
        word = place_name(int(places[0])) if len(places) else f"-{letter}"
        words.append(word + _MARKS[state["moved"][player, token]])
    return ",".join(words)


def referee_state_of(text: str, rules: RefereeRuleSet) -> Record:
    """The record of a text.

    Raises:
        PositionError: the text is malformed or the position cannot be, with the reason.
    """
    try:
        return _parse(position_fields(text, (4, 8), _NAMES), rules)
    except PositionError as error:
        raise PositionError(f"{error}, in {shown(text)}") from None


def _parse(fields: list[str], rules: RefereeRuleSet) -> Record:
    if UNKNOWN in fields[0]:
        raise PositionError("a position with unknown pieces cannot be played")
    board = parse_board(fields[0])
    player = parse_player(fields[1])
    quiet = parse_number("number of quiet plies", fields[2])
    plies = parse_number("number of plies", fields[3])
    last, fights = (NO_PLACE, NO_PLACE, 0), np.zeros((0, 3), np.int8)
    if len(fields) == 4:
        tokens = arrange(board, rules)
    else:
        last, fights = _parse_last(fields[4]), _parse_fights(fields[7])
        if board.any():
            tokens = (_parse_tokens(fields[5], board, 0), _parse_tokens(fields[6], board, 1))
        else:
            tokens = (_parse_placed(fields[5]), _parse_placed(fields[6]))
    states = make_records(tokens, player, (quiet, plies), last, fights, rules)
    settle_referee(states)
    return states[0]


def _parse_tokens(
    text: str, board: np.ndarray[tuple[int], np.dtype[np.int8]], player: int
) -> Tokens:
    words = text.split(",")
    if len(words) != NUM_PIECES:
        raise PositionError(f"player {player} has {NUM_PIECES} tokens, not {len(words)}")
    kinds, places, moved = [], [], []
    for word in words:
        match = _TOKEN.fullmatch(word)
        if match is None:
            raise PositionError(f"{shown(word)} is no token")
        removed, name, mark = match.groups()
        if removed:
            kind, place = KIND_LETTERS.find(removed[1]), NO_PLACE
            if kind < 1:
                raise PositionError(f"{shown(word)} is no token")
        else:
            place = parse_place(name)
            code = int(board[place]) - NUM_KINDS * player
            if not 1 <= code <= NUM_KINDS:
                raise PositionError(f"player {player} has no piece at {name}")
            kind = code
        kinds.append(kind)
        places.append(place)
        moved.append(_MARKS.index(mark))
    own = np.flatnonzero(
        (board > NUM_KINDS * player) & (board <= NUM_KINDS * (player + 1))
    ).tolist()
    if sorted(place for place in places if place != NO_PLACE) != own:
        raise PositionError(f"the tokens of player {player} are not the pieces on the board")
    return Tokens(kinds, places, moved)


def _parse_placed(text: str) -> Tokens:
    if len(text) != NUM_PIECES or any(letter not in KIND_LETTERS for letter in text):
        raise PositionError(f"placed pieces are {NUM_PIECES} letters or dots, got {shown(text)}")
    kinds = [KIND_LETTERS.index(letter) for letter in text]
    return Tokens(kinds, [NO_PLACE] * NUM_PIECES, [0] * NUM_PIECES)


def _parse_last(text: str) -> tuple[int, int, int]:
    if text == "-":
        return (NO_PLACE, NO_PLACE, 0)
    match = _LAST.fullmatch(text)
    if match is None:
        raise PositionError(f"the last move is '-' or like 'a6a7=1', got {shown(text)}")
    return parse_place(match[1]), parse_place(match[2]), int(match[3])


def _parse_fights(text: str) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    if text == "-":
        return np.zeros((0, 3), np.int8)
    fights = []
    for word in text.split(","):
        match = _FIGHT.fullmatch(word)
        numbers = [int(number) for number in match.groups()] if match else [0, 0, 0]
        attacker, defender, outcome = numbers
        is_known = all(1 <= token <= 2 * NUM_PIECES for token in (attacker, defender))
        if not is_known or (attacker > NUM_PIECES) == (defender > NUM_PIECES):
            raise PositionError(f"{shown(word)} is no fight between tokens of both players")
        if outcome == FLAG_CAPTURED and word != text.split(",")[-1]:
            raise PositionError("the game goes on after a flag was captured")
        fights.append(numbers)
    if len(fights) > MAX_FIGHTS:
        raise PositionError(f"{len(fights)} fights are more than the {MAX_FIGHTS} pieces")
    return np.array(fights, np.int8)
