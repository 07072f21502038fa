"""The console script `cotulenh`: finds the subcommand, and turns errors into one line.

Nothing heavy is imported here; each subcommand lies in a module of `training.commands` with
`run(argv) -> int`, and is imported when it is called.

Exit codes: 0 done, 1 the run failed, 2 something the user gave was wrong, 130 interrupted.
"""

from __future__ import annotations

import difflib
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from training.interrupts import pass_over_signals

COMMANDS: dict[str, str] = {
    "train": "train a network by self-play, or resume a run",
    "match": "play two agents against each other",
    "tournament": "play any number of agents against each other, and rate them",
    "perft": "count sequences of actions",
    "record": "check game records, and convert them",
    "bench": "measure speed and memory, beside other libraries",
}
"""Subcommand → what it does. Its module is `training.commands.<name>`."""

_EXTRAS = {"torch": "train", "safetensors": "train", "tensorboard": "train", "pygame": "human"}
"""Top-level modules of optional dependencies → the extra that installs them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand.

    Args:
        argv: arguments after the program's name; None takes those of the process.

    Returns:
        The exit code.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not know a letter of ours
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        code = _dispatch(arguments)
        if sys.stdout is not None:  # as it is under `cotulenh … >&-`
            sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of our output has gone, as in `cotulenh perft … | head`
        _discard_output()
        return 1
    except OSError as error:  # the disk behind our output is full
        _discard_output()
        return _fail("cotulenh", f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        if argv is None:  # our own process, which takes a moment to end
            pass_over_signals()
        return 130


def _discard_output() -> None:
    """Sends what Python still holds back for the output nowhere, or it would try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: list[str]) -> int:
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help"):
        print(_help())
        return 0
    if name == "--version":
        print(f"cotulenh {version('cotulenh-env')}")
        return 0
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(COMMANDS)}"
        return _fail("cotulenh", f"unknown command {name!r}: {hint}")
    return _run_command(name, arguments[1:])


def _run_command(name: str, arguments: list[str]) -> int:
    program = f"cotulenh {name}"
    try:
        os.getcwd()
    except OSError as error:  # even imports would fail, in their own words
        return _fail(program, f"the working directory cannot be read: {error.strerror}")

    from jsonargparse import ArgumentError

    from cotulenh_env.errors import CotulenhError
    from training.config_file import one_line
    from training.errors import OutputError, TrainingError

    try:
        code: int = import_module(f"training.commands.{name}").run(arguments)
        return code
    except (BrokenPipeError, OutputError):
        raise
    except TrainingError as error:
        _fail(program, one_line(error))
        return 1
    except (CotulenhError, ArgumentError, UnicodeDecodeError) as error:
        return _fail(program, one_line(error))
    except OSError as error:
        where = f": {error.filename}" if error.filename is not None else ""
        return _fail(program, f"{error.strerror or one_line(error)}{where}")
    except MemoryError as error:
        _fail(program, f"not enough memory: {one_line(error)}")
        return 1
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        return _fail(program, f"{error.name} is not installed: pip install 'cotulenh-env[{extra}]'")


def _fail(program: str, message: str) -> int:
    print(f"{program}: {message}", file=sys.stderr)
    return 2


def _help() -> str:
    lines = ["usage: cotulenh COMMAND [FLAGS]", "", "commands:"]
    lines += [f"  {name:<12}{summary}" for name, summary in COMMANDS.items()]
    lines += [
        "",
        "cotulenh COMMAND --help lists the command's flags; cotulenh --version the version.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
