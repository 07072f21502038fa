"""Makes state records: the start, or a position given in parts.

What a record holds twice (hash, counts) is worked out here from the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import MAX_LEGAL_ACTIONS
from cotulenh_env.banqi.board import NUM_CELLS
from cotulenh_env.banqi.kernels.step import fill_legal_actions
from cotulenh_env.banqi.pieces import (
    CODE_LETTERS,
    EMPTY,
    FACE_DOWN,
    INITIAL_COUNTS,
    NUM_CODES,
    NUM_PIECES,
    NUM_TYPES,
)
from cotulenh_env.banqi.rules import PRESETS, RuleSet, make_rules, matrix_text
from cotulenh_env.banqi.state import (
    BY_ALL_CAPTURED,
    BY_DEAD_MATERIAL,
    BY_NO_MOVE,
    BY_QUIET,
    BY_REPETITION,
    DRAW,
    NO_COLOUR,
    ONGOING,
    STATE_DTYPE,
    UNFINISHED,
    ZOBRIST,
    ZOBRIST_PLAYER,
    Record,
)
from cotulenh_env.errors import PositionError


@dataclass(frozen=True)
class Setup:
    """A position in parts.

    Attributes:
        board: int8 [32] of codes.
        hidden: int8 [14], how many of each piece lie face down.
        player: who is to move.
        first_colour: of player 0, or NO_COLOUR.
        quiet: turns since the last flip or capture.
    """

    board: npt.NDArray[np.int8]
    hidden: npt.NDArray[np.int8]
    player: int
    first_colour: int
    quiet: int


def new_state(rules: RuleSet) -> Record:
    """The start of a game: 32 pieces face down."""
    # np.void.copy gives a record of its own; the cached one must stay as it is.
    return _new_state(rules).copy()


@lru_cache(maxsize=256)
def _new_state(rules: RuleSet) -> Record:
    board = np.full(NUM_CELLS, FACE_DOWN, np.int8)
    return load(Setup(board, INITIAL_COUNTS, 0, NO_COLOUR, 0), rules)


def load(setup: Setup, rules: RuleSet) -> Record:
    """The record of a position in which no turn has been completed yet; it may be over.

    Args:
        setup: the position.
        rules: the rules to play by.

    Raises:
        PositionError: no game can have come to this position.
    """
    check_setup(setup)
    state = np.zeros(1, STATE_DTYPE)[0]
    _write_rules(state, rules)
    state["board"] = setup.board
    state["hidden"] = setup.hidden
    state["left"] = pieces_left(setup.board, setup.hidden)
    state["num_face_down"] = int((setup.board == FACE_DOWN).sum())
    state["cells"] = cells_of(setup.board)
    state["player"] = setup.player
    state["first_colour"] = setup.first_colour
    state["quiet"] = setup.quiet
    state["key"] = board_key(setup.board)
    # Rule 5.3: the loaded position is the first occurrence.
    state["history"][0] = position_key(state)
    state["history_length"] = 1
    state["winner"], state["reason"] = result_of(state)
    return state


def check_setup(setup: Setup) -> None:
    """Refuses a position that no game can have come to.

    Raises:
        PositionError: with the reason.
    """
    on_board = piece_counts(setup.board)
    for piece in range(NUM_PIECES):
        number = int(on_board[piece]) + int(setup.hidden[piece])
        if number > INITIAL_COUNTS[piece]:
            raise PositionError(
                f"{number} {CODE_LETTERS[piece]} face up and face down, "
                f"there are {INITIAL_COUNTS[piece]}"
            )
    num_face_down = int((setup.board == FACE_DOWN).sum())
    num_hidden = int(setup.hidden.sum())
    if num_hidden != num_face_down:
        raise PositionError(f"{num_face_down} cells are face down, but {num_hidden} pieces are")
    if not on_board.any() and not num_hidden:
        raise PositionError("the board is empty")
    is_start = num_face_down == NUM_CELLS
    if is_start != (setup.first_colour == NO_COLOUR):
        raise PositionError(
            "nobody has a colour before the first flip"
            if is_start
            else "the players have colours once a piece has been turned up"
        )
    if is_start and (setup.player or setup.quiet):
        raise PositionError("the first turn is player 0's, and no turn comes before it")


def result_of(state: Record) -> tuple[int, int]:
    """Winner and reason of the position of a record, as the rules have them (rule 5).

    Args:
        state: a record whose result is not looked at.
    """
    player, first_colour = int(state["player"]), int(state["first_colour"])
    if state["elimination"]:
        for colour in range(2):
            if state["left"][colour] == 0:
                return int(colour == first_colour), BY_ALL_CAPTURED
    if not has_legal_action(state):
        return 1 - player, BY_NO_MOVE
    if state["adjudicate"] and is_dead(state):
        return DRAW, BY_DEAD_MATERIAL
    history = state["history"][: int(state["history_length"])]
    if state["repetition"] and (history == position_key(state)).sum() >= state["repetition"]:
        return DRAW, BY_REPETITION
    if state["quiet"] >= state["quiet_limit"]:
        return DRAW, BY_QUIET
    return UNFINISHED, ONGOING


def has_legal_action(state: Record) -> bool:
    """Whether the player to move could act, if the game were not over."""
    states = np.array([state], STATE_DTYPE)
    states["winner"] = UNFINISHED
    actions = np.empty((1, MAX_LEGAL_ACTIONS), np.int32)
    counts = np.empty(1, np.int32)
    fill_legal_actions(states, actions, counts)
    return bool(counts[0])


def is_dead(state: Record) -> bool:
    """Whether no piece that is left could ever capture another (rule 5.5)."""
    if state["num_face_down"]:
        return False
    types = piece_counts(state["board"]).reshape(2, NUM_TYPES) > 0
    matrix = np.array(captures_of(state), np.bool_)
    pairs = np.outer(types[0], types[1])
    return not ((matrix | matrix.T) & (pairs | pairs.T)).any()


# --- rules --------------------------------------------------------------------------------------


def _write_rules(state: Record, rules: RuleSet) -> None:
    """Writes the resolved rules into a record."""
    state["preset"] = PRESETS.index(rules.preset)
    state["captures"] = [
        sum(entry << victim for victim, entry in enumerate(row)) for row in rules.captures
    ]
    state["quiet_limit"] = rules.quiet_limit
    state["repetition"] = rules.occurrences_that_draw
    state["elimination"] = rules.elimination_ends
    state["adjudicate"] = rules.adjudicate_dead_material


def captures_of(state: Record) -> list[list[int]]:
    """The matrix of a record, by attacker and victim: 1 = captures."""
    return [[int(row) >> victim & 1 for victim in range(NUM_TYPES)] for row in state["captures"]]


def rules_of(state: Record) -> RuleSet:
    """The rules that a record carries."""
    return make_rules(
        preset=PRESETS[state["preset"]],
        quiet_limit=int(state["quiet_limit"]),
        adjudicate_dead_material=bool(state["adjudicate"]),
        matrix=matrix_text(captures_of(state)),
        repetition=int(state["repetition"]),
        elimination=bool(state["elimination"]),
    )


# --- what follows from the board ----------------------------------------------------------------


def board_key(board: npt.NDArray[np.int8]) -> np.int64:
    """The hash of a board, without side to move."""
    key: np.int64 = np.bitwise_xor.reduce(ZOBRIST[board, np.arange(NUM_CELLS)])
    return key


def position_key(state: Record) -> np.int64:
    """What the history has of a record's position: the board's hash and the side to move."""
    return np.int64(state["key"] ^ (ZOBRIST_PLAYER if state["player"] else 0))


def piece_counts(board: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """int64 [14]: how many of each piece stand face up."""
    return np.bincount(board, minlength=NUM_CODES)[:EMPTY]


def cells_of(board: npt.NDArray[np.int8]) -> list[int]:
    """The cells where red, black and face-down pieces are, bit c for cell c.

    Args:
        board: int8 [32].
    """
    sets = [0, 0, 0]
    for cell, code in enumerate(board.tolist()):
        if code != EMPTY:
            sets[code // NUM_TYPES] |= 1 << cell
    return sets


def pieces_left(board: npt.NDArray[np.int8], hidden: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """int64 [2]: pieces of each colour that have not been captured."""
    counts: npt.NDArray[np.int64] = (piece_counts(board) + hidden).reshape(2, NUM_TYPES)
    left: npt.NDArray[np.int64] = counts.sum(axis=1)
    return left
