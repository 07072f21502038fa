"""Playing one action."""

from __future__ import annotations

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MIRRORED_POINT,
    NUM_PLANES,
    PLACE_PLANE,
)
from cotulenh_env.commander.kernels.deploy import play_group_action
from cotulenh_env.commander.kernels.outcome import (
    arm_divisions,
    close_deployment,
    end_turn,
    remember_position,
)
from cotulenh_env.commander.kernels.placement import place
from cotulenh_env.commander.kernels.stacks import expand_mask
from cotulenh_env.commander.kernels.sub_move import begin_deployment, may_sail_on
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.state import UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def apply_action(state: Record, work: Workspace, action: int) -> None:
    """Plays one legal action; overwrites `work`."""
    if action == END:
        end_turn(state, work)
        return
    point = int(MIRRORED_POINT[int(state["player"]), action // NUM_PLANES])
    plane = action % NUM_PLANES
    if plane == PLACE_PLANE:
        place(state, point)
        if not state["placing"]:
            arm_divisions(state)  # R10.2: the game begins
            remember_position(state)  # R10.5: its first occurrence
        return
    begin_deployment(state, point)
    if plane >= FIRST_SELECT_PLANE:
        selection = plane - FIRST_SELECT_PLANE + 1
        state["selected"] = expand_mask(selection, int(state["unacted"]))
        return
    mask = int(state["selected"]) if state["selected"] else int(state["unacted"])
    play_group_action(state, work, mask, action)
    if state["winner"] != UNFINISHED:
        close_deployment(state)  # a turn cut short is no turn (R9.1, R10.6)
    elif state["unacted"] == 0 and not may_sail_on(state):
        end_turn(state, work)
