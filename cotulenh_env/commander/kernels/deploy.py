"""Whether a turn that began so can still be completed (R7.7–R7.10, R10.8).

The search is exhaustive but shallow: a turn has at most three sub-moves, and it is only needed when
something would be left that may not stay, or when `enforce_check` looks at the end of the turn.
"""

from __future__ import annotations

from cotulenh_env.commander.actions import (
    FIRST_STRIKE_PLANE,
    MAX_DIAGONAL,
    MAX_ORTHOGONAL,
    MAX_STRIKE,
    MIRRORED_DIRECTION,
    NUM_PLANES,
)
from cotulenh_env.commander.kernels.attack import is_commander_exposed
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.kernels.groups import add_group_actions
from cotulenh_env.commander.kernels.stacks import (
    carrier_kind,
    extract,
    is_legal_stack,
    is_lowest_mask,
    may_stay,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.sub_move import (
    begin_deployment,
    may_sail_on,
    play_sub_move,
)
from cotulenh_env.commander.kernels.workspace import FOUND, MAX_GROUP_ACTIONS, Workspace
from cotulenh_env.commander.pieces import AIR_FORCE
from cotulenh_env.commander.rules import COMMANDER_DECIDES
from cotulenh_env.commander.state import UNFINISHED, Record
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def play_group_action(state: Record, work: Workspace, mask: int, action: int) -> None:
    """Plays a MOVE or STRIKE, numbered from the mover's side, with the pieces in `mask`."""
    plane = action % NUM_PLANES
    is_strike = plane >= FIRST_STRIKE_PLANE
    if is_strike:
        direction = (plane - FIRST_STRIKE_PLANE) // MAX_STRIKE
        distance = (plane - FIRST_STRIKE_PLANE) % MAX_STRIKE + 1
    elif plane < 4 * MAX_ORTHOGONAL:
        direction = 2 * (plane // MAX_ORTHOGONAL)
        distance = plane % MAX_ORTHOGONAL + 1
    else:
        direction = 2 * ((plane - 4 * MAX_ORTHOGONAL) // MAX_DIAGONAL) + 1
        distance = (plane - 4 * MAX_ORTHOGONAL) % MAX_DIAGONAL + 1
    direction = int(MIRRORED_DIRECTION[int(state["player"]), direction])
    play_sub_move(state, work, mask, direction, distance, is_strike)


@inner_kernel
def enforces_check(state: Record) -> bool:
    """Whether turns must leave the own commander safe (R10.8)."""
    return bool(state["enforce_check"]) and bool(COMMANDER_DECIDES[int(state["battle"])])


@inner_kernel
def may_end_turn(state: Record, work: Workspace) -> bool:
    """Whether the turn may end with the origin as it is (R7.10, R10.8)."""
    origin = int(state["origin"])
    if not may_stay(int(state["switches"]), stack_at(state["board"], origin), origin):
        return False
    if not enforces_check(state):
        return True
    return not is_commander_exposed(state, work, int(state["player"]))


@inner_kernel
def can_complete(work: Workspace) -> bool:
    """Whether the turn of `work["scratch"][0]`, a sub-move being made, can end legally (R7.10).

    Depth-first over the sub-moves that may follow: level i has made i of them, in `scratch[i]`, and
    has its next group's actions in its list. A loop, because Numba cannot cache recursion.
    """
    scratch = work["scratch"]
    mask, following, stop = work["mask"], work["next"], work["stop"]
    level = 0
    is_new = True
    while level >= 0:
        state = scratch[level]
        if is_new:
            if state["winner"] != UNFINISHED or may_end_turn(state, work):
                return True
            mask[level] = following[level] = stop[level] = 0
            is_new = False
        if following[level] == stop[level]:
            mask[level] = _next_group(state, int(mask[level]))
            if mask[level] == 0:
                level -= 1
                continue
            origin = int(state["origin"])
            group = extract(stack_at(state["board"], origin), int(mask[level]))
            if carrier_kind(group) == AIR_FORCE:
                prepare_zones(state, work)
            start = level * MAX_GROUP_ACTIONS
            following[level] = start
            stop[level] = list_group_actions(state, work, origin, group, False, start)
            continue
        action = int(work["lists"][following[level]])
        following[level] += 1
        scratch[level + 1] = state
        play_group_action(scratch[level + 1], work, int(mask[level]), action)
        level += 1
        is_new = True
    return False


@inner_kernel
def _next_group(state: Record, mask: int) -> int:
    """Slots of the group after `mask` (0 = before the first) that may act; 0 behind the last.

    The largest comes first: what is left when all go together needs no further search.
    """
    unacted = int(state["unacted"])
    stack = stack_at(state["board"], int(state["origin"]))
    if may_sail_on(state):
        return 0 if mask else (1 << stack_size(stack)) - 1
    for following in range((mask if mask else 8) - 1, 0, -1):
        if (
            following & ~unacted == 0
            and is_lowest_mask(stack, following, unacted)
            and is_legal_stack(int(state["switches"]), extract(stack, following))
        ):
            return following
    return 0


@inner_kernel
def list_group_actions(
    state: Record, work: Workspace, origin: int, group: int, is_one_enough: bool, start: int
) -> int:
    """`add_group_actions`, without strikes for a navy that has struck already (R12.2)."""
    if not may_sail_on(state):
        return add_group_actions(state, work, origin, group, is_one_enough, start)
    stop = add_group_actions(state, work, origin, group, False, start)
    # In ascending order the strikes of one point come last.
    while stop > start and work["lists"][stop - 1] % NUM_PLANES >= FIRST_STRIKE_PLANE:
        stop -= 1
    return stop


@inner_kernel
def prepare_zones(state: Record, work: Workspace) -> None:
    """Fills the zones that the mover's aircraft face, if it has any."""
    side = int(state["player"])
    if state["counts"][side, AIR_FORCE] != 0:
        fill_zones(state["board"], 1 - side, work["zones"])


@inner_kernel
def keep_completable(
    state: Record, work: Workspace, origin: int, mask: int, stop: int, is_one_enough: bool
) -> int:
    """Drops those of the actions found after which the turn cannot be completed (R7.10).

    Args:
        state: the position, left as it is.
        work: the actions are in its lists from FOUND, and are closed up in place; its zones are
            those that the mover's aircraft face, the same afterwards.
        origin: point of the turn.
        mask: slots of the group that acts.
        stop: index behind the last action.
        is_one_enough: stop at the first that stays.

    Returns:
        The index behind the last that stayed.
    """
    switches = int(state["switches"])
    stack = stack_at(state["board"], origin)
    is_fine_left = may_stay(switches, extract(stack, 7 & ~mask), origin)
    is_fine_struck = may_stay(switches, stack, origin)
    looks_at_end = enforces_check(state)
    lists = work["lists"]
    scratch = work["scratch"]
    kept = FOUND
    has_simulated = False
    for index in range(FOUND, stop):
        action = int(lists[index])
        is_strike = action % NUM_PLANES >= FIRST_STRIKE_PLANE
        is_legal = (is_fine_struck if is_strike else is_fine_left) and not looks_at_end
        if not is_legal:
            scratch[0] = state
            begin_deployment(scratch[0], origin)
            play_group_action(scratch[0], work, mask, action)
            is_legal = can_complete(work)
            has_simulated = True
        if is_legal:
            lists[kept] = action
            kept += 1
            if is_one_enough:
                break
    if has_simulated:
        prepare_zones(state, work)
    return kept
