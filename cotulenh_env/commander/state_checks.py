"""Checks bytes offered as a saved state: whether a game can be in it.

Kernels trust their states, so nothing that came from a file gets to them unchecked.
"""

from __future__ import annotations

import functools

import numpy as np

from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.placement import NUM_PLACEMENTS
from cotulenh_env.commander.loading import (
    armed_divisions,
    board_key,
    has_legal_action,
    rules_of,
    slots_of,
)
from cotulenh_env.commander.pieces import (
    MAX_STACK,
    NUM_CODES,
    SIDE_BIT,
    make_stack,
    stack_codes,
)
from cotulenh_env.commander.rules import BATTLES, EDITIONS
from cotulenh_env.commander.setup import (
    MAX_MOVE_NUMBER,
    Setup,
    can_stand,
    check_setup,
    commander_points,
    is_legal_stack,
    piece_counts,
)
from cotulenh_env.commander.state import (
    BY_BATTLE,
    BY_EXPOSURE,
    BY_NO_MOVE,
    BY_QUIET,
    BY_REPETITION,
    DRAW,
    HISTORY_LENGTH,
    NO_POINT,
    ONGOING,
    REASONS,
    UNFINISHED,
    ZOBRIST_BLUE,
    Record,
)
from cotulenh_env.commander.switches import EXPOSURE_LOSES, SWITCHES
from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.saved_states import require

_ALL_DIVISIONS = 15
_MAX_POINTS = 10_000
"""More than 19 pieces and a victory are worth."""


def check_record(state: Record) -> None:
    """Refuses a record that no game can be in.

    Raises:
        StateError: with the reason.
    """
    _check_rules(state)
    _check_board(state)
    _check_clocks(state)
    _check_result(state)
    _check_turn(state)
    _check_placing(state)
    setup = setup_of(state)
    try:
        check_setup(setup, rules_of(state))
    except PositionError as error:
        raise StateError(f"the saved position cannot be: {error}") from None
    if state["winner"] == UNFINISHED and not has_legal_action(state):
        raise StateError("the saved game goes on, but has no legal action")


def _check_rules(state: Record) -> None:
    require(0 <= state["edition"] < len(EDITIONS), f"edition {state['edition']}")
    require(0 <= state["battle"] < len(BATTLES), f"battle {state['battle']}")
    for name in ("placement", "enforce_check", "allow_shoot_down", "placing", "turn_loss"):
        require(state[name] in (0, 1), f"{name} is {state[name]}")
    require(0 <= state["switches"] < 1 << len(SWITCHES), f"rule switches {state['switches']}")
    require(not state["unused"].any(), "bytes are set that mean nothing")
    try:
        rules_of(state)
    except RulesError as error:
        raise StateError(f"no game can be in the saved state: {error}") from None


def _check_board(state: Record) -> None:
    board = state["board"]
    for point in np.flatnonzero(board).tolist():
        stack = int(board[point])
        if not _is_canonical(stack):
            require(False, f"{stack} at point {point}")
    counts = piece_counts(board)
    require(state["key"] == board_key(board), "its hash is not the board's")
    require(np.array_equal(state["counts"], counts), "its counts are not the board's")
    require(
        np.array_equal(state["commander"], commander_points(board)),
        "its commanders are not the board's",
    )
    armed = state["armed"]
    present = 0 if state["placing"] else armed_divisions(counts)
    require((armed & present == present).all(), "a division on the board does not count")
    require(((armed >= 0) & (armed <= _ALL_DIVISIONS)).all(), f"divisions {armed.tolist()}")


