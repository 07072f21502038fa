"""All actions of one group: its rays in the order of the action numbers."""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.actions import MIRRORED_DIRECTION
from cotulenh_env.commander.kernels.commander import add_commander_ray
from cotulenh_env.commander.kernels.flight import add_flight_ray
from cotulenh_env.commander.kernels.navy import add_navy_ray
from cotulenh_env.commander.kernels.rays import add_land_ray
from cotulenh_env.commander.kernels.stacks import carrier_kind
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import AIR_FORCE, COMMANDER, HEADQUARTERS, NAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.kernel import inner_kernel

_DIRECTIONS = np.array([0, 2, 4, 6, 1, 3, 5, 7], np.int64)
"""Directions in the order of the MOVE planes."""


@inner_kernel
def add_ray(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    direction: int,
    allow_shoot_down: bool,
    count: int,
) -> int:
    """Appends the group's actions along one board direction; returns the index behind the last.

    The workspace's zones are the other side's, needed when the group's carrier is an aircraft.
    """
    kind = carrier_kind(group)
    if kind == NAVY:
        return add_navy_ray(state, work, side, origin, group, direction, count)
    if kind == AIR_FORCE:
        return add_flight_ray(state, work, side, origin, group, direction, allow_shoot_down, count)
    if kind == COMMANDER:
        return add_commander_ray(state, work, side, origin, group, direction, count)
    return add_land_ray(state, work, side, origin, group, direction, count)


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
    count = start
    for index in range(8):
        direction = int(MIRRORED_DIRECTION[side, _DIRECTIONS[index]])
        count = add_ray(state, work, side, origin, group, direction, allow_shoot_down, count)
        if is_one_enough and count > start:
            break
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
