"""Tournaments: who plays whom, all results, and the ratings that they amount to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Game
from training.arena import MatchSettings, Pair, match_batches, played_batches
from training.match_result import GameResult, MatchResult
from training.rating import Ratings, fit_ratings

Pairing = tuple[int, int]


@dataclass(frozen=True)
class Standing:
    """One agent's line in the final table.

    Attributes:
        index: of the agent.
        elo: its rating.
        low: lower end of the 95 % interval.
        high: upper end.
        wins: number of games.
        draws: number of games.
        losses: number of games.
        official_points: points of the rules, summed over its games.
    """

    index: int
    elo: float
    low: float
    high: float
    wins: int
    draws: int
    losses: int
    official_points: float

    @property
    def num_games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins plus half the draws, per game."""
        return (self.wins + self.draws / 2) / max(self.num_games, 1)


@dataclass(frozen=True)
class TournamentResult:
    """Results of all matches.

    Attributes:
        labels: of the agents.
        matches: by (first, second), from the first agent's view.
        anchor: index of the agent whose rating is given.
        anchor_elo: that rating.
    """

    labels: Sequence[str]
    matches: dict[Pairing, MatchResult]
    anchor: int = 0
    anchor_elo: float = 0.0

    def ratings(self) -> Ratings:
        """The likeliest ratings of all agents.

        Raises:
            RatingError: the agents fall into groups that have not met.
        """
        points, num_games = self.crosstable()
        return fit_ratings(points, num_games, {self.anchor: self.anchor_elo})

    def crosstable(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Points of the row's agent against the column's, and games between them.

        Returns:
            Two float64 [n, n].
        """
        n = len(self.labels)
        points, num_games = np.zeros((n, n)), np.zeros((n, n))
        for (first, second), result in self.matches.items():
            points[first, second] += result.points
            points[second, first] += len(result.games) - result.points
            num_games[first, second] += len(result.games)
            num_games[second, first] += len(result.games)
        return points, num_games

    def standings(self) -> list[Standing]:
        """All agents, the strongest first; equal ones in their order."""
        ratings = self.ratings()
        counts = np.zeros((len(self.labels), 3), np.int64)
        official = np.zeros(len(self.labels))
        for (first, second), result in self.matches.items():
            losses, draws, wins = result.game_counts()
            own, other = result.official_points
            counts[first] += (wins, draws, losses)
            counts[second] += (losses, draws, wins)
            official[first] += own
            official[second] += other
        order = np.argsort(-ratings.elo, kind="stable")
        return [
            Standing(
                index=int(index),
                elo=float(ratings.elo[index]),
                low=float(ratings.low[index]),
                high=float(ratings.high[index]),
                wins=int(counts[index, 0]),
                draws=int(counts[index, 1]),
                losses=int(counts[index, 2]),
                official_points=float(official[index]),
            )
            for index in order
        ]


def pairings(num_agents: int, gauntlet: bool) -> list[Pairing]:
    """Who plays whom: everybody against everybody, or the first agent against all others."""
    firsts = range(1 if gauntlet else num_agents)
    return [(first, second) for first in firsts for second in range(first + 1, num_agents)]


def play_pairing(
    game: Game,
    pairing: Pairing,
    pairs: Sequence[Pair],
    settings: MatchSettings,
    seed: int,
    rules: Any = None,
) -> Iterator[MatchResult]:
    """Plays one match of a tournament, and yields its result so far after every batch.

    Its games depend on the seed and the two agents' places in the list, not on the other matches.

    Args:
        game: the game.
        pairing: the two agents' places.
        pairs: the two agents, once for every thread.
        settings: how to play.
        seed: of the tournament.
        rules: the RuleSet, or None for the default.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=pairing))
    games: list[GameResult] = []
    with closing(
        played_batches(game, pairs, match_batches(settings, rng), settings, rules)
    ) as played:
        for results in played:
            games += results
            yield MatchResult(tuple(games))
