"""Scores of matches: how sure they are, and what they mean as a difference in Elo."""

from __future__ import annotations

import math

_Z95 = 1.959964
"""Standard deviations of a two-sided 95 % interval."""


def score_interval(points: float, num_games: int) -> tuple[float, float]:
    """The 95 % interval of an expected score, by Wilson's formula.

    A draw counts as half a win. Games are taken as independent with two outcomes, which is
    cautious: draws make the true interval narrower. It is honest at 0 and 1 too.

    Args:
        points: wins plus half the draws.
        num_games: games played; 0 gives (0, 1).

    Returns:
        The lower and upper end, in [0, 1].
    """
    if num_games == 0:
        return 0.0, 1.0
    score = points / num_games
    spread = _Z95**2 / num_games
    centre = (score + spread / 2) / (1 + spread)
    half = math.sqrt(spread * score * (1 - score) + spread**2 / 4) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def elo_difference(score: float, num_games: int) -> float:
    """The difference in Elo that predicts a score.

    Args:
        score: expected score in [0, 1].
        num_games: games behind it; a clean sweep is read as half a game short of one.

    Returns:
        Elo of the scorer above the opponent.
    """
    margin = 0.5 / max(num_games, 1)
    bounded = min(max(score, margin), 1 - margin)
    return 400 * math.log10(bounded / (1 - bounded))
