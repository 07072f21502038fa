"""Chance: what is announced is what happens.

- outcomes are different events, of probabilities that sum to one
- a draw leads to the outcome in whose share it lies, so events are as frequent as announced
- without chance, draws change nothing and are not needed
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.games import Course


def test_outcomes_are_probabilities_of_events(course: Course) -> None:
    game, chosen = course.game, course.some(300)
    outcomes = game.chance_outcomes(course.states[chosen], course.actions[chosen])
    assert len(outcomes) == len(chosen)
    for events, probabilities in outcomes:
        assert events.dtype == np.int32
        assert len(set(events.tolist())) == len(events) == len(probabilities) > 0
        assert (probabilities > 0).all()
        assert probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert game.spec.has_chance == any(len(events) > 1 for events, _ in outcomes)


def test_draws_lead_to_the_outcome_in_whose_share_they_lie(course: Course) -> None:
    """Both ends and the middle of every share; and the draws with which games were played."""
    game, chosen = course.game, course.some(300)
    outcomes = game.chance_outcomes(course.states[chosen], course.actions[chosen])
    for index, (events, probabilities) in zip(chosen, outcomes, strict=True):
        ends = np.concatenate([[0], np.cumsum(probabilities)])
        fell = int(np.searchsorted(ends[1:-1], course.draws[index], side="right"))
        assert course.events[index] == events[fell]
        first, last = ends[:-1] + 1e-9, ends[1:] - 1e-9
        draws = np.stack([first, (first + last) / 2, last], axis=1).reshape(-1)
        states = course.states[index][None].repeat(len(draws), 0)
        after, told = game.apply(states, course.actions[index].repeat(len(draws)), draws)
        assert told.tolist() == events.repeat(3).tolist()
        # An event says all that chance has done.
        assert np.array_equal(after, after[::3].repeat(3, 0))


def test_without_chance_draws_change_nothing(course: Course) -> None:
    game, chosen = course.game, course.some(300)
    if game.spec.has_chance:
        return
    after, events = game.apply(course.states[chosen], course.actions[chosen])
    assert np.array_equal(after, course.after[chosen])
    assert np.array_equal(events, course.events[chosen])
    if not game.spec.has_hidden_information:
        assert not course.events.any()
