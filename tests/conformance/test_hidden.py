"""Hidden information stays hidden: worlds that a player cannot tell apart look alike.

A world is drawn by `resample_hidden`. Games in which nothing is hidden have one world.
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.game import Players, States
from tests.conformance.games import Course, random_actions


@pytest.fixture(params=[0, 1])
def player(request: pytest.FixtureRequest) -> int:
    """Whose knowledge it is."""
    number: int = request.param
    return number


def worlds_of(course: Course, player: int, seed: int = 3) -> tuple[States, Players, States]:
    """Unfinished states, the player for each, and another world of each."""
    states = course.states[course.some(150)]
    players = np.full(len(states), player, np.int32)
    before = states.copy()
    worlds = course.game.resample_hidden(states, players, np.random.default_rng(seed))
    assert np.array_equal(states, before)
    assert not np.shares_memory(worlds, states)
    return states, players, worlds


def test_worlds_look_alike(course: Course, player: int) -> None:
    """Masks, observations, what is known, who is to move, and how far the game is."""
    game = course.game
    states, players, worlds = worlds_of(course, player)
    assert np.array_equal(game.observe(worlds, players), game.observe(states, players))
    assert np.array_equal(game.info_key(worlds, players), game.info_key(states, players))
    assert np.array_equal(game.as_seen(worlds, players), game.as_seen(states, players))
    movers = game.current_player(states)
    assert np.array_equal(game.current_player(worlds), movers)
    assert np.array_equal(game.num_turns(worlds), game.num_turns(states))
    assert np.array_equal(game.is_terminal(worlds), game.is_terminal(states))
    is_own = movers == player
    buffers, other = (game.new_buffers(int(is_own.sum())) for _ in range(2))
    game.refresh(states[is_own].copy(), buffers)
    game.refresh(worlds[is_own].copy(), other)
    assert buffers.mask is not None
    assert other.mask is not None
    assert np.array_equal(other.mask, buffers.mask)
    assert np.array_equal(other.legal_actions, buffers.legal_actions)
    for state, world in zip(states[:20], worlds[:20], strict=True):
        assert game.rules_of(world) == game.rules_of(state)


def test_worlds_can_be_played(course: Course, player: int) -> None:
    game = course.game
    _, _, worlds = worlds_of(course, player)
    assert np.array_equal(game.check_states(worlds), worlds)
    rng = np.random.default_rng(4)
    after, _ = game.apply(worlds, random_actions(game, worlds, rng), rng.random(len(worlds)))
    assert np.array_equal(game.check_states(after), after)


def test_worlds_come_from_the_generator(course: Course, player: int) -> None:
    *_, worlds = worlds_of(course, player)
    *_, again = worlds_of(course, player)
    assert np.array_equal(worlds, again)


def test_there_are_other_worlds_where_something_is_hidden(course: Course, player: int) -> None:
    """And the two players know different things; without hidden information there is one world."""
    game = course.game
    states, players, worlds = worlds_of(course, player)
    is_other = (worlds != states).any(axis=1)
    if not game.spec.has_hidden_information:
        assert not is_other.any()
        return
    *_, more = worlds_of(course, player, seed=5)
    assert is_other.mean() > 0.2
    assert (more != worlds).any()
    assert (game.info_key(states, players) != game.info_key(states, 1 - players)).any()
    shown = game.observe(states, players) != game.observe(worlds, 1 - players)
    assert shown.any(), "the other player knows no more"
