"""`cotulenh bench`: how fast and how large everything is here, beside other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cotulenh_env.whole_file import write_whole_text
from training.allocator import keep_freed_memory
from training.bench.report import as_json, as_text
from training.bench.settings import BenchSettings
from training.bench.suite import GROUPS, check_groups, run_bench
from training.commands.arguments import check_file
from training.commands.output import write_and_tell
from training.config_file import normalise_flags
from training.errors import ConfigError
from training.plain_yaml import plain_parser
from training.progress import Progress
from training.setting_checks import check_number

_MAX_SEED = 2**31 - 1
"""The peers take no larger one."""


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        ConfigError: a flag makes no sense, or names no file that can be written.
        OSError: the file cannot be written.
    """
    parser = plain_parser(
        "cotulenh bench",
        "Measure environments, rules, search, self-play, start-up and memory in one "
        "thread, beside chess of PettingZoo and OpenSpiel where the extra bench is installed: a "
        "few minutes, on a machine that does nothing else. docs/performance.md explains the "
        "figures.",
    )
    parser.add_argument("--full", action="store_true", help="growth curves, too: twice as long")
    parser.add_argument("--out", type=str, default=None, help="a JSON file for the results")
    parser.add_argument(
        "--only", type=str, nargs="+", default=None, help=f"some of {', '.join(GROUPS)}"
    )
    parser.add_argument("--seed", type=int, default=0, help="of all randomness")
    parsed = parser.parse_args(normalise_flags(argv))
    check_number("--seed", parsed.seed, 0, _MAX_SEED)
    check_groups(parsed.only or ())
    check_file("out", parsed.out)
    keep_freed_memory()
    progress = Progress()
    results = run_bench(
        BenchSettings(seed=parsed.seed), parsed.only, full=parsed.full, tell=progress.milestone
    )
    progress.close()

    def write() -> None:
        if parsed.out is not None:
            write_whole_text(Path(parsed.out), as_json(results), ConfigError)

    write_and_tell(as_text(results), write)
    return 0
