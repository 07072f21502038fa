"""The state records of both modes: complete, without pointers.

Flip mode, 1,144 bytes. The pieces that lie face down are not in it, only how many of each there
are: any order of them is equally likely, and nobody knows more.

    history     int64 [128]   keys since the last flip or removal, unused slots 0; only where
                              repetition draws
    board       int8 [60]     by place: 0 empty, 1–24 a piece (pieces.py), FACE_DOWN
    remaining   int8 [25]     pieces face down, by code
    plies … history_length    clocks
    player … entered          who is to move, player 0's colour, who came into a headquarters
    winner, reason            result
    quiet_limit …             the resolved rules

Referee mode, 344 bytes. A *token* is a piece as the enemy sees it, numbered by where it stood in
the beginning: token t of a player began on DEAL_PLACES[t] of the own half. Everything but `kinds`
is public; what a player knows of the enemy's kinds follows from the public rest and the own kinds.

    course      int64         running hash of everything that was announced
    board       int8 [60]     by place: 0 empty, else 1 + 25 × player + token
    kinds       int8 [2, 25]  what each token is; 0 not placed yet, or hidden (`Game.as_seen`)
    moved       int8 [2, 25]  0, HAS_MOVED, or HAS_TURNED: it went round a corner of the railway
                              or something in its way, as only engineers do
    fights      int8 [50, 3]  in order: attacker, defender (both as on the board), outcome
    shown       int8 [2]      1 + the token of the player's chief when its loss has shown the flag
                              (L12), else 0
    last        int8 [3]      from, to and outcome of the last move; -1, -1, 0 when there is none
    num_fights … num_placed   counters, who is to move, the placement phase
    winner … reveal_flag      result, and the resolved rules
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.pieces import NUM_CODES, NUM_PIECES

FACE_DOWN = NUM_CODES
"""What stands at a place where nobody knows the piece."""
UNKNOWN_RED = FACE_DOWN + 1
UNKNOWN_BLACK = FACE_DOWN + 2
"""What `codes_of` gives for a piece whose owner is known and whose kind is not."""
HISTORY_LENGTH = 128
MAX_FIGHTS = 2 * NUM_PIECES
"""Every fight removes a piece."""

HAS_MOVED, HAS_TURNED = 1, 2
"""Values of `moved`."""

NO_COLOUR = -1
NO_PLACE = -1

UNFINISHED, DRAW = -2, -1
"""Values of `winner` besides the players 0 and 1."""

REASONS = ("", "flag", "no move", "both immobile", "repetition", "quiet")
ONGOING, BY_FLAG, BY_NO_MOVE, BY_BOTH_IMMOBILE, BY_REPETITION, BY_QUIET = range(6)
"""Values of `reason` and their names."""

MAX_PLIES = 99_999
"""Of a position that is loaded; no game is as long as that."""

FLIP_DTYPE = np.dtype(
    [
        ("history", np.int64, (HISTORY_LENGTH,)),
        ("board", np.int8, (NUM_PLACES,)),
        ("remaining", np.int8, (NUM_CODES,)),
        ("unused", np.int8, (3,)),
        # clocks
        ("plies", np.int32),
        ("first_ply", np.int32),  # plies of the loaded position
        ("quiet_plies", np.int16),  # since the last removal
        ("history_length", np.int16),
        # the turn
        ("player", np.int8),
        ("first_colour", np.int8),  # player 0's; NO_COLOUR before the first flip
        ("entered", np.int8),  # bits of headquarters whose piece walked in; 0 if that is no matter
        # result
        ("winner", np.int8),
        ("reason", np.int8),
        # rules
        ("hq_lock", np.int8),
        ("quiet_limit", np.int16),
        ("carriers", np.int16),  # bits 1 << kind
        ("repetition", np.int8),
        ("flip_resets", np.int8),
        ("suicide", np.int8),
        ("flag_mines", np.int8),
        ("flag_all_flipped", np.int8),
        ("also_unused", np.int8, (5,)),  # the size is a multiple of 8
    ]
)

REFEREE_DTYPE = np.dtype(
    [
        ("course", np.int64),
        ("board", np.int8, (NUM_PLACES,)),
        ("kinds", np.int8, (2, NUM_PIECES)),
        ("moved", np.int8, (2, NUM_PIECES)),
        ("fights", np.int8, (MAX_FIGHTS, 3)),
        ("shown", np.int8, (2,)),
        ("last", np.int8, (3,)),
        ("num_fights", np.int8),
        # clocks
        ("plies", np.int32),  # without placements
        ("first_ply", np.int32),  # plies of the loaded position
        ("quiet_plies", np.int16),  # since the last removal
        # the turn
        ("player", np.int8),
        ("num_placed", np.int8),  # by both players, if they place their pieces themselves
        # result
        ("winner", np.int8),
        ("reason", np.int8),
        # rules
        ("hq_lock", np.int8),
        ("quiet_limit", np.int16),
        ("placing", np.int8),  # 1 when the players place their pieces themselves
        ("reveal_flag", np.int8),
        ("unused", np.int8, (1,)),  # the size is a multiple of 8
    ]
)

Record = Any
"""One state record: `np.void` in Python, a record inside kernels."""

Records = npt.NDArray[np.void]
"""A 1-D array of state records."""

_rng = np.random.Generator(np.random.PCG64(2604))

ZOBRIST = _rng.integers(-(2**63), 2**63, (NUM_PLACES, UNKNOWN_BLACK + 1), np.int64)
"""int64 [place, code]."""
ZOBRIST[:, 0] = 0

ZOBRIST_REMAINING = _rng.integers(-(2**63), 2**63, (NUM_CODES, 4), np.int64)
"""int64 [code, how many lie face down]."""
ZOBRIST_REMAINING[:, 0] = 0

ZOBRIST_PLAYER = _rng.integers(-(2**63), 2**63, (2,), np.int64)
ZOBRIST_COLOUR = _rng.integers(-(2**63), 2**63, (3,), np.int64)
"""int64 [first_colour + 1]."""

ZOBRIST_ENTERED = _rng.integers(-(2**63), 2**63, (16,), np.int64)
ZOBRIST_ENTERED[0] = 0

ZOBRIST_PLACED = _rng.integers(-(2**63), 2**63, (2, NUM_PIECES, NUM_CODES), np.int64)
"""int64 [player, token, kind] of the placement phase."""
ZOBRIST_PLACED[:, :, 0] = 0

ZOBRIST_SHOWN = _rng.integers(-(2**63), 2**63, (4,), np.int64)
"""int64 [shown flags of player 0 + 2 × those of player 1]."""


def as_states(records: Records) -> npt.NDArray[np.uint8]:
    """uint8 [n, state_size] of records [n]: the same memory."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def flip_keys_of(states: Records) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of board, pieces face down, colours and side to move, without clocks.

    Args:
        states: records [n] of FLIP_DTYPE.
    """
    places, codes = np.arange(NUM_PLACES), np.arange(NUM_CODES)
    key = np.bitwise_xor.reduce(ZOBRIST[places, states["board"]], axis=1)
    key ^= np.bitwise_xor.reduce(ZOBRIST_REMAINING[codes, states["remaining"]], axis=1)
    key ^= ZOBRIST_PLAYER[states["player"]] ^ ZOBRIST_COLOUR[states["first_colour"] + 1]
    key ^= ZOBRIST_ENTERED[states["entered"]]
    keys: npt.NDArray[np.uint64] = key.view(np.uint64)
    return keys


def referee_keys_of(states: Records) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of all kinds and where they stand, shown flags and side to move.

    Clocks and what happened before are left out. No player can know such a key.

    Args:
        states: records [n] of REFEREE_DTYPE.
    """
    n = len(states)
    players, tokens = np.arange(2)[:, None], np.arange(NUM_PIECES)
    shown = (states["shown"] > 0) @ np.array([1, 2])
    key = ZOBRIST_PLAYER[states["player"]] ^ ZOBRIST_SHOWN[shown]
    key ^= np.bitwise_xor.reduce(ZOBRIST[np.arange(NUM_PLACES), codes_of(states)], axis=1)
    is_placing = (states["board"] == 0).all(axis=1)
    placed = ZOBRIST_PLACED[players, tokens, states["kinds"]].reshape(n, -1)
    key ^= np.where(is_placing, np.bitwise_xor.reduce(placed, axis=1), np.int64(0))
    keys: npt.NDArray[np.uint64] = key.view(np.uint64)
    return keys


