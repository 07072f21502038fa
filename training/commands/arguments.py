"""Flags that several subcommands share: the game, the options of its rules, files to write."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_type_hints

import docstring_parser
import jsonargparse

from cotulenh_env.errors import shown
from cotulenh_env.game import Game
from cotulenh_env.registry import game_names, load_game
from cotulenh_env.whole_file import check_writable
from training.config_file import normalise_flags, take_flags
from training.errors import ConfigError
from training.plain_yaml import plain_parser


def game_parser(
    prog: str, description: str, argv: Sequence[str]
) -> tuple[jsonargparse.ArgumentParser, Game, list[str]]:
    """A parser with `--game` and one flag per option of that game's rules.

    Args:
        prog: the program's name, such as `cotulenh perft`.
        description: its help.
        argv: the arguments; `--game` is read from them first.

    Returns:
        The parser, the game, and the arguments to parse.

    Raises:
        UnknownGameError: there is no such game.
    """
    flags = normalise_flags(argv)
    game = load_game(take_flags(flags, "game")[0]["game"] or "commander")
    parser = plain_parser(prog, description)
    parser.add_argument(
        "--game", type=str, default="commander", help=f"one of {', '.join(game_names())}"
    )
    rules = game.make_rules()
    group = parser.add_argument_group(f"rules of {game.spec.name}")
    hints = get_type_hints(type(rules))
    explained = docstring_parser.parse(type(rules).__doc__ or "").params
    meanings = {param.arg_name: param.description for param in explained}
    for item in dataclasses.fields(rules):
        group.add_argument(
            f"--{item.name}",
            type=hints[item.name],
            default=getattr(rules, item.name),
            help=meanings.get(item.name),
        )
    return parser, game, flags


def chosen_rules(game: Game, parsed: jsonargparse.Namespace) -> Any:
    """The game's RuleSet from parsed flags.

    Raises:
        RulesError: an option makes no sense.
    """
    names = [item.name for item in dataclasses.fields(game.make_rules())]
    return game.make_rules(**{name: parsed[name] for name in names})


def check_file(flag: str, path: str | None) -> None:
    """Makes sure, before the work, that a file can be written after it.

    Raises:
        ConfigError: it cannot.
    """
    if path is None:
        return
    if not path:
        raise ConfigError(f"--{flag} {shown(path)} names no file")
    _check_writable(flag, path, Path(path))


def make_folder(flag: str, path: str) -> None:
    """Makes a folder, and sure that files can be written into it.

    Raises:
        ConfigError: they cannot.
        OSError: the folder cannot be made.
    """
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    _check_writable(flag, path, folder / "file")


def _check_writable(flag: str, path: str, file: Path) -> None:
    try:
        check_writable(file, ConfigError)
    except ConfigError as error:
        raise ConfigError(f"--{flag}: {error}") from None
    except OSError as error:
        raise ConfigError(
            f"--{flag} {shown(path)} cannot be written: {error.strerror or error}"
        ) from None
