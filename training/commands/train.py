"""`cotulenh train`: trains by self-play, or resumes, and tells what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from training.allocator import keep_freed_memory
from training.commands.output import tell
from training.commands.tables import result_table
from training.config import parse_config
from training.loop import RunSummary, train
from training.progress import duration_text


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        CotulenhError: a setting, the run folder or its checkpoint cannot be used.
        TrainingError: the run had to stop.
        KeyboardInterrupt: Ctrl-C, after a checkpoint has been saved.
    """
    config = parse_config(argv)
    keep_freed_memory()
    tell(_closing_text(train(config)))
    return 0


def _closing_text(summary: RunSummary) -> str:
    counters, folder = summary.counters, summary.folder
    lines = [
        result_table({f"network against {name}": r for name, r in summary.results.items()}),
        "",
        f"rating            {summary.rating}",
        f"games played      {counters.num_games:,}",
        f"positions kept    {summary.num_positions:,}",
        f"positions learned {counters.num_samples:,}",
        f"time              {duration_text(counters.seconds)}",
        f"checkpoint        {folder.latest}",
        f"logs              tensorboard --logdir {folder.tensorboard}",
        f"play against it   cotulenh match --game {summary.game} --red {folder.path} --blue greedy",
    ]
    return "\n".join(lines)
