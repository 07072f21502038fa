"""Which squares the enemy attacks, who gives check, and what is pinned.

    marks    0            nothing
             1 and more   between the king and an enemy piece that slides towards it, with a single
                          own piece on the way, and that enemy's square, one number for each such
                          enemy: the own piece may only move within these squares
             CHECK        the square of a piece that gives check, and those where its slide can be
                          blocked

Pieces are asked one by one whether they hit at all, which few do: looking along lines from the
attacked square takes longer.
"""

from __future__ import annotations

from cotulenh_env.cwda.board import NUM_SQUARES
from cotulenh_env.cwda.kernels.workspace import ENEMY, Workspace
from cotulenh_env.cwda.moves import HITS, LEAP, LINE_STEP
from cotulenh_env.kernel import inner_kernel

CHECK = 100


@inner_kernel
def is_attacked(work: Workspace, square: int) -> bool:
    """Whether an enemy piece could capture on a square, whatever stands there."""
    board = work["board"]
    enemies = work["enemies"]
    for index in range(int(work["num_enemies"])):
        origin = int(enemies[index])
        code = int(board[origin])
        if code < ENEMY:
            continue  # captured by the move that is tried
        hit = HITS[code - ENEMY, origin, square]
        if hit and (hit == LEAP or _count_between(work, origin, square) == 0):
            return True
    return False


@inner_kernel
def _count_between(work: Workspace, origin: int, target: int) -> int:
    """Pieces between two squares of a line."""
    board = work["board"]
    step = int(LINE_STEP[origin, target])
    count = 0
    square = origin + step
    while square != target:
        if board[square]:
            count += 1
        square += step
    return count


@inner_kernel
def mark_checks_and_pins(work: Workspace) -> None:
    """Fills `marks` and counts the pieces that give check to the mover's king."""
    board = work["board"]
    enemies = work["enemies"]
    marks = work["marks"]
    king = int(work["king"])
    for square in range(NUM_SQUARES):
        marks[square] = 0
    num_checkers = num_pins = 0
    for index in range(int(work["num_enemies"])):
        origin = int(enemies[index])
        hit = HITS[int(board[origin]) - ENEMY, origin, king]
        if hit == 0:
            continue
        if hit == LEAP:
            num_checkers += 1
            marks[origin] = CHECK
            continue
        num_between = _count_between(work, origin, king)
        if num_between == 0:
            num_checkers += 1
            _mark_line(work, origin, CHECK)
        elif num_between == 1 and _is_own_between(work, origin):
            num_pins += 1
            _mark_line(work, origin, num_pins)
    work["num_checkers"] = num_checkers


@inner_kernel
def _is_own_between(work: Workspace, origin: int) -> bool:
    """Whether the single piece between an enemy's square and the king is the mover's."""
    board = work["board"]
    step = int(LINE_STEP[origin, int(work["king"])])
    square = origin + step
    while board[square] == 0:
        square += step
    return bool(board[square] < ENEMY)


@inner_kernel
def _mark_line(work: Workspace, origin: int, mark: int) -> None:
    """Marks an enemy's square, and those between it and the king."""
    marks = work["marks"]
    king = int(work["king"])
    step = int(LINE_STEP[origin, king])
    square = origin
    while square != king:
        marks[square] = mark
        square += step


@inner_kernel
def needed_mark(work: Workspace, square: int) -> int:
    """The mark of the squares that the own piece on a square may move to.

    0: any; -1: none, since it is pinned and cannot parry a check.
    """
    mark = int(work["marks"][square])
    if work["num_checkers"] == 0:
        return mark
    return CHECK if mark == 0 else -1
