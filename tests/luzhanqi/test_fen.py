"""Positions as text, in both modes: read back exactly, and refused in one sentence if hostile."""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.errors import CotulenhError, PositionError
from cotulenh_env.game import Game
from cotulenh_env.luzhanqi import FlipPosition, FlipRuleSet, RefereePosition, RefereeRuleSet
from tests.luzhanqi.helpers import ARMY, FLIP, GAMES, REFEREE, walk

START = "?????/?????/?1?1?/??1??/?1?1?/?????/?????/?1?1?/??1??/?1?1?/?????/?????"
ALL_DOWN = "F1M3X2C1A1D2B2R2T2K3P3E3f1m3x2c1a1d2b2r2t2k3p3e3"
FLIP_FEN = "1f3/m2E1/1x3/?4/E4/2k2/C3a/5/1B1P1/4r/?4/1F3 0 b M1e1 12 70"
REFEREE_FEN = "mf3/m3x/5/2t2/E4/2k2/C3a/5/1B1P1/4r/M1E2/1F1M1 0 3 90"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_texts_are_read_back(game: Game) -> None:
    """Everything but histories and what was announced before."""
    num_read = 0
    for states in list(walk(game, 12, 200, seed=1))[::13]:
        for state in states:
            text = game.to_text(state)
            rules = game.rules_of(state)
            again = game.from_text(text, rules)
            assert game.to_text(again) == text
            record, twin = (s.view(game.spec.state_dtype)[0].copy() for s in (state, again))
            for name in ("history", "history_length", "course", "first_ply"):
                if name in twin.dtype.names:
                    twin[name] = record[name]
            if game.end_reason(state[None].copy()) != ["repetition"]:
                assert twin.tobytes() == record.tobytes(), text
            num_read += 1
    assert num_read > 150


def test_the_start_of_the_flip_mode() -> None:
    text = f"{START} 0 - {ALL_DOWN} 0 0"
    assert FlipPosition().fen() == text
    assert FlipPosition.from_fen(text) == FlipPosition()
    assert FlipPosition(FlipRuleSet(hq_lock="entered")).fen() == f"{text} -"


def test_a_board_alone_is_a_referee_position() -> None:
    """Pieces in their own half stand where they began, others have moved; the rest is gone."""
    position = RefereePosition.from_fen(REFEREE_FEN)
    assert position.fen().startswith(REFEREE_FEN)
    assert RefereePosition.from_fen(position.fen()) == position
    assert position.piece_at("a8") == "E"
    kinds = position.possible_kinds(1)
    assert "M" not in kinds["a8"]
    assert "M" in kinds["d1"]
    assert "X" not in kinds["a6"]


