"""Recorded positions, games and counts, and how to read them."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

Case = dict[str, Any]


def read_lines(name: str) -> list[Case]:
    """The records of a file with one JSON object a line."""
    with open(FOLDER / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_document(name: str) -> list[Case]:
    """The records of a file that is one JSON list."""
    with open(FOLDER / name, encoding="utf-8") as file:
        records: list[Case] = json.load(file)
    return records


def read_object(name: str) -> Case:
    """A file that is one JSON object."""
    with open(FOLDER / name, encoding="utf-8") as file:
        record: Case = json.load(file)
    return record
