"""Referee mode: what a player knows of each enemy token by itself.

Every announced fight tells which kinds the enemy's token can be, since the player knows the own
piece. Together with where it began, whether it has moved and how, and the shown flags this is all
that there is to know of a single token; how many there are of each kind is for worlds.py.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.board import (
    FIRST_PLAIN_MOVE,
    IS_CAMP,
    IS_ROAD_MOVE,
    MOVES,
    NUM_DIRECTIONS,
    NUM_PLACES,
    PLAIN_MOVES,
    RAY,
)
from cotulenh_env.luzhanqi.kernels.referee import is_locked, is_placing
from cotulenh_env.luzhanqi.pieces import (
    BOMB,
    CHIEF,
    ENGINEER,
    FLAG,
    FLAG_CAPTURED,
    MINE,
    NUM_KINDS,
    NUM_PIECES,
    OUTCOME,
)
from cotulenh_env.luzhanqi.placement import START_KINDS
from cotulenh_env.luzhanqi.state import (
    BY_BOTH_IMMOBILE,
    BY_FLAG,
    BY_NO_MOVE,
    HAS_MOVED,
    HAS_TURNED,
    Record,
)

KindBits = npt.NDArray[np.int32]
"""int32 [25]: by token, bits 1 << kind of what it can be."""

MOVABLE = sum(1 << kind for kind in range(ENGINEER, BOMB + 1))
IMMOVABLE = 1 << MINE | 1 << FLAG
_ENGINEER_BIT, _CHIEF_BIT, _FLAG_BIT = 1 << ENGINEER, 1 << CHIEF, 1 << FLAG


def _evidence() -> npt.NDArray[np.int32]:
    table = np.zeros((2, NUM_KINDS + 1, FLAG_CAPTURED + 1), np.int32)
    for own in range(1, NUM_KINDS + 1):
        for enemy in range(1, NUM_KINDS + 1):
            table[0, own, OUTCOME[own, enemy]] |= 1 << enemy
            table[1, own, OUTCOME[enemy, own]] |= 1 << enemy
    return table


EVIDENCE = _evidence()
"""int32 [whether the enemy attacked, own kind, outcome]: bits 1 << kind of what the enemy was."""

ANY_MOBILITY, CAN_MOVE, CANNOT_MOVE = range(3)
"""What the course of the game says about whether the enemy has a legal move now."""


@inner_kernel
def fill_kind_bits(state: Record, player: int, bits: KindBits) -> None:
    """Fills in what each token of the player's enemy can be, by itself."""
    enemy = 1 - player
    for token in range(NUM_PIECES):
        bits[token] = int(START_KINDS[token])
        if state["moved"][enemy, token] == HAS_MOVED:
            bits[token] &= MOVABLE
        elif state["moved"][enemy, token] == HAS_TURNED:
            bits[token] &= _ENGINEER_BIT
    if is_placing(state):
        return
    if state["reason"] != BY_FLAG:
        # A flag that falls ends the game.
        _take_away_from_removed(state, enemy, bits, _FLAG_BIT)
    for number in range(int(state["num_fights"])):
        attacker = int(state["fights"][number, 0]) - 1
        defender = int(state["fights"][number, 1]) - 1
        enemy_attacked = 1 if attacker // NUM_PIECES == enemy else 0
        own = defender if enemy_attacked else attacker
        other = attacker if enemy_attacked else defender
        kind = int(state["kinds"][player, own - player * NUM_PIECES])
        outcome = int(state["fights"][number, 2])
        bits[other - enemy * NUM_PIECES] &= int(EVIDENCE[enemy_attacked, kind, outcome])
    if state["reveal_flag"]:
        _use_shown_flag(state, enemy, bits)


@inner_kernel
def _take_away_from_removed(state: Record, enemy: int, bits: KindBits, kinds: int) -> None:
    """Takes kinds away from the enemy's tokens that are not on the board."""
    standing = 0
    for place in range(NUM_PLACES):
        token = int(state["board"][place]) - 1 - enemy * NUM_PIECES
        if 0 <= token < NUM_PIECES:
            standing |= 1 << token
    for token in range(NUM_PIECES):
        if standing >> token & 1 == 0:
            bits[token] &= ~kinds


@inner_kernel
def _use_shown_flag(state: Record, enemy: int, bits: KindBits) -> None:
    """The flag is shown when the chief is lost, and not before (L12)."""
    if state["shown"][enemy] == 0:
        _take_away_from_removed(state, enemy, bits, _CHIEF_BIT)
        return
    chief = int(state["shown"][enemy]) - 1
    for token in range(NUM_PIECES):
        is_flag = state["kinds"][enemy, token] == FLAG
        bits[token] &= _FLAG_BIT if is_flag else ~_FLAG_BIT
        bits[token] &= _CHIEF_BIT if token == chief else ~_CHIEF_BIT


@inner_kernel
def mobility_of_enemy(state: Record, player: int) -> int:
    """What the game's going on, or its end, says about the enemy's having a legal move."""
    enemy = 1 - player
    if is_placing(state) or state["reason"] == BY_FLAG:
        return ANY_MOBILITY
    if state["reason"] == BY_BOTH_IMMOBILE:
        return CANNOT_MOVE
    if state["reason"] == BY_NO_MOVE:
        return CAN_MOVE if state["winner"] == enemy else CANNOT_MOVE
    # Whoever is next to move was seen to have a move.
    return CAN_MOVE if state["player"] == enemy else ANY_MOBILITY


@inner_kernel
def bits_of_free_tokens(state: Record, player: int) -> int:
    """Bits 1 << token of the enemy's tokens that can move unless they are mines or the flag."""
    enemy = 1 - player
    free = 0
    for place in range(NUM_PLACES):
        token = int(state["board"][place]) - 1 - enemy * NUM_PIECES
        if not 0 <= token < NUM_PIECES or is_locked(state, place, enemy, token):
            continue
        if _has_way(state, place, player):
            free |= 1 << token
    return free


@inner_kernel
def _has_way(state: Record, place: int, player: int) -> bool:
    """Whether an enemy's piece at a place could move; the player's pieces may be attacked."""
    for direction in range(NUM_DIRECTIONS):
        target = int(RAY[place, direction, 0])
        if target >= 0 and _is_open(state, target, player):
            return True
    for index in range(int(FIRST_PLAIN_MOVE[place]), int(FIRST_PLAIN_MOVE[place + 1])):
        move = int(PLAIN_MOVES[index])
        if IS_ROAD_MOVE[move] and _is_open(state, int(MOVES[move, 1]), player):
            return True
    return False


@inner_kernel
def _is_open(state: Record, place: int, player: int) -> bool:
    token = int(state["board"][place]) - 1
    return token < 0 or (token // NUM_PIECES == player and not IS_CAMP[place])
