"""The players place their own pieces before the game (R10.7)."""

from .board import NUM_POINTS, Point, rank_of
from .commander import line_of_sight, uncarried_commanders
from .pieces import BLUE, RED, Board, Piece, can_stand

ORDER = "HHCNNFFSGGAATTMEEII"
NUM_PLACEMENTS = 2 * len(ORDER)


def next_piece(board: Board) -> Piece | None:
    """The piece to be placed next, or None when all are on the board."""
    placed = sum(len(stack) for stack in board.values())
    if placed >= NUM_PLACEMENTS:
        return None
    return Piece(ORDER[placed // 2], placed % 2)


def placements(board: Board, piece: Piece) -> list[Point]:
    """The points where a piece may be placed."""
    barred: set[Point] = set()
    if piece.kind == "C" and piece.side == BLUE:
        for watcher in uncarried_commanders(board, RED):
            barred |= line_of_sight(board, watcher)
    return [
        point
        for point in range(NUM_POINTS)
        if point not in board
        and point not in barred
        and (rank_of(point) < 6) == (piece.side == RED)
        and can_stand(piece.kind, point)
    ]


def is_placement(board: Board) -> bool:
    """Whether these are single pieces, exactly those that are placed first."""
    pieces = [piece for stack in board.values() for piece in stack]
    expected = [Piece(ORDER[index // 2], index % 2) for index in range(len(pieces))]
    in_own_half = all(
        len(stack) == 1 and (rank_of(point) < 6) == (stack[0].side == RED)
        for point, stack in board.items()
    )
    same = sorted(map(str, pieces)) == sorted(map(str, expected))
    return in_own_half and same and len(pieces) < NUM_PLACEMENTS
