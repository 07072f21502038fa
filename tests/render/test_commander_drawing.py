"""What a Commander Chess position looks like, rule by rule.

- R1.1–R1.3: labels, terrain, reefs
- R7.5: all pieces of a stack show, the carrier first; heroic marks show
- R7.7: an unfinished deployment shows what has acted, what is selected, and where
- R8.1: zones reach exactly the points they should
- text, picture and SVG draw the same position
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import numpy.typing as npt
import pytest

from cotulenh_env.commander.board import FILES, NUM_FILES, NUM_POINTS, parse_point
from cotulenh_env.commander.drawing import Marks, draw_picture, draw_svg, draw_text
from cotulenh_env.commander.landscape import PITCH, place
from cotulenh_env.commander.pieces import (
    ANTI_AIRCRAFT,
    KIND_LETTERS,
    MISSILE,
    NAVY,
    NUM_KINDS,
    make_stack,
    piece_code,
)

Board = npt.NDArray[np.uint16]


def board_of(**stacks: str) -> Board:
    """A board from point names and pieces: upper case Red, lower case Blue, `+` before heroic."""
    board = np.zeros(NUM_POINTS, np.uint16)
    for name, letters in stacks.items():
        heroic = [mark == "+" for mark, _ in re.findall(r"(\+?)(\w)", letters)]
        kinds = [KIND_LETTERS.index(letter.upper()) for letter in letters if letter != "+"]
        codes = [piece_code(kind, mark) for kind, mark in zip(kinds, heroic, strict=True)]
        board[parse_point(name)] = make_stack(codes, int(letters.islower()))
    return board


def pixels(picture: npt.NDArray[np.uint8], name: str, radius: float = 0.5) -> list[list[int]]:
    """The pixels around a point, up to so many pitches away."""
    point = parse_point(name)
    x, y = place(*divmod(point, NUM_FILES))
    r = round(radius * PITCH)
    part = picture[round(y) - r : round(y) + r + 1, round(x) - r : round(x) + r + 1]
    colors: list[list[int]] = part.reshape(-1, 3).astype(int).tolist()
    return colors


def share(colors: list[list[int]], color: tuple[int, int, int], tolerance: int = 24) -> float:
    """Which share of the pixels has about this colour."""
    return float((np.abs(np.array(colors) - color).max(axis=1) <= tolerance).mean())


RED_FACE, BLUE_FACE, GOLD = (206, 60, 52), (46, 104, 186), (247, 196, 46)
GREYED_RED, WHITE = (168, 102, 99), (255, 255, 255)


def rows(board: Board, marks: Marks | None = None) -> list[list[str]]:
    return [line.split() for line in draw_text(board, marks or Marks()).split("\n")]


# --- text ---


def test_text_shows_terrain_and_labels() -> None:
    lines = rows(board_of())
    assert lines[0] == lines[-1] == list(FILES)
    assert lines[1] == ["12", "~", "~", ":", *"........", "12"]
    assert lines[6] == ["7", "~", "~", ":", ":", ":", *"......", "7"]
    assert lines[7] == [*"~~~~~=~=~~~"]
    assert lines[8] == ["6", "~", "~", ":", ":", ":", *"......", "6"]
    assert lines[13] == ["1", "~", "~", ":", *"........", "1"]


def test_text_shows_stacks_and_heroes() -> None:
    lines = rows(board_of(b4="N+FT", g12="c", k1="+I"))
    assert lines[10][2] == "(N+FT)"
    assert lines[1][7] == "c"
    assert lines[13][11] == "+I"


def test_text_columns_stay_aligned() -> None:
    lines = draw_text(board_of(b4="N+FT", g12="c")).split("\n")
    assert lines[0].index("g") == lines[1].index("c")


def test_text_says_who_is_to_move_and_how_far_the_deployment_is() -> None:
    board = board_of(b4="N+FT")
    assert draw_text(board, Marks(player=1)).endswith("\nBlue to move")
    origin = parse_point("b4")
    marks = Marks(player=0, origin=origin, unacted=0b110, selected=0b010)
    expected = "\nRed to move, deploying b4, +F T not yet acted, +F selected"
    assert draw_text(board, marks).endswith(expected)
    assert draw_text(board, Marks(player=0, caption="Red wins")).endswith("\nRed wins")


# --- pictures ---


def test_pieces_stand_on_their_points_in_their_sides_colour() -> None:
    board = board_of(a1="N", k12="c", f6="T")
    picture = draw_picture(board)
    for point in range(NUM_POINTS):
        name = f"{FILES[point % NUM_FILES]}{point // NUM_FILES + 1}"
        colors = pixels(picture, name, 0.3)
        is_red, is_blue = (share(colors, face) > 0.4 for face in (RED_FACE, BLUE_FACE))
        assert is_red == (name in ("a1", "f6")), name
        assert is_blue == (name == "k12"), name


def test_every_kind_has_its_own_picture() -> None:
    seen = set()
    for kind in range(1, NUM_KINDS + 1):
        board = board_of(e5=KIND_LETTERS[kind])
        seen.add(str(pixels(draw_picture(board), "e5")))
    assert len(seen) == NUM_KINDS


@pytest.mark.parametrize("pieces", ["NF", "NFT", "NTI", "NTT", "HC", "EG"])
def test_every_piece_of_a_stack_shows(pieces: str) -> None:
    whole = pixels(draw_picture(board_of(e5=pieces)), "e5")
    for missing in range(1, len(pieces)):
        fewer = pieces[:missing] + pieces[missing + 1 :]
        assert pixels(draw_picture(board_of(e5=fewer)), "e5") != whole


def test_heroic_pieces_are_golden() -> None:
    def gold(pieces: str) -> float:
        return share(pixels(draw_picture(board_of(e5=pieces)), "e5"), GOLD)

    assert gold("NFT") == 0
    assert gold("NF+T") > 0.005
    assert gold("N+F+T") > 1.5 * gold("NF+T")
    assert gold("+NFT") > 0.02


def test_deployment_greys_what_has_acted_and_rings_what_is_selected() -> None:
    board, origin = board_of(e5="NFT", e9="NFT"), parse_point("e5")
    picture = draw_picture(board, Marks(0, origin, unacted=0b110, selected=0b010))
    assert share(pixels(picture, "e5"), GREYED_RED, 6) > 0.2
    assert share(pixels(picture, "e5"), WHITE, 2) > 0.01
    assert share(pixels(picture, "e9"), GREYED_RED, 6) == 0
    assert share(pixels(picture, "e9"), WHITE, 2) == 0


def test_last_move_lights_its_two_points() -> None:
    board = board_of(e9="T", h3="t")
    plain = draw_picture(board)
    lit = draw_picture(board, Marks(last_move=(parse_point("e7"), parse_point("e9"))))
    for name in ("e7", "e9", "e8"):
        assert pixels(lit, name) != pixels(plain, name)
    for name in ("h3", "d7", "e11"):
        assert pixels(lit, name, 0.3) == pixels(plain, name, 0.3)


@pytest.mark.parametrize("heroic", [False, True])
@pytest.mark.parametrize(("kind", "radius"), [(ANTI_AIRCRAFT, 1), (NAVY, 1), (MISSILE, 2)])
def test_zones_reach_exactly_the_points_of_r8_1(kind: int, radius: int, heroic: bool) -> None:
    center = parse_point("f6")
    board = np.zeros(NUM_POINTS, np.uint16)
    board[center] = make_stack([piece_code(kind, heroic)], 1)
    plain, shown = draw_picture(board), draw_picture(board, Marks(zones=(1,)))
    reach = (radius + heroic) ** 2
    for point in range(NUM_POINTS):
        rank, file = divmod(point, NUM_FILES)
        dx, dy = file - center % NUM_FILES, rank - center // NUM_FILES
        name = f"{FILES[file]}{rank + 1}"
        covered = pixels(shown, name, 0.02) != pixels(plain, name, 0.02)
        assert covered == (0 < dx * dx + dy * dy <= reach), name
    assert np.array_equal(draw_picture(board, Marks(zones=(0,))), plain)


def test_passengers_project_no_zone() -> None:
    board = board_of(f6="eg")
    assert np.array_equal(draw_picture(board, Marks(zones=(1,))), draw_picture(board))


def test_a_caption_changes_nothing_on_the_board() -> None:
    board = board_of(e5="T")
    plain, named = draw_picture(board), draw_picture(board, Marks(player=0))
    assert plain.shape == named.shape
    assert not np.array_equal(plain, named)
    assert np.array_equal(plain[:-60], named[:-60])


def test_svg_shows_what_the_picture_shows() -> None:
    def letters(board: Board) -> list[str]:
        root = ET.fromstring(draw_svg(board))
        texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
        return sorted(text for text in texts if text in KIND_LETTERS)

    assert letters(board_of()) == []
    assert letters(board_of(b4="N+FT", g12="c")) == ["C", "F", "N", "T"]
    root = ET.fromstring(draw_svg(board_of()))
    height, width, _ = draw_picture(board_of()).shape
    assert (root.attrib["width"], root.attrib["height"]) == (str(width), str(height))
