"""Sequential probability ratio test: a match that stops as soon as its question is answered.

The question is whether the first agent is `elo1` better than the second rather than `elo0`. The
log-likelihood ratio is that of the generalised test: each hypothesis only says what the mean score
is, and is given the likeliest distribution of results that has this mean (M. Van den Bergh, "The
generalized maximum likelihood ratio for the expectation value of a distribution", as computed by
fishtest, which tests Stockfish). With colours swapped the result of a *pair* of games is looked at:
both are played from one opening, so they depend on each other, while pairs do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from training.errors import ConfigError
from training.rating import expected_score

_UNSEEN = 1e-3
"""Results that have not been seen count this often, or no mean beyond them would be possible."""

_MAX_ELO = 1000


@dataclass(frozen=True)
class SPRTSettings:
    """The two hypotheses, and how often each may be accepted wrongly.

    Attributes:
        elo0: difference in Elo under the hypothesis H0.
        elo1: the same under H1, more than `elo0`.
        alpha: probability that H1 is accepted although H0 is true.
        beta: probability that H0 is accepted although H1 is true.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -_MAX_ELO <= self.elo0 < self.elo1 <= _MAX_ELO:  # also false for NaN
            raise ConfigError(
                f"the differences of an SPRT are from -{_MAX_ELO} to {_MAX_ELO}, the first less "
                f"than the second, got {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 1e-6 <= value < 0.5:
                raise ConfigError(f"{name} of an SPRT is from 1e-6 to below 0.5, got {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of H1 to H0, see `log_likelihood_ratio`."""
        return log_likelihood_ratio(counts, self.elo0, self.elo1)

    def decision(self, llr: float) -> str | None:
        """`H0` or `H1`, whichever is accepted, None while the match has to go on."""
        low, high = self.bounds
        if llr >= high:
            return "H1"
        return "H0" if llr <= low else None


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The generalised log-likelihood ratio of two differences in Elo.

    Args:
        counts: how often each result was seen, from the worst to the best, evenly spaced: losses,
            draws, wins of games; or pairs of games with 0, ½, 1, 1½ and 2 points.
        elo0: the difference under H0, in logistic Elo.
        elo1: the same under H1.

    Returns:
        Above 0 where `elo1` is the likelier, 0 without results.
    """
    num_results = sum(counts)
    if num_results == 0:
        return 0.0
    padded = [count if count > 0 else _UNSEEN for count in counts]
    shares = [count / sum(padded) for count in padded]
    ratio = 0.0
    null, alternative = (_likeliest(shares, expected_score(elo)) for elo in (elo0, elo1))
    for share, p0, p1 in zip(shares, null, alternative, strict=True):
        ratio += share * math.log(p1 / p0)
    return sum(padded) * ratio


def _likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The likeliest probabilities of results that were seen with these shares, given their mean.

    They are share / (1 + x · (result − mean)) for the one x that gives them that mean.
    """
    distances = [index / (len(shares) - 1) - mean for index in range(len(shares))]
    low, high = -1 / distances[-1], -1 / distances[0]

    def surplus(x: float) -> float:  # falls from +∞ to −∞ between the two ends
        return sum(
            share * distance / (1 + x * distance)
            for share, distance in zip(shares, distances, strict=True)
        )

    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if surplus(middle) > 0:
            low = middle
        else:
            high = middle
    x = (low + high) / 2
    return [share / (1 + x * distance) for share, distance in zip(shares, distances, strict=True)]
