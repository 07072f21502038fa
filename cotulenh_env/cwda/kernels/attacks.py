"""Which squares the enemy attacks, who gives check, and what is pinned.

Lines are looked along from the attacked square outwards. Slides end at the first piece; leaps reach
over pieces, up to `MAX_LEAP` squares along a line, or a knight's leap away.

    marks    0                nothing
             1 + direction    between the king and an enemy piece that slides towards it from there,
                              with a single own piece on the way, and that enemy's square: the own
                              piece may only move within these squares
             CHECK            the square of a piece that gives check, and those where its slide can
                              be blocked
"""

from __future__ import annotations

from cotulenh_env.cwda.board import (
    KNIGHT_TARGET,
    NUM_DIRECTIONS,
    NUM_SQUARES,
    STEP,
    TO_EDGE,
)
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.moves import (
    FIRST_KNIGHT_PLANE,
    HITS,
    LEAP,
    MAX_DISTANCE,
    MAX_LEAP,
    SLIDE,
)
from cotulenh_env.kernel import inner_kernel

CHECK = NUM_DIRECTIONS + 1


@inner_kernel
def is_attacked(work: Workspace, square: int) -> bool:
    """Whether an enemy piece could capture on a square, whatever stands there."""
    board = work["board"]
    for direction in range(NUM_DIRECTIONS):
        step = STEP[direction]
        first_plane = direction * MAX_DISTANCE - 1
        target = square
        is_clear = True
        for distance in range(1, TO_EDGE[direction, square] + 1):
            target += step
            code = int(board[target])
            if code:
                if code >= ENEMY:
                    hit = HITS[code - ENEMY, first_plane + distance]
                    if hit == LEAP or (hit == SLIDE and is_clear):
                        return True
                is_clear = False
            if not is_clear and distance >= MAX_LEAP:
                break
    for leap in range(8):
        target = KNIGHT_TARGET[square, leap]
        if target >= 0:
            code = int(board[target])
            if code >= ENEMY and HITS[code - ENEMY, FIRST_KNIGHT_PLANE + leap]:
                return True
    return False


@inner_kernel
def mark_checks_and_pins(work: Workspace) -> None:
    """Fills `marks` and counts the pieces that give check to the mover's king."""
    board = work["board"]
    marks = work["marks"]
    king = int(work["king"])
    for square in range(NUM_SQUARES):
        marks[square] = 0
    num_checkers = 0
    for direction in range(NUM_DIRECTIONS):
        step = STEP[direction]
        first_plane = direction * MAX_DISTANCE - 1
        target = king
        num_own = num_between = 0  # own pieces, and all pieces, passed
        for distance in range(1, TO_EDGE[direction, king] + 1):
            target += step
            code = int(board[target])
            if code >= ENEMY:
                hit = HITS[code - ENEMY, first_plane + distance]
                if hit == LEAP:
                    num_checkers += 1
                    marks[target] = CHECK
                elif hit == SLIDE and num_between == num_own and num_own <= 1:
                    mark = CHECK if num_own == 0 else 1 + direction
                    num_checkers += 1 - num_own
                    for steps in range(1, distance + 1):
                        marks[king + steps * step] = mark
            if code:
                num_between += 1
                num_own += code < ENEMY
            if distance >= MAX_LEAP and (num_own > 1 or num_between > num_own):
                break
    for leap in range(8):
        target = KNIGHT_TARGET[king, leap]
        if target >= 0:
            code = int(board[target])
            if code >= ENEMY and HITS[code - ENEMY, FIRST_KNIGHT_PLANE + leap]:
                num_checkers += 1
                marks[target] = CHECK
    work["num_checkers"] = num_checkers


@inner_kernel
def needed_mark(work: Workspace, square: int) -> int:
    """The mark of the squares that the own piece on a square may move to.

    0: any; -1: none, since it is pinned and cannot parry a check.
    """
    mark = int(work["marks"][square])
    if work["num_checkers"] == 0:
        return mark
    return CHECK if mark == 0 else -1
