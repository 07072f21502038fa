"""A tournament's outcome on the screen, as CSV, and for TensorBoard."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from agents.specs import AgentSpec
from training.anchors import tag_name
from training.tournament import TournamentResult

_CHECKPOINT = re.compile(r"(\d{1,9})(-\d+)?")

CSV_COLUMNS = (
    "rank", "agent", "elo", "low", "high", "games", "wins", "draws", "losses", "score",
    "official_points",
)  # fmt: skip
"""Behind them stands a column for every opponent, with `points/games`."""


def rating_table(result: TournamentResult) -> str:
    """One line per agent, the strongest first: rating with its 95 % interval, games, score."""
    standings = result.standings()
    width = max(len("agent"), *map(len, result.labels))
    lines = [
        f"{'#':>3} {'agent':<{width}} {'Elo':>6} {'95 % interval':>16} {'games':>6} {'wins':>6} "
        f"{'draws':>6} {'losses':>6} {'score':>6}"
    ]
    for rank, line in enumerate(standings, 1):
        interval = f"{line.low:+.0f} to {line.high:+.0f}"
        if line.index == result.anchor:
            interval = "given"
        lines.append(
            f"{rank:>3} {result.labels[line.index]:<{width}} {line.elo:>+6.0f} {interval:>16} "
            f"{line.num_games:>6} {line.wins:>6} {line.draws:>6} {line.losses:>6} "
            f"{line.score:>6.1%}"
        )
    return "\n".join(lines)


def crosstable(result: TournamentResult) -> str:
    """Points and games of every agent against every other, in the order of `rating_table`."""
    rows = [[cell or "–" for cell in row] for row in _cells(result)]
    labels = [result.labels[line.index] for line in result.standings()]
    width = max(map(len, labels))
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    widths = [max(own, len(str(place))) for place, own in enumerate(widths, 1)]
    heading = " ".join(f"{place:>{own}}" for place, own in enumerate(widths, 1))
    lines = [f"{'':>3} {'':<{width}} {heading}"]
    for place, (label, row) in enumerate(zip(labels, rows, strict=True), 1):
        cells = " ".join(f"{cell:>{own}}" for cell, own in zip(row, widths, strict=True))
        lines.append(f"{place:>3} {label:<{width}} {cells}")
    return "\n".join(lines)


def csv_text(result: TournamentResult, comments: Sequence[str]) -> str:
    """Ratings and crosstable as CSV, the comments first, each on one line behind `#`."""
    text = io.StringIO()
    for comment in comments:
        letters = (
            letter if letter.isprintable() else letter.encode("unicode_escape").decode()
            for letter in comment
        )
        text.write(f"# {''.join(letters)}\n")
    writer = csv.writer(text, lineterminator="\n")
    standings = result.standings()
    labels = [result.labels[line.index] for line in standings]
    writer.writerow([*CSV_COLUMNS, *labels])
    rows = _cells(result)
    for rank, (line, label, cells) in enumerate(zip(standings, labels, rows, strict=True), 1):
        elo = [f"{value:.1f}" for value in (line.elo, line.low, line.high)]
        counts = [line.num_games, line.wins, line.draws, line.losses]
        score = [f"{line.score:.4f}", f"{line.official_points:g}"]
        writer.writerow([rank, label, *elo, *counts, *score, *cells])
    return text.getvalue()


def write_events(folder: Path, result: TournamentResult, specs: Sequence[AgentSpec]) -> None:
    """Writes ratings and crosstable for TensorBoard.

    `tournament/elo_<agent>` with its interval's ends is a point at step 0, or for the checkpoint of
    a run `tournament/elo_<run>` at its iteration, so that its checkpoints make a curve.

    Args:
        folder: where TensorBoard looks.
        result: of the tournament.
        specs: of its agents.

    Raises:
        OSError: the folder cannot be written.
    """
    from training.event_file import EventFile  # TensorBoard is an extra

    file = EventFile(folder, 0)
    try:
        for line in sorted(result.standings(), key=lambda line: _series(specs[line.index])[1]):
            name, step = _series(specs[line.index])
            if name is None:
                name = tag_name(result.labels[line.index])
            file.scalar(f"tournament/elo_{name}", line.elo, step)
            file.scalar(f"tournament/elo_low_{name}", line.low, step)
            file.scalar(f"tournament/elo_high_{name}", line.high, step)
        tables = "\n\n".join([rating_table(result), crosstable(result)])
        indented = "\n".join(f"    {line}" for line in tables.splitlines())
        file.text("tournament/crosstable", indented, 0)
        file.flush()
    finally:
        file.close()


def _cells(result: TournamentResult) -> list[list[str]]:
    """The crosstable's cells, rows and columns by rating; empty where no game was played."""
    points, num_games = result.crosstable()
    order = [line.index for line in result.standings()]
    return [
        [
            f"{points[row, column]:g}/{num_games[row, column]:g}" if num_games[row, column] else ""
            for column in order
        ]
        for row in order
    ]


def _series(spec: AgentSpec) -> tuple[str | None, int]:
    """Run and iteration of a run's checkpoint; of any other agent none and 0."""
    path = Path(spec.name)
    match = _CHECKPOINT.fullmatch(path.name)
    if match is None or path.parent.name != "checkpoints":
        return None, 0
    others = "".join(f"_{name}_{value}" for name, value in spec.options.items())
    return tag_name(path.parent.parent.name + others), int(match[1])
