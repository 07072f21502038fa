"""How referee games begin: dealt layouts, books, and players who place their pieces.

- dealt layouts are legal, and each place's kinds come as often as counting says
- books: the shipped one, own files, and files that are refused
- placing: any order of choices leads to a legal layout, nothing is announced, play follows
"""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import pytest

from cotulenh_env.errors import PositionError, RulesError
from cotulenh_env.luzhanqi import RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.layouts import layout_problem, layout_text, parse_layout, read_book
from cotulenh_env.luzhanqi.pieces import BOMB, FLAG, KIND_LETTERS, MINE
from cotulenh_env.luzhanqi.placement import PLACEMENT_ORDER, START_KINDS, deal_layouts
from cotulenh_env.luzhanqi.state import REFEREE_DTYPE
from tests.luzhanqi.helpers import ARMY, REFEREE

BACK, FRONT = slice(0, 10), slice(20, 25)
HEADQUARTERS_TOKENS = (1, 3)


def test_dealt_layouts_are_legal_and_as_frequent_as_counted() -> None:
    n = 4000
    layouts = deal_layouts(n, np.random.default_rng(1))
    assert not any(layout_problem(layout) for layout in layouts)
    shares = np.stack([(layouts == kind).mean(axis=0) for kind in range(13)])
    tolerance = 5 * np.sqrt(0.25 / n)
    assert np.allclose(shares[FLAG, list(HEADQUARTERS_TOKENS)], 0.5, atol=tolerance)
    others = [token for token in range(10) if token not in HEADQUARTERS_TOKENS]
    # 3 mines on 9 of the ten back places, one of which the flag takes.
    assert np.allclose(shares[MINE, others], 1 / 3, atol=tolerance)
    assert np.allclose(shares[MINE, list(HEADQUARTERS_TOKENS)], 1 / 6, atol=tolerance)
    # 2 bombs on 16 of the 20 places behind the front row: 10 places in the middle are always free.
    assert np.allclose(shares[BOMB, 10:20], 2 / 16, atol=tolerance)
    assert not shares[[FLAG, MINE, BOMB], FRONT].any()
    assert not shares[[FLAG, MINE], 10:].any()


def test_the_number_of_layouts() -> None:
    """What the rules give: 7.096e17 (section 6)."""
    ranks, left = 1, 19
    for number in (1, 1, 2, 2, 2, 2, 3, 3, 3):
        ranks *= comb(left, number)
        left -= number
    assert 2 * comb(9, 3) * comb(16, 2) * ranks == 709_596_419_051_520_000
    assert RefereePosition.from_layouts(ARMY, ARMY).num_worlds(0) == 709_596_419_051_520_000


def test_start_kinds() -> None:
    """Section 6: mines in the two back rows, no bomb in front, the flag in a headquarters."""
    for token, bits in enumerate(START_KINDS.tolist()):
        assert bool(bits >> MINE & 1) == (token < 10)
        assert bool(bits >> BOMB & 1) == (token < 20)
        assert bool(bits >> FLAG & 1) == (token in HEADQUARTERS_TOKENS)
        assert bits & 0b1111111110 == 0b1111111110


def test_the_same_generator_deals_the_same() -> None:
    one, other = (RefereePosition(rng=np.random.default_rng(4)) for _ in range(2))
    assert one == other
    assert one.layout(0) != one.layout(1)
    assert RefereePosition() != RefereePosition()  # without a generator every deal is a new one


# --- layouts as text ----------------------------------------------------------------------------


def test_layouts_are_read_back() -> None:
    for layout in deal_layouts(50, np.random.default_rng(5)):
        assert np.array_equal(parse_layout(layout_text(layout)), layout)
    assert layout_text(parse_layout(f" {ARMY}\n")) == ARMY


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (3, "a layout is text"),
        ("", "six rows of five"),
        (ARMY[:-1], "six rows of five"),
        (ARMY.replace("C.K", "CEK"), "b5 is a camp"),
        (ARMY.replace("D", "d"), "'d' at e5 is no piece"),
        (ARMY.replace("A", "D"), "2 pieces D, not 3|1 pieces A, not 0"),
        (ARMY.replace("PEMFM", "FEMPM"), "flag cannot begin at a1"),
        ("MTARB/C.K.D/PX.XE/R.T.E/BKKDP/PEMFM", "mine cannot begin at a6"),
        ("XTARB/C.K.D/PD.XE/R.T.E/BKKMP/PEMFM", "bomb cannot begin at a6"),
    ],
)
def test_wrong_layouts_are_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        parse_layout(text)
    assert "\n" not in str(caught.value)
    with pytest.raises(PositionError):
        RefereePosition.from_layouts(ARMY, text)