@functools.lru_cache(maxsize=1 << 16)
def _is_canonical(stack: int) -> bool:
    codes = stack_codes(stack)
    is_known = all(2 <= code < NUM_CODES for code in codes)
    return is_known and stack == make_stack(codes, stack // SIDE_BIT)


def _check_clocks(state: Record) -> None:
    ongoing = state["winner"] == UNFINISHED
    turns, limit = int(state["turns"]), int(state["turn_limit"])
    require(0 <= turns <= limit - ongoing, f"turn {turns} of {limit}")
    move_number = int(state["move_number"])
    is_reachable = 1 <= move_number <= MAX_MOVE_NUMBER
    require(is_reachable, f"move number {move_number} in turn {turns}")
    in_turn = state["origin"] != NO_POINT
    quiet = int(state["quiet_turns"])
    require(quiet >= 0 and (not ongoing or quiet < state["quiet_limit"]), f"quiet turns {quiet}")
    points = state["points"]
    require((points >= 0).all() and (points <= _MAX_POINTS).all(), f"points {points.tolist()}")
    length = int(state["history_length"])
    require(0 <= length <= HISTORY_LENGTH - ongoing, f"a history of {length} positions")
    require(not state["history"][length:].any(), "positions behind the end of its history")
    if ongoing and not state["placing"] and not state["num_sub_moves"]:
        key = int(state["key"]) ^ (ZOBRIST_BLUE if state["player"] else 0)
        require(
            length > 0 and state["history"][length - 1] == key,
            "its history does not end with its position",
        )
    require(in_turn or not ongoing or not state["turn_loss"], "a loss in a turn not begun")


def _check_result(state: Record) -> None:
    winner, reason = int(state["winner"]), int(state["reason"])
    require(winner in (UNFINISHED, DRAW, 0, 1), f"winner {winner}")
    require(0 <= reason < len(REASONS), f"reason {reason}")
    require(reason != BY_EXPOSURE or state["switches"] & EXPOSURE_LOSES, "exposure is legal")
    require((winner == UNFINISHED) == (reason == ONGOING), f"winner {winner}, reason {reason}")
    only_draws, never_draws = (BY_REPETITION, BY_QUIET), (BY_BATTLE, BY_EXPOSURE, BY_NO_MOVE)
    words = f"winner {winner} by {REASONS[reason]}"
    require(reason not in only_draws or winner == DRAW, words)
    require(reason not in never_draws or winner != DRAW, words)


def _check_turn(state: Record) -> None:
    player = int(state["player"])
    require(player in (0, 1), f"player {player} to move")
    origin = int(state["origin"])
    unacted, selected = int(state["unacted"]), int(state["selected"])
    num_sub_moves = int(state["num_sub_moves"])
    deployment = f"deployment {unacted}, {selected}, {num_sub_moves} at {origin}"
    if origin == NO_POINT:
        require(unacted == selected == num_sub_moves == 0, deployment)
        return
    require(0 <= origin < NUM_POINTS and state["winner"] == UNFINISHED, deployment)
    stack = int(state["board"][origin])
    codes = stack_codes(stack)
    everything = (1 << len(codes)) - 1
    require(stack and stack // SIDE_BIT == player, deployment)
    require(0 <= unacted <= everything and 0 <= num_sub_moves < MAX_STACK, deployment)
    require(unacted or num_sub_moves == 1, deployment)  # a navy that has struck (setup.py)
    require(unacted == slots_of(stack, _codes_in(codes, unacted)), deployment)
    if num_sub_moves == 0:
        require(selected and unacted == everything, deployment)
    if selected:
        group = _codes_in(codes, selected)
        is_part = selected & ~unacted == 0 and selected != unacted
        require(is_part and selected == slots_of(stack, group), deployment)
        kinds = [code >> 1 for code in group]
        require(is_legal_stack(kinds, int(state["switches"])), deployment)


def _codes_in(codes: list[int], mask: int) -> list[int]:
    return [code for slot, code in enumerate(codes) if mask >> slot & 1]


def _check_placing(state: Record) -> None:
    num_placed = int(state["num_placed"])
    if state["placing"]:
        require(num_placed == state["counts"].sum(), f"{num_placed} placed pieces")
        require(state["history_length"] == 0 and state["origin"] == NO_POINT, "a turn in placement")
        require(not state["points"].any() and not state["turns"], "a turn in placement")
        require(not state["armed"].any() and state["winner"] == UNFINISHED, "a turn in placement")
    else:
        require(num_placed in (0, NUM_PLACEMENTS), f"{num_placed} placed pieces")


def setup_of(state: Record) -> Setup:
    """The position in parts. The move number has been checked apart: it may exceed a loaded one."""
    board = state["board"]
    origin: int | None = None
    unacted = (1 << MAX_STACK) - 1
    if state["origin"] != NO_POINT and state["num_sub_moves"]:
        origin, unacted = int(state["origin"]), int(state["unacted"])
    elif state["reason"] == BY_BATTLE:
        # A turn that was cut short may have left at its origin what could not have stayed there.
        origin = _point_cut_short(state)
    codes = stack_codes(int(board[origin])) if origin is not None else []
    return Setup(
        board=board,
        player=int(state["player"]),
        quiet_turns=int(state["quiet_turns"]),
        move_number=1,
        placing=bool(state["placing"]),
        origin=origin,
        unacted=tuple(_codes_in(codes, unacted)),
    )


def _point_cut_short(state: Record) -> int | None:
    for point in np.flatnonzero(state["board"]):
        stack = int(state["board"][point])
        kinds = [code >> 1 for code in stack_codes(stack)]
        may_stay = is_legal_stack(kinds, int(state["switches"])) and can_stand(kinds[0], int(point))
        if stack // SIDE_BIT == state["player"] and not may_stay:
            return int(point)
    return None
