"""Referee mode: placing, moving, and what is announced (section 6 of the rules)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.actions import (
    FIRST_PLACEMENT,
    FIRST_SHOWN_STEP,
    NUM_HALF_PLACES,
    PASS,
    SECOND_SHOWN_STEP,
)
from cotulenh_env.luzhanqi.board import (
    DEAL_PLACES,
    IS_CAMP,
    IS_HEADQUARTERS,
    IS_ROAD_MOVE,
    MAX_RAY,
    MOVE_NUMBER,
    MOVES,
    NUM_COLUMNS,
    NUM_DIRECTIONS,
    NUM_PLACES,
    RAY,
)
from cotulenh_env.luzhanqi.kernels.moves import list_moves
from cotulenh_env.luzhanqi.kernels.outcome import finish
from cotulenh_env.luzhanqi.kernels.workspace import BLOCKED, EMPTY, FOE, OWN, Workspace
from cotulenh_env.luzhanqi.pieces import (
    ATTACKER_SURVIVES,
    BOMB,
    BOTH_REMOVED,
    CHIEF,
    DEFENDER_SURVIVES,
    FLAG,
    FLAG_CAPTURED,
    NUM_KINDS,
    NUM_PIECES,
    OUTCOME,
)
from cotulenh_env.luzhanqi.placement import PLACEMENT_ORDER, START_KINDS, TOKEN_OF_PLACE
from cotulenh_env.luzhanqi.rules import LOCK_ALL, LOCK_ENTERED
from cotulenh_env.luzhanqi.state import BY_FLAG, HAS_MOVED, HAS_TURNED, Record

_UNKNOWN = 0
"""The kind of a piece that may be anything to its attacker."""


@inner_kernel
def is_placing(state: Record) -> bool:
    """Whether the players are still placing their pieces."""
    return bool(state["placing"] != 0 and state["num_placed"] < 2 * NUM_PIECES)


@inner_kernel
def list_referee_actions(
    state: Record, player: int, work: Workspace, actions: npt.NDArray[np.int32]
) -> int:
    """Lists a player's legal actions, ascending, until `actions` is full; returns their count."""
    if is_placing(state):
        return _list_placements(state, player, actions)
    look(state, player, work)
    return list_moves(work, 0, actions, 0)


@inner_kernel
def _list_placements(state: Record, player: int, actions: npt.NDArray[np.int32]) -> int:
    kind = int(PLACEMENT_ORDER[int(state["num_placed"]) % NUM_PIECES])
    count = 0
    for place in range(NUM_HALF_PLACES):
        token = int(TOKEN_OF_PLACE[place])
        if token < 0 or state["kinds"][player, token] != 0 or count == len(actions):
            continue
        if int(START_KINDS[token]) >> kind & 1:
            actions[count] = FIRST_PLACEMENT + place
            count += 1
    return count


@inner_kernel
def look(state: Record, player: int, work: Workspace) -> None:
    """Fills the workspace with the board as the player sees it: any enemy may be anything."""
    for place in range(NUM_PLACES):
        seen = NUM_PLACES - 1 - place if player else place
        token = int(state["board"][seen]) - 1
        cell = EMPTY
        kind = _UNKNOWN
        if token >= 0:
            owner = 1 if token >= NUM_PIECES else 0
            token -= owner * NUM_PIECES
            if owner == player:
                cell = OWN
                kind = int(state["kinds"][player, token])
                if kind > BOMB or is_locked(state, seen, player, token):
                    kind = 0
            else:
                cell = BLOCKED if IS_CAMP[seen] else FOE
        work["cells"][place] = cell
        work["kinds"][place] = kind
    for kind in range(NUM_KINDS + 1):
        work["attacks"][kind] = 1 << _UNKNOWN


@inner_kernel
def is_locked(state: Record, place: int, player: int, token: int) -> bool:
    """Whether a player's token at a place cannot leave it (L6).

    A token in a headquarters that has moved has walked in.
    """
    if not IS_HEADQUARTERS[place]:
        return False
    lock = int(state["hq_lock"])
    return lock == LOCK_ALL or (lock == LOCK_ENTERED and state["moved"][player, token] != 0)


