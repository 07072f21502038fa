"""Bad input at the edges of Commander Chess: one error of ours, short, and nothing changed.

Each case is something that once came out as another exception, an endless message, or a wrong
answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cotulenh_env import commander_chess_v0
from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.errors import (
    CotulenhError,
    IllegalActionError,
    MoveTextError,
    PositionError,
    RulesError,
    StateError,
    UnknownGameError,
)
from cotulenh_env.registry import load_game

START = Position().fen()
MAX_MESSAGE = 500
"""Characters: a sentence, a value cut short, and a FEN."""

HUGE = 10**5000


def deployment_of(letters: str) -> str:
    """The starting position with a seventh field."""
    return f"{START} f4:{letters}"


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (IllegalActionError, lambda: Position().push(HUGE)),
        (IllegalActionError, lambda: Position().push(-HUGE)),
        (RulesError, lambda: RuleSet(turn_limit=-HUGE)),
        (RulesError, lambda: RuleSet(edition="x" * 10**6)),
        (RulesError, lambda: RuleSet(battle=["sea"])),  # type: ignore[arg-type]
        (PositionError, lambda: Position.from_fen(deployment_of("I" * 10**5))),
        (PositionError, lambda: Position.from_fen("x" * 10**6)),
        (MoveTextError, lambda: Position().parse_move("x" * 10**5)),
        (MoveTextError, lambda: Position().parse_move(None)),  # type: ignore[arg-type]
        (UnknownGameError, lambda: load_game([])),  # type: ignore[arg-type]
        (UnknownGameError, lambda: load_game("x" * 10**5)),
    ],
)
def test_error_is_ours_and_short(error: type[CotulenhError], call: Any) -> None:
    with pytest.raises(error) as caught:
        call()
    assert len(str(caught.value)) <= MAX_MESSAGE


@pytest.mark.parametrize(
    "action", [HUGE, -HUGE, "x" * 10**5, [1] * 10**5], ids=["huge", "low", "text", "list"]
)
@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_absurd_actions_leave_the_environment(illegal: str, action: Any) -> None:
    env = commander_chess_v0.raw_env(illegal=illegal)
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    assert len(str(caught.value)) <= MAX_MESSAGE
    assert env.get_state()["state"].tobytes() == before["state"].tobytes()


@pytest.mark.parametrize(
    "change",
    [
        {"agents": None},
        {"agents": 5},
        {"agents": np.array(["player_0", "player_1"])},
        {"agent_selection": np.array([1, 2])},
        {"agent_selection": None},
        {"state": [[1], [1, 2]]},
        {"state": "state"},
        {"offender": 1.5},
        {"generator": 3},
        {"game": ["commander"]},
    ],
)
def test_saved_environments_of_wrong_types_are_refused(change: dict[str, Any]) -> None:
    env = commander_chess_v0.raw_env()
    env.reset(seed=1)
    saved = env.get_state()
    with pytest.raises(StateError):
        env.set_state({**saved, **change})
    assert env.fen() == START


def test_agents_of_wrong_types_are_refused() -> None:
    env = commander_chess_v0.raw_env()
    env.reset(seed=1)
    nobody: Any = []
    for call in (env.action_space, env.observation_space, env.observe):
        with pytest.raises(CotulenhError, match="the agents are"):
            call(nobody)


def test_states_in_another_memory_order_are_refused() -> None:
    game = load_game("commander")
    states = np.asfortranarray(game.new_states(6))
    for call in (game.is_terminal, game.legal_actions, game.returns):
        with pytest.raises(StateError, match="C-contiguous"):
            call(states)


def test_actions_of_any_integer_dtype_are_played() -> None:
    game = load_game("commander")
    states = game.new_states(3)
    legal, _ = game.legal_actions(states)
    expected, _ = game.apply(states, legal[:, 0].copy())
    read_only = legal[:, 0].copy()
    read_only.setflags(write=False)
    for actions in (legal[:, 0], legal[:, 0].astype(np.int64), read_only):
        assert np.array_equal(game.apply(states, actions)[0], expected)  # type: ignore[arg-type]


def test_move_numbers_that_are_written_are_read() -> None:
    """R11.1: the number after a Blue turn, near the largest that a FEN may begin with."""
    board = START.split()[0]
    position = Position.from_fen(f"{board} b - - 0 65535")
    position.push(position.legal_actions()[0])
    assert Position.from_fen(position.fen()).fen() == position.fen()
