"""The commander along one direction, and lines of sight (R6)."""

from __future__ import annotations

from cotulenh_env.commander.board import IS_SEA, NEXT_POINT, NUM_FILES
from cotulenh_env.commander.kernels.headquarters import falls_alone
from cotulenh_env.commander.kernels.rays import (
    append,
    first_move,
    first_strike,
    is_coast_navy,
)
from cotulenh_env.commander.kernels.stacks import (
    Board,
    merge,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import COMMANDER
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.commander.tables import CAPTURE_RANGE, MOVE_RANGE, ORTHOGONAL
from cotulenh_env.kernel import inner_kernel

_PLAIN_COMMANDER = 2 * COMMANDER + 1


@inner_kernel
def is_uncarried(board: Board, point: int) -> bool:
    """Whether the commander at the point stands there alone (R6.5); NO_POINT: it does not exist."""
    return point != NO_POINT and stack_size(stack_at(board, point)) == 1


@inner_kernel
def is_clear_between(board: Board, one: int, other: int, transparent: int) -> bool:
    """Whether two points share a rank or file with nothing standing between them.

    The point `transparent` counts as empty (-1: none does).
    """
    if one == other:
        return False
    if one % NUM_FILES == other % NUM_FILES:
        step = NUM_FILES
    elif one // NUM_FILES == other // NUM_FILES:
        step = 1
    else:
        return False
    for point in range(min(one, other) + step, max(one, other), step):
        if board[point] != 0 and point != transparent:
            return False
    return True


@inner_kernel
def are_face_to_face(state: Record) -> bool:
    """Whether both commanders are uncarried with nothing between them on a line (R6.4)."""
    board = state["board"]
    red, blue = int(state["commander"][0]), int(state["commander"][1])
    return (
        is_uncarried(board, red)
        and is_uncarried(board, blue)
        and is_clear_between(board, red, blue, -1)
    )


@inner_kernel
def add_commander_ray(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    direction: int,
    count: int,
) -> int:
    """Moves, boardings and captures of a commander that moves on its own."""
    if direction & 1:
        return count
    board = state["board"]
    switches = int(state["switches"])
    enemy_commander = int(state["commander"][1 - side])
    move = first_move(side, origin, direction)
    is_watched = is_uncarried(board, enemy_commander)
    is_alone = stack_size(stack_at(board, origin)) == 1
    transparent = origin if is_alone else -1
    move_range = int(MOVE_RANGE[0, ORTHOGONAL, _PLAIN_COMMANDER])  # the same in every edition
    capture_range = int(CAPTURE_RANGE[0, ORTHOGONAL, _PLAIN_COMMANDER])
    may_go_on = True
    is_open = True  # nothing at all passed so far (R6.4)
    point = origin
    for distance in range(move_range):
        point = int(NEXT_POINT[direction, point])
        if point < 0 or not (may_go_on or is_open):
            break
        in_sight = is_watched and is_clear_between(board, enemy_commander, point, transparent)
        stack = stack_at(board, point)
        if stack == 0:
            if in_sight:
                may_go_on = False  # R6.3
            elif may_go_on and not IS_SEA[point]:  # R6.1
                count = append(work, count, move + distance)
            continue
        if stack >> 15 == side:
            if may_go_on and merge(switches, stack, group, point) != 0:
                count = append(work, count, move + distance)
        elif may_go_on and distance < capture_range and not in_sight:
            strikes = bool(IS_SEA[point]) or falls_alone(switches, COMMANDER, stack)
            count = append(
                work, count, (first_strike(side, origin, direction) if strikes else move) + distance
            )
        elif is_open and is_alone and is_watched and point == enemy_commander:  # R6.4
            count = append(work, count, move + distance)
        is_open = False
        if in_sight or not is_coast_navy(stack, point):
            may_go_on = False
    return count
