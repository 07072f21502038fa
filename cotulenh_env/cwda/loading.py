"""Makes state records: the start of a game, or a position given in parts.

What a record holds twice (hash, number of men) is worked out here from the board.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.actions import decode
from cotulenh_env.cwda.armies import ARMIES, back_rank
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE, TURN, square_name
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS, MAX_MEN
from cotulenh_env.cwda.kernels.step import fill_legal_actions
from cotulenh_env.cwda.pieces import (
    BLACK,
    KIND_MASK,
    KING,
    PAWN,
    SIDE_SHIFT,
    piece_letter,
)
from cotulenh_env.cwda.rules import Armies, RuleSet, rules_with_armies
from cotulenh_env.cwda.state import (
    CASTLE_LONG,
    CASTLE_SHORT,
    NO_SQUARE,
    STATE_DTYPE,
    UNFINISHED,
    ZOBRIST,
    ZOBRIST_ARMIES,
    ZOBRIST_BLACK,
    ZOBRIST_CASTLING,
    ZOBRIST_EN_PASSANT,
    Record,
)
from cotulenh_env.errors import PositionError

Board = npt.NDArray[np.uint8]
"""uint8 [64]: codes by square, as in a state record."""

SIDE_NAMES = ("White", "Black")
ALL_RIGHTS = 15


class Setup(NamedTuple):
    """A position in parts; see `state.STATE_DTYPE` for what they mean."""

    board: Board
    armies: Armies
    player: int = 0
    castling: int = 0
    en_passant: int = NO_SQUARE
    quiet_plies: int = 0
    move_number: int = 1


@lru_cache(maxsize=len(ARMIES) ** 2)
def _start(armies: Armies) -> Record:
    board = np.zeros(NUM_SQUARES, np.uint8)
    for file in range(SIZE):
        board[file] = back_rank(armies[0])[file]
        board[SIZE + file] = PAWN
        board[6 * SIZE + file] = PAWN + BLACK
        board[7 * SIZE + file] = back_rank(armies[1])[file] + BLACK
    return load(Setup(board, armies, castling=ALL_RIGHTS))


def new_state(armies: Armies) -> Record:
    """The start of a game between two armies."""
    # np.void.copy gives a record of its own; the cached one must stay as it is.
    return _start(armies).copy()


def load(setup: Setup) -> Record:
    """The record of a position that has not been played to: its history holds itself only.

    If the game is over in it, the record says so.

    Args:
        setup: the position.

    Raises:
        PositionError: no game between these armies can have come to this position.
    """
    check_setup(setup)
    states = np.zeros(1, STATE_DTYPE)
    state = states[0]
    state["board"] = setup.board
    state["armies"] = setup.armies
    state["player"] = setup.player
    state["castling"] = setup.castling
    state["en_passant"] = setup.en_passant
    state["quiet_plies"] = setup.quiet_plies
    state["move_number"] = setup.move_number
    state["num_men"] = count_men(setup.board)
    state["winner"] = UNFINISHED
    state["occurrences"] = 1
    if _is_check(state, 1 - setup.player):
        raise PositionError(
            f"{SIDE_NAMES[setup.player]} to move could capture the king of "
            f"{SIDE_NAMES[1 - setup.player]}"
        )
    state["can_en_passant"] = _can_capture_in_passing(state)
    state["key"] = key_of(state)
    state["history"][0] = state["key"]
    state["history_length"] = 1
    settle(states)
    return states[0]


def settle(states: npt.NDArray[np.void]) -> int:
    """Ends a game that is over as it is loaded; returns how many actions are legal, 0 or 1.

    Args:
        states: records [1], unfinished.
    """
    counts = np.zeros(1, np.int32)
    fill_legal_actions(states, np.empty((1, 1), np.int32), counts)  # one is enough
    return int(counts[0])


def rules_of(state: Record) -> RuleSet:
    """The rules that a record carries: its armies."""
    white, black = state["armies"]
    return rules_with_armies((int(white), int(black)))


# --- what follows from the rest -----------------------------------------------------------------


def count_men(board: Board) -> list[int]:
    """Men of White and of Black, kings and pawns included."""
    codes = board[board > 0]
    num_black = int((codes >= BLACK).sum())
    return [len(codes) - num_black, num_black]


def key_of(state: Record) -> int:
    """The hash of a record's position, worked out from the board."""
    key = int(ZOBRIST_ARMIES[tuple(state["armies"])]) ^ int(ZOBRIST_CASTLING[state["castling"]])
    for square, code in enumerate(state["board"]):
        key ^= int(ZOBRIST[code, square])
    if state["can_en_passant"]:
        key ^= int(ZOBRIST_EN_PASSANT[state["en_passant"]])
    return key ^ ZOBRIST_BLACK if state["player"] else key


