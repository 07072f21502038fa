"""Symmetries: the turned board has the turned actions, and playing them leads to the same.

There is no function that turns a state. So two games are played side by side: the second begins
like the first, with the turned action of every action of the first, as long as chance brings the
same. What is compared is what the players see.
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.game import Game
from tests.conformance.games import Course, random_actions, rules_of


def test_symmetries_are_permutations(game: Game) -> None:
    height, width = game.spec.board_shape
    found = game.symmetries()
    for squares, images in found:
        assert squares.dtype == images.dtype == np.int32
        assert sorted(squares.tolist()) == list(range(height * width))
        assert sorted(images.tolist()) == list(range(game.spec.num_actions))
    identity = list(range(height * width))
    assert all(squares.tolist() != identity for squares, _ in found)
    assert len({squares.tobytes() for squares, _ in found}) == len(found)


def test_turned_games_go_the_same_way(game: Game) -> None:
    """From starts that look the same when turned: legal actions, planes and results are turned."""
    rng = np.random.default_rng(6)
    shape = game.spec.observation_shape
    for squares, images in game.symmetries():
        num_compared = 0
        for rules in rules_of(game):
            states = game.new_states(1, np.random.default_rng(0), rules)
            planes = game.observe(states, game.current_player(states)).reshape(shape[0], -1)
            if not np.array_equal(planes, planes[:, squares]):
                continue
            pair = np.concatenate([states, states])
            for _ in range(300):
                legal, counts = game.legal_actions(pair)
                assert counts[0] == counts[1]
                turned = images[legal[0, : counts[0]]]
                assert np.array_equal(np.sort(turned), legal[1, : counts[1]])
                players = game.current_player(pair)
                assert players[0] == players[1]
                seen = game.observe(pair, players).reshape(2, shape[0], -1)
                assert np.array_equal(seen[0][:, squares], seen[1])
                assert np.array_equal(*game.returns(pair))
                num_compared += 1
                if not counts[0]:
                    break
                chosen = random_actions(game, pair[:1], rng)
                draw = rng.random(1).repeat(2)
                pair, events = game.apply(pair, np.append(chosen, images[chosen]), draw)
                assert events[0] == events[1]
        assert num_compared > 5


def test_only_the_sides_of_the_mover_are_turned(course: Course) -> None:
    """A symmetry holds in the middle of games, too: no legal action has an image off the board."""
    game = course.game
    legal, counts = game.legal_actions(course.states[course.some(50)])
    for _, images in game.symmetries():
        for row, count in zip(legal, counts, strict=True):
            assert len(set(images[row[:count]].tolist())) == count
