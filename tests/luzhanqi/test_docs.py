"""docs/luzhanqi.md says what is so: its blocks run, its tables and texts are those of the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from cotulenh_env.luzhanqi import FlipPosition, FlipRuleSet, RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.layouts import layout_text, parse_layout
from cotulenh_env.luzhanqi.observation import FLIP_PLANES, REFEREE_PLANES
from cotulenh_env.luzhanqi.pieces import CHIEF, COUNT, KIND_LETTERS, KIND_NAMES

TEXT = (Path(__file__).parents[2] / "docs" / "luzhanqi.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_blocks_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "luzhanqi.md", "exec"), {})
    assert "to move" in capsys.readouterr().out


def test_table_of_pieces() -> None:
    rows = re.findall(r"^\| `(\w)` \| (\w+) \S+ \| (\d?) \| (\d) \|$", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(
        (
            KIND_LETTERS[kind],
            KIND_NAMES[kind],
            str(kind) if kind <= CHIEF else "",
            str(COUNT[kind]),
        )
        for kind in range(1, 13)
    )


def test_table_of_options() -> None:
    section = TEXT.split("## Options")[1].split("## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|", section, re.MULTILINE)
    flip = {field.name for field in fields(FlipRuleSet)}
    referee = {field.name for field in fields(RefereeRuleSet)}
    modes = {(True, True): "both", (True, False): "flip", (False, True): "referee"}
    assert sorted(rows) == sorted(
        (name, modes[name in flip, name in referee]) for name in flip | referee
    )


def test_tables_of_planes() -> None:
    section = TEXT.split("## Observation planes")[1].split("## Positions")[0]
    parts = section.split("### Planes of the referee mode")
    for part, planes in zip(parts, (FLIP_PLANES, REFEREE_PLANES), strict=True):
        rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*?) \|$", part, re.MULTILINE)
        assert rows == [(str(i), plane.name, plane.meaning) for i, plane in enumerate(planes)]


def test_texts() -> None:
    section = TEXT.split("## Positions, moves")[1]
    first, second = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    start, middle, referee = first.strip().split("\n")
    assert FlipPosition().fen() == start
    assert FlipPosition.from_fen(middle).fen() == middle
    assert RefereePosition.from_fen(referee).fen().startswith(referee)
    assert layout_text(parse_layout(second)) == second.strip()
