"""The rules one by one, on positions made by hand.

- castling: each army's own files, safe and empty squares, rights lost by moves and captures
- en passant: legal only if the king stays safe; the FEN always tells the square
- promotion to either army; promoted pieces face their new owner's way
- checks that leap, pins that leaps cannot make, double checks
- the end: checkmate and stalemate before the draws by count, bare kings, repetition, 100 plies
- the key of repetition: castling rights and only those e.p. squares that matter
"""

import pytest

from cotulenh_env.cwda import Position
from tests.cwda.helpers import load, play, texts


def castlings(position: Position) -> set[str]:
    return {"e1g1", "e1c1", "e1b1", "e8g8", "e8c8", "e8b8"} & set(texts(position))


# --- castling -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("armies", "fen", "castling"),
    [
        ("CC-FF", "r3k2r/8/8/8/8/8/8/D3K2D w KQkq - 0 1", {"e1g1", "e1b1"}),
        ("CC-FF", "r3k2r/8/8/8/8/8/8/D3K2D b KQkq - 0 1", {"e8g8", "e8c8"}),
        ("NN-CC", "d3k2d/8/8/8/8/8/8/G3K2G b KQkq - 0 1", {"e8g8", "e8b8"}),
        ("RR-AA", "g3k2g/8/8/8/8/8/8/S3K2S b KQkq - 0 1", {"e8g8", "e8c8"}),
        ("FW-AM", "s3k2s/8/8/8/8/8/8/G3K2G w K - 0 1", {"e1g1"}),
        # b1 may be attacked where the king goes to c1, and a1 anywhere
        ("FF-FF", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1"}),
        ("CC-FF", "1r2k3/8/8/8/8/8/8/D3K3 w Q - 0 1", set()),
        ("CC-FF", "r3k3/8/8/8/8/8/8/D3K3 w Q - 0 1", {"e1b1"}),
        # the squares that the king crosses
        ("CC-FF", "2r1k3/8/8/8/8/8/8/D3K3 w Q - 0 1", set()),
        ("CC-FF", "3rk3/8/8/8/8/8/8/D3K3 w Q - 0 1", set()),
        ("FF-FF", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"e1c1"}),
        # every square between must be empty, for all armies
        ("FF-FF", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", {"e1g1"}),
        ("CC-CC", "4k3/8/8/8/8/8/8/D1f1K1WD w KQ - 0 1", set()),
        # not out of check, here by a leaping woody rook on e3
        ("FF-RR", "4k3/8/8/8/8/4o3/8/R3K2R w KQ - 0 1", set()),
        # a half duck leaps over the pawns onto f1
        ("FF-RR", "4k3/8/8/8/5u2/5P2/5P2/R3K2R w KQ - 0 1", {"e1c1"}),
    ],
)
def test_castling(armies: str, fen: str, castling: set[str]) -> None:
    assert castlings(load(armies, fen)) == castling


@pytest.mark.parametrize(
    ("armies", "fen", "move", "board"),
    [
        ("CC-FF", "4k3/8/8/8/8/8/8/D3K2D w KQ - 0 1", "e1b1", "4k3/8/8/8/8/8/8/1KD4D"),
        ("CC-FF", "4k3/8/8/8/8/8/8/D3K2D w KQ - 0 1", "e1g1", "4k3/8/8/8/8/8/8/D4DK1"),
        ("FF-CC", "d3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8b8", "1kd5/8/8/8/8/8/8/4K3"),
        ("NN-RR", "s3k3/8/8/8/8/8/8/G3K3 b Qq - 0 1", "e8c8", "2ks4/8/8/8/8/8/8/G3K3"),
    ],
)
def test_where_castling_leads(armies: str, fen: str, move: str, board: str) -> None:
    position = play(load(armies, fen), move)
    assert position.fen().split()[0] == board
    assert position.fen().split()[4] == "1"


def test_rights_are_lost() -> None:
    """Section 4: by moves of king or corner piece, for good; by captures on the corner."""
    start = load("CC-NN", "g3k2g/8/8/8/8/8/8/D3K2D w KQkq - 0 1")
    for moves, rights in (
        (("e1e2", "e8e7", "e2e1", "e7e8"), "-"),
        (("a1a3", "a8b8", "a3a1", "b8a8"), "Kk"),
        (("h1h3",), "Qkq"),
        (("h1a8",), "Qk"),
    ):
        position = play(start.copy(), *moves)
        assert position.fen().split()[2] == rights


def test_a_promoted_corner_piece_does_not_castle() -> None:
    position = load("FF-FF", "4k3/8/8/8/8/8/1p6/R3K3 b Q - 0 1")
    position = play(position, "b2a1r", "e1e2", "a1a2", "e2e1", "e8e7")
    assert not castlings(position)


# --- pawns --------------------------------------------------------------------------------------


def test_en_passant() -> None:
    position = play(load("FF-CC", "4k3/2p5/8/3P4/8/8/8/4K3 b - - 3 1"), "c7c5")
    assert position.fen() == "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2"
    assert play(position.copy(), "d5c6").fen() == "4k3/8/2P5/8/8/8/8/4K3 b - - 0 2"
    assert "d5c6" not in texts(play(position, "e1e2", "e8e7"))


