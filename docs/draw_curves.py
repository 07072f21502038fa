"""Draws the curves of a run: `python -m docs.draw_curves runs/x/evaluation.csv curves.svg`.

Above the rating on the anchors' scale with its 95 % interval, below the score against each anchor,
both over self-play games. Needs matplotlib (`pip install '.[docs]'`).
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from training.rating import score_interval


def main(source: Path, target: Path) -> None:
    """Writes the picture; the same table gives the same bytes.

    Args:
        source: a table as training writes it.
        target: an SVG file.
    """
    mpl.rcParams["svg.hashsalt"] = "cotulenh"
    rows = list(csv.DictReader(source.read_text(encoding="utf-8").splitlines()))
    figure = Figure(figsize=(7.5, 7), layout="constrained")
    ratings, scores = figure.subplots(2, sharex=True)
    once = list({row["iteration"]: row for row in rows}.values())
    games = [int(row["games"]) for row in once]
    low, elo, high = ([float(row[name]) for row in once] for name in ("elo_low", "elo", "elo_high"))
    ratings.plot(games, elo, marker="o")
    ratings.fill_between(games, low, high, alpha=0.2)
    ratings.set_ylabel("Elo above random")
    for anchor in dict.fromkeys(row["anchor"] for row in rows):
        own = [row for row in rows if row["anchor"] == anchor]
        counts = [[int(row[name]) for name in ("wins", "draws", "losses")] for row in own]
        points = [wins + draws / 2 for wins, draws, _ in counts]
        score = [mine / sum(all_) for mine, all_ in zip(points, counts, strict=True)]
        ends = [score_interval(mine, sum(all_)) for mine, all_ in zip(points, counts, strict=True)]
        (line,) = scores.plot(games, score, marker="o", label=anchor)
        scores.fill_between(games, *zip(*ends, strict=True), alpha=0.12, color=line.get_color())
    scores.set(ylabel="score, with 95 % interval", xlabel="games played in training", ylim=(0, 1))
    scores.legend(loc="best")
    for axes in (ratings, scores):
        axes.grid(alpha=0.3)
    figure.savefig(target, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
