"""Saved states of Banqi are never trusted.

- states of random games of all rules pass, and are the same afterwards
- a byte changed anywhere is refused, or gives a state that plays on without harm
- each thing that a record holds twice has to agree
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cotulenh_env.banqi import Position
from cotulenh_env.banqi.state import STATE_DTYPE
from cotulenh_env.errors import StateError
from tests.banqi.helpers import GAME, random_states


def test_states_of_games_pass() -> None:
    states = random_states(6, seed=31)
    assert np.array_equal(GAME.check_states(states), states)
    assert GAME.check_states(states) is not states
    for state in states[::50]:
        assert Position.from_state(state.tobytes()).state.tobytes() == state.tobytes()


def test_changed_bytes_do_no_harm() -> None:
    states = random_states(6, seed=32, num_actions=90)
    rng = np.random.default_rng(33)
    num_refused = 0
    for _ in range(3_000):
        state = states[rng.integers(len(states))].copy()
        # The history is most of the record; what is behind its end is refused anyway.
        place = int(rng.choice([rng.integers(1_032, STATE_DTYPE.itemsize), rng.integers(1_032)]))
        state[place] = rng.integers(256)
        try:
            checked = GAME.check_states(state[None])
        except StateError:
            num_refused += 1
            continue
        legal, counts = GAME.legal_actions(checked)
        assert 0 <= counts[0] <= GAME.spec.max_legal_actions
        if counts[0]:
            GAME.apply(checked, legal[:, 0].copy(), np.array([0.9]))
    assert num_refused > 2_500


def middle() -> tuple[Any, Any]:
    """A state in the middle of a game, and its record."""
    state = Position.from_fen("4g3/1?6/2S5/2C3r1 r b H 3").state
    return state, state.view(STATE_DTYPE)[0]


@pytest.mark.parametrize(
    ("field", "index", "value", "words"),
    [
        ("key", None, 1, "hash"),
        ("history", 0, 1, "does not end with its position"),
        ("history", 1, 1, "behind the end"),
        ("history_length", None, 0, "a history of 0"),
        ("history_length", None, 129, "a history of 129"),
        ("cells", 0, 0, "sets of cells"),
        ("turns", None, -1, "turn -1"),
        ("board", 0, 16, "board"),
        ("board", 0, -1, "board"),
        ("hidden", 4, -1, "face down"),
        ("hidden", 3, 1, "1 cells are face down, but 2 pieces are"),
        ("left", 0, 5, "counts"),
        ("num_face_down", None, 2, "counts"),
        ("player", None, 2, "player 2"),
        ("first_colour", None, -1, "have colours"),
        ("first_colour", None, 2, "colour 2"),
        ("quiet", None, -1, "quiet turns -1"),
        ("quiet", None, 50, "winner"),
        ("winner", None, 0, "winner 0"),
        ("reason", None, 9, "reason 9"),
        ("preset", None, 2, "preset 2"),
        ("captures", 0, 128, "captures"),
        ("quiet_limit", None, 0, "quiet_limit"),
        ("repetition", None, 1, "repetition"),
        ("elimination", None, 2, "elimination is 2"),
        ("adjudicate", None, -1, "adjudicate is -1"),
    ],
)
def test_contradictions(field: str, index: Any, value: int, words: str) -> None:
    state, record = middle()
    GAME.check_states(state[None])
    if index is None:
        record[field] = value
    else:
        record[field][index] = value
    with pytest.raises(StateError, match=words) as raised:
        GAME.check_states(state[None])
    assert str(raised.value).startswith("row 0: ")
    with pytest.raises(StateError, match=words):
        Position.from_state(state)


def test_no_states_at_all() -> None:
    state, _ = middle()
    for wrong in (state[:-8], b"", "text", state.view(np.int8), state[None]):
        with pytest.raises(StateError):
            Position.from_state(wrong)  # type: ignore[arg-type]
    with pytest.raises(StateError):
        GAME.check_states(state)