@pytest.mark.parametrize(
    ("armies", "fen", "is_legal"),
    [
        # both pawns leave the rank between rook and king
        ("FF-FF", "4k3/8/8/r1pP3K/8/8/8/8 w - c6 0 2", False),
        # a short rook does not reach that far, a charging rook does sideways
        ("FF-RR", "4k3/8/8/s1pP3K/8/8/8/8 w - c6 0 2", True),
        ("FF-NN", "4k3/8/8/g1pP3K/8/8/8/8 w - c6 0 2", False),
        # a bishop looks through the square of the captured pawn
        ("FF-FF", "4k3/b7/8/2pP4/8/4K3/8/8 w - c6 0 2", False),
        # the pawn gives check: capturing it parries
        ("FF-FF", "4k3/8/8/2pP4/1K6/8/8/8 w - c6 0 2", True),
        # somebody else gives check, from where it is not parried
        ("FF-RR", "4k3/8/8/2pP4/8/8/2K5/o7 w - c6 0 2", True),
        ("FF-RR", "4k3/8/8/2pP4/8/8/2K5/2o5 w - c6 0 2", False),
    ],
)
def test_en_passant_leaves_the_king_safe(armies: str, fen: str, is_legal: bool) -> None:
    assert ("d5c6" in texts(load(armies, fen))) == is_legal


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/pP5P/7P/8/8/4K3 w - a6 0 2",
        "4k3/8/P7/6Pp/8/8/8/4K3 w - h6 0 2",
        "4k3/8/8/8/Pp6/7p/8/4K3 b - a3 0 2",
        "4k3/8/8/p7/6pP/8/8/4K3 b - h3 0 2",
    ],
)
def test_en_passant_does_not_go_round_the_board(fen: str) -> None:
    """Pawns whose next square would be the passed one if files wrapped round."""
    position = load("FF-FF", fen)
    passed = fen.split()[3]
    assert [move for move in texts(position) if move.endswith(passed)] == [
        move for move in ("b5a6", "g5h6", "b4a3", "g4h3") if move.endswith(passed)
    ]


def test_promotion_to_either_army() -> None:
    position = load("CC-NN", "3k4/8/8/8/8/8/p7/1W2K3 b - - 0 1")
    pushes = {move[4:] for move in texts(position) if move.startswith("a2a1")}
    captures = {move[4:] for move in texts(position) if move.startswith("a2b1")}
    assert pushes == captures == set("gihldwfa")
    assert position.piece_at("b1") == "W"
    assert play(position, "a2b1w").piece_at("b1") == "w"
    mirror = load("NN-NN", "3k4/8/8/8/8/8/p7/4K3 b - - 0 1")
    assert {move[4:] for move in texts(mirror) if move.startswith("a2")} == set("gihl")


def test_promoted_pieces_face_their_owners_way() -> None:
    """Section 5: a white charging rook slides up the board, a black one down."""
    position = play(load("FF-NN", "8/P6k/8/8/8/8/8/K7 w - - 0 1"), "a7a8g", "h7h6")
    assert {move for move in texts(position) if move.startswith("a8a")} == {"a8a7"}
    position = play(load("NN-FF", "k7/8/8/8/8/8/p6K/8 b - - 0 1"), "a2a1g", "h2h3")
    assert {move for move in texts(position) if move.startswith("a1a")} == {"a1a2"}


# --- checks and pins ----------------------------------------------------------------------------


def test_a_leap_is_not_blocked() -> None:
    """A woody rook on e3 checks over e2: only its capture or a king's move helps."""
    position = load("FF-RR", "4k3/8/8/8/8/4o3/P3P3/4K1NR w - - 0 1")
    assert position.is_check()
    assert texts(position) == ["e1d1", "e1d2", "e1f1", "e1f2"]


def test_a_leap_does_not_pin_but_a_slide_does() -> None:
    free = load("FF-RR", "4k3/8/8/8/4u3/8/4N3/4K3 w - - 0 1")
    assert free.is_check()  # a half duck leaps three squares, over the knight
    assert "e2d4" not in texts(free)
    pinned = load("FF-RR", "4k3/8/8/8/4s3/8/4N3/4K3 w - - 0 1")
    assert not pinned.is_check()
    assert not [move for move in texts(pinned) if move.startswith("e2")]
    far = load("FF-RR", "4k3/8/8/4s3/8/4N3/8/K7 w - - 0 1")
    assert [move for move in texts(far) if move.startswith("e3")]


def test_a_short_rook_pins_four_squares_away() -> None:
    near = load("FF-RR", "k7/8/8/4s3/8/4N3/8/4K3 w - - 0 1")
    assert not [move for move in texts(near) if move.startswith("e3")]
    away = load("FF-RR", "k7/8/4s3/8/8/4N3/8/4K3 w - - 0 1")
    assert len([move for move in texts(away) if move.startswith("e3")]) == 8


