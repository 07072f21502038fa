"""All actions of one group: its rays in the order of the action numbers."""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.actions import MIRRORED_DIRECTION
from cotulenh_env.commander.kernels.commander import add_commander_ray
from cotulenh_env.commander.kernels.flight import Zones, add_flight_ray
from cotulenh_env.commander.kernels.navy import add_navy_ray
from cotulenh_env.commander.kernels.rays import ActionList, add_land_ray
from cotulenh_env.commander.kernels.stacks import carrier_kind
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import AIR_FORCE, COMMANDER, HEADQUARTERS, NAVY
from cotulenh_env.commander.state import Record
from cotulenh_env.kernel import kernel

_DIRECTIONS = np.array([0, 2, 4, 6, 1, 3, 5, 7], np.int64)
"""Directions in the order of the MOVE planes."""


@kernel
def add_ray(
    state: Record,
    side: int,
    origin: int,
    group: int,
    direction: int,
    zones: Zones,
    allow_shoot_down: bool,
    actions: ActionList,
    count: int,
) -> int:
    """Appends the group's actions along one board direction; returns the new count.

    `zones` are those of the other side, needed when the group's carrier is an aircraft.
    """
    board = state["board"]
    edition = int(state["edition"])
    kind = carrier_kind(group)
    if kind == NAVY:
        return add_navy_ray(board, edition, side, origin, group, direction, actions, count)
    if kind == AIR_FORCE:
        return add_flight_ray(
            board, edition, side, origin, group, direction, zones, allow_shoot_down, actions, count
        )
    if kind == COMMANDER:
        enemy = int(state["commander"][1 - side])
        return add_commander_ray(
            board, edition, side, origin, group, direction, enemy, actions, count
        )
    return add_land_ray(board, edition, side, origin, group, direction, actions, count)


@kernel
def add_group_actions(
    state: Record, origin: int, group: int, work: Workspace, actions: ActionList, count: int
) -> int:
    """Appends in ascending order every action that the group's own rules allow it.

    Whether the turn can be completed afterwards (R7.10) and the commander's safety (R10.8) are not
    looked at. `work.zones` are those that the group faces. Stops when the list is full.
    """
    if carrier_kind(group) == HEADQUARTERS:
        return count
    side = group >> 15
    allow_shoot_down = bool(state["allow_shoot_down"])
    start = count
    for index in range(8):
        direction = int(MIRRORED_DIRECTION[side, _DIRECTIONS[index]])
        count = add_ray(
            state, side, origin, group, direction, work.zones, allow_shoot_down, actions, count
        )
        if count == len(actions):
            break
    _sort(actions, start, count)
    return count


@kernel
def _sort(actions: ActionList, start: int, stop: int) -> None:
    """Insertion sort: only the few strikes are out of order."""
    for index in range(start + 1, stop):
        action = actions[index]
        place = index
        while place > start and actions[place - 1] > action:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action
