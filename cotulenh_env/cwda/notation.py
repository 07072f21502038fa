"""Moves as text in the way of UCI: `e2e4`, `e7e8q`, castling as the king's move.

Squares are the board's for both sides. A promotion ends with the letter of what the pawn becomes,
lower case for both.
"""

from __future__ import annotations

from cotulenh_env.cwda.actions import NO_SLOT, Move, decode, encode
from cotulenh_env.cwda.armies import PROMOTIONS
from cotulenh_env.cwda.board import SIZE, TURN, parse_square, square_name
from cotulenh_env.cwda.moves import PLANE_STEPS
from cotulenh_env.cwda.pieces import KIND_LETTERS
from cotulenh_env.cwda.state import Record
from cotulenh_env.errors import IllegalActionError, MoveTextError, PositionError, shown


def move_text(state: Record, action: int) -> str:
    """An action of the player to move as text.

    Args:
        state: the position.
        action: legal in it, or at least one that leads to a square of the board.

    Raises:
        IllegalActionError: it leads off the board, or promotes to nothing.
    """
    move = decode(action)
    player = int(state["player"])
    flip = TURN * player
    if move.target < 0:
        raise IllegalActionError(f"action {action} leads off the board")
    text = square_name(move.square ^ flip) + square_name(move.target ^ flip)
    if move.slot == NO_SLOT:
        return text
    kind = _promotions(state)[move.slot]
    if not kind:
        raise IllegalActionError(f"action {action} promotes to a kind that has another slot")
    return text + KIND_LETTERS[kind]


def parse_move(state: Record, text: str) -> int:
    """The action of the player to move that a text means, legal or not.

    Raises:
        MoveTextError: the text is no move of any piece.
    """
    if not isinstance(text, str):
        raise MoveTextError(f"a move is text, got {shown(text)}")
    text = text.strip()
    flip = TURN * int(state["player"])
    try:
        square, target = parse_square(text[:2]) ^ flip, parse_square(text[2:4]) ^ flip
    except PositionError as error:
        raise MoveTextError(f"{shown(text)} is no move such as e2e4: {error}") from None
    slot = NO_SLOT
    step = target // SIZE - square // SIZE, target % SIZE - square % SIZE
    if text[4:]:
        kind = KIND_LETTERS.find(text[4:]) if len(text) == 5 else -1
        slots = _promotions(state)
        if kind < 1 or kind not in slots or step not in ((1, -1), (1, 0), (1, 1)):
            raise MoveTextError(f"{shown(text)} is no promotion in this game")
        slot = slots.index(kind)
    elif step not in PLANE_STEPS:
        raise MoveTextError(f"{shown(text)} is no move of any piece")
    return encode(Move(square, target, slot))


def _promotions(state: Record) -> list[int]:
    player = int(state["player"])
    kinds: list[int] = PROMOTIONS[state["armies"][player], state["armies"][1 - player]].tolist()
    return kinds
