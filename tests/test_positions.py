"""Positions of all games: what `KernelPosition` gives them.

- pickles and copies take back what was played, drawn pieces and announcements included
- a position without its past stays as it is; others of its kind do not have to come from one
- what is no state, no rules, no legal action, no generator, no place or no player is refused in one
  sentence, and so is what would say nothing or too much of what a flip turns up
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from cotulenh_env import banqi, commander, cwda, luzhanqi
from cotulenh_env.errors import (
    CotulenhError,
    IllegalActionError,
    MoveTextError,
    PositionError,
    RulesError,
    StateError,
)
from cotulenh_env.registry import load_game

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


def no_generators(call: Callable[[Any], object]) -> None:
    for rng in (5, "x", np.random.RandomState(1)):
        with pytest.raises(CotulenhError, match="rng is a NumPy Generator, got "):
            call(rng)


def _push(position: Position, rng: Any) -> None:
    position.push(0, rng=rng)


def test_what_is_no_generator() -> None:
    """Regression: all of them were AttributeErrors."""
    any_army = cwda.RuleSet("random", "random")
    no_generators(lambda rng: cwda.Position(any_army, rng))
    no_generators(lambda rng: luzhanqi.RefereePosition(rng=rng))
    no_generators(lambda rng: load_game("luzhanqi_referee").new_states(1, rng))
    referee = STARTS["luzhanqi_referee"]()
    no_generators(lambda rng: referee.resample(0, rng))
    with pytest.raises(CotulenhError, match="rng is a NumPy Generator, got None"):
        referee.resample(0, None)
    for name in ("banqi", "luzhanqi_flip"):
        position = STARTS[name]()
        no_generators(partial(_push, position))
        assert not position.actions_played


@pytest.mark.parametrize("name", ["banqi", "luzhanqi_flip"])
def test_what_does_not_say_what_a_flip_turns_up(name: str) -> None:
    """Regression: Luzhanqi did not look at what was given besides, or raised TypeErrors."""
    position, _ = played(name, 2)
    flip = next(action for action, text in position.legal_moves() if text.startswith("flip"))
    piece = next(iter(position.hidden if name == "banqi" else position.face_down))
    before = position.state.tobytes()
    with pytest.raises(IllegalActionError, match=r"needs the piece .* or else a generator"):
        position.push(flip)
    with pytest.raises(IllegalActionError, match=r"needs the piece .* or else a generator"):
        position.push(flip, piece, rng=np.random.default_rng(1))
    no_pieces: list[Any] = [[], {}, 5, "zz", b"e", piece + piece]
    for no_piece in no_pieces:
        with pytest.raises((IllegalActionError, MoveTextError)):
            position.push(flip, no_piece)
    rng = np.random.default_rng(2)
    while all(text.startswith("flip") for _, text in position.legal_moves()):
        position.push(position.legal_actions()[0], rng=rng)
    move = next(action for action, text in position.legal_moves() if not text.startswith("flip"))
    with pytest.raises(IllegalActionError, match="turns nothing up"):
        position.push(move, piece)
    while position.actions_played[2:]:
        position.pop()
    assert position.state.tobytes() == before


@pytest.mark.parametrize("name", [name for name in STARTS if name != "commander"])
def test_what_is_no_place(name: str) -> None:
    position = STARTS[name]()
    no_places: list[Any] = [None, b"x", 5000, -1, [], "z9", "", 1.5]
    for place in no_places:
        with pytest.raises(PositionError, match="is no"):
            position.piece_at(place)


@pytest.mark.parametrize(
    "method", ["layout", "view", "info_key", "num_worlds", "possible_kinds", "resample"]
)
def test_what_is_no_player(method: str) -> None:
    """Regression: some were IndexErrors, or errors of the compiler."""
    position = STARTS["luzhanqi_referee"]()
    rest = [np.random.default_rng(1)] if method == "resample" else []
    for player in (2, -1, "x", None, True, 1.0, np.array([0]), np.array([0, 1])):
        with pytest.raises(CotulenhError, match="players are 0 and 1, got "):
            getattr(position, method)(player, *rest)
    getattr(position, method)(np.int64(1), *rest)
