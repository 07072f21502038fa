"""Playing one action."""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MIRRORED_POINT,
    NUM_PLANES,
    PLACE_PLANE,
)
from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.deploy import (
    MAX_GROUP_ACTIONS,
    NUM_LEVELS,
    Candidates,
    play_group_action,
)
from cotulenh_env.commander.kernels.flight import Zones
from cotulenh_env.commander.kernels.heroes import MAX_PROMOTIONS, Promotions
from cotulenh_env.commander.kernels.outcome import (
    arm_divisions,
    close_deployment,
    end_turn,
    remember_position,
    settle_no_move,
)
from cotulenh_env.commander.kernels.placement import place
from cotulenh_env.commander.kernels.rays import ActionList
from cotulenh_env.commander.kernels.stacks import expand_mask
from cotulenh_env.commander.kernels.sub_move import begin_deployment
from cotulenh_env.commander.state import UNFINISHED, Record, Records
from cotulenh_env.kernel import kernel


@kernel
def apply_actions(states: Records, actions: ActionList) -> None:
    """Plays each row's legal action in place.

    Args:
        states: records [n].
        actions: int32 [n].
    """
    scratch = np.empty(NUM_LEVELS + 1, states.dtype)
    zones = np.empty(NUM_POINTS, np.int32)
    candidates = np.empty((NUM_LEVELS + 2, MAX_GROUP_ACTIONS), np.int32)
    promotions = np.empty(MAX_PROMOTIONS, np.int32)
    for row in range(len(states)):
        apply_action(states[row], int(actions[row]), scratch, zones, candidates, promotions)


@kernel
def apply_action(
    state: Record,
    action: int,
    scratch: Records,
    zones: Zones,
    candidates: Candidates,
    promotions: Promotions,
) -> None:
    """Plays one legal action; the other arguments are overwritten."""
    if action == END:
        end_turn(state, scratch, zones, candidates, promotions)
        return
    point = int(MIRRORED_POINT[int(state["player"]), action // NUM_PLANES])
    plane = action % NUM_PLANES
    if plane == PLACE_PLANE:
        place(state, point)
        if not state["placing"]:
            begin_game(state, scratch, zones, candidates)
        return
    begin_deployment(state, point)
    if plane >= FIRST_SELECT_PLANE:
        selection = plane - FIRST_SELECT_PLANE + 1
        state["selected"] = expand_mask(selection, int(state["unacted"]))
        return
    mask = int(state["selected"]) if state["selected"] else int(state["unacted"])
    play_group_action(state, mask, action, zones)
    if state["winner"] != UNFINISHED:
        close_deployment(state)  # a turn cut short is no turn (R9.1, R10.6)
    elif state["unacted"] == 0:
        end_turn(state, scratch, zones, candidates, promotions)


@kernel
def begin_game(state: Record, scratch: Records, zones: Zones, candidates: Candidates) -> None:
    """The board is set up or loaded: divisions, the first position, and a side without a turn."""
    arm_divisions(state)
    if state["num_sub_moves"] == 0:
        remember_position(state)
    settle_no_move(state, scratch, zones, candidates)
