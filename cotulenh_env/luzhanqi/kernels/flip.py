"""Flip mode: what may be flipped and attacked, and playing one action (section 5 of the rules)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.actions import FIRST_FLIP_MOVE, PASS
from cotulenh_env.luzhanqi.board import (
    HEADQUARTERS_BIT,
    IS_CAMP,
    IS_HEADQUARTERS,
    MOVES,
    NUM_PLACES,
)
from cotulenh_env.luzhanqi.kernels.moves import list_moves
from cotulenh_env.luzhanqi.kernels.outcome import finish
from cotulenh_env.luzhanqi.kernels.workspace import BLOCKED, EMPTY, FOE, OWN, Workspace
from cotulenh_env.luzhanqi.pieces import (
    ATTACKER_SURVIVES,
    BOMB,
    COUNT,
    DEFENDER_SURVIVES,
    ENGINEER,
    FLAG,
    FLAG_CAPTURED,
    MINE,
    NUM_CODES,
    NUM_KINDS,
    OUTCOME,
)
from cotulenh_env.luzhanqi.rules import LOCK_ALL, LOCK_ENTERED
from cotulenh_env.luzhanqi.state import BY_FLAG, FACE_DOWN, NO_COLOUR, Record

ATTACKS = np.array(
    [
        [
            sum(
                1 << defender
                for defender in range(ENGINEER, MINE + 1)
                if OUTCOME[attacker, defender] != 0
                and (suicide or OUTCOME[attacker, defender] != DEFENDER_SURVIVES)
            )
            for attacker in range(NUM_KINDS + 1)
        ]
        for suicide in (0, 1)
    ],
    np.int32,
)
"""int32 [suicide, kind]: bits 1 << kind of what may be attacked, flags aside (L8)."""


@inner_kernel
def colour_of(state: Record, player: int) -> int:
    """The player's colour; NO_COLOUR before the first flip."""
    first = int(state["first_colour"])
    return NO_COLOUR if first == NO_COLOUR else first ^ player


@inner_kernel
def is_flag_open(state: Record, colour: int) -> bool:
    """Whether the flag of a colour may be captured (L3)."""
    if colour == NO_COLOUR:
        return False
    if state["flag_all_flipped"] and num_face_down(state) > 0:
        return False
    return not state["flag_mines"] or num_mines_lost(state, colour) == COUNT[MINE]


@inner_kernel
def num_face_down(state: Record) -> int:
    """How many pieces lie face down."""
    total = 0
    for code in range(1, NUM_CODES):
        total += int(state["remaining"][code])
    return total


@inner_kernel
def num_mines_lost(state: Record, colour: int) -> int:
    """How many mines of a colour have been removed."""
    code = colour * NUM_KINDS + MINE
    lost = int(COUNT[MINE]) - int(state["remaining"][code])
    for place in range(NUM_PLACES):
        if state["board"][place] == code:
            lost -= 1
    return lost


@inner_kernel
def list_flip_actions(
    state: Record, player: int, work: Workspace, actions: npt.NDArray[np.int32]
) -> int:
    """Lists a player's legal actions, ascending, until `actions` is full; returns their count."""
    _look(state, player, work)
    count = 0
    for place in range(NUM_PLACES):
        seen = NUM_PLACES - 1 - place if player else place
        if state["board"][seen] == FACE_DOWN and count < len(actions):
            actions[count] = place
            count += 1
    return list_moves(work, FIRST_FLIP_MOVE, actions, count)


@inner_kernel
def _look(state: Record, player: int, work: Workspace) -> None:
    """Fills the workspace with the board as the player sees it."""
    colour = colour_of(state, player)
    for place in range(NUM_PLACES):
        seen = NUM_PLACES - 1 - place if player else place
        code = int(state["board"][seen])
        cell = EMPTY
        kind = 0
        if code == FACE_DOWN:
            cell = BLOCKED
        elif code > 0:
            owner = 1 if code > NUM_KINDS else 0
            kind = code - owner * NUM_KINDS
            if owner == colour:
                cell = OWN
                if kind > BOMB or _is_locked(state, seen):
                    kind = 0
            else:
                cell = BLOCKED if IS_CAMP[seen] else FOE
        work["cells"][place] = cell
        work["kinds"][place] = kind
    carriers = 0
    if colour != NO_COLOUR and is_flag_open(state, 1 - colour):
        carriers = int(state["carriers"])
    for kind in range(NUM_KINDS + 1):
        flag_bit = (carriers >> kind & 1) << FLAG
        work["attacks"][kind] = int(ATTACKS[int(state["suicide"]), kind]) | flag_bit


