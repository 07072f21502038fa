"""All actions of one group: its rays in the order of the action numbers."""

from __future__ import annotations

from cotulenh_env.commander.kernels.commander import add_commander_rays
from cotulenh_env.commander.kernels.flight import add_flight_rays
from cotulenh_env.commander.kernels.navy import add_navy_rays
from cotulenh_env.commander.kernels.rays import NUM_RAYS, add_land_rays
from cotulenh_env.commander.kernels.stacks import carrier_kind
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import AIR_FORCE, COMMANDER, HEADQUARTERS, NAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.kernel import inner_kernel


@inner_kernel
def add_rays(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    first: int,
    stop: int,
    allow_shoot_down: bool,
    count: int,
) -> int:
    """Appends the group's actions along the rays `first` to `stop`; returns the next index.

    The workspace's zones are the other side's, needed when the group's carrier is an aircraft.
    """
    kind = carrier_kind(group)
    if kind == NAVY:
        return add_navy_rays(state, work, side, origin, group, first, stop, count)
    if kind == AIR_FORCE:
        return add_flight_rays(
            state, work, side, origin, group, first, stop, allow_shoot_down, count
        )
    if kind == COMMANDER:
        return add_commander_rays(state, work, side, origin, group, first, stop, count)
    return add_land_rays(state, work, side, origin, group, first, stop, count)


@inner_kernel
def add_group_actions(
    state: Record, work: Workspace, origin: int, group: int, is_one_enough: bool, start: int
) -> int:
    """Appends in ascending order every action that the group's own rules allow it.

    Whether the turn can be completed afterwards (R7.10) and the commander's safety (R10.8) are not
    looked at.

    Args:
        state: the position.
        work: its zones are those that the group faces.
        origin: where the group stands.
        group: its pieces.
        is_one_enough: stop after the first direction that has an action.
        start: index in the workspace's lists.

    Returns:
        The index behind the last.
    """
    if carrier_kind(group) == HEADQUARTERS:
        return start
    side = group >> 15
    allow_shoot_down = bool(state["allow_shoot_down"])
    if is_one_enough:
        for ray in range(NUM_RAYS):
            count = add_rays(
                state, work, side, origin, group, ray, ray + 1, allow_shoot_down, start
            )
            if count > start:
                return count
        return start
    count = add_rays(state, work, side, origin, group, 0, NUM_RAYS, allow_shoot_down, start)
    _sort(work, start, count)
    return count


@inner_kernel
def _sort(work: Workspace, start: int, stop: int) -> None:
    """Insertion sort: only the few strikes are out of order."""
    lists = work["lists"]
    for index in range(start + 1, stop):
        action = lists[index]
        place = index
        while place > start and lists[place - 1] > action:
            lists[place] = lists[place - 1]
            place -= 1
        lists[place] = action
