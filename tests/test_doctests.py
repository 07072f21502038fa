"""What docstrings show is true: every example in the packages runs.

Modules with an example are found by their text, so that a new one is run without being named here.
"""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("cotulenh_env", "agents", "training")
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_the_examples_were_found() -> None:
    """If the search missed files, nothing would run: those that explain a Position are there."""
    assert {"cotulenh_env.commander.position", "cotulenh_env.commander.view"} <= set(MODULES)
