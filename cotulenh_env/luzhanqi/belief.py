"""Referee mode: what a player can know of the enemy's pieces, exactly.

Everything follows from what the player has seen: the own pieces, where each enemy piece began,
whether it has moved and whether as only an engineer does, how every fight ended, shown flags, and
how many pieces of each kind there are (kernels/evidence.py, kernels/worlds.py). Only a turn that
the enemy let pass (match_rules.py) is taken to tell nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import StateError
from cotulenh_env.game import Players
from cotulenh_env.luzhanqi.kernels.worlds import NUM_DRAWS, fill_evidence, find_worlds
from cotulenh_env.luzhanqi.pieces import FLAG, NUM_KINDS, NUM_PIECES
from cotulenh_env.luzhanqi.placement import PLACEMENT_ORDER
from cotulenh_env.luzhanqi.state import Records

_NO_DRAWS = np.empty((0, NUM_DRAWS))


def draw_worlds(states: Records, players: Players, rng: np.random.Generator) -> Records:
    """Records that the players cannot tell from the given ones.

    Every world that a player cannot rule out is drawn with the same probability, which is right
    when layouts are dealt uniformly. Rows that are equal to the one before cost little.

    Args:
        states: records [n] of REFEREE_DTYPE; the enemy's kinds are not looked at, but for a flag
            that is shown.
        players: int32 [n].
        rng: gives NUM_DRAWS numbers a row.

    Raises:
        StateError: a record's kinds do not fit what is said to have happened.
    """
    n = len(states)
    kinds, counts = np.empty((n, NUM_PIECES), np.int8), np.empty(n, np.int64)
    draws = rng.random((n, NUM_DRAWS))
    find_worlds(*_evidence(states, players), draws, kinds, counts)
    if (counts == 0).any():
        raise StateError(f"row {int(counts.argmin())}: no enemy could have played so")
    drawn = states.copy()
    is_placing = (states["placing"] == 1) & (states["num_placed"] < 2 * NUM_PIECES)
    for row in np.flatnonzero(is_placing).tolist():
        num_placed = int(states["num_placed"][row]) - NUM_PIECES * (1 - int(players[row]))
        kinds[row] = _placed_so_far(kinds[row], max(0, min(NUM_PIECES, num_placed)), rng)
    drawn["kinds"][np.arange(n), 1 - players] = kinds
    return drawn


def _placed_so_far(
    layout: npt.NDArray[np.int8], num_placed: int, rng: np.random.Generator
) -> npt.NDArray[np.int8]:
    """The pieces of a layout that are placed first; of equal ones any."""
    order = rng.permutation(NUM_PIECES)
    placed = np.zeros(NUM_PIECES, np.int8)
    for kind in PLACEMENT_ORDER[:num_placed].tolist():
        token = next(t for t in order if layout[t] == kind and placed[t] == 0)
        placed[token] = kind
    return placed


def num_worlds(states: Records, players: Players) -> npt.NDArray[np.int64]:
    """int64 [n]: how many layouts the enemy can have begun with, as far as each player knows."""
    counts = np.empty(len(states), np.int64)
    no_kinds = np.empty((0, NUM_PIECES), np.int8)
    find_worlds(*_evidence(states, players), _NO_DRAWS, no_kinds, counts)
    return counts


def kind_probabilities(state: Records, player: int) -> npt.NDArray[np.float64]:
    """What each token of the enemy is, as far as a player knows.

    Args:
        state: a record [1].
        player: 0 or 1.

    Returns:
        float64 [25, 13]: by token and kind the share of the worlds in which the token is of the
        kind; exactly 0 where there is none.
    """
    bits, free, mobility = _evidence(state, np.array([player], np.int32))
    tokens, kinds = np.nonzero(bits[0][:, None] >> np.arange(NUM_KINDS + 1) & 1)
    fixed = np.repeat(bits, len(tokens), axis=0)
    fixed[np.arange(len(tokens)), tokens] = 1 << kinds
    counts = np.empty(len(tokens), np.int64)
    no_kinds = np.empty((0, NUM_PIECES), np.int8)
    n = len(tokens)
    find_worlds(fixed, np.repeat(free, n), np.repeat(mobility, n), _NO_DRAWS, no_kinds, counts)
    shares = np.zeros((NUM_PIECES, NUM_KINDS + 1))
    shares[tokens, kinds] = counts
    found: npt.NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return found


def _evidence(
    states: Records, players: Players
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    n = len(states)
    bits = np.empty((n, NUM_PIECES), np.int32)
    free, mobility = np.empty(n, np.int32), np.empty(n, np.int32)
    fill_evidence(states, players, bits, free, mobility)
    return bits, free, mobility


def hide_from(states: Records, players: Players) -> Records:
    """Records without the kinds that the players do not know: for showing and hashing.

    Args:
        states: records [n] of REFEREE_DTYPE.
        players: int32 [n].
    """
    seen = states.copy()
    rows, enemies = np.arange(len(states)), 1 - players
    kinds = states["kinds"][rows, enemies]
    is_shown = (states["shown"][rows, enemies] > 0)[:, None]
    seen["kinds"][rows, enemies] = np.where(is_shown & (kinds == FLAG), kinds, 0)
    return seen
