"""Promotions at the end of a turn (R9), and commanders left open to capture (R10.8)."""

from .board import Point
from .movement import can_capture
from .pieces import BLUE, RED, Board, Piece, canonical
from .rules import Rules


def commander_points(board: Board, side: int) -> list[Point]:
    """Where a side's commander is, carried or not."""
    return [
        point
        for point, stack in board.items()
        if any(piece.kind == "C" and piece.side == side for piece in stack)
    ]


def attacks_commander(board: Board, piece: Piece, point: Point, rules: Rules) -> bool:
    """R9.1: whether a piece, alone on its point, could capture the enemy commander's stack."""
    alone = {**board, point: (piece,)}
    return any(
        can_capture(alone, piece, point, target, rules)
        for target in commander_points(board, 1 - piece.side)
    )


def last_defender(board: Board, side: int, rules: Rules) -> Piece | None:
    """R9.3: the only piece that a side has beside its commander and headquarters."""
    pieces = [
        piece
        for stack in board.values()
        for piece in stack
        if piece.side == side and piece.kind != "H"
    ]
    others = [piece for piece in pieces if piece.kind != "C"]
    if len(pieces) != 2 or len(others) != 1:
        return None
    if rules.last_defender_infantry_only and others[0].kind != "I":  # R12.2
        return None
    return others[0]


def promoted(board: Board, rules: Rules) -> Board:
    """R9.1, R9.3: the board after all promotions of a turn, which happen at once."""
    defenders = [last_defender(board, side, rules) for side in (RED, BLUE)]

    def after(piece: Piece, point: Point) -> Piece:
        if piece.heroic or piece.kind == "C":
            return piece
        # A last defender is the only one of its kind and side, so that equality finds it.
        if piece in defenders or attacks_commander(board, piece, point, rules):
            return Piece(piece.kind, piece.side, heroic=True)
        return piece

    return {
        point: canonical(tuple(after(piece, point) for piece in stack))
        for point, stack in board.items()
    }


def commander_is_open(board: Board, side: int, rules: Rules) -> bool:
    """R10.8: whether some enemy piece could capture the commander with a first sub-move.

    Single pieces are enough: a group captures as its carrier does, and a capture of the
    commander ends the game, so that nothing has to be said about the rest of that turn.
    """
    return any(
        can_capture(board, piece, point, target, rules)
        for target in commander_points(board, side)
        for point, stack in board.items()
        if stack[0].side != side
        for piece in stack
    )
