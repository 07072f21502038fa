"""Text of Banqi positions.

- every position of random games is written and read back, but for its past
- the start, a position after one flip and an endgame, written by hand
- positions that are over as they are loaded
- hostile text is refused in one sentence that names the place
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.fen import START_FEN
from cotulenh_env.errors import PositionError
from tests.banqi.helpers import ALL_RULES, random_games

ENDGAME = "4g3/8/2S5/8 r b - 17"
HIDDEN = "GAAEERRHHCCSSSSSgaaeerrhhccsssss"


def test_by_hand() -> None:
    assert Position().fen() == START_FEN
    assert Position.from_fen(START_FEN) == Position()
    position = Position()
    position.push(position.parse_move("flip c3"), "h")
    assert position.fen() == (
        "????????/??h?????/????????/???????? r b GAAEERRHHCCSSSSSgaaeerrhccsssss 0"
    )
    assert (position.colours, position.turn) == ((1, 0), 1)
    endgame = Position.from_fen(f" {ENDGAME}\n")
    assert (endgame.turn, endgame.colours, endgame.quiet_turns) == (1, (1, 0), 17)
    assert (endgame.piece_at("e4"), endgame.piece_at("c2"), endgame.hidden) == ("g", "S", {})


def test_round_trip() -> None:
    num_positions = 0
    for position in random_games(6, ALL_RULES, seed=21):
        again = Position.from_fen(position.fen(), position.rules)
        assert again.fen() == position.fen()
        assert again.key == position.key
        assert again.turns == 0
        if position.reason != "repetition":
            assert again.legal_actions() == position.legal_actions()
            assert (again.winner, again.reason) == (position.winner, position.reason)
        num_positions += 1
    assert num_positions > 500


@pytest.mark.parametrize(
    ("fen", "rules", "winner", "reason"),
    [
        ("8/8/2S5/8 b b - 0", RuleSet(), 1, "all captured"),  # B15: at once
        ("8/8/2S5/8 r b - 0", RuleSet(), 1, "all captured"),
        ("8/8/2S5/8 b b - 0", RuleSet(preset="taiwanese"), 1, "no move"),
        ("8/8/2S5/8 r b - 0", RuleSet(preset="taiwanese"), None, ""),
        ("8/8/2S4?/8 b b S 0", RuleSet(preset="taiwanese"), None, ""),  # it may flip
        ("8/8/S7/a7 r r - 0", RuleSet(), None, ""),
        ("8/8/R7/sR6 b b - 0", RuleSet(), 1, "no move"),  # B6
        ("8/8/R7/sR6 r b - 0", RuleSet(), None, ""),
        ("4s3/8/2S5/8 r b - 50", RuleSet(), -1, "quiet"),
        ("4s3/8/2S5/8 r b - 49", RuleSet(), None, ""),
        ("4s3/8/2S5/8 r b - 9999", RuleSet(), -1, "quiet"),
        ("4s3/8/2S5/8 r b - 3", RuleSet(adjudicate_dead_material=True), -1, "dead material"),
        ("4h3/8/2S5/8 r b - 3", RuleSet(adjudicate_dead_material=True), None, ""),
        ("4s3/8/2S4?/8 r b S 3", RuleSet(adjudicate_dead_material=True), None, ""),
    ],
)
def test_over_when_loaded(fen: str, rules: RuleSet, winner: int | None, reason: str) -> None:
    position = Position.from_fen(fen, rules)
    assert (position.winner, position.reason) == (winner, reason)
    assert bool(position.legal_actions()) == (winner is None)
    assert Position.from_state(position.state) == position


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "5 fields, not 0"),
        ("8/8/8/8 r b - 0", "the board is empty"),
        ("8/8/8 r b - 0", "4 rows, not 3"),
        ("8/8/8/8/8 r b - 0", "4 rows, not 5"),
        ("4g3/8/2S6/8 r b - 0", "row 2: more than 8 cells"),
        ("4g3/8/2S/8 r b - 0", "row 2: 3 cells, not 8"),
        ("4g3/8/11S5/8 r b - 0", "row 2: two numbers of empty cells in a row at column b"),
        ("4g3/8/2X5/8 r b - 0", "row 2: 'X' is no piece at column c"),
        ("4g3/8/2S5/9 r b - 0", "row 1: '9' is no piece"),
        ("4g3/8/2S5/0 r b - 0", "row 1: '0' is no piece"),
        ("4g3/8/2.5/8 r b - 0", "'.' is no piece"),
        ("4g3/8/2S5/8 w b - 0", "colour to move is 'r', 'b' or '-', got 'w'"),
        ("4g3/8/2S5/8 r rb - 0", "colour of player 0 is"),
        ("4g3/8/2S5/8 r - - 0", "either both players have a colour, or neither"),
        ("4g3/8/2S5/8 - - - 0", "have colours once a piece has been turned up"),
        (f"????????/????????/????????/???????? r b {HIDDEN} 0", "nobody has a colour before"),
        (f"????????/????????/????????/???????? - - {HIDDEN} 1", "no turn comes before it"),
        ("4g3/8/2S5/7? r b - 0", "1 cells are face down, but 0 pieces are"),
        ("4g3/8/2S5/7? r b G? 0", "is no piece that could lie face down"),
        (f"4g3/8/2S5/7? r b {'S' * 40} 0", "40 pieces are face down, there are 32"),
        ("4g3/8/2S5/7? r b g 0", "2 g face up and face down, there are 1"),
        ("GG6/8/2s5/8 r b - 0", "2 G face up and face down, there are 1"),
        ("4g3/8/2S5/8 r b - -1", "quiet turns is a plain number of at most 4 digits"),
        ("4g3/8/2S5/8 r b - 01", "quiet turns"),
        ("4g3/8/2S5/8 r b - 12345", "quiet turns"),
        ("4g3/8/2S5/8 r b - ٣", "belongs in no FEN"),
        ("4g3/8/2S5/8 r b - 0 0", "5 fields, not 6"),
        ("4g3/8/2S5/8\x00r b - 0", "belongs in no FEN"),
    ],
)
def test_refused(fen: str, words: str) -> None:
    with pytest.raises(PositionError, match=words.replace("?", r"\?")) as raised:
        Position.from_fen(fen)
    assert "\n" not in str(raised.value)
    assert fen[:50] in str(raised.value) or not fen.isprintable() or not fen.isascii()


def test_not_even_text() -> None:
    with pytest.raises(PositionError, match="a FEN is text"):
        Position.from_fen(7)  # type: ignore[arg-type]


def test_damaged_text_is_refused_or_read() -> None:
    """One character of a FEN changed, left out or doubled: an error of ours, or a position."""
    rng = np.random.default_rng(5)
    fens = [position.fen() for position in random_games(2, ALL_RULES[:1], seed=22)]
    num_read = 0
    for _ in range(2_000):
        fen = str(rng.choice(fens))
        place = int(rng.integers(len(fen)))
        letter = str(rng.choice(list("GAgs?18/ rb-05x")))
        damaged = fen[:place] + str(rng.choice([letter, "", fen[place] * 2])) + fen[place + 1 :]
        try:
            position = Position.from_fen(damaged)
        except PositionError:
            continue
        assert Position.from_state(position.state) == position
        num_read += 1
    assert 0 < num_read < 2_000
