"""What the README shows must work: its Python blocks run as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=[block.split("\n")[0] for block in BLOCKS])
def test_python_blocks_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each block stands alone and prints something; those about positions a board with ranks."""
    exec(compile(code, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    expected = {"GameRecord": "T3,5_5,5 1", "banqi_v0": "(35, 4, 8)"}  # 35 planes on 4 × 8
    assert next((text for word, text in expected.items() if word in code), "12") in shown


def test_the_blocks_were_found() -> None:
    """A block in another form would never run: the environment's and a position's are there."""
    assert ["commander_chess_v0" in BLOCKS[0], "Position" in BLOCKS[1]] == [True, True]


@pytest.mark.parametrize("target", re.findall(r"\]\(((?!http)[^)]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    """Links to files of the project, and to headings in them."""
    file, _, heading = target.partition("#")
    text = (ROOT / file).read_text(encoding="utf-8") if heading else ""
    headings = [re.sub(r"[^\w\- ]", "", line) for line in re.findall(r"^#+ (.+)$", text, re.M)]
    assert (ROOT / file).exists()
    assert not heading or heading in [line.lower().replace(" ", "-") for line in headings]
