"""Legal actions: lists, masks and bounds.

- lists are ascending, padded, within the bounds of the spec, and empty exactly at the end
- masks hold what the lists hold
- every action has a logit of its own, within the bounds
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.game import Game, fill_mask
from tests.conformance.games import Course


def test_lists_are_ascending_and_padded(course: Course) -> None:
    game, spec = course.game, course.game.spec
    states = course.some_states(400)
    legal, counts = game.legal_actions(states)
    assert legal.dtype == counts.dtype == np.int32
    assert legal.shape == (len(states), spec.max_legal_actions)
    assert np.array_equal(counts == 0, game.is_terminal(states))
    for row, count in zip(legal, counts, strict=True):
        assert (np.diff(row[:count]) > 0).all()
        assert (row[count:] == -1).all()
        if count:
            assert 0 <= row[0] <= row[count - 1] < spec.num_actions


def test_given_arrays_are_filled(course: Course) -> None:
    game, states = course.game, course.some_states(100)
    expected, expected_counts = game.legal_actions(states)
    out = np.full_like(expected, 7)
    counts = np.full_like(expected_counts, 7)
    same, same_counts = game.legal_actions(states, out, counts)
    assert same is out
    assert same_counts is counts
    assert np.array_equal(out, expected)
    assert np.array_equal(counts, expected_counts)


def test_masks_hold_what_the_lists_hold(course: Course) -> None:
    game, states = course.game, course.some_states(100)
    buffers = game.new_buffers(len(states))
    game.refresh(states, buffers)
    legal, counts = game.legal_actions(states)
    assert buffers.mask is not None
    assert buffers.mask.dtype == np.int8
    assert np.array_equal(buffers.legal_actions, legal)
    for mask, row, count in zip(buffers.mask, legal, counts, strict=True):
        assert np.flatnonzero(mask).tolist() == row[:count].tolist()
        assert mask.max(initial=0) <= 1
    filled = np.full_like(buffers.mask, 3)
    fill_mask(legal, counts, filled)
    assert np.array_equal(filled, buffers.mask)


def test_actions_have_logits_of_their_own(game: Game) -> None:
    spec = game.spec
    height, width = spec.board_shape
    num_logits = spec.policy_planes * height * width + spec.num_global_logits
    assert spec.policy_index.dtype == np.int32
    assert spec.policy_index.shape == (spec.num_actions,)
    assert spec.policy_index.min() >= 0
    assert spec.policy_index.max() < num_logits
    assert len(np.unique(spec.policy_index)) == spec.num_actions


def test_sizes(game: Game) -> None:
    spec = game.spec
    assert spec.state_size % 8 == 0
    assert 0 < spec.max_legal_actions <= spec.num_actions
    assert len(set(spec.plane_names)) == len(spec.plane_names)
