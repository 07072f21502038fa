"""Positions as text: FEN to state record and back (R11.1).

6c4/1n2fh1hf2/…/6C4 r - - 0 1              12 ranks from rank 12 down, side to move, quiet turns,
                                           move number
…/2(NF+T)8/… r - - 3 9 c5:F+T              a stack in brackets, + before a heroic piece; an
                                           unfinished deployment: its point and who has not acted
11/11/…/11 r - - 0 1 place                 the players are placing their pieces
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from cotulenh_env.commander.board import (
    FILES,
    NUM_FILES,
    NUM_POINTS,
    NUM_RANKS,
    parse_point,
    point_name,
)
from cotulenh_env.commander.loading import load, settle
from cotulenh_env.commander.pieces import (
    KIND_LETTERS,
    MAX_STACK,
    SIDE_BIT,
    make_stack,
    piece_code,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.setup import Board, Setup, is_legal_stack
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import parse_number, read_fen, rows_text, split_fields

START_FEN = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/"
    "2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
)
PLACEMENT_FEN = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1 place"

_SIDES = "rb"
_FIELD_NAMES = (
    "board", "side to move", "third field", "fourth field", "number of quiet turns", "move number",
)  # fmt: skip


def new_state(rules: RuleSet) -> Record:
    """The start of a game: the starting position, or the empty board of the advanced battle."""
    # np.void.copy gives a record of its own; the cached one must stay as it is.
    return _new_state(rules).copy()


@lru_cache(maxsize=256)
def _new_state(rules: RuleSet) -> Record:
    return load(parse_fen(PLACEMENT_FEN if rules.placement else START_FEN, 0), rules)


def state_from_fen(text: str, rules: RuleSet) -> Record:
    """The record of a position: `turns` and `points` are 0, its history holds this position only.

    Args:
        text: a FEN.
        rules: the rules to play by.

    Raises:
        PositionError: the text is malformed or no game can have come to the position, with the
            reason and the place.
    """

    def read(fen: str) -> Record:
        state = load(parse_fen(fen, rules.switches), rules)
        settle(state)
        return state

    return read_fen(text, read)


# --- writing ------------------------------------------------------------------------------------


def fen_of(state: Record) -> str:
    """The FEN of a record. A group that is selected but has not moved is not recorded."""
    # The record's clock is set back when the turn ends, but the loss has happened already.
    quiet_turns = 0 if state["turn_loss"] else state["quiet_turns"]
    fen = (
        f"{board_text(state['board'])} {_SIDES[state['player']]} - - "
        f"{quiet_turns} {state['move_number']}"
    )
    if state["placing"]:
        return f"{fen} place"
    if state["origin"] != NO_POINT and state["num_sub_moves"]:
        origin = int(state["origin"])
        codes = stack_codes(int(state["board"][origin]))
        unacted = [code for slot, code in enumerate(codes) if int(state["unacted"]) >> slot & 1]
        return f"{fen} {point_name(origin)}:{pieces_text(unacted)}"
    return fen


def board_text(board: Board) -> str:
    """The first field of a FEN.

    Args:
        board: uint16 [132].
    """
    ranks = board.reshape(NUM_RANKS, NUM_FILES)[::-1].tolist()
    return rows_text(["" if not stack else stack_text(stack) for stack in rank] for rank in ranks)


def stack_text(stack: int) -> str:
    """The pieces of a point as in a FEN, for example `(nf+t)`."""
    codes = stack_codes(stack)
    text = pieces_text(codes)
    text = text.lower() if stack & SIDE_BIT else text
    return f"({text})" if len(codes) > 1 else text


# --- reading ------------------------------------------------------------------------------------


def parse_fen(text: str, switches: int) -> Setup:
    """The position that a FEN tells, as far as its form goes.

    Args:
        text: a FEN.
        switches: of the rules, whose carriers come first in brackets.

    Raises:
        PositionError: the text is malformed, with the reason and the place.
    """
    fields = split_fields(text, (6, 7))
    board = _parse_board(fields[0], switches)
    if fields[1] not in ("r", "b"):
        raise PositionError(f"{shown(fields[1])} is no side to move: 'r' or 'b'")
    for index in (2, 3):
        if fields[index] != "-":
            raise PositionError(f"the {_FIELD_NAMES[index]} is '-', got {shown(fields[index])}")
    player = _SIDES.index(fields[1])
    quiet_turns = parse_number(_FIELD_NAMES[4], fields[4])
    move_number = parse_number(_FIELD_NAMES[5], fields[5])
    if len(fields) == 6:
        return Setup(board, player, quiet_turns, move_number)
    if fields[6] == "place":
        return Setup(board, player, quiet_turns, move_number, placing=True)
    origin, unacted = _parse_deployment(fields[6])
    stack = int(board[origin])
    if len(unacted) == MAX_STACK and sorted(unacted) == stack_codes(stack):
        # Nobody can have left or acted: there is no deployment yet (R11.1).
        return Setup(board, player, quiet_turns, move_number)
    return Setup(board, player, quiet_turns, move_number, origin=origin, unacted=unacted)


def _parse_board(text: str, switches: int) -> Board:
    ranks = text.split("/")
    if len(ranks) != NUM_RANKS:
        raise PositionError(f"a board has {NUM_RANKS} ranks, not {len(ranks)}")
    board = np.zeros(NUM_POINTS, np.uint16)
    for row, rank_text in enumerate(ranks):
        rank = NUM_RANKS - 1 - row
        try:
            stacks = _parse_rank(rank_text, switches)
        except PositionError as error:
            raise PositionError(f"rank {rank + 1}: {error}") from None
        board[rank * NUM_FILES : (rank + 1) * NUM_FILES] = stacks
    return board


def _parse_rank(text: str, switches: int) -> list[int]:
    stacks: list[int] = []
    rest = text
    while rest:
        if rest[0].isdigit():
            # All digits in a row are one number: `11` is eleven, and `56` is none.
            digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
            length = len(digits)
            if length > 2 or digits[0] == "0" or int(digits) > NUM_FILES:
                raise PositionError(
                    f"{shown(digits)} is no number of empty points, "
                    f"1 to {NUM_FILES}{_place(stacks)}"
                )
            stacks += [0] * int(digits)
        else:
            length = rest.find(")") + 1 if rest[0] == "(" else 1 + (rest[0] == "+")
            stacks.append(_parse_stack(rest[:length] or rest, switches, _place(stacks)))
            length = length or len(rest)
        if len(stacks) > NUM_FILES:
            raise PositionError(f"more than {NUM_FILES} points")
        rest = rest[length:]
    if len(stacks) < NUM_FILES:
        raise PositionError(f"{len(stacks)} points, not {NUM_FILES}")
    return stacks


def _place(stacks: list[int]) -> str:
    return f" at file {FILES[len(stacks)]}" if len(stacks) < NUM_FILES else " after file k"


def _parse_stack(text: str, switches: int, place: str) -> int:
    """The pieces of one point, in brackets or alone."""
    in_brackets = text[0] == "("
    if in_brackets and text[-1] != ")":
        raise PositionError(f"a bracket{place} is not closed")
    letters = text[1:-1] if in_brackets else text
    codes = _parse_pieces(letters.upper(), place)
    sides = {letter.islower() for letter in letters if letter != "+"}
    if len(sides) > 1:
        raise PositionError(f"pieces of both sides in {shown(text)}{place}")
    if in_brackets and not 2 <= len(codes) <= MAX_STACK:
        raise PositionError(
            f"brackets hold 2 or {MAX_STACK} pieces, not {len(codes)} as in {shown(text)}{place}"
        )
    ordered = sorted(codes)
    if codes[0] >> 1 != ordered[0] >> 1 and is_legal_stack([c >> 1 for c in ordered], switches):
        raise PositionError(
            f"the carrier {KIND_LETTERS[ordered[0] >> 1]} does not come first "
            f"in {shown(text)}{place}"
        )
    return make_stack(codes, int(sides == {True}))


def _parse_pieces(letters: str, place: str) -> list[int]:
    """Codes of upper-case letters, each with a `+` before it when heroic."""
    codes = []
    is_heroic = False
    for letter in letters:
        if letter == "+" and not is_heroic:
            is_heroic = True
            continue
        kind = KIND_LETTERS.find(letter)
        if kind < 1:
            raise PositionError(f"{letter!r} is no piece{place}")
        codes.append(piece_code(kind, is_heroic))
        is_heroic = False
    if is_heroic:
        raise PositionError(f"'+' stands before no piece{place}")
    return codes


def _parse_deployment(text: str) -> tuple[int, tuple[int, ...]]:
    name, colon, letters = text.partition(":")
    if not colon:
        raise PositionError(
            f"the seventh field is 'place' or a deployment such as 'c5:FT', got {shown(text)}"
        )
    place = f" in the seventh field {shown(text)}"
    try:
        origin = parse_point(name)
    except PositionError as error:
        raise PositionError(f"{error}{place}") from None
    if letters != letters.upper():
        raise PositionError(f"letters are upper case for both sides{place}")
    if len(letters) > 2 * MAX_STACK:
        raise PositionError(f"a point holds at most {MAX_STACK} pieces{place}")
    return origin, tuple(_parse_pieces(letters, place))
