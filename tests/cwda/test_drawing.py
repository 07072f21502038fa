"""What a position looks like.

- text: the board from White's side, who is to move, both armies
- pictures and SVG show the same pieces by letter, and every mark changes the picture
"""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.armies import ARMIES
from cotulenh_env.cwda.board import parse_square
from cotulenh_env.cwda.drawing import PITCH, Marks, draw_picture, draw_svg, draw_text, place
from tests.cwda.helpers import load, play, record

BOARD = record(Position(RuleSet("NN", "CC")))["board"]


def test_text() -> None:
    lines = draw_text(BOARD, Marks(player=1, armies=(2, 1), is_check=True)).split("\n")
    assert lines[1] == "8  d  w  f  a  k  f  w  d  8"
    assert lines[8] == "1  G  I  H  L  K  H  I  G  1"
    assert lines[10] == "Black to move, in check  ·  Nutty Knights v Colorbound Clobberers"
    assert len(draw_text(BOARD).split("\n")) == 10


def test_the_result_is_told() -> None:
    mated = play(Position(), "f2f3", "e7e5", "g2g4", "d8h4")
    assert "Black wins: checkmate" in str(mated)
    assert "Draw: bare kings" in str(load("FF-FF", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"))


@pytest.mark.parametrize("army", [army.code for army in ARMIES])
def test_svg_shows_every_piece_by_its_letter(army: str) -> None:
    position = Position(RuleSet(army, "FF"))
    document = draw_svg(record(position)["board"], Marks(0, (0, 0)))
    ET.fromstring(document)
    shown = re.findall(r'font-weight="bold"[^>]*>(.)<', document)
    board = position.fen().split()[0]
    assert sorted(shown) == sorted(c.upper() for c in board if c.isalpha() and c not in "pP")


@pytest.mark.parametrize(
    ("marks", "squares"),
    [
        ({"last_move": (parse_square("e2"), parse_square("e4"))}, ["e2", "e3", "e4"]),
        ({"targets": (parse_square("e4"), parse_square("d8"))}, ["e4", "d8"]),
        ({"is_check": True}, ["e1"]),
    ],
)
def test_marks_change_their_squares_only(marks: dict[str, Any], squares: list[str]) -> None:
    plain = Marks(player=0, caption="x")
    before, after = draw_picture(BOARD, plain), draw_picture(BOARD, replace(plain, **marks))
    assert before.dtype == np.uint8
    changed = []
    for square in range(64):
        x, y = map(round, place(square))
        half = PITCH // 2 - 2
        window = slice(y - half, y + half), slice(x - half, x + half)
        if (before[window] != after[window]).any():
            changed.append(square)
    assert changed == sorted(map(parse_square, squares))
