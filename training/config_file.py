"""Configuration files: found by path or shipped name, and checked before anything uses them."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from cotulenh_env.errors import shown
from training.errors import ConfigError
from training.plain_yaml import breaks_yaml, load_plain

_MAX_BYTES = 1 << 20
"""A configuration is a page of text; more than this is a mistake."""


def shipped_names() -> list[str]:
    """Names that `--config` takes beside paths."""
    entries = files("training.configs").iterdir()
    return sorted(entry.name[: -len(".yaml")] for entry in entries if entry.name.endswith(".yaml"))


def config_path(name: str) -> Path:
    """The file of a configuration given by path or by shipped name.

    Raises:
        ConfigError: there is no such file and no such shipped configuration.
    """
    path = Path(name)
    if path.is_dir():
        raise ConfigError(f"configuration {name} is a folder, not a file")
    is_plain_name = path.name == name and path.suffix not in (".yaml", ".yml")
    if is_plain_name and not path.is_file():
        if name in shipped_names():
            return Path(str(files("training.configs") / f"{name}.yaml"))
        close = difflib.get_close_matches(name, shipped_names(), 1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise ConfigError(
            f"--config {name!r} is no file and no shipped configuration: {hint}"
            f"shipped are {', '.join(shipped_names())}"
        )
    if not path.is_file():
        raise ConfigError(f"configuration {name} does not exist")
    return path


def read_mapping(path: Path) -> dict[str, Any]:
    """A configuration file as a mapping of plain values.

    Raises:
        ConfigError: too large, not YAML as `plain_yaml` takes it, or no mapping.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"configuration {path} is larger than {_MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"configuration {path} is not UTF-8 text: {error}") from error
    try:
        loaded = load_plain(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"configuration {path} is not valid YAML: {one_line(error)}") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, Mapping):
        raise ConfigError(
            f"configuration {path} must be a mapping of settings, got a {type(loaded).__name__}"
        )
    if not all(isinstance(key, str) for key in loaded):
        raise ConfigError(f"configuration {path} has a setting whose name is no text")
    return dict(loaded)


def normalise_flags(argv: Sequence[str]) -> list[str]:
    """Flags with `_` in their names: `--run-dir` and `--run_dir` are the same.

    Raises:
        ConfigError: a value can be read in no way.
    """
    flags = []
    for argument in argv:
        name, equals, value = argument.partition("=")
        if breaks_yaml(value if name.startswith("--") else argument):
            raise ConfigError(f"{shown(argument)} is neither text nor a value of YAML")
        if name.startswith("--"):
            name = "--" + name[2:].replace("-", "_")
        flags.append(name + equals + value)
    return flags


def take_flags(argv: Sequence[str], *names: str) -> tuple[dict[str, str | None], list[str]]:
    """Reads some flags ahead of the others, because the parser of the others depends on them.

    Args:
        argv: normalised arguments.
        names: the flags, without dashes.

    Returns:
        Their values, None where not given, and the remaining arguments.

    Raises:
        ArgumentError: one of them lacks its value.
    """
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    for name in names:
        parser.add_argument(f"--{name}")
    values, rest = parser.parse_known_args(argv)
    return vars(values), rest


def one_line(error: BaseException | str, limit: int = 300) -> str:
    """An error's message as one line of bounded length."""
    text = " ".join(str(error).split()) or type(error).__name__
    for pattern, replacement in _PARSER_WORDS:
        text = re.sub(pattern, replacement, text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


_PARSER_WORDS = (
    (r'Parser key "([^"]*)": ', r"\1: "),
    (r"Does not validate against any of the Union subtypes Subtypes: \[(.*?)\] Errors: .*?"
     r"Given value type: .*? Given value: ", r"Expected a \1. Got value: "),
    (r"<class '(\w+)'>", r"\1"),
    (r"typing\.Literal", "one of "),
    (r"Expected a (.*?)\. Got value: ", r"expected \1, got "),
)  # fmt: skip
"""What the parser says → what a user can read."""
