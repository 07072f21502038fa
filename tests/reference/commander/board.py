"""The 132 points: names, terrain, rays, and what a unit step passes through (R1)."""

Point = int
Vector = tuple[int, int]

NUM_FILES = 11
NUM_RANKS = 12
NUM_POINTS = NUM_FILES * NUM_RANKS
FILE_NAMES = "abcdefghijk"

# Clockwise from north (towards rank 12), as (file step, rank step).
DIRECTIONS: tuple[Vector, ...] = (
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
)
ORTHOGONAL = (0, 2, 4, 6)
DIAGONAL = (1, 3, 5, 7)


def point_at(file: int, rank: int) -> Point:
    """R1.1: the index of a point, both coordinates counted from zero."""
    return rank * NUM_FILES + file


def file_of(point: Point) -> int:
    return point % NUM_FILES


def rank_of(point: Point) -> int:
    return point // NUM_FILES


def name_of(point: Point) -> str:
    return f"{FILE_NAMES[file_of(point)]}{rank_of(point) + 1}"


def parse_point(name: str) -> Point:
    file, rank = FILE_NAMES.find(name[:1]), name[1:]
    if not name or file < 0 or not rank.isdecimal() or not 1 <= int(rank) <= NUM_RANKS:
        raise ValueError(f"no such point: {name!r}")
    return point_at(file, int(rank) - 1)


RIVER_MOUTH = frozenset(parse_point(name) for name in ("d6", "e6", "d7", "e7"))
SEA = frozenset(point for point in range(NUM_POINTS) if file_of(point) <= 1)
COAST = frozenset(point for point in range(NUM_POINTS) if file_of(point) == 2) | RIVER_MOUTH
# R1.3: ranks 6 and 7 of files c to k.
BANK = frozenset(
    point for point in range(NUM_POINTS) if rank_of(point) in (5, 6) and file_of(point) >= 2
)
REEF_FILES = (FILE_NAMES.index("f"), FILE_NAMES.index("h"))


def crosses_river(start: Point, end: Point) -> bool:
    """R1.3: a unit step between ranks 6 and 7 with either end on files c to k."""
    return {rank_of(start), rank_of(end)} == {5, 6} and max(file_of(start), file_of(end)) >= 2


def is_vertical(start: Point, end: Point) -> bool:
    return file_of(start) == file_of(end)


def is_reef_step(start: Point, end: Point) -> bool:
    """R1.3: f6-f7 and h6-h7 only."""
    return crosses_river(start, end) and is_vertical(start, end) and file_of(start) in REEF_FILES


def is_navigable(start: Point, end: Point) -> bool:
    """R1.4: whether a navy may make this unit step."""
    if file_of(start) == file_of(end) or rank_of(start) == rank_of(end):
        return all(point in SEA or point in COAST for point in (start, end))
    west = min(file_of(start), file_of(end))
    south = min(rank_of(start), rank_of(end))
    between_sea_files = west in (0, 1)
    in_river_mouth = south == 5 and west in (2, 3)
    return between_sea_files or in_river_mouth


def _ray(start: Point, direction: int) -> tuple[Point, ...]:
    file_step, rank_step = DIRECTIONS[direction]
    points = []
    file, rank = file_of(start) + file_step, rank_of(start) + rank_step
    while 0 <= file < NUM_FILES and 0 <= rank < NUM_RANKS:
        points.append(point_at(file, rank))
        file, rank = file + file_step, rank + rank_step
    return tuple(points)


# RAYS[point][direction]: the points in that direction, nearest first, to the edge of the board.
RAYS = tuple(tuple(_ray(point, direction) for direction in range(8)) for point in range(NUM_POINTS))


_DIRECTION_OF = {
    (start, end): direction
    for start in range(NUM_POINTS)
    for direction in range(8)
    for end in RAYS[start][direction]
}


def direction_to(start: Point, end: Point) -> int | None:
    """The direction in which one point lies from another, or None if on no common line."""
    return _DIRECTION_OF.get((start, end))


def squared_distance(one: Point, other: Point) -> int:
    """The measure of the air-defence discs (R8.1)."""
    return (file_of(one) - file_of(other)) ** 2 + (rank_of(one) - rank_of(other)) ** 2
