"""Keys: equal for equal states, and for positions that came about in other ways.

- the key of a copy, and of the same row in another batch, is the same
- positions of equal keys have the same player to move and the same legal actions
- most different positions have different keys
"""

from __future__ import annotations

import numpy as np

from tests.conformance.games import Course


def test_equal_states_have_equal_keys(course: Course) -> None:
    game = course.game
    states = course.some_states(200)
    keys = game.key(states)
    assert keys.dtype == np.uint64
    assert keys.shape == (len(states),)
    assert np.array_equal(game.key(states[::-1].copy()), keys[::-1])
    for player in (0, 1):
        players = np.full(len(states), player, np.int32)
        infos = game.info_key(states, players)
        assert infos.dtype == np.uint64
        assert np.array_equal(game.info_key(states[::-1].copy(), players), infos[::-1])


def test_equal_keys_mean_the_same_choice(course: Course) -> None:
    """Under the same rules: a position that returns has the player and the actions it had."""
    game = course.game
    rules = [repr(game.rules_of(state)) for state in course.states]
    legal, _ = game.legal_actions(course.states)
    players = game.current_player(course.states)
    seen: dict[tuple[str, int], int] = {}
    for row, name in enumerate(zip(rules, game.key(course.states).tolist(), strict=True)):
        first = seen.setdefault(name, row)
        assert players[row] == players[first]
        assert np.array_equal(legal[row], legal[first])


def test_an_action_changes_the_key(course: Course) -> None:
    game = course.game
    assert (game.key(course.states) != game.key(course.after)).all()
