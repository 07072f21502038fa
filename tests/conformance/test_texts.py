"""Positions, actions and games as text, and drawings.

- a position read from its text has that text; where its key is the same, so are the legal actions
- every legal action has words of its own, which are read back
- text that tells no position, or no move, raises the package's errors
- whole games are recorded and read back
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.errors import MoveTextError, PositionError
from cotulenh_env.game_records import GameRecord, read_records, write_records
from cotulenh_env.record_replay import start_text
from tests.conformance.games import Course, random_actions, starts_of


def test_positions_are_read_back(course: Course) -> None:
    game = course.game
    num_same, states = 0, course.some_states(120)
    for state in states:
        text = game.to_text(state)
        assert text == text.strip()
        assert len(text.splitlines()) == 1
        again = game.from_text(text, game.rules_of(state))
        assert again.shape == state.shape
        assert game.to_text(again) == text
        assert np.array_equal(game.check_states(again[None])[0], again)
        # A text may leave out what only the last action has made, such as a selected group.
        if game.key(again[None]) == game.key(state[None]):
            num_same += 1
            assert game.current_player_of(again) == game.current_player_of(state)
            (there, here), _ = game.legal_actions(np.stack([again, state]))
            # Repetition may have ended a game, which no text tells.
            assert np.array_equal(there, here) or game.is_terminal(state[None])[0]
    assert num_same > len(states) * 0.8


@pytest.mark.parametrize("text", ["", "nothing", "1/2/3 w - - 0 1", "\x00", "9" * 5000])
def test_other_texts_are_no_positions(course: Course, text: str) -> None:
    with pytest.raises(PositionError):
        course.game.from_text(text)


def test_actions_have_words_of_their_own(course: Course) -> None:
    game = course.game
    for index in course.some(60):
        state = course.states[index]
        legal, counts = game.legal_actions(state[None])
        actions = legal[0, : counts[0]].tolist()
        words = [game.action_text(state, action) for action in actions]
        assert len(set(words)) == len(words)
        for action, text in list(zip(actions, words, strict=True))[:: max(1, len(words) // 4)]:
            assert game.parse_action(state, f" {text} ") == action
        assert game.parse_action(state, words[-1]) == actions[-1]
        for wrong in ("", "no move", words[0] + "?"):
            with pytest.raises(MoveTextError):
                game.parse_action(state, wrong)


def test_events_of_an_action_have_words_of_their_own(course: Course) -> None:
    game, chosen = course.game, course.some(60)
    outcomes = game.chance_outcomes(course.states[chosen], course.actions[chosen])
    for index, (events, _) in zip(chosen, outcomes, strict=True):
        state, action = course.states[index], int(course.actions[index])
        words = [game.event_text(state, action, event) for event in events.tolist()]
        assert len(set(words)) == len(words)
        assert all(words) or len(words) == 1


def test_games_are_recorded_and_read_back(course: Course) -> None:
    """Hand over actions and events, and the record leads to the same end."""
    game, rng = course.game, np.random.default_rng(8)
    for start in starts_of(game, seed=8)[:3]:
        states, actions, events = start[None], [], []
        for _ in range(60):
            if game.is_terminal(states)[0]:
                break
            chosen = random_actions(game, states, rng)
            states, event = game.apply(states, chosen, rng.random(1))
            actions.append(int(chosen[0]))
            events.append(int(event[0]))
        rules = game.rules_of(start)
        text = start_text(game, start, rules)
        record = GameRecord.from_game(game, actions, events, rules=rules, start=text)
        *_, last = record.replay()
        assert np.array_equal(last, states[0])
        assert read_records(write_records([record])) == [record]


def test_drawings(course: Course) -> None:
    game = course.game
    states = course.some_states(20)
    drawings = [game.draw(state) for state in states]
    assert len(set(drawings)) > len(states) // 2
    for state in states[::10]:
        picture = game.picture(state)
        assert picture.dtype == np.uint8
        assert picture.ndim == 3
        assert picture.shape[2] == 3
        assert np.array_equal(picture, game.picture(state.copy()))