# --- books --------------------------------------------------------------------------------------


def layouts_of(states: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> set[str]:
    kinds = states.view(REFEREE_DTYPE)[:, 0]["kinds"].reshape(-1, 25)
    return {layout_text(layout) for layout in kinds}


def test_the_shipped_book() -> None:
    book = {layout_text(layout) for layout in read_book(None)}
    assert len(book) == len(read_book(None)) >= 10
    rules = RefereeRuleSet(placement="book")
    assert layouts_of(REFEREE.new_states(300, np.random.default_rng(6), rules)) == book


def test_own_books(tmp_path: Path) -> None:
    other = ARMY.replace("PEMFM", "PFMEM")
    path = tmp_path / "book.txt"
    path.write_text(f"# two\n\n{ARMY}  # the first\n{other}\n", encoding="utf-8")
    rules = RefereeRuleSet(placement="book", book=str(path))
    assert layouts_of(REFEREE.new_states(40, np.random.default_rng(7), rules)) == {ARMY, other}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no layout"),
        (b"# nothing\n", "holds no layout"),
        (b"\xff\xfe", "cannot be read"),
        (ARMY.encode() + b"\nX\n", "line 2: a layout is six rows of five"),
        (b"#" * 1_000_001, "more than 1000000 bytes"),
    ],
)
def test_damaged_books_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(content)
    rules = RefereeRuleSet(placement="book", book=str(path))
    with pytest.raises(RulesError, match=message) as caught:
        REFEREE.new_states(1, np.random.default_rng(0), rules)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", ["/nowhere/book.txt", "", "a\0b", "/"])
def test_books_that_are_not_there(path: str) -> None:
    rules = RefereeRuleSet(placement="book", book=path)
    with pytest.raises(RulesError, match="cannot be read"):
        REFEREE.new_states(1, np.random.default_rng(0), rules)


# --- placing ------------------------------------------------------------------------------------


def test_players_place_their_pieces_in_a_fixed_order() -> None:
    """Section 6 (c): flag, 3 mines, 2 bombs, 9 … 1; first player 0, then player 1."""
    letters = "".join(KIND_LETTERS[kind] for kind in PLACEMENT_ORDER)
    assert letters == "FMMMXXCADDBBRRTTKKKPPPEEE"
    rng = np.random.default_rng(8)
    for _ in range(20):
        position = RefereePosition(RefereeRuleSet(placement="agents"))
        for number in range(50):
            assert position.turn == number // 25
            legal = position.legal_actions()
            assert legal
            assert all(action >= 1188 for action in legal)
            position.push(int(rng.choice(legal)))
            assert position.announcement == ""
            if number % 7 == 0:
                again = RefereePosition.from_fen(position.fen(), position.rules)
                assert again.fen() == position.fen()
                assert again.legal_actions() == position.legal_actions()
        assert not layout_problem(parse_layout(position.layout(0)))
        assert not layout_problem(parse_layout(position.layout(1)))
        assert position.turn == 0
        assert position.plies == 0
        assert max(position.legal_actions()) < 1188


def test_first_placements() -> None:
    position = RefereePosition(RefereeRuleSet(placement="agents"))
    assert [position.move_text(a) for a in position.legal_actions()] == ["place b1", "place d1"]
    position.push(1188 + 1)
    assert len(position.legal_actions()) == 9
    assert "place c1" in {text for _, text in position.legal_moves()}
    drawing = str(position)
    assert "[F]" in drawing
    assert "to place a mine" in drawing
    assert "[F]" not in position.view(1)


def test_placed_games_go_on_as_dealt_ones() -> None:
    position = RefereePosition(RefereeRuleSet(placement="agents"))
    for player in (0, 1):
        left = parse_layout(ARMY).tolist()
        for kind in PLACEMENT_ORDER.tolist():
            token = left.index(kind)
            left[token] = 0
            place = next(p for p in range(30) if position.legal_actions() and _token(p) == token)
            position.push(1188 + place)
        assert position.layout(player) == ARMY
    dealt = RefereePosition.from_layouts(ARMY, ARMY, RefereeRuleSet(placement="agents"))
    assert position.legal_actions() == dealt.legal_actions()
    assert position.fen() == dealt.fen()


def _token(place: int) -> int:
    from cotulenh_env.luzhanqi.placement import TOKEN_OF_PLACE

    return int(TOKEN_OF_PLACE[place])