@inner_kernel
def _is_locked(state: Record, place: int) -> bool:
    """Whether a piece there cannot leave (L6)."""
    if not IS_HEADQUARTERS[place] or state["hq_lock"] > LOCK_ENTERED:
        return False
    return state["hq_lock"] == LOCK_ALL or int(state["entered"]) & int(HEADQUARTERS_BIT[place]) != 0


@inner_kernel
def play_flip_action(state: Record, action: int, draw: float) -> int:
    """Plays one legal action or PASS, all but the tests behind it (outcome.py).

    Args:
        state: the record, changed in place.
        action: from the mover's side.
        draw: in [0, 1): which of the pieces face down is turned up.

    Returns:
        The piece that was turned up, 0–23 (colour × 12 + kind - 1); 0 for moves.
    """
    player = int(state["player"])
    state["player"] = 1 - player
    state["plies"] += 1
    state["quiet_plies"] += 1
    if action == PASS:
        return 0
    if action < FIRST_FLIP_MOVE:
        return _flip(state, NUM_PLACES - 1 - action if player else action, player, draw)
    start = int(MOVES[action - FIRST_FLIP_MOVE, 0])
    end = int(MOVES[action - FIRST_FLIP_MOVE, 1])
    if player:
        start, end = NUM_PLACES - 1 - start, NUM_PLACES - 1 - end
    _move(state, start, end, player)
    return 0


@inner_kernel
def _flip(state: Record, place: int, player: int, draw: float) -> int:
    number = int(draw * num_face_down(state))
    code = 0
    for candidate in range(1, NUM_CODES):
        remaining = int(state["remaining"][candidate])
        if remaining == 0:
            continue
        code = candidate  # the last one, should rounding lead beyond it
        if number < remaining:
            break
        number -= remaining
    state["remaining"][code] -= 1
    state["board"][place] = code
    if state["first_colour"] == NO_COLOUR:
        state["first_colour"] = (1 if code > NUM_KINDS else 0) ^ player
    if state["flip_resets"]:
        state["quiet_plies"] = 0
    _forget_history(state)
    return code - 1


@inner_kernel
def _move(state: Record, start: int, end: int, player: int) -> None:
    attacker = int(state["board"][start])
    defender = int(state["board"][end])
    outcome = 0
    if defender != 0:
        outcome = int(OUTCOME[_kind(attacker), _kind(defender)])
        state["quiet_plies"] = 0
        _forget_history(state)
    is_bomb = _kind(attacker) == BOMB
    moves_in = outcome in (0, ATTACKER_SURVIVES) or (outcome == FLAG_CAPTURED and not is_bomb)
    state["board"][start] = 0
    if moves_in:
        state["board"][end] = attacker
    elif outcome != DEFENDER_SURVIVES:
        state["board"][end] = 0
    if state["hq_lock"] == LOCK_ENTERED:
        entered = int(state["entered"]) & ~int(HEADQUARTERS_BIT[start])
        if moves_in:
            entered |= int(HEADQUARTERS_BIT[end])
        elif outcome != DEFENDER_SURVIVES:
            entered &= ~int(HEADQUARTERS_BIT[end])
        state["entered"] = entered
    if outcome == FLAG_CAPTURED:
        finish(state, player, BY_FLAG)


@inner_kernel
def _kind(code: int) -> int:
    return code - NUM_KINDS if code > NUM_KINDS else code


@inner_kernel
def _forget_history(state: Record) -> None:
    """Positions from before a flip or removal cannot come again."""
    for index in range(int(state["history_length"])):
        state["history"][index] = 0
    state["history_length"] = 0
