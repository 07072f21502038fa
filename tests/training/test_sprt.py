"""Sequential tests.

What is checked: log-likelihood ratios that fishtest published; closed forms; Wald's bounds; both
kinds of error in simulated matches; settings that make no sense.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from training.errors import ConfigError
from training.rating import expected_score
from training.sprt import SPRTSettings, log_likelihood_ratio


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "published"),
    [
        # Pull requests of Stockfish in 2020, by number; bounds in logistic Elo. Results of pairs:
        # 0, ½, 1, 1½ and 2 points.
        ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),  # 2971, short time control
        ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),  # 2971, long
        ((424, 2948, 5832, 3045, 460), -1, 3, 2.94),  # 2493
        ((59, 754, 2467, 865, 75), -0.5, 1.5, 2.95),  # 2951
        ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),  # 3098
        ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),  # 3209, short
        ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),  # 3209, long
    ],
)
def test_published_ratios(pairs: Sequence[int], elo0: float, elo1: float, published: float) -> None:
    assert round(log_likelihood_ratio(pairs, elo0, elo1), 2) == published


def test_two_results_in_closed_form() -> None:
    """Wins and losses alone: W ln(p1/p0) + L ln((1 − p1)/(1 − p0))."""
    p0, p1 = expected_score(0), expected_score(20)
    expected = 60 * math.log(p1 / p0) + 40 * math.log((1 - p1) / (1 - p0))
    assert log_likelihood_ratio((40, 60), 0, 20) == pytest.approx(expected)
    # With draws possible but unseen nearly the same.
    assert log_likelihood_ratio((40, 0, 60), 0, 20) == pytest.approx(expected, abs=1e-3)


def test_ratio_grows_with_the_score_and_turns_with_it() -> None:
    ratios = [log_likelihood_ratio((50 - n, 20, 30 + n), -10, 10) for n in range(0, 50, 5)]
    assert ratios == sorted(ratios)
    assert log_likelihood_ratio((40, 20, 40), -10, 10) == pytest.approx(0, abs=1e-9)
    forth, back = (log_likelihood_ratio(c, -5, 5) for c in ((30, 20, 50), (50, 20, 30)))
    assert forth == pytest.approx(-back)
    assert log_likelihood_ratio((0, 0, 0), 0, 10) == 0


def test_one_sided_results_are_no_proof_at_once() -> None:
    """Ten won pairs in a row say little about 0 or 10 Elo: ln(p1/p0) = 0.028 each."""
    assert log_likelihood_ratio((0, 0, 0, 0, 10), 0, 10) == pytest.approx(0.284, abs=0.01)


def test_bounds_are_walds() -> None:
    """ln 19 = 2.944 for errors of 5 %."""
    low, high = SPRTSettings().bounds
    assert [low, high] == pytest.approx([-2.944, 2.944], abs=1e-3)
    settings = SPRTSettings(0, 10, alpha=0.01, beta=0.2)
    assert list(settings.bounds) == pytest.approx([math.log(0.2 / 0.99), math.log(80)])
    decisions = [settings.decision(llr) for llr in (-1.7, -1.5, 0, 4.3, 4.4)]
    assert decisions == ["H0", None, None, None, "H1"]


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (60.0, "H0")])
def test_errors_are_as_rare_as_asked(elo: float, wrong: str) -> None:
    """Matches with a third of draws, of agents that differ by what one hypothesis says."""
    settings, rng = SPRTSettings(0, 60, 0.1, 0.1), np.random.default_rng(0)
    win = expected_score(elo) - 1 / 6
    decisions = []
    for _ in range(300):
        counts = np.zeros(3, int)
        for outcome in rng.choice(3, size=3000, p=[1 - win - 1 / 3, 1 / 3, win]):
            counts[outcome] += 1
            if counts.sum() % 8 == 0:
                decision = settings.decision(settings.llr(counts.tolist()))
                if decision is not None:
                    decisions.append(decision)
                    break
    assert len(decisions) == 300
    assert 0.02 < np.mean([decision == wrong for decision in decisions]) < 0.13


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((10, 10), "the first less than the second, got 10 and 10"),
        ((10, 0), "the first less"),
        ((math.nan, 10), "the first less"),
        ((0, math.inf), "from -1000 to 1000"),
        ((0, 10, 0, 0.05), "alpha of an SPRT is from 1e-6 to below 0.5, got 0"),
        ((0, 10, 0.05, 0.5), "beta of an SPRT"),
        ((0, 10, math.nan, 0.05), "alpha of an SPRT"),
    ],
)
def test_settings_that_make_no_sense(arguments: tuple[float, ...], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        SPRTSettings(*arguments)