def test_unknown_pieces_are_shown_and_not_played() -> None:
    position = RefereePosition.from_layouts(ARMY, ARMY)
    seen = REFEREE.as_seen(position.state[None], np.array([1], np.int32))[0]
    text = REFEREE.to_text(seen)
    assert text.split()[0].count("?") == 25
    with pytest.raises(PositionError, match="unknown pieces cannot be played"):
        RefereePosition.from_fen(text)


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "a position is text"),
        ("", "6 or 7 fields"),
        ("x" * 5000, "at most 4000 characters"),
        (replaced(FLIP_FEN, "E4", "E4\u0663"), "belongs in no position"),
        (replaced(FLIP_FEN, "/E4/", "/"), "12 rows, not 11"),
        (replaced(FLIP_FEN, "E4", "E3"), "row 8: 4 places"),
        (replaced(FLIP_FEN, "E4", "E5"), "row 8: 6 places"),
        (replaced(FLIP_FEN, "E4", "Z4"), "row 8: 'Z' is no piece"),
        (replaced(FLIP_FEN, "E4", "C4"), "pieces of kind 9"),
        (replaced(FLIP_FEN, " 0 b", " 2 b"), "player to move is 0 or 1"),
        (replaced(FLIP_FEN, " b ", " red "), "colour is r, b or -"),
        (replaced(FLIP_FEN, " b ", " - "), "has a colour once"),
        (f"{START} 0 r {ALL_DOWN} 0 0", "has a colour once"),
        (replaced(FLIP_FEN, "M1e1", "M1"), "2 pieces lie face down on the board"),
        (replaced(FLIP_FEN, "M1e1", "M1e"), "a digit each"),
        (replaced(FLIP_FEN, "M1e1", "M1M1"), "comes twice"),
        (replaced(FLIP_FEN, "M1e1", "M4e1"), "1 to 3 of 'M'"),
        (replaced(FLIP_FEN, "M1e1", "M0e1"), "1 to 3 of 'M'"),
        (replaced(FLIP_FEN, "M1e1", "z1e1"), "no piece"),
        (replaced(FLIP_FEN, " 12 ", " 71 "), "71 quiet plies"),
        (replaced(FLIP_FEN, " 12 ", " 012 "), "plain number"),
        (replaced(FLIP_FEN, " 70", " 999999"), "at most 5 digits"),
        (replaced(FLIP_FEN, " 70", " -1"), "plain number"),
        (FLIP_FEN + " b1", "hq_lock 'entered' only"),
        (replaced(FLIP_FEN, "1x3/?4", "1?3/5"), "face down in a camp"),
        (replaced(FLIP_FEN, "1x3", "1m3"), "no mine or flag gets into a camp"),
        (replaced(replaced(FLIP_FEN, "1f3", "5"), "1F3", "5"), "both flags are missing"),
    ],
)
def test_hostile_flip_texts(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        FlipPosition.from_fen(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


LONG = RefereePosition.from_fen(REFEREE_FEN).fen()
PLAYED = RefereePosition.from_layouts(ARMY, ARMY)
PLAYED.push(PLAYED.parse_move("a6xa7"))
PLAYED_FEN = PLAYED.fen()
"""A division of player 0 has beaten a brigade: token 20 against token 24."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (7, "a position is text"),
        ("a b c", "4 or 8 fields"),
        (replaced(REFEREE_FEN, "E4", "?4"), "unknown pieces"),
        (replaced(REFEREE_FEN, "mf3", "5"), "flag of player 1 is missing"),
        (replaced(REFEREE_FEN, "1F1M1", "F2M1"), "F of player 0 cannot stand at a1"),
        (replaced(REFEREE_FEN, "C3a", "C3M"), "M of player 0 cannot stand at e6"),
        (replaced(REFEREE_FEN, "E4", "C4"), "2 pieces C, at most 1"),
        (" ".join(["/".join(["5"] * 12), "0 0 0"]), "the board is empty"),
        (replaced(PLAYED_FEN, "=1 ", "=7 "), "the last move is"),
        (replaced(PLAYED_FEN, "a6a7", "a6c9"), "no piece moves from a6 to c9"),
        (replaced(PLAYED_FEN, "21>50=1", "21>50=2"), "does not end like that"),
        (replaced(PLAYED_FEN, "21>50=1", "21>20=1"), "no fight between tokens of both"),
        (replaced(PLAYED_FEN, "21>50=1", "21>99=1"), "no fight"),
        (replaced(PLAYED_FEN, "21>50=1", "21>50=1,21>50=1"), "had been removed"),
        (replaced(PLAYED_FEN, "21>50=1", "x"), "no fight"),
        (replaced(PLAYED_FEN, "21>50=1", "23>50=1"), "has not moved"),
        (replaced(PLAYED_FEN, "a7*", "a7"), "has not moved, but is not there|has not moved"),
        (replaced(PLAYED_FEN, "a7*", "a7!"), "cannot have moved round a corner"),
        (replaced(PLAYED_FEN, ",a7*,", ","), "has 25 tokens, not 24"),
        (replaced(PLAYED_FEN, ",a7*,", ",b6*,"), "are not the pieces on the board"),
        (replaced(PLAYED_FEN, ",a7*,", ",c9*,"), "no piece at c9"),
        (replaced(PLAYED_FEN, ",a7*,", ",a99,"), "no place"),
        (replaced(PLAYED_FEN, "-B", "-Z"), "no token"),
        (replaced(PLAYED_FEN, "-B", "-F"), "pieces B, not|pieces F, not"),
        (replaced(PLAYED_FEN, "d1,", "d1*,"), "cannot have moved"),
    ],
)
def test_hostile_referee_texts(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        RefereePosition.from_fen(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


EMPTY = "/".join(["5"] * 12)


@pytest.mark.parametrize(
    ("tokens", "player", "message"),
    [
        ("." * 25, 0, "do not place their pieces"),
        (".F" + "." * 23, 0, ""),
        ("F" + "." * 24, 0, "cannot begin at a1"),
        (".M" + "." * 23, 0, "not placed pieces in their order"),
        (".F" + "." * 23, 1, "player 0 is to place"),
        ("." * 24, 0, "25 letters or dots"),
        ("." * 24 + "z", 0, "25 letters or dots"),
    ],
)
def test_placements_as_text(tokens: str, player: int, message: str) -> None:
    text = f"{EMPTY} {player} 0 0 - {tokens} {'.' * 25} -"
    rules = RefereeRuleSet(placement="deal" if "do not" in message else "agents")
    if not message:
        assert RefereePosition.from_fen(text, rules).fen() == text
        return
    with pytest.raises(PositionError, match=message):
        RefereePosition.from_fen(text, rules)


def test_damaged_texts_are_refused_or_read() -> None:
    """No damage to a text is more than one of the package's errors."""
    rng = np.random.default_rng(3)
    letters = np.array(list("0123456789/?-abcdefkmxABCFKMX*!>=, "))
    for text, read in (
        (FLIP_FEN, FlipPosition.from_fen),
        (LONG, RefereePosition.from_fen),
        (PLAYED_FEN, RefereePosition.from_fen),
    ):
        for _ in range(300):
            characters = list(text)
            for _ in range(int(rng.integers(1, 4))):
                characters[int(rng.integers(len(characters)))] = str(rng.choice(letters))
            try:
                position = read("".join(characters))
            except CotulenhError:
                continue
            assert read(position.fen()) == position


def test_finished_positions_are_read() -> None:
    position = RefereePosition.from_fen("1f1m1/1P3/5/5/5/c4/4C/5/5/5/5/1F3 0 0 60")
    position.push(position.parse_move("b11xb12"))
    again = RefereePosition.from_fen(position.fen())
    assert (again.winner, again.reason) == (0, "flag")
    assert FLIP.to_text(FLIP.from_text("5/5/5/5/5/2k2/C4/5/5/5/5/1F3 0 r - 3 90")).startswith("5/")
    flip = FlipPosition.from_fen("5/5/5/5/5/2k2/C4/5/5/5/5/1F3 0 r - 3 90")
    assert (flip.winner, flip.reason) == (0, "flag")
