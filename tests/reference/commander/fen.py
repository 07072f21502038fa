"""Positions as text (R11.1)."""

from dataclasses import dataclass

from .board import FILE_NAMES, NUM_FILES, NUM_RANKS, Point, name_of, parse_point, point_at
from .pieces import BLUE, KINDS, MAX_STACK, RED, Board, Piece, Stack, canonical, letters, without

START = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/"
    "2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
)
EMPTY = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1 place"
SIDES = "rb"


class FenError(ValueError):
    """Malformed text, with the reason and the place."""


@dataclass(frozen=True)
class Fen:
    """The fields of a FEN; the seventh is `place`, an unfinished deployment, or absent."""

    board: Board
    side: int
    quiet: int
    number: int
    placing: bool = False
    origin: Point | None = None
    unacted: Stack = ()


def _piece_text(piece: Piece) -> str:
    letter = piece.letter
    return letter.lower() if piece.side == BLUE else letter


def board_text(board: Board) -> str:
    ranks = []
    for rank in reversed(range(NUM_RANKS)):
        text, empty = "", 0
        for file in range(NUM_FILES):
            stack = board.get(point_at(file, rank))
            if stack is None:
                empty += 1
                continue
            text += str(empty) if empty else ""
            empty = 0
            pieces = "".join(_piece_text(piece) for piece in stack)
            text += pieces if len(stack) == 1 else f"({pieces})"
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def fen_text(fen: Fen) -> str:
    text = f"{board_text(fen.board)} {SIDES[fen.side]} - - {fen.quiet} {fen.number}"
    if fen.placing:
        return text + " place"
    if fen.origin is not None:
        return f"{text} {name_of(fen.origin)}:{letters(fen.unacted)}"
    return text


def parse_pieces(text: str, side: int | None = None) -> Stack:
    """Pieces in any order; their side follows from the case unless it is given."""
    pieces = []
    heroic = False
    for position, char in enumerate(text):
        if char == "+" and not heroic:
            heroic = True
            continue
        kind = char.upper()
        if kind not in KINDS or (heroic and kind == "C"):
            raise FenError(f"unexpected {char!r} at {position} of {text!r}")
        owner = (RED if char.isupper() else BLUE) if side is None else side
        pieces.append(Piece(kind, owner, heroic))
        heroic = False
    if heroic:
        raise FenError(f"a '+' without a piece at the end of {text!r}")
    return canonical(tuple(pieces))


def _rank_cells(text: str) -> list[str]:
    """One rank cut into runs of digits, pieces, and bracketed stacks without the brackets."""
    cells = []
    rest = text
    while rest:
        if rest[0] == "(":
            end = rest.find(")")
            if end < 0:
                raise FenError(f"unclosed bracket in rank {text!r}")
            cell, rest = rest[1:end], rest[end + 1 :]
            if len(cell.replace("+", "")) < 2:
                raise FenError(f"brackets around fewer than two pieces in rank {text!r}")
        elif rest[0] in "0123456789":
            length = 1
            while rest[length : length + 1] and rest[length] in "0123456789":
                length += 1
            cell, rest = rest[:length], rest[length:]
        else:
            length = 2 if rest[0] == "+" else 1
            cell, rest = rest[:length], rest[length:]
        cells.append(cell)
    return cells


def parse_board(text: str) -> Board:
    ranks = text.split("/")
    if len(ranks) != NUM_RANKS:
        raise FenError(f"{len(ranks)} ranks instead of {NUM_RANKS} in {text!r}")
    board: Board = {}
    for row, rank_text in enumerate(ranks):
        file = 0
        for cell in _rank_cells(rank_text):
            if cell.isdecimal():
                if cell.startswith("0"):
                    raise FenError(f"bad number {cell!r} in rank {rank_text!r}")
                file += int(cell)
                continue
            pieces = parse_pieces(cell)
            if file >= NUM_FILES:
                raise FenError(f"rank {rank_text!r} is too long")
            if len({piece.side for piece in pieces}) != 1 or len(pieces) > MAX_STACK:
                raise FenError(f"{cell!r} in rank {rank_text!r} is no stack")
            board[point_at(file, NUM_RANKS - 1 - row)] = pieces
            file += 1
        if file != NUM_FILES:
            raise FenError(f"rank {rank_text!r} has {file} points, files a to {FILE_NAMES[-1]}")
    return board


def _number(text: str, name: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise FenError(f"{name} {text!r} is no number from {least} up")
    return int(text)


def _parse_deployment(text: str, board: Board, side: int) -> tuple[Point, Stack]:
    name, colon, pieces = text.partition(":")
    if not colon:
        raise FenError(f"unfinished deployment {text!r} has no colon")
    try:
        origin = parse_point(name)
    except ValueError as error:
        raise FenError(f"unfinished deployment {text!r}: {error}") from error
    if pieces != pieces.upper():
        raise FenError(f"unfinished deployment {text!r} is not in upper case")
    unacted = parse_pieces(pieces, side)
    if origin not in board or board[origin][0].side != side:
        raise FenError(f"unfinished deployment {text!r}: no piece of the mover there")
    try:
        without(board[origin], unacted)
    except ValueError as error:
        raise FenError(f"unfinished deployment {text!r}: not the pieces there") from error
    return origin, unacted


def parse_fen(text: str) -> Fen:
    """The fields of a FEN. Whether the stacks are legal depends on the rules: see `game`."""
    fields = text.split()
    if len(fields) not in (6, 7):
        raise FenError(f"{len(fields)} fields instead of 6 or 7 in {text!r}")
    board = parse_board(fields[0])
    if fields[1] not in ("r", "b"):
        raise FenError(f"side to move {fields[1]!r} is neither 'r' nor 'b'")
    side = SIDES.index(fields[1])
    if fields[2] != "-" or fields[3] != "-":
        raise FenError("the third and fourth field must be '-'")
    quiet = _number(fields[4], "quiet-turn count", 0)
    number = _number(fields[5], "move number", 1)
    if len(fields) == 6:
        return Fen(board, side, quiet, number)
    if fields[6] == "place":
        return Fen(board, side, quiet, number, placing=True)
    origin, unacted = _parse_deployment(fields[6], board, side)
    return Fen(board, side, quiet, number, origin=origin, unacted=unacted)
