"""Ratings.

What is checked: published ratings of 1987's baseball teams; two players in closed form; ratings of
simulated games; intervals that hold the truth as often as they say; given ratings stay; clean
sweeps stay finite; groups that have not met are refused; Wilson's interval and Elo differences.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from training.rating import (
    RatingError,
    elo_difference,
    expected_score,
    fit_ratings,
    score_interval,
)

# A. Agresti, Categorical Data Analysis (2nd edition), tables 10.10 and 10.11: wins of the row's
# team against the column's, and the strengths that Bradley–Terry gives the teams, Baltimore 0.
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],  # Milwaukee
        [6, 0, 7, 5, 11, 9, 9],  # Detroit
        [4, 6, 0, 7, 7, 8, 12],  # Toronto
        [6, 8, 6, 0, 6, 7, 10],  # New York
        [6, 2, 6, 7, 0, 7, 12],  # Boston
        [4, 4, 5, 6, 6, 0, 6],  # Cleveland
        [2, 4, 1, 3, 1, 7, 0],  # Baltimore
    ],
    float,
)
STRENGTHS = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]
Tables = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
NATURAL = math.log(10) / 400


def test_published_ratings() -> None:
    fitted = fit_ratings(BASEBALL, BASEBALL + BASEBALL.T, {6: 0.0}, prior_games=0)
    assert np.round(fitted.elo * NATURAL, 2).tolist() == STRENGTHS
    # "The standard errors are about 0.3."
    errors = fitted.margins[:6] * NATURAL / 1.959964
    assert np.round(errors, 1).tolist() == [0.3] * 6
    assert fitted.margins[6] == 0


def two(points: float, num_games: float) -> Tables:
    """Tables of two players, the first of whom has those points."""
    table = np.array([[0, points], [num_games - points, 0]])
    return table, np.array([[0, num_games], [num_games, 0]])


@pytest.mark.parametrize(("points", "num_games"), [(75, 100), (50, 100), (3.5, 10), (1, 400)])
def test_two_players_in_closed_form(points: float, num_games: float) -> None:
    """d = 400 log10(s / (1 − s)), with standard error 400 / ln 10 / sqrt(n s (1 − s))."""
    share = points / num_games
    fitted = fit_ratings(*two(points, num_games), {1: 100.0}, prior_games=0)
    assert fitted.elo[0] - 100 == pytest.approx(400 * math.log10(share / (1 - share)), abs=1e-6)
    error = 1 / NATURAL / math.sqrt(num_games * share * (1 - share))
    assert fitted.margins[0] == pytest.approx(1.959964 * error)
    assert fitted.high[0] - fitted.low[0] == pytest.approx(2 * fitted.margins[0])


def test_prior_is_one_drawn_game() -> None:
    """20 : 0 counts as 20½ : ½."""
    fitted = fit_ratings(*two(20, 20), {1: 0.0})
    assert fitted.elo[0] == pytest.approx(400 * math.log10(41))
    huge = fit_ratings(*two(1_000_000, 1_000_000), {1: 0.0})
    assert huge.elo[0] == pytest.approx(400 * math.log10(2_000_001))


def test_draws_are_half_wins() -> None:
    wins = fit_ratings(*two(60, 80), {1: 0.0})
    assert fit_ratings(*two(40 + 40 / 2, 80), {1: 0.0}).elo[0] == wins.elo[0]


def test_without_a_prior_a_clean_sweep_has_no_rating() -> None:
    with pytest.raises(RatingError, match="no finite value"):
        fit_ratings(*two(20, 20), {1: 0.0}, prior_games=0)


def test_given_ratings_stay_and_others_lie_between_them() -> None:
    """Even scores against 0 and 400 put a player at 200."""
    points = np.array([[0, 30, 10], [10, 0, 0], [30, 0, 0]], float)
    games = np.array([[0, 40, 40], [40, 0, 0], [40, 0, 0]], float)
    fitted = fit_ratings(points, games, {1: 0.0, 2: 400.0})
    assert fitted.elo.tolist() == [pytest.approx(200), 0, 400]
    assert fitted.margins[1:].tolist() == [0, 0]


def test_groups_that_have_not_met_are_refused() -> None:
    points, games = np.zeros((4, 4)), np.zeros((4, 4))
    for one, other in ((0, 1), (2, 3)):
        points[one, other], games[one, other], games[other, one] = 5, 10, 10
        points[other, one] = 5
    with pytest.raises(RatingError, match="agent 3 of 4 has not met anyone"):
        fit_ratings(points, games, {0: 0.0})
    # A bridge of one game joins them.
    points[1, 2], games[1, 2], games[2, 1] = 1, 1, 1
    assert np.isfinite(fit_ratings(points, games, {0: 0.0}).elo).all()


def simulated(truth: list[float], num_games: int, rng: np.random.Generator) -> Tables:
    n = len(truth)
    points, games = np.zeros((n, n)), np.zeros((n, n))
    for one in range(n):
        for other in range(one + 1, n):
            score = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
            points[one, other] = rng.binomial(num_games, score)
            points[other, one] = num_games - points[one, other]
            games[one, other] = games[other, one] = num_games
    return points, games


def test_ratings_of_simulated_games() -> None:
    truth = [0.0, 150.0, -200.0, 480.0, 300.0]
    fitted = fit_ratings(*simulated(truth, 20_000, np.random.default_rng(0)), {0: 0.0})
    np.testing.assert_allclose(fitted.elo, truth, atol=8)
    assert (fitted.margins[1:] < 8).all()


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth, rng, hits = [0.0, 100.0, -150.0], np.random.default_rng(1), []
    for _ in range(400):
        fitted = fit_ratings(*simulated(truth, 60, rng), {0: 0.0})
        hits.append((fitted.low <= truth) & (truth <= fitted.high))
    shares = np.mean(hits, axis=0)[1:]
    assert ((shares > 0.92) & (shares < 0.98)).all()


@pytest.mark.parametrize(
    ("points", "num_games", "low", "high"),
    [(0, 0, 0, 1), (50, 100, 0.404, 0.596), (100, 100, 0.963, 1), (0, 100, 0, 0.037)],
)
def test_score_intervals(points: float, num_games: int, low: float, high: float) -> None:
    assert score_interval(points, num_games) == pytest.approx((low, high), abs=1e-3)


def test_score_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    for truth in (0.5, 0.8, 0.95):
        points = rng.binomial(60, truth, 2000)
        hits = [low <= truth <= high for low, high in (score_interval(p, 60) for p in points)]
        assert np.mean(hits) > 0.92


def test_elo() -> None:
    assert elo_difference(0.5, 100) == 0
    assert elo_difference(10 / 11, 1000) == pytest.approx(400)
    assert elo_difference(0.2, 100) == pytest.approx(-elo_difference(0.8, 100))
    assert 0 < elo_difference(1, 10) < elo_difference(1, 100)
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(0) == 0.5
