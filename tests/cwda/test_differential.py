"""Random games beside other programs.

- python-chess, for FF against FF: legal moves, FEN, check, and how games end
- Fairy-Stockfish, for all pairings, derived armies included: legal moves (what it cannot express
  is said in fairy_stockfish.py)
- both, from positions full of promotions, castling and captures in passing
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cotulenh_env.cwda import Position, RuleSet
from tests.cases import read_document
from tests.cwda.fairy_stockfish import ARMIES, define_variants, is_shared_castling, name_of
from tests.cwda.helpers import DERIVED, ENDGAMES, PAIRINGS, load, random_games, texts

CASES = read_document("cwda_positions.json")
FIDE = RuleSet("FF", "FF")

NUM_FIDE_GAMES = 8
"""Of each start, beside python-chess."""
NUM_GAMES, MAX_MOVES = 1, 40
"""Of each start, beside Fairy-Stockfish; by hand more were played."""

FIDE_ENDGAMES = [
    "8/8/4k3/8/8/3RK3/8/8 w - - 80 60",
    "7k/8/5K2/8/8/8/6Q1/8 w - - 90 60",
    "7k/8/6K1/8/8/8/7P/8 w - - 0 60",
    "8/1P2k3/8/8/8/8/4K1p1/8 b - - 0 40",
    "r3k2r/1P4P1/8/2pP4/2Pp4/8/1p4p1/R3K2R w KQkq c6 0 1",
    "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 40",
]


def recorded() -> list[Position]:
    """The recorded positions."""
    return [Position.from_fen(case["fen"], RuleSet(case["white"], case["black"])) for case in CASES]


def fide_games(num_games: int, seed: int) -> Iterator[tuple[Position, int | None]]:
    starts = [Position(FIDE)] * num_games
    starts += [Position.from_fen(fen, FIDE) for fen in FIDE_ENDGAMES for _ in range(num_games)]
    return random_games(starts, seed, max_moves=200)


def test_python_chess() -> None:
    chess = pytest.importorskip("chess")
    board: Any = chess.Board()
    reasons: dict[str, int] = {}
    for position, action in fide_games(NUM_FIDE_GAMES, seed=1):
        if position.turns == 0:
            board = chess.Board(position.fen())
        assert position.fen() == board.fen(en_passant="fen")
        assert position.is_check() == board.is_check()
        theirs = sorted(move.uci() for move in board.legal_moves)
        assert reason_by(board, theirs) == position.reason
        if action is None:
            reasons[position.reason] = reasons.get(position.reason, 0) + 1
            if position.reason == "checkmate":
                assert position.winner == int(board.turn)  # True if White is to move, and mated
            continue
        assert texts(position) == theirs
        board.push_uci(position.move_text(action))
    assert set(reasons) == {"checkmate", "stalemate", "bare kings", "repetition", "fifty moves"}


def reason_by(board: Any, legal: list[str]) -> str:
    """Why a game is over by these rules, in python-chess's terms."""
    if board.is_checkmate():
        return "checkmate"
    if not legal:
        return "stalemate"
    if len(board.piece_map()) == 2:
        return "bare kings"
    if board.is_repetition(3):
        return "repetition"
    return "fifty moves" if board.halfmove_clock >= 100 else ""


def test_fairy_stockfish() -> None:
    pyffish = pytest.importorskip("pyffish")
    pairings = [(rules.white_army, rules.black_army) for rules in (*PAIRINGS, *DERIVED)]
    define_variants(pyffish, pairings)
    starts = [Position(RuleSet(*pairing)) for pairing in pairings]
    starts += [load(armies, fen) for armies, fen in ENDGAMES]
    starts += recorded()
    num_compared = 0
    for position, _ in random_games(starts * NUM_GAMES, seed=2, max_moves=MAX_MOVES):
        if position.is_game_over():
            continue
        white, black = position.rules.white_army, position.rules.black_army
        fields = position.fen().split()
        ours = texts(position)
        if not is_shared_castling(white, black):
            fields[2] = fields[2].replace("q", "") or "-"
            if position.piece_at("e8") == "k":
                ours = [move for move in ours if move not in ("e8c8", "e8b8")]
        theirs = sorted(pyffish.legal_moves(name_of(white, black), " ".join(fields), []))
        assert ours == theirs, (white, black, position.fen())
        num_compared += 1
    assert num_compared > 2000 * NUM_GAMES


def test_fairy_stockfish_is_taught_the_same_armies() -> None:
    """Letters in the tables there, taken from the rules' text, begin the games here."""
    for code, letters in ARMIES.items():
        rank = Position(RuleSet("FF", code)).fen().split("/")[0]
        assert rank == f"{letters}k{letters[2::-1]}"


def test_random_games_reach_what_is_compared() -> None:
    """Castling, captures in passing and promotions are played, not only listed."""
    seen = np.zeros(3, np.int64)
    for position, action in random_games(recorded(), seed=2, max_moves=30):
        if action is None:
            continue
        text = position.move_text(action)
        piece = (position.piece_at(text[:2]) or "").lower()
        files = abs(ord(text[2]) - ord(text[0]))
        seen[0] += piece == "k" and files > 1
        seen[1] += piece == "p" and files == 1 and position.piece_at(text[2:4]) is None
        seen[2] += len(text) == 5
    assert (seen > 1).all()
