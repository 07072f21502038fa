"""What an action does, and in which order a search tries actions.

First the best action that the transposition table remembers, then captures (the most valuable
victim first, of equal ones by the least valuable attacker), killers, and the rest by history.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MIRRORED_POINT,
    NUM_ACTIONS,
    NUM_PLANES,
    ActionKind,
    decode,
)
from cotulenh_env.commander.board import DIRECTION_STEPS, NUM_FILES
from cotulenh_env.commander.kernels.stacks import code_at, extract, stack_at
from cotulenh_env.commander.pieces import VALUE
from cotulenh_env.commander.state import Record
from cotulenh_env.kernel import inner_kernel


def _steps() -> npt.NDArray[np.int16]:
    steps = np.zeros(NUM_PLANES, np.int16)
    for plane in range(FIRST_SELECT_PLANE):
        move = decode(plane)
        assert move.kind in (ActionKind.MOVE, ActionKind.STRIKE)
        rank_step, file_step = DIRECTION_STEPS[move.direction]
        steps[plane] = move.distance * (rank_step * NUM_FILES + file_step)
    return steps


_STEP = _steps()
"""int16 [plane]: difference of the points, as the mover sees them, of a MOVE or STRIKE."""

QUIET, SELECTS, ENDS, CAPTURES = range(4)
"""What an action does; placing is quiet."""

FIRST = 1 << 26
_CAPTURE = 1 << 24
_KILLER = 1 << 20
_END = 1 << 19
MAX_HISTORY = 1 << 18
_VICTIM = 256
"""Scores of the order: what is tried first has the highest."""


@inner_kernel
def target_of(player: int, action: int) -> int:
    """The board's point that a MOVE or STRIKE goes to."""
    seen = action // NUM_PLANES + int(_STEP[action % NUM_PLANES])
    return int(MIRRORED_POINT[player, seen])


@inner_kernel
def effect_of(state: Record, action: int) -> int:
    """QUIET, SELECTS, ENDS, or CAPTURES: a MOVE or STRIKE at a point where the enemy stands."""
    if action == END:
        return ENDS
    plane = action % NUM_PLANES
    if plane >= FIRST_SELECT_PLANE:
        return SELECTS if plane < NUM_PLANES - 1 else QUIET
    player = int(state["player"])
    stack = stack_at(state["board"], target_of(player, action))
    return CAPTURES if stack != 0 and stack >> 15 != player else QUIET


@inner_kernel
def stack_value(stack: int) -> int:
    """Official points of all pieces of a stack."""
    return (
        int(VALUE[code_at(stack, 0)])
        + int(VALUE[code_at(stack, 1)])
        + int(VALUE[code_at(stack, 2)])
    )


@inner_kernel
def order_score(
    state: Record,
    action: int,
    effect: int,
    remembered: int,
    killers: npt.NDArray[np.int32],
    history: npt.NDArray[np.int32],
) -> int:
    """How early to try an action; higher comes first.

    Args:
        state: the position.
        action: a legal one.
        effect: `effect_of` it.
        remembered: the table's best action, or -1.
        killers: int32 [2], quiet actions that were too good at this level before.
        history: int32 [num_actions] of the player to move: how often an action was too good.
    """
    if action == remembered:
        return FIRST
    if effect == CAPTURES:
        player = int(state["player"])
        board = state["board"]
        victim = stack_value(stack_at(board, target_of(player, action)))
        origin = int(MIRRORED_POINT[player, action // NUM_PLANES])
        group = stack_at(board, origin)
        if state["selected"]:
            group = extract(group, int(state["selected"]))
        return _CAPTURE + _VICTIM * victim - stack_value(group)
    if action == killers[0]:
        return _KILLER + 1
    if action == killers[1]:
        return _KILLER
    if effect == ENDS:
        return _END
    return int(history[action])


NUM_HISTORIES = (2, NUM_ACTIONS)
