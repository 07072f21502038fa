"""`cotulenh bench`: how fast and how large everything is here, beside other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jsonargparse

from training.allocator import keep_freed_memory
from training.bench.report import as_json, as_text
from training.bench.settings import BenchSettings
from training.bench.suite import GROUPS, check_groups, run_bench
from training.config_file import normalise_flags
from training.progress import Progress
from training.setting_checks import check_number

_MAX_SEED = 2**31 - 1
"""The peers take no larger one."""


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        ConfigError: a flag makes no sense.
        OSError: the file cannot be written.
    """
    parser = jsonargparse.ArgumentParser(
        prog="cotulenh bench",
        description="Measure environments, rules, search, self-play, start-up and memory in one "
        "thread, beside chess of PettingZoo and OpenSpiel where the extra bench is installed: a "
        "few minutes, on a machine that does nothing else. docs/performance.md explains the "
        "figures.",
        exit_on_error=False,
        allow_abbrev=False,
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
    out = None if parsed.out is None else Path(parsed.out)
    if out is not None:
        out.open("a", encoding="utf-8").close()  # tells now, not after minutes, that it cannot be
    keep_freed_memory()
    progress = Progress()
    results = run_bench(
        BenchSettings(seed=parsed.seed), parsed.only, full=parsed.full, tell=progress.milestone
    )
    progress.close()
    print(as_text(results))
    if out is not None:
        out.write_text(as_json(results), encoding="utf-8")
    return 0
