"""Drawing primitives: pixels where shapes are, smooth edges, well-formed SVG, aligned text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from cotulenh_env.render.canvas import Canvas, arrow, star
from cotulenh_env.render.raster import RasterCanvas, text_picture
from cotulenh_env.render.svg import SvgCanvas
from cotulenh_env.render.text import text_grid

WHITE, RED, BLUE = (255, 255, 255), (200, 0, 0), (0, 0, 200)


def test_shapes_cover_their_pixels_and_no_others() -> None:
    canvas = RasterCanvas(60, 40, WHITE)
    canvas.rectangle(5, 5, 10, 20, RED)
    canvas.circle(40, 20, 10, BLUE)
    picture = canvas.picture()
    assert picture.shape == (40, 60, 3)
    assert picture.dtype == np.uint8
    is_red = (picture == RED).all(axis=2)
    assert np.argwhere(is_red).min(axis=0).tolist() == [5, 5]
    assert np.argwhere(is_red).max(axis=0).tolist() == [24, 14]
    rows, columns = np.mgrid[:40, :60]
    distance = np.hypot(rows + 0.5 - 20, columns + 0.5 - 40)
    assert (picture[distance < 9] == BLUE).all()
    assert (picture[(distance > 11) & ~is_red] == WHITE).all()


def test_edges_are_smooth() -> None:
    canvas = RasterCanvas(40, 40, WHITE)
    canvas.line([(5, 5), (35, 20)], (0, 0, 0), 3)
    shades = np.unique(canvas.picture()[:, :, 0])
    assert len(shades) > 4


def test_outline_lies_on_both_sides_of_its_circle() -> None:
    canvas = RasterCanvas(40, 40, WHITE)
    canvas.circle(20, 20, 10, None, RED, 4)
    row = canvas.picture()[20]
    assert (row[[8, 9, 10, 11]] == RED).all()
    assert (row[[6, 14, 20]] == WHITE).all()


def test_opacity_blends() -> None:
    canvas = RasterCanvas(10, 10, WHITE)
    canvas.rectangle(0, 0, 10, 10, (0, 0, 0, 51))
    assert abs(int(canvas.picture()[5, 5, 0]) - 204) <= 1


def test_a_copied_canvas_is_independent() -> None:
    canvas = RasterCanvas(10, 10, WHITE)
    twin = canvas.copy()
    twin.rectangle(0, 0, 10, 10, RED)
    assert (canvas.picture() == WHITE).all()
    assert (twin.picture() == RED).all()


def test_pictures_are_never_overwritten() -> None:
    canvas = RasterCanvas(10, 10, WHITE)
    picture = canvas.picture()
    canvas.rectangle(0, 0, 10, 10, RED)
    assert (picture == WHITE).all()
    assert picture.flags.writeable


def test_capitals_are_centred() -> None:
    canvas = RasterCanvas(60, 60, WHITE)
    canvas.text(30, 30, "H", 40, (0, 0, 0))
    ink = np.argwhere(canvas.picture()[:, :, 0] < 128)
    assert abs(ink.min(axis=0) + ink.max(axis=0) - 59).max() <= 2


def test_text_pictures_have_cells_of_one_width() -> None:
    def ink(text: str) -> np.ndarray:
        is_dark: np.ndarray = text_picture(text)[:, :, 0] < 128
        return is_dark

    assert ink("iiii").shape == ink("WWWW").shape
    assert ink("i\ni").shape[0] > ink("i").shape[0]
    # The last letter stands at the same place, whatever stands before it.
    assert np.array_equal(ink("iiiA")[:, -20:], ink("W  A")[:, -20:])
    assert not ink("   ").any()
    assert ink("A").any()


def test_svg_is_well_formed_and_escaped() -> None:
    canvas = SvgCanvas(100, 50, WHITE)
    canvas.text(10, 10, "a < b & c", 12, RED, bold=True)
    canvas.rectangle(1, 2, 3.25, 4, (1, 2, 3, 51), radius=2)
    root = ET.fromstring(canvas.svg())
    space = "{http://www.w3.org/2000/svg}"
    assert root.attrib["viewBox"] == "0 0 100 50"
    text = root.find(f"{space}text")
    assert text is not None
    assert text.text == "a < b & c"
    rectangle = root.findall(f"{space}rect")[1]
    assert rectangle.attrib["width"] == "3.25"
    assert rectangle.attrib["fill"] == "#010203"
    assert rectangle.attrib["fill-opacity"] == "0.2"


def draw_one_of_each(canvas: Canvas) -> None:
    canvas.polygon([(0, 0), (5, 0), (5, 5)], RED, BLUE, 1)
    canvas.polygon([(0, 0), (5, 0), (5, 5)], None, BLUE, 1)
    canvas.line([(0, 0), (5, 5)], RED, 2)
    canvas.circle(5, 5, 3, RED)
    canvas.circle(5, 5, 3, None, BLUE, 1)
    canvas.rectangle(0, 0, 2, 2, RED)
    canvas.text(5, 5, "A", 5, RED)


def test_both_canvases_take_the_same_drawing() -> None:
    svg = SvgCanvas(10, 10, WHITE)
    draw_one_of_each(svg)
    assert len(ET.fromstring(svg.svg())) == 8
    raster = RasterCanvas(10, 10, WHITE)
    draw_one_of_each(raster)
    assert (raster.picture() != WHITE).any()


def test_star_and_arrow_have_their_size() -> None:
    corners = np.array(star(10, 20, 5))
    assert np.hypot(*(corners[::2] - (10, 20)).T) == pytest.approx(np.full(5, 5))
    assert corners[0] == pytest.approx((10, 15))
    outline = np.array(arrow((0, 0), (0, 100), 10, 20))
    assert outline[:, 1].min() == pytest.approx(20)
    assert outline[:, 1].max() == pytest.approx(80)


def test_text_grid_aligns_columns_to_the_widest_text() -> None:
    cells = [[".", "(NF)"], ["x", "."]]
    grid = text_grid(cells, ["10", "9"], ["a", "b"], {0: ["~", "~"]})
    assert grid.split("\n") == [
        "     a     b",
        "10   .    (NF)  10",
        "     ~     ~",
        " 9   x     .    9",
        "     a     b",
    ]
