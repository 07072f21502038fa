"""Makes state records: the starts of both modes, and the rules that a record carries."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError
from cotulenh_env.luzhanqi.board import DEAL_PLACES, IS_CAMP, NUM_PLACES, place_name
from cotulenh_env.luzhanqi.fen import piece_place
from cotulenh_env.luzhanqi.kernels.flip_step import fill_flip_actions
from cotulenh_env.luzhanqi.kernels.referee_step import fill_referee_actions
from cotulenh_env.luzhanqi.layouts import read_book
from cotulenh_env.luzhanqi.pieces import BOMB, COUNT, FLAG, MINE, NUM_CODES, NUM_KINDS, NUM_PIECES
from cotulenh_env.luzhanqi.placement import Layouts, deal_layouts
from cotulenh_env.luzhanqi.rules import HQ_LOCKS, FlipRuleSet, RefereeRuleSet, carrier_letters
from cotulenh_env.luzhanqi.state import (
    BY_FLAG,
    BY_QUIET,
    DRAW,
    FACE_DOWN,
    FLIP_DTYPE,
    NO_COLOUR,
    NO_PLACE,
    REFEREE_DTYPE,
    UNFINISHED,
    Record,
    Records,
    flip_keys_of,
)

COUNT_BY_CODE = np.concatenate([COUNT, COUNT[1:]])
"""int8 [25]: pieces by code."""


# --- flip mode ----------------------------------------------------------------------------------


def new_flip_records(n: int, rules: FlipRuleSet) -> Records:
    """Starts of the flip mode: everything face down."""
    states = np.zeros(n, FLIP_DTYPE)
    states["board"][:, DEAL_PLACES] = FACE_DOWN
    states["remaining"] = COUNT_BY_CODE
    states["first_colour"] = NO_COLOUR
    states["winner"] = UNFINISHED
    write_flip_rules(states, rules)
    begin_history(states)
    return states


def write_flip_rules(states: Records, rules: FlipRuleSet) -> None:
    """Puts rules into records."""
    states["hq_lock"] = HQ_LOCKS.index(rules.hq_lock)
    states["carriers"] = rules.carrier_bits
    for name in ("quiet_limit", "repetition", "flip_resets", "suicide", "flag_mines",
                 "flag_all_flipped"):  # fmt: skip
        states[name] = getattr(rules, name)


def flip_rules_of(state: Record) -> FlipRuleSet:
    """The rules that a record carries."""
    bits = int(state["carriers"])
    return FlipRuleSet(
        hq_lock=HQ_LOCKS[state["hq_lock"]],
        quiet_limit=int(state["quiet_limit"]),
        repetition=int(state["repetition"]),
        flip_resets=bool(state["flip_resets"]),
        suicide=bool(state["suicide"]),
        flag_mines=bool(state["flag_mines"]),
        flag_all_flipped=bool(state["flag_all_flipped"]),
        flag_carriers=carrier_letters(bits),
        bomb_flag=bool(bits >> BOMB & 1),
    )


def begin_history(states: Records) -> None:
    """Makes the positions of records the first ones that repetition counts."""
    counts = states["repetition"] > 0
    states["history"][:] = 0
    states["history"][counts, 0] = flip_keys_of(states[counts]).view(np.int64)
    states["history_length"] = counts


def check_flip_setup(state: Record) -> None:
    """Refuses a board, pieces face down and colours that cannot be.

    Raises:
        PositionError: with the reason.
    """
    board, remaining = state["board"], state["remaining"]
    if int((board == FACE_DOWN).sum()) != int(remaining.sum()):
        raise PositionError(
            f"{(board == FACE_DOWN).sum()} pieces lie face down on the board, "
            f"but {remaining.sum()} are said to"
        )
    for place in np.flatnonzero(board).tolist():
        code = int(board[place])
        if IS_CAMP[place] and code == FACE_DOWN:
            raise PositionError(f"no piece lies face down in a camp, as at {place_name(place)}")
        if IS_CAMP[place] and (code - 1) % NUM_KINDS + 1 >= MINE:
            raise PositionError(f"{piece_place(code, place)}: no mine or flag gets into a camp")
    counts = remaining + np.bincount(board[board != FACE_DOWN], minlength=NUM_CODES) * (
        np.arange(NUM_CODES) > 0
    )
    check_counts(counts)
    untouched = bool((remaining == COUNT_BY_CODE).all())
    if untouched != (state["first_colour"] == NO_COLOUR):
        raise PositionError("player 0 has a colour once the first piece has been flipped")


def check_counts(counts: npt.NDArray[np.int64]) -> None:
    """Refuses too many pieces, or a game that both flags are lost in.

    Args:
        counts: int64 [25]: pieces by code.

    Raises:
        PositionError: with the reason.
    """
    for code in range(1, NUM_CODES):
        if counts[code] > COUNT_BY_CODE[code]:
            kind = (code - 1) % NUM_KINDS + 1
            side = "player 1 (black)" if code > NUM_KINDS else "player 0 (red)"
            raise PositionError(
                f"{side} has {counts[code]} pieces of kind {kind}, at most {COUNT[kind]}"
            )
    if counts[FLAG] == counts[NUM_KINDS + FLAG] == 0:
        raise PositionError("both flags are missing")


def settle_flip(states: Records) -> None:
    """Ends the games of records that were put together, if they are over."""
    for state in states:
        for colour in (0, 1):
            code = colour * NUM_KINDS + FLAG
            if state["remaining"][code] == 0 and not (state["board"] == code).any():
                state["winner"] = int(state["first_colour"]) ^ 1 ^ colour
                state["reason"] = BY_FLAG
    n = len(states)
    fill_flip_actions(states, np.empty((n, 1), np.int32), np.empty(n, np.int32))
    _settle_quiet(states)


# --- referee mode -------------------------------------------------------------------------------


def new_referee_records(n: int, rng: np.random.Generator | None, rules: RefereeRuleSet) -> Records:
    """Starts of the referee mode.

    Args:
        n: how many.
        rng: draws the layouts; None for a generator of its own.
        rules: the rules to play by.

    Raises:
        RulesError: the book of layouts cannot be read.
    """
    if rules.placement == "agents":
        states = np.zeros(n, REFEREE_DTYPE)
        states["placing"] = 1
        _begin_referee(states, rules)
        return states
    rng = np.random.default_rng() if rng is None else rng
    layouts = np.empty((2, n, NUM_PIECES), np.int8)
    for player in (0, 1):
        if rules.placement == "book":
            book = read_book(rules.book)
            layouts[player] = book[rng.integers(len(book), size=n)]
        else:
            layouts[player] = deal_layouts(n, rng)
    return referee_records(layouts[0], layouts[1], rules)


def referee_records(first: Layouts, second: Layouts, rules: RefereeRuleSet) -> Records:
    """Starts of the referee mode with given layouts.

    Args:
        first: int8 [n, 25]: of player 0.
        second: int8 [n, 25]: of player 1, as that player sees the board.
        rules: the rules to play by; who places the pieces is settled.
    """
    states = np.zeros(len(first), REFEREE_DTYPE)
    states["kinds"][:, 0] = first
    states["kinds"][:, 1] = second
    half = DEAL_PLACES[:NUM_PIECES].astype(np.int64)
    tokens = np.arange(1, NUM_PIECES + 1)
    states["board"][:, half] = tokens
    states["board"][:, NUM_PLACES - 1 - half] = NUM_PIECES + tokens
    if rules.placement == "agents":
        states["placing"] = 1
        states["num_placed"] = 2 * NUM_PIECES
    _begin_referee(states, rules)
    return states


def _begin_referee(states: Records, rules: RefereeRuleSet) -> None:
    states["last"][:, :2] = NO_PLACE
    states["winner"] = UNFINISHED
    states["hq_lock"] = HQ_LOCKS.index(rules.hq_lock)
    states["quiet_limit"] = rules.quiet_limit
    states["reveal_flag"] = rules.reveal_flag


def referee_rules_of(state: Record) -> RefereeRuleSet:
    """The rules that a record carries; where dealt layouts came from is none of them."""
    return RefereeRuleSet(
        placement="agents" if state["placing"] else "deal",
        hq_lock=HQ_LOCKS[state["hq_lock"]],
        quiet_limit=int(state["quiet_limit"]),
        reveal_flag=bool(state["reveal_flag"]),
    )


def settle_referee(states: Records) -> None:
    """Ends the games of records that were put together, if they are over."""
    n = len(states)
    fill_referee_actions(states, np.empty((n, 1), np.int32), np.empty(n, np.int32))
    _settle_quiet(states)


# --- both ---------------------------------------------------------------------------------------


def _settle_quiet(states: Records) -> None:
    is_quiet = states["quiet_plies"] >= states["quiet_limit"]
    rows = np.flatnonzero(is_quiet & (states["winner"] == UNFINISHED))
    states["winner"][rows] = DRAW
    states["reason"][rows] = BY_QUIET