def codes_of(states: Records) -> npt.NDArray[np.int8]:
    """int8 [n, 60]: what stands at each place as a piece's code; UNKNOWN_… if it is hidden.

    Args:
        states: records [n] of REFEREE_DTYPE.
    """
    tokens = states["board"].astype(np.int64)
    is_black = tokens > NUM_PIECES
    kinds = states["kinds"].reshape(len(states), 2 * NUM_PIECES)
    kind = np.take_along_axis(kinds, np.maximum(tokens - 1, 0), axis=1)
    known = kind + np.where(is_black, NUM_CODES // 2, 0)
    codes = np.where(kind > 0, known, UNKNOWN_RED + is_black)
    found: npt.NDArray[np.int8] = np.where(tokens > 0, codes, 0).astype(np.int8)
    return found


def word_hashes(states: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """uint64 [n]: hashes of all bytes of rows.

    Every word is mixed with its place as in splitmix64 (Steele, Lea and Flood 2014).

    Args:
        states: uint8 [n, a multiple of 8].
    """
    words: npt.NDArray[np.uint64] = np.ascontiguousarray(states).view(np.uint64)
    places: npt.NDArray[np.uint64] = np.arange(1, words.shape[1] + 1, dtype=np.uint64)
    salt: npt.NDArray[np.uint64] = places * np.uint64(0x9E3779B97F4A7C15)
    mixed: npt.NDArray[np.uint64] = words + salt
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    hashes: npt.NDArray[np.uint64] = mixed.sum(axis=1, dtype=np.uint64)
    return hashes