def test_a_pinned_leaper_moves_within_the_line_only() -> None:
    """A half duck on the line leaps to squares before the pinning rook, and onto it."""
    position = load("RR-FF", "k3r3/8/8/8/4U3/8/8/4K3 w - - 0 1")
    moves = {move for move in texts(position) if move.startswith("e4")}
    assert moves == {"e4e2", "e4e6", "e4e7"}
    behind = load("RR-FF", "k7/4r3/8/4U3/8/8/8/4K3 w - - 0 1")
    moves = {move for move in texts(behind) if move.startswith("e5")}
    assert moves == {"e5e2", "e5e3", "e5e7"}  # not e8, behind the rook


def test_double_check_moves_the_king() -> None:
    position = load("FF-FF", "4k3/8/8/8/7b/3n4/3Q4/4K3 w - - 0 1")
    assert {move[:2] for move in texts(position)} == {"e1"}


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("armies", "fen", "moves", "winner", "reason"),
    [
        (
            "FF-FF", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "f2f3 e7e5 g2g4 d8h4", 1, "checkmate",
        ),
        # smothered by a half duck that leaps three squares
        ("RR-FF", "6rk/6pp/8/8/8/8/7U/6K1 w - - 0 1", "h2h5", 0, "checkmate"),
        ("FF-FF", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", -1, "stalemate"),
        ("FF-FF", "7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g7", 0, "checkmate"),
        ("FF-FF", "7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6f7", -1, "stalemate"),
        ("FF-FF", "7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6b1", -1, "fifty moves"),
        ("FF-FF", "7k/8/5K2/8/8/8/8/r7 b - - 99 90", "a1a2", -1, "fifty moves"),
        ("FF-CC", "8/8/8/4k3/8/8/3d4/4K3 w - - 7 90", "e1d2", -1, "bare kings"),
        (
            "NN-RR", "8/8/8/4k3/8/8/3g4/K7 w - - 7 90",
            "a1b1 d2d3 b1a1 d3d2 a1b1 d2d3 b1a1 d3d2", -1, "repetition",
        ),
    ],
)  # fmt: skip
def test_end(armies: str, fen: str, moves: str, winner: int, reason: str) -> None:
    position = load(armies, fen)
    *before, last = moves.split()
    play(position, *before)
    assert not position.is_game_over()
    play(position, last)
    assert (position.winner, position.reason) == (winner, reason)
    assert position.legal_actions() == []


@pytest.mark.parametrize(
    ("fen", "winner", "reason"),
    [
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 5 90", 0, "checkmate"),
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 100 90", 0, "checkmate"),
        ("7k/5Q2/5K2/8/8/8/8/8 b - - 100 90", -1, "stalemate"),
        ("7k/Q7/5K2/8/8/8/8/8 b - - 100 90", -1, "fifty moves"),
        ("7k/8/5K2/8/8/8/8/8 b - - 0 90", -1, "bare kings"),
    ],
)
def test_a_game_may_be_over_as_it_is_loaded(fen: str, winner: int, reason: str) -> None:
    position = load("FF-FF", fen)
    assert (position.winner, position.reason) == (winner, reason)


def repeated(position: Position, there: tuple[str, str], back: tuple[str, str]) -> Position:
    """Both sides go and come back, until the game is over or three times."""
    for _ in range(3):
        for moves in (there, back):
            for move in moves:
                if position.is_game_over():
                    return position
                play(position, move)
    return position


def test_castling_rights_belong_to_the_key() -> None:
    """The first position has rights that the king's moves lose: it does not count."""
    position = load("FF-FF", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    position = repeated(position, ("e1d1", "e8d8"), ("d1e1", "d8e8"))
    assert (position.reason, position.turns) == ("repetition", 9)
    without = load("FF-FF", "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    without = repeated(without, ("e1d1", "e8d8"), ("d1e1", "d8e8"))
    assert (without.reason, without.turns) == ("repetition", 8)


def test_only_a_possible_capture_in_passing_belongs_to_the_key() -> None:
    """Section 6: the square counts if some capture is legal, pins considered."""
    start = "4k3/8/8/8/2p5/8/3P4/4K3 w - - 0 1"
    possible = play(load("FF-FF", start), "d2d4")
    impossible = play(load("FF-FF", start.replace("2p5", "p7")), "d2d4")
    plain = load("FF-FF", possible.fen().replace("d3", "-"))
    assert possible.key != plain.key
    assert impossible.key == load("FF-FF", impossible.fen().replace("d3", "-")).key
    pinned = play(load("FF-FF", "8/8/8/8/k1p4R/8/3P4/4K3 w - - 0 1"), "d2d4")
    assert pinned.fen().split()[3] == "d3"
    assert pinned.key == load("FF-FF", pinned.fen().replace("d3", "-")).key
    loaded = load("FF-FF", possible.fen())
    assert loaded.key == possible.key


def test_clocks() -> None:
    position = load("CC-RR", "4k3/o7/8/8/8/8/7P/D3K3 w - - 7 20")
    assert play(position, "a1a3").fen().split()[4:] == ["8", "20"]
    assert play(position, "a7a6").fen().split()[4:] == ["9", "21"]
    assert play(position, "h2h3").fen().split()[4:] == ["0", "21"]
    assert position.turns == 3
