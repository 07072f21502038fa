"""Elo: what a score means as a difference, how sure it is, and ratings fitted to many results.

Ratings follow the model of Bradley and Terry in Elo's units: an agent that is rated d above its
opponent scores 1 / (1 + 10^(−d/400)) a game, a draw being half a win. They are fitted by maximum
likelihood, as Bayeselo and Ordo do, with a small prior: every two agents that have met are given
`PRIOR_GAMES` drawn games on top, without which an agent that has won every game would have no
finite rating. Intervals come from the curvature of the likelihood (Fisher information).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError

PRIOR_GAMES = 1.0
"""Drawn games that every two agents that have met are given."""

_Z95 = 1.959964
"""Standard deviations of a two-sided 95 % interval."""
_ELO = 400 / math.log(10)
"""Elo of one unit of the logistic scale."""
_MAX_STEPS = 200
_MAX_STEP = 3.0
_TOLERANCE = 1e-10


class RatingError(CotulenhError):
    """The results do not say how strong somebody is."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of agents, on a scale that some of them fix.

    Attributes:
        elo: float64 [n].
        margins: float64 [n]: half the width of the 95 % intervals; 0 where the rating was given.
    """

    elo: npt.NDArray[np.float64]
    margins: npt.NDArray[np.float64]

    @property
    def low(self) -> npt.NDArray[np.float64]:
        """Lower ends of the 95 % intervals, float64 [n]."""
        return self.elo - self.margins

    @property
    def high(self) -> npt.NDArray[np.float64]:
        """Upper ends of the 95 % intervals, float64 [n]."""
        return self.elo + self.margins


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


def expected_score(difference: float) -> float:
    """The score that a difference in Elo predicts, in [0, 1]."""
    return 1 / (1 + 10 ** (-difference / 400))


def fit_ratings(
    points: npt.NDArray[np.float64],
    num_games: npt.NDArray[np.float64],
    given: Mapping[int, float],
    prior_games: float = PRIOR_GAMES,
) -> Ratings:
    """The likeliest ratings.

    Args:
        points: float64 [n, n]: wins plus half the draws of the row's agent against the column's.
        num_games: float64 [n, n], symmetric: games between them.
        given: Elo of the agents whose rating is fixed, by index; at least one.
        prior_games: drawn games added to every two agents that have met; 0 is plain maximum
            likelihood.

    Raises:
        RatingError: an agent has met neither an agent with a given rating nor anyone who has, and
            so on; or without a prior some rating is infinite.
    """
    met = num_games > 0
    np.fill_diagonal(met, False)
    games = np.where(met, num_games + prior_games, 0.0)
    scored = np.where(met, points + prior_games / 2, 0.0)
    elo = np.zeros(len(points))
    for index, value in given.items():
        elo[index] = value
    free = np.array([index for index in range(len(points)) if index not in given], np.int64)
    _check_connected(met, set(given), free)
    if len(free) == 0:
        return Ratings(elo, np.zeros(len(points)))
    strengths = elo / _ELO
    strengths[free] = strengths[list(given)].mean()
    for _ in range(_MAX_STEPS):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        surplus = (scored - games * expected).sum(axis=1)[free]
        information = _information(games * expected * (1 - expected), free)
        try:
            step = np.linalg.solve(information, surplus)
        except np.linalg.LinAlgError:
            break
        largest = float(np.abs(step).max())
        strengths[free] += step * min(1.0, _MAX_STEP / max(largest, _TOLERANCE))
        if largest < _TOLERANCE:
            margins = np.zeros(len(points))
            margins[free] = _Z95 * _ELO * np.sqrt(np.diag(np.linalg.inv(information)))
            elo[free] = strengths[free] * _ELO
            return Ratings(elo, margins)
    raise RatingError(
        "the ratings have no finite value: somebody has won or lost every game, and no prior is set"
    )


def _information(weights: npt.NDArray[np.float64], free: npt.NDArray[np.int64]) -> Any:
    """The Fisher information of the free strengths, float64 [k, k]."""
    return (np.diag(weights.sum(axis=1)) - weights)[np.ix_(free, free)]


def _check_connected(
    met: npt.NDArray[np.bool_], known: set[int], free: npt.NDArray[np.int64]
) -> None:
    reached, border = set(known), list(known)
    while border:
        for other in np.flatnonzero(met[border.pop()]):
            if int(other) not in reached:
                reached.add(int(other))
                border.append(int(other))
    for index in free:
        if int(index) not in reached:
            raise RatingError(
                f"agent {int(index) + 1} of {len(met)} has not met anyone whose rating is known, "
                "not even through others"
            )
