"""Diagrams of the rules: marks on points, and pictures of a part of the board.

- every mark changes its own point and no point further away; no two marks look alike
- a view shows the same picture as the whole board does there, with labels of its own
- SVG leaves out what lies outside a view, and stays small
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from cotulenh_env.commander.board import NUM_FILES, parse_point
from cotulenh_env.commander.drawing import Marks, draw_picture, draw_svg, draw_text
from cotulenh_env.commander.landscape import PITCH, WHOLE_BOARD, View, place
from cotulenh_env.commander.targets import WORDS
from cotulenh_env.render.clip import Window
from cotulenh_env.render.svg import SvgCanvas
from tests.render.test_commander_drawing import board_of, pixels

BOARD = board_of(e5="T", h9="n", b4="N+FT", f6="s")
PART = View(parse_point("d4"), parse_point("g7"), has_caption=False)


def mark(word: str) -> Marks:
    return Marks(targets=((parse_point("e9"), word), (parse_point("e5"), word)))


@pytest.mark.parametrize("word", WORDS)
def test_a_mark_shows_on_its_points_only(word: str) -> None:
    plain, marked = draw_picture(BOARD), draw_picture(BOARD, mark(word))
    assert pixels(marked, "e9") != pixels(plain, "e9")
    for name in ("h9", "b4", "e7", "g5", "d3"):
        assert pixels(marked, name, 0.2) == pixels(plain, name, 0.2)


def test_a_cross_does_not_hide_the_piece_it_bars() -> None:
    plain, crossed = draw_picture(BOARD), draw_picture(BOARD, mark("barred"))
    assert pixels(crossed, "e5", 0.1) == pixels(plain, "e5", 0.1)
    assert pixels(crossed, "e5") != pixels(plain, "e5")


@pytest.mark.parametrize("word", ["join", "capture", "strike", "kamikaze"])
def test_marks_hide_no_letter(word: str) -> None:
    """Neither the carrier's, above the lower edge of its disc, nor a passenger's."""
    point = parse_point("b4")
    plain, marked = (draw_picture(BOARD, Marks(targets=t)) for t in ((), ((point, word),)))
    x, y = place(*divmod(point, NUM_FILES))
    for right, down in ((0.0, 0.21), (0.33, 0.23), (-0.33, 0.23)):
        column, row, r = round(x + right * PITCH), round(y + down * PITCH), round(0.07 * PITCH)
        part = np.s_[row - r : row + r + 1, column - r : column + r + 1]
        assert np.array_equal(plain[part], marked[part])


def test_marks_differ() -> None:
    """Also a choice of capture and strike from either of them."""
    words = [word for word in WORDS if word != "hqonly"]  # a strike
    both = Marks(targets=((parse_point("e9"), "capture"), (parse_point("e9"), "strike")))
    seen = [pixels(draw_picture(BOARD, marks), "e9") for marks in (*map(mark, words), both)]
    assert len({str(colors) for colors in seen}) == len(words) + 1


@pytest.mark.parametrize(
    "marks",
    [
        Marks(sights=((parse_point("e9"), parse_point("e11")),)),
        Marks(arrows=((parse_point("e9"), parse_point("e11")),)),
        Marks(labels=((parse_point("e10"), "land"),)),
    ],
)
def test_other_marks_show_where_they_are_put(marks: Marks) -> None:
    plain, marked = draw_picture(BOARD), draw_picture(BOARD, marks)
    assert pixels(marked, "e10") != pixels(plain, "e10")
    assert pixels(marked, "h9") == pixels(plain, "h9")
    assert draw_text(BOARD, marks) == draw_text(BOARD)


def test_a_view_shows_the_same_as_the_whole_board() -> None:
    marks = Marks(zones=(1,), targets=((parse_point("e6"), "move"),))
    whole, part = draw_picture(BOARD, marks), draw_picture(BOARD, marks, PART)
    x, y, width, height = map(round, PART.window)
    assert part.shape == (height, width, 3)
    strip = 30  # frame and labels of the part
    inside = whole[y + strip : y + height - strip, x + strip : x + width - strip]
    assert np.array_equal(part[strip:-strip, strip:-strip], inside)


def test_a_view_labels_its_own_files_and_ranks() -> None:
    root = ET.fromstring(draw_svg(BOARD, view=PART))
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    labels = [text for text in texts if not text.isupper()]
    assert sorted(labels) == sorted([*"defg", *"4567"] * 2)
    assert sorted(text for text in texts if text.isupper()) == ["S", "T"]


def test_a_view_says_which_points_it_shows() -> None:
    assert PART.shows(parse_point("d4"))
    assert PART.shows(parse_point("g7"))
    assert not PART.shows(parse_point("c4"))
    assert not PART.shows(parse_point("g8"))
    assert WHOLE_BOARD.shows(parse_point("k12"))


def test_the_ends_of_the_board_have_their_sides_colour() -> None:
    """A part that does not reach the last rank has no line of Red or Blue."""
    corner = View(parse_point("a1"), parse_point("c3"), has_caption=False)
    empty = board_of()
    assert "#bc2c28" in draw_svg(empty, view=corner)
    assert "#bc2c28" not in draw_svg(empty, view=PART)


def test_svg_of_a_view_leaves_out_the_rest() -> None:
    whole, part = draw_svg(BOARD), draw_svg(BOARD, view=PART)
    assert len(part) < len(whole) / 2
    x, y, width, height = PART.window
    head = re.match(r'<svg [^>]*viewBox="([^"]*)" width="(\d+)"', part)
    assert head is not None
    assert head[1].split() == [str(number) for number in (x, y, width, height)]


def test_window_cuts_polygons() -> None:
    window = Window(0, 0, 10, 10)
    assert window.cut([(2, 2), (4, 2), (4, 4)]) == [(2, 2), (4, 2), (4, 4)]
    assert window.cut([(12, 2), (14, 2), (14, 4)]) == []
    assert sorted(window.cut([(-5, -5), (5, -5), (5, 5), (-5, 5)])) == [
        (0, 0), (0, 5), (5, 0), (5, 5),
    ]  # fmt: skip
    assert window.touches([(12, 5)], margin=3)
    assert not window.touches([(12, 5)], margin=1)


def test_lines_of_one_paint_are_one_path() -> None:
    """Not translucent ones: where they cross, two paths are darker than one."""
    svg = SvgCanvas(20, 20, (255, 255, 255))
    for color in ((0, 0, 0), (0, 0, 0, 100)):
        svg.line([(1.04, 1.04), (2.08, 1), (3, 0.5)], color, 2)
        svg.line([(5, 5), (6, 6)], color, 2)
    paths = re.findall(r'<path d="([^"]*)"', svg.svg())
    assert paths == ["M1,1l1.1,0,.9-.5M5,5l1,1", "M1,1l1.1,0,.9-.5", "M5,5l1,1"]
