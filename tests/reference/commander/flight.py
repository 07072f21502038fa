"""Aircraft in flight and the air defence below them (R8)."""

from collections.abc import Iterator

from .board import RAYS, SEA, Point, squared_distance
from .land import range_of
from .pieces import Board, Piece, Stack, may_join
from .rules import Rules
from .steps import Step

ZONE_RADIUS = {"G": 1, "N": 1, "S": 2}

Zone = frozenset[Point]


def zone_radius(piece: Piece) -> int | None:
    """R8.1, R9.2."""
    radius = ZONE_RADIUS.get(piece.kind)
    if radius is None:
        return None
    return radius + (1 if piece.heroic else 0)


def enemy_zones_over(board: Board, side: int, points: tuple[Point, ...]) -> list[Zone]:
    """For every zone hostile to a side, which of these points lie in it (R8.1, R7.2)."""
    zones = []
    for centre, stack in board.items():
        carrier = stack[0]
        radius = zone_radius(carrier)
        if carrier.side != side and radius is not None:
            zones.append(
                frozenset(p for p in points if squared_distance(centre, p) <= radius * radius)
            )
    return zones


def fate(path: tuple[Point, ...], zones: list[Zone]) -> str:
    """R8.4: `shot`, `under fire` at the target, or `safe`."""
    for zone in zones:
        inside = [point in zone for point in path]
        if any(inside[i] and not all(inside[i:]) for i in range(len(path))):
            return "shot"
    if any(path[-1] in zone for zone in zones):
        return "under fire"
    return "safe"


def _target_words(board: Board, group: Stack, target: Point, rules: Rules) -> tuple[str, ...]:
    """What an aircraft could do at a point if nobody fired at it (R8.2, R8.3)."""
    stack = board.get(target)
    if stack is None:
        return () if target in SEA else ("move",)
    if stack[0].side == group[0].side:
        return ("join",) if may_join(group, stack, target, rules) else ()
    if stack[0].kind == "F":
        return ("capture",)
    if target in SEA:
        return ("strike",)
    return ("capture", "strike")


def steps_along(
    board: Board, group: Stack, origin: Point, direction: int, rules: Rules
) -> Iterator[Step]:
    """All sub-moves in one direction of a group whose carrier is an aircraft."""
    aircraft = group[0]
    ray = RAYS[origin][direction][: range_of(aircraft, direction, rules)]
    zones: list[Zone] = []
    if not aircraft.heroic:  # R8.6
        zones = enemy_zones_over(board, aircraft.side, ray)
    for index, target in enumerate(ray):
        words = _target_words(board, group, target, rules)
        if not words:
            continue
        outcome = fate(ray[: index + 1], zones)
        attacks = words[0] in ("capture", "strike")
        if outcome == "safe":
            for word in words:
                yield Step(origin, target, word)
        elif outcome == "under fire" and attacks:
            yield Step(origin, target, "kamikaze")
        elif rules.allow_shoot_down:  # R8.5
            yield Step(origin, target, "shot")
