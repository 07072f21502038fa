"""`evaluation.csv` in the folder of a run: every evaluation as rows, one for each anchor.

    iteration, games, positions, seconds    of the run so far
    anchor, wins, draws, losses, score      the network's games against one anchor
    elo, elo_low, elo_high, scale           the network's rating on all anchors, with its interval

The file is replaced as a whole, so it is never half written; a resumed run drops what lies ahead
of its checkpoint and writes it again.
"""

from __future__ import annotations

import contextlib
import csv
import io
import logging
from collections.abc import Mapping
from pathlib import Path

from training.anchors import AnchoredRating
from training.match_result import MatchResult

logger = logging.getLogger(__name__)

COLUMNS = (
    "iteration", "games", "positions", "seconds", "anchor", "wins", "draws", "losses", "score",
    "elo", "elo_low", "elo_high", "scale",
)  # fmt: skip
_MAX_BYTES = 64 << 20


class EvaluationFile:
    """The table; warns once and goes quiet if it cannot be read or written.

    Args:
        path: of the file; made by the first evaluation.
        first_iteration: rows from here on are dropped.
    """

    def __init__(self, path: Path, first_iteration: int) -> None:
        self._path = path
        self._rows: list[list[str]] = []
        self._is_usable = True
        try:
            self._rows = self._read()
            if self._drop_from(first_iteration):
                self._replace()
        except (OSError, UnicodeDecodeError, ValueError, csv.Error) as error:
            self._give_up(error)

    def write(
        self,
        iteration: int,
        num_games: int,
        num_positions: int,
        seconds: float,
        results: Mapping[str, MatchResult],
        rating: AnchoredRating,
    ) -> None:
        """Writes one evaluation, in place of older ones of this iteration and later ones.

        Args:
            iteration: of the run.
            num_games: games of self-play finished since the start.
            num_positions: positions played and kept since the start.
            seconds: time spent on the run.
            results: by anchor, from the network's view.
            rating: what they amount to.
        """
        if not self._is_usable:
            return
        self._drop_from(iteration)
        for anchor, result in results.items():
            losses, draws, wins = result.game_counts()
            numbers = (iteration, num_games, num_positions, f"{seconds:.1f}")
            counts = (anchor, wins, draws, losses, f"{result.score:.4f}")
            elo = (f"{rating.elo:.1f}", f"{rating.low:.1f}", f"{rating.high:.1f}", rating.scale)
            self._rows.append([str(value) for value in (*numbers, *counts, *elo)])
        try:
            self._replace()
        except OSError as error:
            self._give_up(error)

    def _read(self) -> list[list[str]]:
        if not self._path.exists():
            return []
        if self._path.stat().st_size > _MAX_BYTES:
            raise ValueError("it is too large")
        rows = list(csv.reader(io.StringIO(self._path.read_text(encoding="utf-8"))))
        if not rows or tuple(rows[0]) != COLUMNS:
            raise ValueError("it has other columns")
        if not all(len(row) == len(COLUMNS) and row[0].isdecimal() for row in rows[1:]):
            raise ValueError("it has rows of another form")
        return rows[1:]

    def _drop_from(self, iteration: int) -> bool:
        kept = [row for row in self._rows if int(row[0]) < iteration]
        has_dropped = len(kept) < len(self._rows)
        self._rows = kept
        return has_dropped

    def _replace(self) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *self._rows])
        temporary = self._path.with_suffix(".csv.tmp")
        try:
            temporary.write_text(text.getvalue(), encoding="utf-8")
            temporary.replace(self._path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    def _give_up(self, error: Exception) -> None:
        self._is_usable = False
        logger.warning(
            "%s cannot be kept (%s): training goes on without it",
            self._path,
            getattr(error, "strerror", None) or error,
        )
