"""Actions that win at once, found among captures; for searches that should not miss them.

What is looked at: every MOVE and STRIKE at a point where the enemy stands; if none of them wins,
every SELECT of a group that stands on a line with the enemy's commander, with what that group can
capture. All are played, so the rules themselves say what wins. Wins by anything else (points at the
turn limit, an opponent without moves) are left to the search.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MIRRORED_POINT,
    NUM_ACTIONS,
    NUM_PLANES,
    PLACE_PLANE,
    ActionKind,
    decode,
)
from cotulenh_env.commander.board import NUM_FILES, NUM_POINTS
from cotulenh_env.commander.pieces import CODE_BITS, CODE_MASK, COMMANDER, MAX_STACK, SIDE_BIT
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.game import Actions, Counts, Game, States

Wins = npt.NDArray[np.bool_]


def winning_actions(game: Game, states: States, legal_actions: Actions, counts: Counts) -> Wins:
    """See `Game.winning_actions`; the game is Commander Chess."""
    legal, wins = _winning_captures(game, states, legal_actions, counts)
    is_open = ~wins.any(axis=1, keepdims=True)
    point, plane = np.divmod(legal, NUM_PLANES)
    is_select = (plane >= FIRST_SELECT_PLANE) & (plane < PLACE_PLANE) & is_open
    rows, columns = np.nonzero(is_select)
    if len(rows) == 0:
        return wins
    records = states.view(STATE_DTYPE)[:, 0]
    players = records["player"][rows]
    origins = MIRRORED_POINT[players, point[rows, columns]]
    is_aligned = _aligned()[origins[:, None], np.arange(NUM_POINTS)]
    is_target = _enemy_commanders(records["board"][rows], players)
    kept = np.flatnonzero((is_aligned & is_target).any(axis=1))
    if len(kept) == 0:
        return wins
    rows, columns = rows[kept], columns[kept]
    selected, _ = game.apply(states[rows], legal[rows, columns])
    _, captures = _winning_captures(game, selected, *game.legal_actions(selected))
    wins[rows, columns] = captures.any(axis=1)
    return wins


def _winning_captures(
    game: Game, states: States, legal_actions: Actions, counts: Counts
) -> tuple[Actions, Wins]:
    """Legal actions [n, widest count], padded with END, and which of them capture and win."""
    width = int(counts.max(initial=0))
    legal = np.where(np.arange(width) < counts[:, None], legal_actions[:, :width], END)
    records = states.view(STATE_DTYPE)[:, 0]
    players = records["player"].astype(np.intp)
    targets = _targets()[legal]
    points = MIRRORED_POINT[players[:, None], np.maximum(targets, 0)]
    stacks = np.take_along_axis(records["board"], points.astype(np.intp), axis=1)
    is_enemy = (stacks != 0) & ((stacks >= SIDE_BIT) != players[:, None].astype(np.bool_))
    rows, columns = np.nonzero(is_enemy & (targets >= 0))
    wins = np.zeros(legal.shape, np.bool_)
    if len(rows):
        after, _ = game.apply(states[rows], legal[rows, columns])
        wins[rows, columns] = game.returns(after)[np.arange(len(rows)), players[rows]] > 0
    return legal, wins


def _enemy_commanders(boards: npt.NDArray[np.uint16], players: npt.NDArray[np.int8]) -> Wins:
    """Bool [n, 132]: where the other side's commander stands, alone or in a stack."""
    is_enemy = (boards >= SIDE_BIT) != (players == 1)[:, None]
    has_commander = np.zeros(boards.shape, np.bool_)
    for slot in range(MAX_STACK):
        has_commander |= (boards >> (CODE_BITS * slot) & CODE_MASK) >> 1 == COMMANDER
    found: Wins = is_enemy & has_commander
    return found


@functools.cache
def _targets() -> npt.NDArray[np.int16]:
    """int16 [num_actions]: where a MOVE or STRIKE goes, from the mover's side; else -1."""
    moves = [decode(action) for action in range(NUM_ACTIONS)]
    goes = (ActionKind.MOVE, ActionKind.STRIKE)
    return np.array([move.target if move.kind in goes else -1 for move in moves], np.int16)


@functools.cache
def _aligned() -> Wins:
    """Bool [132, 132]: points on one rank, file or diagonal."""
    rank, file = np.divmod(np.arange(NUM_POINTS), NUM_FILES)
    ranks, files = rank[:, None] - rank, file[:, None] - file
    aligned: Wins = (ranks == 0) | (files == 0) | (abs(ranks) == abs(files))
    return aligned
