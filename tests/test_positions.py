"""Positions of all games: what `KernelPosition` gives them.

- pickles and copies take back what was played, drawn pieces and announcements included
- a position without its past stays as it is; others of its kind do not have to come from one
- what is no state, no rules or no legal action is refused in one sentence
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cotulenh_env import banqi, commander, cwda, luzhanqi
from cotulenh_env.errors import IllegalActionError, MoveTextError, RulesError, StateError

Position = Any

STARTS: dict[str, Callable[[], Position]] = {
    "banqi": banqi.Position,
    "commander": commander.Position,
    "cwda": cwda.Position,
    "luzhanqi_flip": luzhanqi.FlipPosition,
    "luzhanqi_referee": lambda: luzhanqi.RefereePosition(rng=np.random.default_rng(8)),
}

every_game = pytest.mark.parametrize("name", STARTS)


def played(name: str, num_actions: int = 40) -> tuple[Position, list[tuple[bytes, str]]]:
    """A position after random actions, and the state and announcement before each of them."""
    rng = np.random.default_rng(5)
    position, before = STARTS[name](), []
    for _ in range(num_actions):
        before.append((position.state.tobytes(), getattr(position, "announcement", "")))
        action = int(rng.choice(position.legal_actions()))
        if name in ("banqi", "luzhanqi_flip"):
            is_flip = position.move_text(action).startswith("flip")
            position.push(action, **({"rng": rng} if is_flip else {}))
        else:
            position.push(action)
    return position, before


@every_game
@pytest.mark.parametrize(
    "make_copy",
    [lambda position: pickle.loads(pickle.dumps(position)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_copies_take_everything_back(name: str, make_copy: Callable[[Position], Position]) -> None:
    position, before = played(name)
    twin = make_copy(position)
    assert twin == position
    assert twin.actions_played == position.actions_played
    actions = position.actions_played
    for state, announcement in reversed(before):
        assert twin.pop() == actions.pop()
        assert twin.state.tobytes() == state
        assert getattr(twin, "announcement", "") == announcement
    assert len(position.actions_played) == len(before)


@every_game
def test_a_position_without_past(name: str) -> None:
    position, _ = played(name)
    twin = position.copy(past=False)
    assert twin == position == type(position).from_state(position.state.tobytes())
    assert twin.actions_played == []
    with pytest.raises(IllegalActionError, match="no action to take back"):
        twin.pop()


@every_game
def test_words_of_legal_actions_are_read_back(name: str) -> None:
    position, _ = played(name)
    moves = position.legal_moves()
    assert [move.action for move in moves] == position.legal_actions()
    assert [position.parse_move(move.text) for move in moves] == position.legal_actions()
    with pytest.raises(MoveTextError, match="move"):
        position.parse_move("no move")


@every_game
@pytest.mark.parametrize(
    ("action", "words"),
    [(True, "whole number"), ("3", "whole number"), (-1, "actions are 0 to"), (10**9, "0 to")],
)
def test_what_is_no_action_changes_nothing(name: str, action: Any, words: str) -> None:
    position, _ = played(name, 3)
    twin = position.copy()
    with pytest.raises(IllegalActionError, match=words):
        position.push(action)
    assert position == twin
    assert position.actions_played == twin.actions_played


@every_game
def test_what_is_no_state_and_no_rules(name: str) -> None:
    kind = type(STARTS[name]())
    for state in (b"", 5, np.zeros(8, np.float32), np.zeros((1, 8), np.uint8), [1, 2]):
        with pytest.raises(StateError, match="a state"):
            kind.from_state(state)
    no_rules: list[Any] = [None, {}, "standard"]
    for rules in no_rules:
        with pytest.raises(RulesError, match="rules are a"):
            kind(rules)
