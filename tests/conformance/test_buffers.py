"""`step_into` and its buffers: the same as fresh calls, whatever the buffers held before.

- `refresh`, `step_into` and `stepper` give what the separate calls give
- with stale buffers, too: rows change places and new games begin between the steps
- buffers without masks and observations, and parts of buffers
- `observe_again` into planes that it has filled before, from either side
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.game import Game, States, StepBuffers, fill_mask
from tests.conformance.games import Course, starts_of

NUM_STEPS = 60


def assert_holds(game: Game, buffers: StepBuffers, states: States) -> None:
    """The buffers hold what the separate calls give."""
    legal, counts = game.legal_actions(states)
    assert np.array_equal(buffers.legal_actions, legal)
    assert np.array_equal(buffers.counts, counts)
    mask = np.zeros((len(states), game.spec.num_actions), np.int8)
    fill_mask(legal, counts, mask)
    assert buffers.mask is not None
    assert buffers.observations is not None
    assert np.array_equal(buffers.mask, mask)
    planes = game.observe(states, game.current_player(states))
    assert np.array_equal(buffers.observations, planes)


def test_one_call_gives_what_the_separate_calls_give(course: Course) -> None:
    game, rng = course.game, np.random.default_rng(2)
    everywhere = course.some_states(200)
    states = rng.permutation(everywhere)[:16]
    buffers = game.new_buffers(len(states))
    bare = game.new_buffers(len(states), mask=False, observations=False)
    assert bare.mask is None
    assert bare.observations is None
    game.refresh(states, buffers)
    play = game.stepper(states, buffers)
    num_played = 0
    for number in range(NUM_STEPS):
        assert_holds(game, buffers, states)
        is_over = buffers.counts == 0
        if is_over.any() or number % 10 == 9:  # rows change places, and other games begin
            states[is_over] = everywhere[rng.integers(0, len(everywhere), int(is_over.sum()))]
            states[:] = states[rng.permutation(len(states))]
            game.refresh(states, buffers)
            continue
        columns = rng.integers(0, buffers.counts)
        actions = buffers.legal_actions[np.arange(len(states)), columns]
        draws = rng.random(len(states))
        after, events = game.apply(states, actions, draws)
        twins = states.copy()
        game.step_into(twins, actions, draws, bare)
        assert np.array_equal(twins, after)
        if number % 2:
            play(actions, draws)
        else:
            game.step_into(states, actions, draws, buffers)
        assert np.array_equal(states, after)
        for other in (bare, buffers):
            assert np.array_equal(other.events, events)
            assert np.array_equal(other.legal_actions, buffers.legal_actions)
        num_played += 1
    assert num_played > 5


def test_buffers_by_parts(course: Course) -> None:
    game = course.game
    states = course.some_states(31)
    parts = game.new_buffers(len(states))
    for start in range(0, len(states), 5):
        game.refresh(states[start : start + 5], parts.rows(start, start + 5))
    assert_holds(game, parts, states)


def test_planes_seen_again(course: Course) -> None:
    game, rng = course.game, np.random.default_rng(9)
    everywhere = course.some_states(200)
    states = np.resize(starts_of(game), (8, game.spec.state_size))
    planes = np.zeros((len(states), *game.spec.observation_shape), np.float32)
    notes = game.new_notes(len(states))
    for _ in range(20):
        players = rng.integers(0, 2, len(states), dtype=np.int32)
        game.observe_again(states, players, planes, notes)
        assert np.array_equal(planes, game.observe(states, players))
        states = everywhere[rng.integers(0, len(everywhere), len(states))]