def _is_check(state: Record, player: int) -> bool:
    """Whether a side is in check, found by letting it move."""
    states = np.array([state], STATE_DTYPE)
    states["player"] = player
    states["en_passant"] = NO_SQUARE
    states["can_en_passant"] = 0
    settle(states)
    return bool(states["in_check"][0])


def _can_capture_in_passing(state: Record) -> bool:
    """Whether some capture in passing is legal, found by listing as if."""
    if state["en_passant"] == NO_SQUARE:
        return False
    states = np.array([state], STATE_DTYPE)
    states["can_en_passant"] = 1
    states["quiet_plies"] = 0  # or the game might be over
    legal_actions, counts = np.empty((1, MAX_LEGAL_ACTIONS), np.int32), np.empty(1, np.int32)
    fill_legal_actions(states, legal_actions, counts)
    flip = TURN * int(state["player"])
    for action in legal_actions[0, : counts[0]].tolist():
        move = decode(action)
        is_pawn = state["board"][move.square ^ flip] & KIND_MASK == PAWN
        changes_file = (move.target - move.square) % SIZE != 0
        if is_pawn and changes_file and move.target ^ flip == state["en_passant"]:
            return True
    return False


# --- what no position may be --------------------------------------------------------------------


def check_setup(setup: Setup) -> None:
    """Refuses a position that no game can have come to, as far as it is seen at a glance.

    Raises:
        PositionError: with the reason.
    """
    for side, name in enumerate(SIDE_NAMES):
        codes = [int(code) for code in setup.board if code and code >> SIDE_SHIFT == side]
        num_kings = codes.count(KING + BLACK * side)
        if num_kings != 1:
            raise PositionError(f"{name} has {num_kings} kings")
        if len(codes) > MAX_MEN:
            raise PositionError(f"{name} has {len(codes)} men, more than {MAX_MEN}")
    _check_pieces(setup)
    problem = castling_problem(setup.board, setup.armies, setup.castling)
    if problem:
        raise PositionError(problem)
    _check_en_passant(setup)


def _check_pieces(setup: Setup) -> None:
    allowed = {PAWN, KING, *(kind for army in setup.armies for kind in ARMIES[army].kinds)}
    for square in np.flatnonzero(setup.board).tolist():
        code = int(setup.board[square])
        kind = code & KIND_MASK
        if kind not in allowed:
            codes = " or ".join(dict.fromkeys(ARMIES[army].code for army in setup.armies))
            raise PositionError(
                f"{piece_letter(code)} on {square_name(square)} is no piece of {codes}"
            )
        if kind == PAWN and square // SIZE in (0, SIZE - 1):
            raise PositionError(f"a pawn cannot stand on {square_name(square)}")


def castling_problem(board: Board, armies: Armies, castling: int) -> str:
    """What speaks against castling rights: king or corner piece is not where it began; or empty."""
    for side, name in enumerate(SIDE_NAMES):
        rook = ARMIES[armies[side]].rook
        for right, file in ((CASTLE_SHORT, SIZE - 1), (CASTLE_LONG, 0)):
            if not castling >> (2 * side) & right:
                continue
            for kind, seen in ((KING, _KING_SQUARE), (rook, file)):
                square = seen ^ (TURN * side)
                if board[square] != kind + BLACK * side:
                    letter = piece_letter(kind + BLACK * side)
                    return f"{name} cannot castle without {letter} on {square_name(square)}"
    return ""


def _check_en_passant(setup: Setup) -> None:
    if setup.en_passant == NO_SQUARE:
        return
    flip = TURN * setup.player
    seen = setup.en_passant ^ flip
    is_sixth = seen // SIZE == _SIXTH_RANK
    is_passed = is_sixth and (
        setup.board[setup.en_passant] == 0
        and setup.board[(seen + SIZE) ^ flip] == 0
        and setup.board[(seen - SIZE) ^ flip] == PAWN + BLACK * (1 - setup.player)
    )
    if not is_passed:
        raise PositionError(
            f"no pawn of {SIDE_NAMES[1 - setup.player]} has just passed "
            f"{square_name(setup.en_passant)}"
        )
    if setup.quiet_plies:
        raise PositionError(
            f"a pawn has just passed {square_name(setup.en_passant)}, so the number of quiet plies "
            f"is 0, not {setup.quiet_plies}"
        )


_KING_SQUARE = 4
_SIXTH_RANK = 5
"""As the side itself sees them."""
