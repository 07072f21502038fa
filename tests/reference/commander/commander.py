"""Commanders: line of sight, their moves, and face to face (R6)."""

from collections.abc import Iterator

from .board import ORTHOGONAL, RAYS, Point
from .land import capture_word, is_blocked, river_allows, sea_allows
from .pieces import Board, Stack, may_join
from .rules import Rules
from .steps import Step


def uncarried_commanders(board: Board, side: int) -> list[Point]:
    """R6.5: where a side's commander stands alone."""
    return [
        point
        for point, stack in board.items()
        if len(stack) == 1 and stack[0].kind == "C" and stack[0].side == side
    ]


def line_of_sight(board: Board, watcher: Point, ignored: Point | None = None) -> set[Point]:
    """R6.2: what a commander sees; the ignored point counts as empty."""
    seen = set()
    for direction in ORTHOGONAL:
        for point in RAYS[watcher][direction]:
            seen.add(point)
            if point in board and point != ignored:
                break
    return seen


def points_in_enemy_sight(board: Board, origin: Point) -> set[Point]:
    """R6.2, R6.3: what the enemy sees when the commander at the origin is about to move."""
    stack = board[origin]
    ignored = origin if len(stack) == 1 else None
    seen: set[Point] = set()
    for watcher in uncarried_commanders(board, 1 - stack[0].side):
        seen |= line_of_sight(board, watcher, ignored)
    return seen


def is_face_to_face(board: Board, one: Point, other: Point) -> bool:
    """R6.4: two uncarried commanders on a rank or file with nothing between them."""
    if len(board[one]) != 1 or len(board[other]) != 1:
        return False
    for direction in ORTHOGONAL:
        for point in RAYS[one][direction]:
            if point == other:
                return True
            if point in board:
                break
    return False


def commanders_are_exposed(board: Board) -> bool:
    """Whether any two opposing commanders stand face to face."""
    return any(
        is_face_to_face(board, red, blue)
        for red in uncarried_commanders(board, 0)
        for blue in uncarried_commanders(board, 1)
    )


def steps_along(
    board: Board, group: Stack, origin: Point, direction: int, rules: Rules
) -> Iterator[Step]:
    """All sub-moves in one direction of a commander on its own."""
    if direction not in ORTHOGONAL:
        return
    side = group[0].side
    sight = points_in_enemy_sight(board, origin)
    ray = RAYS[origin][direction]
    for index, target in enumerate(ray):
        passed = ray[:index]
        stack = board.get(target)
        if stack is not None and stack[0].side != side:
            if stack == (stack[0],) and stack[0].kind == "C":
                # R6.4 at any distance; next to each other it is an ordinary capture too.
                if index == 0 or is_face_to_face(board, origin, target):
                    yield Step(origin, target, "capture")
            elif index == 0 and target not in sight:
                word = capture_word(group[0], target, stack, rules)
                if word is not None:
                    yield Step(origin, target, word)
            continue
        if is_blocked(board, passed) or any(point in sight for point in passed):
            continue
        if not sea_allows(board, origin, passed, target):
            continue
        if not river_allows(board, group[0], (origin, *ray[: index + 1]), rules):
            continue
        if stack is None:
            if target not in sight:
                yield Step(origin, target, "move")
        elif may_join(group, stack, target, rules):  # R6.3: also in sight
            yield Step(origin, target, "join")
