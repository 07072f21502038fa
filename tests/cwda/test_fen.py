"""Positions as text.

- every position of random games is written and read back, between any armies
- armies: from the rules, from the seventh field, or guessed from the pieces
- what is malformed or cannot be is refused in one sentence that says what and where
- moves as text: read and refused
"""

import numpy as np
import pytest

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.game import DifferentArmies
from cotulenh_env.errors import IllegalActionError, MoveTextError, PositionError
from tests.cwda.helpers import load, random_games, rules_named, varied_starts

GAME = DifferentArmies()


def test_texts_of_random_games_are_read_back() -> None:
    num_told = 0
    for position, _ in random_games(varied_starts(), seed=3, max_moves=60):
        again = Position.from_fen(position.fen(), position.rules)
        assert again.fen() == position.fen()
        assert again.key == position.key
        text = GAME.to_text(position.state)
        assert text.startswith(position.fen())
        assert np.array_equal(GAME.from_text(text), again.state)
        num_told += text == position.fen()
    assert num_told > 1000


@pytest.mark.parametrize(
    ("fen", "armies"),
    [
        ("4k3/8/8/8/8/8/8/4K2D w - - 0 1", "CC-FF"),
        ("d3k3/8/8/8/8/8/8/4K3 b - - 0 1", "FF-CC"),
        # a promoted piece of the other army does not mislead
        ("gih1kh2/8/8/8/8/8/8/G2LK1Q1 w - - 0 1", None),
        ("gihlk3/8/8/8/8/8/8/2WLKHG1 w - - 0 1", None),
        ("gihlk3/8/8/8/8/8/8/DDW1K3 w - - 0 1", "CC-NN"),
        # with only a promoted piece, castling rights tell
        ("r3k3/8/8/8/8/8/8/4K1DD w q - 0 1", "CC-FF"),
        ("snbxkbns/8/8/8/8/8/8/4K3 w kq - 0 1 FF-AM", "FF-AM"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 NN-RR", "NN-RR"),
    ],
)
def test_armies_are_guessed_or_told(fen: str, armies: str | None) -> None:
    position = Position.from_fen(fen)
    if armies is not None:
        assert position.rules == rules_named(armies)
    assert np.array_equal(GAME.from_text(GAME.to_text(position.state)), position.state)


def test_rules_that_name_one_army_leave_the_other_to_the_text() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2D w - - 0 1"
    assert Position.from_fen(fen, RuleSet(black_army="CC")).rules == RuleSet("CC", "CC")
    assert Position.from_fen(fen, RuleSet(white_army="NN")).rules == RuleSet("NN", "CC")
    assert Position.from_fen(f"{fen} CC-FW", RuleSet(white_army="CC")).rules.black_army == "FW"


GOOD = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "6 or 7 fields, not 0"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0", "6 or 7 fields, not 5"),
        (f"{GOOD} FF-FF 1", "6 or 7 fields, not 8"),
        (GOOD.replace("/8/", "/", 1), "8 ranks, not 7"),
        (GOOD.replace("4k3", "4k4"), "rank 8 has 9 squares"),
        (GOOD.replace("4k3", "4k"), "rank 8 has 5 squares"),
        (GOOD.replace("/8/", "/44/", 1), "rank 7: two numbers in a row"),
        (GOOD.replace("/8/", "/9/", 1), "rank 7: '9' is no piece"),
        (GOOD.replace("/8/", "/7z/", 1), "rank 7: 'z' is no piece"),
        (GOOD.replace("/8/", "/7./", 1), "rank 7: '.' is no piece"),
        (GOOD.replace("4k3", "4\u017f3"), "belongs in no FEN"),
        (GOOD.replace("4k3", "4\u06633"), "belongs in no FEN"),
        (GOOD.replace(" w ", " r "), "no side to move"),
        (GOOD.replace(" K ", " KK "), "castling rights"),
        (GOOD.replace(" K ", " X "), "castling rights"),
        (GOOD.replace(" K ", " Q "), "no two armies"),
        (GOOD.replace(" - ", " e9 "), "'e9' is no square"),
        (GOOD.replace(" - ", " e6 "), "no pawn of Black has just passed e6"),
        (GOOD.replace(" - ", " e3 "), "no pawn of Black has just passed e3"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 3 9", "passed e3, so the number of quiet plies is 0"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e6 1 9", "passed e6, so the number of quiet plies is 0"),
        (GOOD.replace(" 0 1", " 00 1"), "plain number"),
        (GOOD.replace(" 0 1", " -1 1"), "plain number"),
        (GOOD.replace(" 0 1", " 0 1234567"), "plain number"),
        (GOOD.replace("4k3", "8"), "Black has 0 kings"),
        (GOOD.replace("4k3", "4k2k"), "Black has 2 kings"),
        (GOOD.replace("4K2R", "4K2P"), "no two armies"),
        (GOOD.replace("4K2R w K", "4K2P w -"), "pawn cannot stand on h1"),
        (GOOD.replace("4k3", "4k2p").replace(" K ", " - "), "pawn cannot stand on h8"),
        (GOOD.replace("4k3", "4R2k").replace(" K ", " - "), "could capture the king of Black"),
        (GOOD.replace("4k3", "DGk5"), "no two armies"),
        (GOOD.replace("4k3", "Xk6"), "no two armies"),
        (f"{GOOD} FF", "the armies are two codes"),
        (f"{GOOD} FF-ZZ", "the armies are two codes"),
        (f"{GOOD} CC-FF", "White cannot castle without D on h1"),
        ("QQQQQQQQ/QQQQQQQQ/QQQQQ3/8/8/8/8/K6k b - - 0 1", "White has 22 men"),
        ("4k3/" * 10**4, "6 or 7 fields"),
    ],
)  # fmt: skip
def test_bad_text_is_refused_in_one_sentence(fen: str, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_fen(fen)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_text_that_contradicts_the_rules_is_refused() -> None:
    with pytest.raises(PositionError, match="R on h1 is no piece of CC or NN"):
        load("CC-NN", "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    with pytest.raises(PositionError, match="the rules say NN"):
        load("NN-NN", f"{GOOD} FF-NN")
    with pytest.raises(PositionError, match="is text"):
        Position.from_fen(7)  # type: ignore[arg-type]


def test_moves_as_text() -> None:
    position = load("CC-FF", "4k3/P7/8/8/8/8/8/D3K3 w Q - 0 1")
    for text in ("a7a8d", "a7a8r", "e1b1", "a1c3", "a1a3"):
        assert position.move_text(position.parse_move(f" {text} ")) == text
    for text in ("", "e1", "e1e9", "e1b1q", "a7a8", "a7a8k", "a7a8D", "a7a8g", "a7a8rr", "e1c1"):
        with pytest.raises(MoveTextError):
            position.parse_move(text)
        with pytest.raises(MoveTextError):
            GAME.parse_action(position.state, text)
    with pytest.raises(MoveTextError):
        position.parse_move(None)  # type: ignore[arg-type]
    for action in (7 * 88 + 14, 48 * 88 + 64, 10**6):  # off the board, to no kind, no action
        with pytest.raises(IllegalActionError):
            GAME.action_text(position.state, action)
