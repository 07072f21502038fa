"""What came of a match: its games, and how often each result was seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from cotulenh_env.played_game import PlayedGame
from training.rating import score_interval


@dataclass(frozen=True)
class GameResult:
    """One game of a match.

    Attributes:
        seat: the player that the first agent was, 0 or 1.
        outcome: 1, 0 or -1 for the first agent.
        reason: why the game ended, in the rules' word.
        num_turns: its length in turns of both sides, the opening included.
        points: official points of the first agent and of its opponent at the end; zeros in games
            that count none.
        played: start and actions, if they were to be kept.
    """

    seat: int
    outcome: int
    reason: str
    num_turns: int
    points: tuple[float, float] = (0.0, 0.0)
    played: PlayedGame | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, in the order of their openings, from the first agent's view."""

    games: tuple[GameResult, ...]

    def count(self, outcome: int, seat: int | None = None) -> int:
        """Games of that outcome, 1, 0 or -1, in one seat or in both."""
        return sum(game.outcome == outcome and seat in (None, game.seat) for game in self.games)

    @property
    def points(self) -> float:
        """Wins plus half the draws."""
        return self.count(1) + self.count(0) / 2

    @property
    def score(self) -> float:
        """Points per game, in [0, 1]."""
        return self.points / max(len(self.games), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The score's 95 % interval."""
        return score_interval(self.points, len(self.games))

    @property
    def official_points(self) -> tuple[float, float]:
        """The match score of the rules (R10.6): each agent's points, summed over the games."""
        return (
            sum(game.points[0] for game in self.games),
            sum(game.points[1] for game in self.games),
        )

    def reasons(self) -> Counter[tuple[int, str]]:
        """Number of games by (outcome, reason)."""
        return Counter((game.outcome, game.reason) for game in self.games)

    def game_counts(self) -> tuple[int, int, int]:
        """Losses, draws and wins."""
        return self.count(-1), self.count(0), self.count(1)

    def pair_counts(self) -> tuple[int, int, int, int, int]:
        """Openings played with both colours, by the points they gave: 0, ½, 1, 1½ and 2.

        Of a match with colours swapped; a last opening that was played once is left out.
        """
        pairs = zip(self.games[::2], self.games[1::2], strict=False)
        counts = Counter(one.outcome + other.outcome for one, other in pairs)
        return counts[-2], counts[-1], counts[0], counts[1], counts[2]
