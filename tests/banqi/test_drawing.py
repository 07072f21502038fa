"""What Banqi positions look like.

- text: every piece on its cell, the caption says whose turn it is or how the game ended
- pictures: other positions, other pictures; SVG is a document with the same letters
"""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from cotulenh_env.banqi import Position
from cotulenh_env.banqi.drawing import HEIGHT, WIDTH, Marks, draw_picture, draw_svg, draw_text
from cotulenh_env.banqi.state import STATE_DTYPE, Record

FEN = "4g3/8/2S5/7? r b H 3"

TEXT = """\
   a  b  c  d  e  f  g  h
4  .  .  .  .  g  .  .  .  4
3  .  .  .  .  .  .  .  .  3
2  .  .  S  .  .  .  .  .  2
1  .  .  .  .  .  .  .  ?  1
   a  b  c  d  e  f  g  h
"""


def record_of(fen: str) -> Record:
    return Position.from_fen(fen).state.view(STATE_DTYPE)[0]


def test_text() -> None:
    assert str(Position.from_fen(FEN)) == TEXT + "Red (player 1) to move"
    assert draw_text(record_of(FEN)["board"]) == TEXT.rstrip("\n")


@pytest.mark.parametrize(
    ("fen", "caption"),
    [
        (Position().fen(), "Player 0 (no colour yet) to move"),
        ("4g3/8/2S5/8 b b - 3", "Black (player 0) to move"),
        ("8/8/2S5/8 b b - 3", "Red (player 1) wins: all captured"),
        ("4g3/8/2S5/8 r b - 50", "Draw: quiet"),
    ],
)
def test_captions(fen: str, caption: str) -> None:
    assert str(Position.from_fen(fen)).split("\n")[-1] == caption


def test_pictures() -> None:
    board = record_of(FEN)["board"]
    plain = draw_picture(board)
    assert plain.shape == (HEIGHT, WIDTH, 3)
    assert plain.dtype == np.uint8
    marked = draw_picture(board, Marks("Red to move", 0, (18, 10)))
    flipped = draw_picture(board, Marks(last_move=(31, 31)))
    other = draw_picture(record_of("4g3/8/2s5/7? r b H 3")["board"])
    for picture in (marked, flipped, other):
        assert (picture != plain).any()
    assert np.array_equal(draw_picture(board), plain)


def test_svg() -> None:
    document = draw_svg(record_of(FEN)["board"], Marks("Red to move", 0, (18, 10)))
    texts = [element.text for element in ElementTree.fromstring(document).iter() if element.text]
    letters = [text for text in texts if text in ("G", "S", "H")]
    assert letters == ["G", "S"]  # what lies face down is not told
    assert "Red to move" in texts
