"""Navies: what they reach, the anti-ship missile and the gun (R5)."""

from collections.abc import Iterator
from itertools import pairwise

from .board import RAYS, Point, is_navigable
from .land import range_of
from .pieces import Board, Piece, Stack, may_join
from .rules import Rules
from .steps import Step

GUN_RANGE = 3


def gun_range(navy: Piece) -> int:
    """R5.3, R9.2."""
    return GUN_RANGE + (1 if navy.heroic else 0)


def reaches(board: Board, path: tuple[Point, ...], rules: Rules) -> bool:
    """R5.1 for a path with start and target: navigable, and no navy on a passed point."""
    if not all(is_navigable(start, end) for start, end in pairwise(path)):
        return False
    if not rules.navies_block_navies:  # R12.1
        return True
    return not any(point in board and board[point][0].kind == "N" for point in path[1:-1])


def steps_along(
    board: Board, group: Stack, origin: Point, direction: int, rules: Rules
) -> Iterator[Step]:
    """All sub-moves in one direction of a group whose carrier is a navy."""
    navy = group[0]
    ray = RAYS[origin][direction][: range_of(navy, direction, rules)]
    for index, target in enumerate(ray):
        reached = reaches(board, (origin, *ray[: index + 1]), rules)
        stack = board.get(target)
        if stack is None:
            if reached:
                yield Step(origin, target, "move")
        elif stack[0].side == navy.side:
            if reached and may_join(group, stack, target, rules):
                yield Step(origin, target, "join")
        elif stack[0].kind == "N":  # R5.2
            if reached:
                yield Step(origin, target, "capture")
                if rules.navy_missile_strikes:  # R12.2
                    yield Step(origin, target, "strike")
        elif index + 1 <= gun_range(navy):  # R5.3
            yield Step(origin, target, "capture" if reached else "strike")
