"""What ends a game at once, and what pieces are worth (R10.1 to R10.3, R10.6)."""

from .pieces import BLUE, RED, Board, Stack
from .rules import Rules

# The divisions that can be lost, named as in the test cases; L is the land division.
DIVISIONS = {"C": "C", "F": "F", "N": "N", "L": "ITA"}
# R10.1: the divisions whose loss decides a battle.
DECISIVE = {"standard": "CFNL", "sea": "N", "air": "F", "surprise": "C", "full": "C"}
WINNER_BONUS = 100

Armed = tuple[str, str]
ALL_ARMED: Armed = ("CFLN", "CFLN")


def divisions_on(board: Board, side: int) -> str:
    """The divisions of which a side has a piece, in alphabetical order (R10.2)."""
    kinds = {piece.kind for stack in board.values() for piece in stack if piece.side == side}
    return "".join(sorted(name for name, members in DIVISIONS.items() if kinds & set(members)))


def armed_on(board: Board) -> Armed:
    """R10.2: what counts in a game that begins with this board."""
    return divisions_on(board, RED), divisions_on(board, BLUE)


def has_lost(board: Board, side: int, armed: Armed, rules: Rules) -> bool:
    """R10.1, R10.2."""
    left = divisions_on(board, side)
    return any(
        division in armed[side] and division not in left for division in DECISIVE[rules.battle]
    )


def battle_winner(board: Board, mover: int, armed: Armed, rules: Rules) -> int | None:
    """R10.1, R10.3: who has won by the losses so far, the mover if both sides have."""
    if has_lost(board, 1 - mover, armed, rules):
        return mover
    if has_lost(board, mover, armed, rules):
        return 1 - mover
    return None


def points_for(lost: Stack) -> tuple[int, int]:
    """R10.6: what the loss of these pieces brings to Red and to Blue."""
    red = sum(piece.value for piece in lost if piece.side == BLUE)
    blue = sum(piece.value for piece in lost if piece.side == RED)
    return red, blue
