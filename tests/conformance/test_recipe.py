"""docs/adding_a_game.md names every method that a game has to have, and every test of the suite."""

from __future__ import annotations

import re
from pathlib import Path

from cotulenh_env.game import Game

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "adding_a_game.md").read_text(encoding="utf-8")
CODE = set(re.findall(r"`(\w+)`", TEXT))


def test_every_abstract_method_is_named() -> None:
    assert Game.__abstractmethods__ <= CODE


def test_every_module_of_the_suite_is_named() -> None:
    modules = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    assert modules - {Path(__file__).stem} == {name for name in CODE if name.startswith("test_")}


def test_named_files_are_there() -> None:
    """Those of the models that the text gives."""
    for name in re.findall(r"`((?:cotulenh_env|tests|training)/[\w/]+\.(?:py|csv))`", TEXT):
        assert (ROOT / name).is_file(), name
