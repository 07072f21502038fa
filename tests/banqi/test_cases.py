"""Every recorded game: legal actions at every node, what chance turned up, the end and its reason.

They are played by `Position`, one at a time, and by `Banqi`, all at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cotulenh_env.banqi import Position
from cotulenh_env.banqi.outcomes import draw_of
from cotulenh_env.banqi.pieces import CODE_LETTERS, EMPTY
from cotulenh_env.banqi.state import STATE_DTYPE
from tests.banqi.helpers import GAME
from tests.cases import Case, read_object

GAMES: list[Case] = read_object("banqi_games.json")["games"]


def turns_of(case: Case) -> list[tuple[int, int, list[int], int | None]]:
    """Player, action, legal actions, and the piece turned up or None."""
    turns: list[Any] = []
    for kind, *node in case["moves"]:
        if kind == "p":
            turns.append((*node, None))
        else:
            turns[-1] = (*turns[-1][:3], node[0])
    return turns


def board_of(state: Any) -> list[int]:
    board = state.view(STATE_DTYPE)[0]["board"]
    return [-1 if code == EMPTY else code for code in board.tolist()]


@pytest.mark.parametrize("case", GAMES, ids=range(len(GAMES)))
def test_game_by_position(case: Case) -> None:
    position = Position()
    for player, action, legal, piece in turns_of(case):
        assert (position.turn, position.legal_actions()) == (player, legal)
        position.push(action, None if piece is None else CODE_LETTERS[piece])
    assert position.winner == (-1 if case["result"] == "draw" else case["result"])
    assert position.reason == case["why"]
    assert board_of(position.state) == case["board"]
    assert position.turns == len(turns_of(case))


def test_all_games_in_one_batch() -> None:
    games = [turns_of(case) for case in GAMES]
    states = GAME.new_states(len(games))
    for turn in range(max(map(len, games))):
        rows = [row for row, turns in enumerate(games) if turn < len(turns)]
        legal, counts = GAME.legal_actions(states)
        actions, draws, pieces = [], [], []
        for row in rows:
            player, action, expected, piece = games[row][turn]
            assert legal[row, : counts[row]].tolist() == expected
            assert GAME.current_player(states)[row] == player
            record = states[row].view(STATE_DTYPE)[0]
            actions.append(action)
            draws.append(0.0 if piece is None else draw_of(record, piece))
            pieces.append(0 if piece is None else piece)
        after, events = GAME.apply(states[rows], np.array(actions, np.int32), np.array(draws))
        assert events.tolist() == pieces
        states[rows] = after
    assert GAME.end_reason(states) == [case["why"] for case in GAMES]
    winners = [case["result"] for case in GAMES]
    expected_returns = [{0: [1, -1], 1: [-1, 1], "draw": [0, 0]}[winner] for winner in winners]
    assert GAME.returns(states).tolist() == expected_returns
    assert [board_of(state) for state in states] == [case["board"] for case in GAMES]
