"""Positions as text: FEN to state record and back.

    dwfakfwd/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1      as in chess, letters of pieces.py

A FEN does not say who plays which army. The rules may; otherwise the armies are those of the four
main ones that most of the pieces on the board belong to, if the position can be one of them at all.
`text_of` adds a seventh field, such as `FF-CC`, where that guess would be wrong, so that its text
always reads back.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from cotulenh_env.cwda.armies import ARMIES, ARMY_CODES, NUM_MAIN_ARMIES, army_index
from cotulenh_env.cwda.board import NUM_SQUARES, SIZE, parse_square, square_name
from cotulenh_env.cwda.loading import Board, Setup, castling_problem, load
from cotulenh_env.cwda.pieces import KIND_MASK, KING, PAWN, SIDE_SHIFT, piece_code, piece_letter
from cotulenh_env.cwda.rules import RANDOM, Armies, RuleSet
from cotulenh_env.cwda.state import NO_SQUARE, Record
from cotulenh_env.errors import PositionError, shown
from cotulenh_env.fen_text import parse_number, read_fen, rows_text, split_fields

_SIDES = "wb"
_RIGHTS = "KQkq"


# --- writing ------------------------------------------------------------------------------------


def fen_of(state: Record) -> str:
    """The FEN of a record: six fields, with the e.p. square after every double step."""
    rights = "".join(
        letter for bit, letter in enumerate(_RIGHTS) if int(state["castling"]) >> bit & 1
    )
    en_passant = int(state["en_passant"])
    return (
        f"{board_text(state['board'])} {_SIDES[state['player']]} {rights or '-'} "
        f"{'-' if en_passant == NO_SQUARE else square_name(en_passant)} "
        f"{state['quiet_plies']} {state['move_number']}"
    )


def text_of(state: Record) -> str:
    """The FEN of a record, with the armies where they would be guessed wrong."""
    armies = int(state["armies"][0]), int(state["armies"][1])
    fen = fen_of(state)
    guess = _guess_armies(state["board"], int(state["castling"]), RuleSet())
    return fen if guess == armies else f"{fen} {'-'.join(ARMY_CODES[army] for army in armies)}"


def board_text(board: Board) -> str:
    """The first field of a FEN.

    Args:
        board: uint8 [64].
    """
    ranks = board.reshape(SIZE, SIZE)[::-1].tolist()
    return rows_text(["" if not code else piece_letter(code) for code in rank] for rank in ranks)


# --- reading ------------------------------------------------------------------------------------


def state_from_fen(text: str, rules: RuleSet) -> Record:
    """The record of a position: `turns` is 0, its history holds this position only.

    Args:
        text: a FEN of six fields, or of seven with the armies.
        rules: armies that it leaves to chance are read from the text, or guessed.

    Raises:
        PositionError: the text is malformed or no game can have come to the position, with the
            reason and the place.
    """
    return read_fen(text, lambda fen: load(parse_fen(fen, rules)))


def parse_fen(text: str, rules: RuleSet) -> Setup:
    """The position that a FEN tells, as far as its form goes.

    Raises:
        PositionError: the text is malformed or the armies are not known, with the reason.
    """
    fields = split_fields(text, (6, 7))
    board = _parse_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError(f"{shown(fields[1])} is no side to move: 'w' or 'b'")
    castling = _parse_castling(fields[2])
    en_passant = NO_SQUARE if fields[3] == "-" else parse_square(fields[3])
    quiet_plies = parse_number("number of quiet plies", fields[4])
    move_number = parse_number("move number", fields[5])
    armies = (
        _parse_armies(fields[6], rules)
        if len(fields) == 7
        else _guess_armies(board, castling, rules)
    )
    if armies is None:
        raise PositionError(
            "no two armies that the rules allow have these pieces and castling rights "
            "(the rules can name a derived army)"
        )
    player = _SIDES.index(fields[1])
    return Setup(board, armies, player, castling, en_passant, quiet_plies, move_number)


def _parse_board(text: str) -> Board:
    ranks = text.split("/")
    if len(ranks) != SIZE:
        raise PositionError(f"a board has {SIZE} ranks, not {len(ranks)}")
    board = np.zeros(NUM_SQUARES, np.uint8)
    for row, rank_text in enumerate(ranks):
        rank = SIZE - 1 - row
        codes: list[int] = []
        follows_number = False
        for char in rank_text:
            if char in "12345678":
                if follows_number:
                    raise PositionError(f"rank {rank + 1}: two numbers in a row")
                codes += [0] * int(char)
                follows_number = True
                continue
            code = piece_code(char)
            if not code:
                raise PositionError(f"rank {rank + 1}: {char!r} is no piece")
            codes.append(code)
            follows_number = False
        if len(codes) != SIZE:
            raise PositionError(f"rank {rank + 1} has {len(codes)} squares, not {SIZE}")
        board[rank * SIZE : (rank + 1) * SIZE] = codes
    return board


def _parse_castling(text: str) -> int:
    if text == "-":
        return 0
    if set(text) - set(_RIGHTS) or len(set(text)) != len(text):
        raise PositionError(f"castling rights are '-' or letters of 'KQkq', got {shown(text)}")
    return sum(1 << _RIGHTS.index(letter) for letter in text)


# --- armies -------------------------------------------------------------------------------------


def _parse_armies(text: str, rules: RuleSet) -> Armies:
    codes = text.split("-")
    if len(codes) != 2 or any(code not in ARMY_CODES for code in codes):
        raise PositionError(f"the armies are two codes such as 'FF-CC', got {shown(text)}")
    for code, wanted in zip(codes, (rules.white_army, rules.black_army), strict=True):
        if wanted not in (RANDOM, code):
            raise PositionError(f"the armies are {text}, but the rules say {wanted}")
    return army_index(codes[0]), army_index(codes[1])


def _guess_armies(board: Board, castling: int, rules: RuleSet) -> Armies | None:
    """The first of the pairings that most pieces on the board belong to; None if none is possible.

    Args:
        board: uint8 [64].
        castling: rights, which tell what stands in a corner.
        rules: what they leave to chance is one of the main armies.
    """
    if RANDOM not in (rules.white_army, rules.black_army):
        return army_index(rules.white_army), army_index(rules.black_army)
    kinds: tuple[list[int], list[int]] = ([], [])
    for code in board[board > 0].tolist():
        if code & KIND_MASK not in (PAWN, KING):
            kinds[code >> SIDE_SHIFT].append(code & KIND_MASK)
    best, most = None, -1
    for armies in product(*(_choices(code) for code in (rules.white_army, rules.black_army))):
        known = {kind for army in armies for kind in ARMIES[army].kinds}
        if not known.issuperset(kinds[0] + kinds[1]):
            continue
        if castling_problem(board, (armies[0], armies[1]), castling):
            continue
        num_own = sum(
            kind in ARMIES[army].kinds
            for army, side_kinds in zip(armies, kinds, strict=True)
            for kind in side_kinds
        )
        if num_own > most:
            best, most = (armies[0], armies[1]), num_own
    return best


def _choices(code: str) -> range | tuple[int]:
    return range(NUM_MAIN_ARMIES) if code == RANDOM else (army_index(code),)
