"""docs/banqi.md says what is so.

- its Python blocks run as written
- its tables of captures, options and planes are those of the code, its positions can be read
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.observation import PLANES
from cotulenh_env.banqi.pieces import TYPE_NAMES

TEXT = (Path(__file__).parents[2] / "docs" / "banqi.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_blocks_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "banqi.md", "exec"), {})
    shown = capsys.readouterr().out
    assert re.search(r"4  .* 4\n3  .* 3\n", shown)
    assert "1. flip" in shown or "'e4-e3'" in shown


def test_table_of_captures() -> None:
    entries = {True: "yes", False: ""}
    for row, kind in enumerate(TYPE_NAMES):
        standard, other = RuleSet().captures[row], RuleSet(preset="taiwanese").captures[row]
        cells = [
            entries[bool(here)] if here == there else "*"
            for here, there in zip(standard, other, strict=True)
        ]
        (line,) = re.findall(rf"^ +\| {kind}(?: \(by jumping\))? \|(.*)\|$", TEXT, re.MULTILINE)
        assert [cell.strip() for cell in line.split("|")] == cells


def test_table_of_options() -> None:
    section = TEXT.split("## Options")[1].split("## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(names) == sorted(field.name for field in fields(RuleSet))


def test_table_of_planes() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*?) \| (.*?) \|$", TEXT, re.MULTILINE)
    assert rows == [
        (str(index), plane.name, plane.meaning, plane.rule) for index, plane in enumerate(PLANES)
    ]


def test_positions() -> None:
    block = TEXT.split("```text\n????")[1].split("```")[0]
    for line in ("????" + block).strip().split("\n"):
        fen = re.split(r" {2,}", line)[0]
        assert Position.from_fen(fen).fen() == fen