@inner_kernel
def play_referee_action(state: Record, action: int) -> int:
    """Plays one legal action or PASS, all but the tests behind it (outcome.py).

    Args:
        state: the record, changed in place.
        action: from the mover's side.

    Returns:
        What is announced, without the end (actions.py).
    """
    player = int(state["player"])
    if action >= FIRST_PLACEMENT:
        _place(state, player, action - FIRST_PLACEMENT)
        return 0
    state["player"] = 1 - player
    state["plies"] += 1
    state["quiet_plies"] += 1
    if action == PASS:
        _note_last(state, -1, -1, 0)
        return 0
    start, end = int(MOVES[action, 0]), int(MOVES[action, 1])
    if player:
        start, end = NUM_PLACES - 1 - start, NUM_PLACES - 1 - end
    return _move(state, start, end, player)


@inner_kernel
def _place(state: Record, player: int, place: int) -> None:
    kind = int(PLACEMENT_ORDER[int(state["num_placed"]) % NUM_PIECES])
    state["kinds"][player, int(TOKEN_OF_PLACE[place])] = kind
    state["num_placed"] += 1
    if state["num_placed"] == NUM_PIECES:
        state["player"] = 1
    elif state["num_placed"] == 2 * NUM_PIECES:
        state["player"] = 0
        set_up(state)


@inner_kernel
def set_up(state: Record) -> None:
    """Puts all tokens on the board."""
    for token in range(NUM_PIECES):
        place = int(DEAL_PLACES[token])
        state["board"][place] = 1 + token
        state["board"][NUM_PLACES - 1 - place] = 1 + NUM_PIECES + token


@inner_kernel
def _move(state: Record, start: int, end: int, player: int) -> int:
    enemy = 1 - player
    attacker = int(state["board"][start])
    defender = int(state["board"][end])
    own_token = attacker - 1 - player * NUM_PIECES
    if state["moved"][player, own_token] != HAS_TURNED:
        is_plain = IS_ROAD_MOVE[MOVE_NUMBER[start, end]] or _is_straight_way(state, start, end)
        state["moved"][player, own_token] = HAS_MOVED if is_plain else HAS_TURNED
    state["board"][start] = 0
    if defender == 0:
        state["board"][end] = attacker
        _note_last(state, start, end, 0)
        return 0
    foe_token = defender - 1 - enemy * NUM_PIECES
    own_kind = int(state["kinds"][player, own_token])
    foe_kind = int(state["kinds"][enemy, foe_token])
    outcome = int(OUTCOME[own_kind, foe_kind])
    number = int(state["num_fights"])
    state["fights"][number, 0] = attacker
    state["fights"][number, 1] = defender
    state["fights"][number, 2] = outcome
    state["num_fights"] += 1
    state["quiet_plies"] = 0
    _note_last(state, start, end, outcome)
    if outcome == ATTACKER_SURVIVES or (outcome == FLAG_CAPTURED and own_kind != BOMB):
        state["board"][end] = attacker
    elif outcome != DEFENDER_SURVIVES:
        state["board"][end] = 0
    if outcome == FLAG_CAPTURED:
        finish(state, player, BY_FLAG)
        return outcome
    own_shown = 0
    foe_shown = 0
    if outcome != ATTACKER_SURVIVES:
        own_shown = _show_flag(state, player, own_token, own_kind)
    if outcome in (ATTACKER_SURVIVES, BOTH_REMOVED):
        foe_shown = _show_flag(state, enemy, foe_token, foe_kind)
    first_shown = own_shown if player == 0 else foe_shown
    second_shown = foe_shown if player == 0 else own_shown
    return outcome + FIRST_SHOWN_STEP * first_shown + SECOND_SHOWN_STEP * second_shown


@inner_kernel
def _is_straight_way(state: Record, start: int, end: int) -> bool:
    """Whether pieces other than engineers get there by railway."""
    for direction in range(NUM_DIRECTIONS):
        for length in range(MAX_RAY):
            place = int(RAY[start, direction, length])
            if place == end:
                return True
            if place < 0 or state["board"][place] != 0:
                break
    return False


@inner_kernel
def _show_flag(state: Record, player: int, token: int, kind: int) -> int:
    """Shows the flag of a player whose piece was removed, if it was the chief (L12).

    Returns:
        0 nothing is shown; 1 the flag is in the headquarters of column b as its owner sees the
        board, 2 in that of column d.
    """
    if kind != CHIEF or not state["reveal_flag"]:
        return 0
    state["shown"][player] = 1 + token
    for flag in range(NUM_PIECES):
        if state["kinds"][player, flag] == FLAG:
            return 1 if int(DEAL_PLACES[flag]) % NUM_COLUMNS == 1 else 2
    return 0


@inner_kernel
def _note_last(state: Record, start: int, end: int, outcome: int) -> None:
    state["last"][0] = start
    state["last"][1] = end
    state["last"][2] = outcome
