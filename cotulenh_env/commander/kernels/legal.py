"""The legal actions of a state."""

from __future__ import annotations

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
    may_end_turn,
    prepare_zones,
)
from cotulenh_env.commander.kernels.groups import add_group_actions
from cotulenh_env.commander.kernels.placement import add_placements
from cotulenh_env.commander.kernels.rays import ActionList, append
from cotulenh_env.commander.kernels.stacks import (
    expand_mask,
    extract,
    is_legal_stack,
    is_lowest_mask,
    may_stay,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.state import NO_POINT, UNFINISHED, Record
from cotulenh_env.kernel import kernel


@kernel
def list_legal_actions(state: Record, actions: ActionList, work: Workspace) -> int:
    """Writes the legal actions of one state in ascending order; returns their count.

    With a list of length 1 it stops at the first. Overwrites `work`.
    """
    if state["winner"] != UNFINISHED:
        return 0
    if state["placing"]:
        return add_placements(state, actions)
    prepare_zones(state, work)
    origin = int(state["origin"])
    if state["selected"]:
        return _add_group(state, origin, int(state["selected"]), actions, 0, work)
    if origin != NO_POINT:
        count = _add_point(state, origin, int(state["unacted"]), actions, 0, work)
        if may_end_turn(state, work):
            count = append(actions, count, END)
        return count
    count = 0
    side = int(state["player"])
    board = state["board"]
    for seen in range(NUM_POINTS):
        point = int(MIRRORED_POINT[side, seen])
        stack = stack_at(board, point)
        if stack == 0 or stack >> 15 != side:
            continue
        mask = (1 << stack_size(stack)) - 1
        count = _add_point(state, point, mask, actions, count, work)
        if count == len(actions):
            break
    return count


@kernel
def _add_point(
    state: Record,
    point: int,
    unacted: int,
    actions: ActionList,
    count: int,
    work: Workspace,
) -> int:
    """Appends the actions of all pieces that have not acted together, and the groups to select."""
    stack = stack_at(state["board"], point)
    edition = int(state["edition"])
    whole = extract(stack, unacted)
    if is_legal_stack(edition, whole):
        count = _add_group(state, point, unacted, actions, count, work)
    num_unacted = stack_size(whole)
    if num_unacted < 2:
        return count
    base = int(MIRRORED_POINT[int(state["player"]), point]) * NUM_PLANES + FIRST_SELECT_PLANE - 1
    for selection in range(1, (1 << num_unacted) - 1):
        mask = expand_mask(selection, unacted)
        if (
            is_lowest_mask(stack, mask, unacted)
            and is_legal_stack(edition, extract(stack, mask))
            and _add_group(state, point, mask, work.first, 0, work) > 0
        ):
            count = append(actions, count, base + selection)
    return count


@kernel
def _add_group(
    state: Record,
    point: int,
    mask: int,
    actions: ActionList,
    start: int,
    work: Workspace,
) -> int:
    """Appends the legal actions of one group."""
    group = extract(stack_at(state["board"], point), mask)
    if not _needs_completion(state, point, mask):
        return add_group_actions(state, point, group, work, actions, start)
    # The list may be too short for what is dropped again.
    found = work.found
    count = add_group_actions(state, point, group, work, found, 0)
    is_one_enough = len(actions) == start + 1
    kept = keep_completable(state, point, mask, found, 0, count, is_one_enough, work)
    for index in range(kept):
        start = append(actions, start, int(found[index]))
    return start


@kernel
def _needs_completion(state: Record, point: int, mask: int) -> bool:
    """Whether an action of the group may leave a turn that cannot be completed."""
    stack = stack_at(state["board"], point)
    edition = int(state["edition"])
    return (
        enforces_check(state)
        or not may_stay(edition, extract(stack, 7 & ~mask), point)
        or not may_stay(edition, stack, point)
    )
