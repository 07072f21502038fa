"""Where the commander goes, and lines of sight (R6)."""

from __future__ import annotations

from cotulenh_env.commander.board import FILE, IS_SEA, NEXT_POINT, NUM_FILES, RANK
from cotulenh_env.commander.kernels.headquarters import falls_alone
from cotulenh_env.commander.kernels.rays import (
    BOARD_DIRECTION,
    FIRST_MOVE,
    FIRST_STRIKE,
    NUM_ORTHOGONAL,
    append,
    first_action,
    is_coast_navy,
)
from cotulenh_env.commander.kernels.stacks import (
    may_join,
    stack_at,
    stack_size,
)
from cotulenh_env.commander.kernels.workspace import Workspace
from cotulenh_env.commander.pieces import COMMANDER, piece_code
from cotulenh_env.commander.state import NO_POINT, Record
from cotulenh_env.commander.tables import CAPTURE_RANGE, MOVE_RANGE, ORTHOGONAL
from cotulenh_env.kernel import inner_kernel

# The same in every edition.
_MOVE_RANGE = int(MOVE_RANGE[0, ORTHOGONAL, piece_code(COMMANDER, False)])
_CAPTURE_RANGE = int(CAPTURE_RANGE[0, ORTHOGONAL, piece_code(COMMANDER, False)])


@inner_kernel
def is_uncarried(state: Record, side: int) -> bool:
    """Whether the side has a commander and it stands alone on its point (R6.5)."""
    point = int(state["commander"][side])
    return point != NO_POINT and stack_size(stack_at(state["board"], point)) == 1


@inner_kernel
def is_clear_between(state: Record, one: int, other: int, transparent: int) -> bool:
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
    board = state["board"]
    for point in range(min(one, other) + step, max(one, other), step):
        if board[point] != 0 and point != transparent:
            return False
    return True


@inner_kernel
def are_face_to_face(state: Record) -> bool:
    """Whether both commanders are uncarried with nothing between them on a line (R6.4)."""
    if not is_uncarried(state, 0) or not is_uncarried(state, 1):
        return False
    return is_clear_between(state, int(state["commander"][0]), int(state["commander"][1]), -1)


@inner_kernel
def add_commander_rays(
    state: Record,
    work: Workspace,
    side: int,
    origin: int,
    group: int,
    first: int,
    stop: int,
    count: int,
) -> int:
    """Moves, boardings and captures of a commander on its own: `group` holds nobody else."""
    board = state["board"]
    switches = int(state["switches"])
    enemy_commander = int(state["commander"][1 - side])
    is_watched = is_uncarried(state, 1 - side)
    enemy_rank, enemy_file = enemy_commander // NUM_FILES, enemy_commander % NUM_FILES
    is_alone = stack_size(stack_at(board, origin)) == 1
    transparent = origin if is_alone else -1
    base = first_action(side, origin)
    for index in range(first, min(stop, NUM_ORTHOGONAL)):
        direction = int(BOARD_DIRECTION[side, index])
        move = base + int(FIRST_MOVE[index])
        may_go_on = True
        is_open = True  # nothing at all passed so far (R6.4)
        point = origin
        for distance in range(_MOVE_RANGE):
            point = int(NEXT_POINT[direction, point])
            if point < 0 or not (may_go_on or is_open):
                break
            in_sight = (
                is_watched
                and (RANK[point] == enemy_rank or FILE[point] == enemy_file)
                and is_clear_between(state, enemy_commander, point, transparent)
            )
            stack = stack_at(board, point)
            if stack == 0:
                if in_sight:
                    may_go_on = False  # R6.3
                elif may_go_on and not IS_SEA[point]:  # R6.1
                    count = append(work, count, move + distance)
                continue
            if stack >> 15 == side:
                if may_go_on and may_join(switches, stack, group, point):
                    count = append(work, count, move + distance)
            elif may_go_on and distance < _CAPTURE_RANGE and not in_sight:
                strikes = bool(IS_SEA[point]) or falls_alone(switches, COMMANDER, stack)
                action = base + int(FIRST_STRIKE[index]) if strikes else move
                count = append(work, count, action + distance)
            elif is_open and is_alone and is_watched and point == enemy_commander:  # R6.4
                count = append(work, count, move + distance)
            is_open = False
            if in_sight or not is_coast_navy(stack, point):
                may_go_on = False
    return count
