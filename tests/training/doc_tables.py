"""The tables of docs/training.md from the declarations in code.

`python -m tests.training.doc_tables` writes them into the page after a change.
"""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path
from typing import Any, get_type_hints

import docstring_parser

from training import metrics
from training.config import TrainConfig

DOCS = Path(__file__).parents[2] / "docs" / "training.md"


def settings_table() -> list[str]:
    """Lines of the table of settings."""
    lines = ["| setting | default | meaning |", "|---|---|---|", *_rows(TrainConfig, "")]
    hints = get_type_hints(TrainConfig)
    for item in dataclasses.fields(TrainConfig):
        if dataclasses.is_dataclass(hints[item.name]):
            lines += _rows(hints[item.name], f"{item.name}.")
    return lines


def tags_table() -> list[str]:
    """Lines of the table of TensorBoard tags."""
    tags = metrics.SCALARS | metrics.SCALAR_FAMILIES | metrics.IMAGES
    return [
        "| tag | meaning |",
        "|---|---|",
        *(f"| `{tag}` | {text} |" for tag, text in tags.items()),
    ]


def _rows(settings: Any, prefix: str) -> list[str]:
    meanings = {
        param.arg_name: " ".join((param.description or "").split()).rstrip(".")
        for param in docstring_parser.parse(settings.__doc__).params
    }
    hints = get_type_hints(settings)
    return [
        f"| `{prefix}{item.name}` | {_default(item)} | {meanings[item.name]} |"
        for item in dataclasses.fields(settings)
        if not dataclasses.is_dataclass(hints[item.name])
    ]


def _default(item: dataclasses.Field[Any]) -> str:
    if item.default_factory is not dataclasses.MISSING:
        made = item.default_factory()
        return f"[{', '.join(made)}]" if isinstance(made, list) else "–"
    if item.default is dataclasses.MISSING or item.default is None:
        return "–"
    return str(item.default).lower() if isinstance(item.default, bool) else f"{item.default}"


def table_in(text: str, first_line: str) -> list[str]:
    """The lines of the table that begins with a line."""
    lines = text.splitlines()
    rows = lines[lines.index(first_line) :]
    return list(itertools.takewhile(lambda line: line.startswith("|"), rows))


if __name__ == "__main__":
    page = DOCS.read_text(encoding="utf-8")
    for table in (settings_table(), tags_table()):
        page = page.replace("\n".join(table_in(page, table[0])), "\n".join(table))
    DOCS.write_text(page, encoding="utf-8")
