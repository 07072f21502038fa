"""`cotulenh record`: checks files of game records, and writes them in another form."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import jsonargparse

from cotulenh_env import game_records
from cotulenh_env.commander import (
    GameRecord,
    NotationStyle,
    load_records,
    read_records,
    save_records,
    validate_records,
    write_records,
)
from cotulenh_env.errors import RecordError
from cotulenh_env.game import Game
from cotulenh_env.record_source import is_arrays_file
from cotulenh_env.registry import game_names, load_game
from cotulenh_env.rules_text import rules_text
from cotulenh_env.whole_file import write_whole_text
from training.commands.arguments import check_file
from training.commands.output import tell
from training.config_file import normalise_flags
from training.errors import ConfigError
from training.plain_yaml import plain_parser

_LETTERS = "english (the default) or vietnamese"
_COORDINATES = "axes (3,5; the default) or points (f4)"


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Returns:
        0 when every game is sound, else 2.

    Raises:
        CotulenhError: the file of arrays cannot be read, or a flag makes no sense.
        OSError: a file cannot be opened or written.
    """
    parser = plain_parser(
        "cotulenh record",
        "Replay the games of a file of records, text or .npz, and tell what is wrong "
        "with them; with --out, write them anew.",
    )
    parser.add_argument("file", type=str, help="records as text, or as arrays when it ends in .npz")
    parser.add_argument(
        "--game", type=str, default="commander", help=f"one of {', '.join(game_names())}"
    )
    parser.add_argument(
        "--out", type=str, default=None, help="where to write them: text, or .npz; - is the screen"
    )
    for name, words in (("letters", _LETTERS), ("coordinates", _COORDINATES)):
        parser.add_argument(
            f"--{name}", type=str, default=None, help=f"of Commander Chess: {words}"
        )
    parsed = parser.parse_args(normalise_flags(argv))
    game = load_game(parsed.game)
    _check_out(parsed.out, parsed.file)
    _check_game(game, parsed.file)
    if game.game_writer() is None:
        return _run_generic(game, parsed)
    style = NotationStyle(parsed.letters or "english", parsed.coordinates or "axes")
    for name in ("letters", "coordinates"):
        if parsed[name] is not None and (parsed.out is None or is_arrays_file(parsed.out)):
            raise ConfigError(f"--{name} {parsed[name]} says how --out writes text: name a text")
    records = _read(parsed.file)
    if records is None:
        return 2
    if parsed.out is None:
        tell(*(f"game {number}: {_summary(record)}" for number, record in enumerate(records, 1)))
        return 0
    _write(parsed.out, records, style)
    return 0


def _run_generic(game: Game, parsed: jsonargparse.Namespace) -> int:
    """The same for games whose records have the form that all games share."""
    for name in ("letters", "coordinates"):
        if parsed[name] is not None:
            raise ConfigError(f"--{name}: games of {game.spec.name} have no notation of their own")
    if is_arrays_file(parsed.file):
        records = game_records.load_records(parsed.file)
    else:
        records = game_records.read_records(Path(parsed.file))
    for number, record in enumerate(records, 1):
        if record.game != game.spec.name:
            raise RecordError(f"game {number} is one of {record.game}, not of {game.spec.name}")
    if parsed.out is None:
        tell(*(f"game {number}: {_generic_summary(one)}" for number, one in enumerate(records, 1)))
    elif parsed.out == "-":
        tell(game_records.write_records(records), end="")
    elif is_arrays_file(parsed.out):
        game_records.save_records(parsed.out, records, game=game.spec.name)
    else:
        text = game_records.write_records(records)
        write_whole_text(Path(parsed.out), text, RecordError)
    return 0


def _check_game(game: Game, file: str) -> None:
    """Refuses records of another game, which would be read as bad ones of this."""
    named: str | None
    if is_arrays_file(file):
        named = game_records.game_of_file(file)
    else:
        tags = game_records.first_tags(Path(file))
        # Only Commander Chess has records of its own form, without the tag.
        named = tags.get("Game", "commander" if "Format" in tags else None)
    if named in game_names() and named != game.spec.name:
        raise RecordError(f"{file} holds games of {named}: use --game {named}")


def _read(file: str) -> list[GameRecord] | None:
    """The games, or None after the errors of a text have been printed."""
    if is_arrays_file(file):
        return load_records(file)
    errors = validate_records(Path(file))
    for error in errors:
        print(f"cotulenh record: {error}", file=sys.stderr)
    return None if errors else read_records(Path(file))


def _write(out: str, records: list[GameRecord], style: NotationStyle) -> None:
    if out == "-":
        tell(write_records(records, style), end="")
        return
    if is_arrays_file(out):
        save_records(out, records)
    else:
        write_whole_text(Path(out), write_records(records, style), RecordError)


def _check_out(out: str | None, source: str) -> None:
    if out is None or out == "-":
        return
    if os.path.exists(out) and os.path.exists(source) and os.path.samefile(out, source):
        raise ConfigError(f"--out {out} is the file that is read: name another")
    check_file("out", out)


def _summary(record: GameRecord) -> str:
    rules = f"{record.rules.edition} {record.rules.battle}"
    return f"{_players(record.tags)}{rules}, {len(record.turns)} turns, {_end(record)}"


def _generic_summary(record: game_records.GameRecord) -> str:
    words = [rules_text(record.rules), f"{len(record.played)} actions"]
    told = ", ".join(word for word in words if word)
    return f"{_players(record.tags)}{told}, {_end(record)}"


def _players(tags: Sequence[tuple[str, str]]) -> str:
    names = dict(tags)
    return f"{names['Red']} – {names['Blue']}, " if {"Red", "Blue"} <= names.keys() else ""


def _end(record: GameRecord | game_records.GameRecord) -> str:
    return f"{record.result} ({record.reason})" if record.reason else record.result
