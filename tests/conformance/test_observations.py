"""Observations: of the declared shape and dtype, in bounds, from both sides, always."""

from __future__ import annotations

import numpy as np

from tests.conformance.games import Course


def test_shape_dtype_and_bounds(course: Course) -> None:
    """Of either player at any time, after the end, too."""
    game = course.game
    states = course.some_states(300)
    assert len(game.spec.observation_shape) == 3
    assert game.spec.observation_shape[1:] == game.spec.board_shape
    for player in (0, 1):
        players = np.full(len(states), player, np.int32)
        planes = game.observe(states, players)
        assert planes.dtype == np.float32
        assert planes.shape == (len(states), *game.spec.observation_shape)
        assert planes.min() >= 0
        assert planes.max() <= 1
        out = np.full_like(planes, np.nan)
        assert game.observe(states, players, out) is out
        assert np.array_equal(out, planes)


def test_every_game_of_the_course_can_be_told_apart_by_whoever_moves(course: Course) -> None:
    """The mover sees whose turn it is, and something of what an action has changed."""
    game, chosen = course.game, course.some(200)
    players = game.current_player(course.states[chosen])
    before = game.observe(course.states[chosen], players)
    after = game.observe(course.after[chosen], players)
    assert (before != after).any(axis=(1, 2, 3)).all()


def test_no_plane_is_always_the_same_in_all_games_but_few(course: Course) -> None:
    """Planes tell something: most are not constant over the random games of all rules."""
    game = course.game
    states = course.states[course.some(2000)]
    planes = game.observe(states, game.current_player(states))
    lowest, highest = planes.min(axis=(0, 2, 3)), planes.max(axis=(0, 2, 3))
    assert (lowest < highest).mean() > 0.5
