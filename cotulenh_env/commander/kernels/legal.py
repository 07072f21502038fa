"""The legal actions of a state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MIRRORED_POINT,
    NUM_PLANES,
)
from cotulenh_env.commander.board import NUM_POINTS
from cotulenh_env.commander.kernels.deploy import (
    enforces_check,
    keep_completable,
    list_group_actions,
    may_end_turn,
    prepare_zones,
)
from cotulenh_env.commander.kernels.groups import add_group_actions
from cotulenh_env.commander.kernels.placement import add_placements
from cotulenh_env.commander.kernels.stacks import (
    expand_mask,
    extract,
    is_legal_stack,
    is_lowest_mask,
    may_stay,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.sub_move import may_sail_on
from cotulenh_env.commander.kernels.workspace import FOUND, Workspace
from cotulenh_env.commander.pieces import CODE_MASK, PIECES_MASK
from cotulenh_env.commander.state import NO_POINT, UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel

ActionList = npt.NDArray[np.int32]


@inner_kernel
def list_legal_actions(state: Record, work: Workspace, actions: ActionList) -> int:
    """Writes the legal actions of one state in ascending order; returns their count.

    It stops at the end of the list; with a list of length 1 it looks no further than the first.
    """
    if state["winner"] != UNFINISHED:
        return 0
    if state["placing"]:
        return add_placements(state, actions)
    prepare_zones(state, work)
    origin = int(state["origin"])
    if state["selected"]:
        mask = int(state["selected"])
        stop = _find_group(state, work, origin, mask, len(actions) == 1)
        return _take(work, stop, actions, 0)
    if origin != NO_POINT:
        if may_sail_on(state):
            everything = (1 << stack_size(stack_at(state["board"], origin))) - 1
            stop = _find_group(state, work, origin, everything, len(actions) == 1)
            count = _take(work, stop, actions, 0)
        else:
            count = _add_point(state, work, origin, int(state["unacted"]), actions, 0)
        if count < len(actions) and may_end_turn(state, work):
            actions[count] = END
            count += 1
        return count
    count = 0
    side = int(state["player"])
    board = state["board"]
    any_end_is_fine = not enforces_check(state)
    for seen in range(NUM_POINTS):
        point = int(MIRRORED_POINT[side, seen])
        stack = stack_at(board, point)
        if stack == 0 or stack >> 15 != side:
            continue
        if stack & PIECES_MASK <= CODE_MASK and any_end_is_fine:
            # Most points: a single piece, after whose move the turn is over.
            stop = add_group_actions(state, work, point, stack, len(actions) == count + 1, FOUND)
            count = _take(work, stop, actions, count)
        else:
            mask = (1 << stack_size(stack)) - 1
            count = _add_point(state, work, point, mask, actions, count)
        if count == len(actions):
            break
    return count


@inner_kernel
def _add_point(
    state: Record, work: Workspace, point: int, unacted: int, actions: ActionList, count: int
) -> int:
    """Appends the actions of all pieces that have not acted together, and the groups to select."""
    stack = stack_at(state["board"], point)
    switches = int(state["switches"])
    whole = extract(stack, unacted)
    if is_legal_stack(switches, whole):
        stop = _find_group(state, work, point, unacted, len(actions) == count + 1)
        count = _take(work, stop, actions, count)
    num_unacted = stack_size(whole)
    if num_unacted < 2:
        return count
    base = int(MIRRORED_POINT[int(state["player"]), point]) * NUM_PLANES + FIRST_SELECT_PLANE - 1
    for selection in range(1, (1 << num_unacted) - 1):
        mask = expand_mask(selection, unacted)
        if (
            count < len(actions)
            and is_lowest_mask(stack, mask, unacted)
            and is_legal_stack(switches, extract(stack, mask))
            and _find_group(state, work, point, mask, True) > FOUND
        ):
            actions[count] = base + selection
            count += 1
    return count


@inner_kernel
def _find_group(state: Record, work: Workspace, point: int, mask: int, is_one_enough: bool) -> int:
    """Lists the legal actions of one group from FOUND; returns the index behind the last."""
    stack = stack_at(state["board"], point)
    group = extract(stack, mask)
    if group == stack and state["origin"] == NO_POINT and not enforces_check(state):
        # A whole stack leaves nothing behind, and may stay where it stood.
        return add_group_actions(state, work, point, group, is_one_enough, FOUND)
    switches = int(state["switches"])
    needs_completion = (
        enforces_check(state)
        or not may_stay(switches, extract(stack, 7 & ~mask), point)
        or not may_stay(switches, stack, point)
    )
    if not needs_completion:
        return list_group_actions(state, work, point, group, is_one_enough, FOUND)
    stop = list_group_actions(state, work, point, group, False, FOUND)
    return keep_completable(state, work, point, mask, stop, is_one_enough)


@inner_kernel
def _take(work: Workspace, stop: int, actions: ActionList, count: int) -> int:
    """Appends the actions found to the caller's list until it is full."""
    for index in range(FOUND, min(stop, FOUND + len(actions) - count)):
        actions[count] = work["lists"][index]
        count += 1
    return count
