"""`cotulenh record`: checks files of game records, and writes them in another form."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import jsonargparse

from cotulenh_env.commander import (
    GameRecord,
    NotationStyle,
    load_records,
    read_records,
    save_records,
    validate_records,
    write_records,
)
from training.config_file import normalise_flags
from training.errors import ConfigError

_ARRAYS = ".npz"


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Returns:
        0 when every game is sound, else 2.

    Raises:
        CotulenhError: the file of arrays cannot be read, or a flag makes no sense.
        OSError: a file cannot be opened or written.
    """
    parser = jsonargparse.ArgumentParser(
        prog="cotulenh record",
        description="Replay the games of a file of records, text or .npz, and tell what is wrong "
        "with them; with --out, write them anew.",
        exit_on_error=False,
        allow_abbrev=False,
    )
    parser.add_argument("file", type=str, help="records as text, or as arrays when it ends in .npz")
    parser.add_argument(
        "--out", type=str, default=None, help="where to write them: text, or .npz; - is the screen"
    )
    parser.add_argument("--letters", type=str, default="english", help="english or vietnamese")
    parser.add_argument("--coordinates", type=str, default="axes", help="axes (3,5) or points (f4)")
    parsed = parser.parse_args(normalise_flags(argv))
    style = NotationStyle(parsed.letters, parsed.coordinates)
    records = _read(parsed.file)
    if records is None:
        return 2
    if parsed.out is None:
        for number, record in enumerate(records, 1):
            print(f"game {number}: {_summary(record)}")
        return 0
    _write(parsed.out, records, style, parsed.file)
    return 0


def _read(file: str) -> list[GameRecord] | None:
    """The games, or None after the errors of a text have been printed."""
    if file.endswith(_ARRAYS):
        return load_records(file)
    errors = validate_records(Path(file))
    for error in errors:
        print(f"cotulenh record: {error}", file=sys.stderr)
    return None if errors else read_records(Path(file))


def _write(out: str, records: list[GameRecord], style: NotationStyle, source: str) -> None:
    if out == "-":
        print(write_records(records, style), end="")
        return
    if os.path.exists(out) and os.path.samefile(out, source):
        raise ConfigError(f"--out {out} is the file that is read: name another")
    if out.endswith(_ARRAYS):
        save_records(out, records)
    else:
        Path(out).write_text(write_records(records, style), encoding="utf-8", newline="\n")


def _summary(record: GameRecord) -> str:
    tags = dict(record.tags)
    players = f"{tags['Red']} – {tags['Blue']}, " if {"Red", "Blue"} <= tags.keys() else ""
    reason = f" ({record.reason})" if record.reason else ""
    rules = f"{record.rules.edition} {record.rules.battle}"
    return f"{players}{rules}, {len(record.turns)} turns, {record.result}{reason}"
