"""The tables of docs/alphabeta.md are the declarations in code.

`python -m tests.agents.alphabeta.test_docs` writes them into the page after a change.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import docstring_parser
import pytest

from agents.alphabeta import AlphaBetaSettings, EvaluationWeights
from tests.training.doc_tables import table_in

PAGE = Path(__file__).parents[3] / "docs" / "alphabeta.md"
TABLES = {"option": AlphaBetaSettings, "weight": EvaluationWeights}


def lines_of(word: str) -> list[str]:
    """The table of a dataclass: its fields with their defaults and meanings."""
    declared = TABLES[word]
    meanings = {
        param.arg_name: " ".join((param.description or "").split()).rstrip(".")
        for param in docstring_parser.parse(declared.__doc__ or "").params
    }
    return [
        f"| {word} | default | meaning |",
        "|---|---|---|",
        *(
            f"| `{field.name}` | {'–' if field.default is None else field.default} "
            f"| {meanings[field.name]} |"
            for field in dataclasses.fields(declared)
        ),
    ]


@pytest.mark.parametrize("word", TABLES)
def test_tables_are_as_declared(word: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert table_in(page, f"| {word} | default | meaning |") == lines_of(word)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    for name in TABLES:
        lines = lines_of(name)
        text = text.replace("\n".join(table_in(text, lines[0])), "\n".join(lines))
    PAGE.write_text(text, encoding="utf-8")
