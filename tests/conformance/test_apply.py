"""Playing: `apply`, batches, copies of bytes, ends.

- `apply` leaves its input unchanged, unless it is also the output
- a batch plays as its rows do alone
- bytes are the whole game: copies, saved states
- games end, with a reason; results sum to zero, and there are none before
- turns and players are counted
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.errors import RulesError, StateError
from cotulenh_env.game import Game
from tests.conformance.games import Course, rules_of, starts_of


def test_new_states_hold_their_rules(game: Game) -> None:
    rules = rules_of(game)
    states = starts_of(game)
    assert states.dtype == np.uint8
    assert states.flags.c_contiguous
    assert states.shape == (len(rules), game.spec.state_size)
    assert game.new_states(0, np.random.default_rng(0)).shape == (0, game.spec.state_size)
    for state, own in zip(states, rules, strict=True):
        carried = game.rules_of(state)
        assert isinstance(carried, type(own))
        # Options that the start left to chance have been settled.
        again = game.new_states(1, np.random.default_rng(5), carried)[0]
        assert game.rules_of(again) == carried
    assert np.array_equal(states, starts_of(game))
    with pytest.raises(RulesError):
        game.make_rules(no_such_option=1)


def test_apply_leaves_its_input_unchanged(course: Course) -> None:
    game, chosen = course.game, course.some(300)
    states, actions, draws = course.states[chosen], course.actions[chosen], course.draws[chosen]
    before = states.copy()
    after, events = game.apply(states, actions, draws)
    assert not np.shares_memory(after, states)
    assert np.array_equal(states, before)
    assert np.array_equal(after, course.after[chosen])
    assert np.array_equal(events, course.events[chosen])
    out = np.full_like(states, 255)
    into, told = game.apply(states, actions, draws, out=out)
    assert into is out
    assert np.array_equal(out, after)
    assert np.array_equal(told, events)
    assert np.array_equal(states, before)
    same, told = game.apply(states, actions, draws, out=states)
    assert same is states
    assert np.array_equal(states, after)
    assert np.array_equal(told, events)


def test_batches_play_as_their_rows_do_alone(course: Course) -> None:
    game = course.game
    chosen = course.some(40)
    states = np.concatenate([course.states[chosen], course.finals])
    players = np.arange(len(states), dtype=np.int32) % 2
    legal, counts = game.legal_actions(states)
    planes, keys, infos = (
        game.observe(states, players),
        game.key(states),
        game.info_key(states, players),
    )
    movers, returns, scores = game.current_player(states), game.returns(states), game.score(states)
    reasons, turns = game.end_reason(states), game.num_turns(states)
    assert [int(player) for player in movers] == [game.current_player_of(row) for row in states]
    for row in range(len(states)):
        one, player = states[row : row + 1].copy(), players[row : row + 1]
        assert np.array_equal(game.legal_actions(one)[0][0], legal[row])
        assert game.legal_actions(one)[1][0] == counts[row]
        assert np.array_equal(game.observe(one, player)[0], planes[row])
        assert (game.key(one)[0], game.info_key(one, player)[0]) == (keys[row], infos[row])
        assert np.array_equal(game.returns(one)[0], returns[row])
        assert np.array_equal(game.score(one)[0], scores[row])
        assert (game.end_reason(one)[0], game.num_turns(one)[0]) == (reasons[row], turns[row])
    for index in chosen:
        rows = slice(index, index + 1)
        after, events = game.apply(
            course.states[rows].copy(), course.actions[rows].copy(), course.draws[rows].copy()
        )
        assert np.array_equal(after, course.after[rows])
        assert np.array_equal(events, course.events[rows])


def test_bytes_are_the_whole_game(course: Course) -> None:
    """Saved as bytes and loaded again, a game goes on as if nothing had happened."""
    game, chosen = course.game, course.some(100)
    saved = [state.tobytes() for state in course.states[chosen]]
    loaded = np.stack([np.frombuffer(data, np.uint8) for data in saved])
    checked = game.check_states(loaded)
    assert not np.shares_memory(checked, loaded)
    assert np.array_equal(checked, course.states[chosen])
    after, events = game.apply(checked, course.actions[chosen], course.draws[chosen])
    assert np.array_equal(after, course.after[chosen])
    assert np.array_equal(events, course.events[chosen])
    assert np.array_equal(game.check_states(course.finals), course.finals)
    read_only = course.states[chosen].copy()
    read_only.flags.writeable = False
    assert np.array_equal(
        game.apply(read_only, course.actions[chosen], course.draws[chosen])[0], after
    )


def test_wrong_bytes_are_refused(course: Course) -> None:
    game, states = course.game, course.some_states(20)
    for wrong in (states[:, :-8], states.view(np.int8), states[0]):
        with pytest.raises(StateError, match=game.spec.name):
            game.check_states(wrong)
    with pytest.raises(StateError):
        game.check_states(np.full_like(states, 255))


def test_games_end_and_results_sum_to_zero(course: Course) -> None:
    game = course.game
    assert game.is_terminal(course.finals).all(), "a game goes on and on"
    assert game.is_terminal(course.finals).dtype == np.bool_
    returns = game.returns(course.finals)
    assert returns.dtype == np.float32
    assert returns.shape == (len(course.finals), 2)
    assert (returns.sum(axis=1) == 0).all()
    assert np.isin(returns, (-1, 0, 1)).all()
    assert all(game.end_reason(course.finals))
    assert not game.returns(course.states).any()
    assert not game.is_terminal(course.states).any()
    assert not any(game.end_reason(course.states[course.some(100)]))


def test_turns_and_players(course: Course) -> None:
    """A turn ends with the other player to move, or with the game; what comes before is none."""
    game = course.game
    players, after = game.current_player(course.states), game.current_player(course.after)
    assert players.dtype == np.int32
    assert np.isin(players, (0, 1)).all()
    turns = game.num_turns(course.after) - game.num_turns(course.states)
    assert np.isin(turns, (0, 1)).all()
    goes_on = ~game.is_terminal(course.after)
    assert (turns[goes_on] <= (players != after)[goes_on]).all()
    assert not game.num_turns(starts_of(game)).any()


def test_scores(course: Course) -> None:
    scores = course.game.score(course.finals)
    assert scores.dtype == np.float32
    assert scores.shape == (len(course.finals), 2)
    assert np.isfinite(scores).all()
