"""Where pieces go, by road and by railway: the same in both modes (section 3 of the rules)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.board import (
    FIRST_MOVE,
    FIRST_PLAIN_MOVE,
    IS_RAIL,
    IS_ROAD_MOVE,
    MAX_RAY,
    MOVES,
    NUM_DIRECTIONS,
    NUM_PLACES,
    PLAIN_MOVES,
    RAY,
)
from cotulenh_env.luzhanqi.kernels.workspace import EMPTY, FOE, OWN, Workspace
from cotulenh_env.luzhanqi.pieces import ENGINEER


@inner_kernel
def list_moves(
    work: Workspace, first_action: int, actions: npt.NDArray[np.int32], count: int
) -> int:
    """Adds the moves of all own pieces, ascending, until `actions` is full; returns the count.

    Args:
        work: the board as the mover sees it; `marks` are overwritten.
        first_action: the action number of the first move.
        actions: int32 [width], of which `count` are filled.
        count: how many are listed before.
    """
    for place in range(NUM_PLACES):
        work["marks"][place] = -1
    for start in range(NUM_PLACES):
        if work["cells"][start] != OWN or work["kinds"][start] == 0:
            continue
        kind = int(work["kinds"][start])
        turns_corners = kind == ENGINEER
        if IS_RAIL[start]:
            if turns_corners:
                _mark_net(work, start)
            else:
                _mark_lines(work, start)
        attacks = int(work["attacks"][kind])
        first = int(FIRST_MOVE[start]) if turns_corners else int(FIRST_PLAIN_MOVE[start])
        end = int(FIRST_MOVE[start + 1]) if turns_corners else int(FIRST_PLAIN_MOVE[start + 1])
        for index in range(first, end):
            move = index if turns_corners else int(PLAIN_MOVES[index])
            target = int(MOVES[move, 1])
            cell = int(work["cells"][target])
            if cell != EMPTY and (cell != FOE or attacks >> int(work["kinds"][target]) & 1 == 0):
                continue
            if not IS_ROAD_MOVE[move] and work["marks"][target] != start:
                continue
            if count == len(actions):
                return count
            actions[count] = first_action + move
            count += 1
    return count


@inner_kernel
def _mark_lines(work: Workspace, start: int) -> None:
    """Marks what a piece reaches in straight lines of the railway."""
    for direction in range(NUM_DIRECTIONS):
        for length in range(MAX_RAY):
            place = int(RAY[start, direction, length])
            if place < 0:
                break
            work["marks"][place] = start
            if work["cells"][place] != EMPTY:
                break


@inner_kernel
def _mark_net(work: Workspace, start: int) -> None:
    """Marks what an engineer reaches: a breadth-first search over empty places."""
    work["marks"][start] = start
    work["queue"][0] = start
    num_queued = 1
    next_queued = 0
    while next_queued < num_queued:
        here = int(work["queue"][next_queued])
        next_queued += 1
        for direction in range(NUM_DIRECTIONS):
            place = int(RAY[here, direction, 0])
            if place < 0 or work["marks"][place] == start:
                continue
            work["marks"][place] = start
            if work["cells"][place] == EMPTY:
                work["queue"][num_queued] = place
                num_queued += 1
