"""Resignation in self-play, and the watch over it.

A player resigns who begins `resign_turns` turns of its own in a row with a value of search below a
threshold. Who resigns might still not have lost, a *false positive*; so a share of the games is
played on to the end, and shows how often that would have happened:

    threshold    −0.80  −0.81  −0.82  …          what the first player below it came to
    game 7         1      1     −1    …          0: it lost, 1: it did not, −1: nobody was below

The threshold in force is the highest of these at which no more than `resign_max_false_positives` of
the recent games are wrong, one more wrong game than there were assumed. Where none is so good, and
before there are enough games (19 for 5 %), resignation is suspended: games that begin then are
played on, too. After Silver et al., "Mastering the game of Go without human knowledge", 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from training.self_play_settings import SelfPlaySettings

NUM_THRESHOLDS = 20
"""Thresholds that are watched, evenly from `resign_threshold` down to just above −1."""
NUM_RECORDS = 100
"""Games that a verdict rests on, the most recent ones."""
NOBODY = -1


class Resignation:
    """Of a batch of games side by side.

    Args:
        settings: `resign_threshold` and the others of that name.
        num_games: n.
    """

    def __init__(self, settings: SelfPlaySettings, num_games: int) -> None:
        self._settings = settings
        self.is_on = settings.resign_threshold is not None
        top = -1.0 if settings.resign_threshold is None else settings.resign_threshold
        steps = np.arange(NUM_THRESHOLDS) / NUM_THRESHOLDS
        self._thresholds = top - (1 + top) * steps
        # Values of each player's last turns; those before its first one as if it had been winning.
        self._values = np.ones((num_games, 2, settings.resign_turns))
        self._plays_on = np.zeros(num_games, np.bool_)
        self._first = np.full((num_games, NUM_THRESHOLDS), NOBODY, np.int8)
        # Oldest first; rows without anybody are no games.
        self._records = np.full((NUM_RECORDS, NUM_THRESHOLDS), NOBODY, np.int8)

    def begin(self, rows: npt.NDArray[np.intp], rng: np.random.Generator) -> None:
        """New games in these rows: draws which of them are played on, one number each."""
        if not self.is_on:
            return
        self._values[rows] = 1.0
        self._first[rows] = NOBODY
        drawn = rng.random(len(rows)) < self._settings.resign_playthrough_fraction
        self._plays_on[rows] = drawn | (self.threshold is None)

    def resigners(
        self,
        players: npt.NDArray[np.int32],
        values: npt.NDArray[np.float32],
        is_new_turn: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.int32]:
        """Takes note of the turns that begin.

        Args:
            players: int32 [n]: who is to move.
            values: float32 [n] in [-1, 1]: of the search, for that player.
            is_new_turn: bool [n]: only these rows count.

        Returns:
            int32 [n]: the player who resigns now, -1 where nobody does.
        """
        resigning = np.full(len(players), NOBODY, np.int32)
        if not self.is_on:
            return resigning
        rows = np.flatnonzero(is_new_turn)
        own = players[rows]
        turns = np.roll(self._values[rows, own], -1, axis=1)
        turns[:, -1] = values[rows]
        self._values[rows, own] = turns
        best = turns.max(axis=1)
        is_below = best[:, None] < self._thresholds
        first = self._first[rows]
        self._first[rows] = np.where((first == NOBODY) & is_below, own[:, None], first)
        threshold = self.threshold
        if threshold is not None:
            gives_up = (best < threshold) & ~self._plays_on[rows]
            resigning[rows[gives_up]] = own[gives_up]
        return resigning

    def finish(
        self, rows: npt.NDArray[np.intp], first_player_returns: npt.NDArray[np.float32]
    ) -> None:
        """Takes note of the results of games in these rows, those that nobody has resigned.

        Args:
            rows: int [k].
            first_player_returns: float32 [k]: 1, 0 or -1 for player 0.
        """
        is_watched = self._plays_on[rows] & (self._first[rows, 0] != NOBODY)
        first = self._first[rows[is_watched]]
        returns = first_player_returns[is_watched, None]
        own = np.where(first == 0, returns, -returns)
        made = np.where(first == NOBODY, NOBODY, own > -1).astype(np.int8)
        self._records = np.concatenate([self._records, made])[-NUM_RECORDS:]

    @property
    def threshold(self) -> float | None:
        """The threshold in force; None while resignation is suspended."""
        place = self._place
        return None if place is None else float(self._thresholds[place])

    @property
    def verdict(self) -> tuple[int, int]:
        """Recent games in which somebody would have resigned, and how many of them were wrong.

        By the threshold in force; while resignation is suspended, by `resign_threshold`.
        """
        column = self._records[:, self._place or 0]
        return int((column != NOBODY).sum()), int((column == 1).sum())

    @property
    def _place(self) -> int | None:
        num_games = (self._records != NOBODY).sum(axis=0)
        num_wrong = (self._records == 1).sum(axis=0)
        rates = (num_wrong + 1) / (num_games + 1)
        good = np.flatnonzero(rates <= self._settings.resign_max_false_positives)
        return int(good[0]) if len(good) else None

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All there is to know, for a file."""
        return {
            "plays_on": self._plays_on,
            "turn_values": self._values.reshape(len(self._values), -1),
            "first_resigners": self._first,
            "resign_records": self._records,
        }

    def load(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Takes back what `arrays` gave, checked by `read_games`."""
        self._plays_on = arrays["plays_on"].copy()
        self._values = arrays["turn_values"].reshape(self._values.shape).copy()
        self._first = arrays["first_resigners"].copy()
        self._records = arrays["resign_records"].copy()
