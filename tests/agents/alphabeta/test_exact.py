"""The value of a search is that of plain minimax, and the table changes nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from agents.alphabeta import AlphaBetaSearch, AlphaBetaSettings, SearchResult, evaluate
from cotulenh_env.commander import RuleSet
from cotulenh_env.game import States
from tests.agents.alphabeta.minimax import Minimax
from tests.agents.alphabeta.positions import (
    COMMANDER,
    SMALL,
    SMALL_STATES,
    changed,
    legal,
    mirrored_fen,
    played,
    winner,
)
from tests.agents.helpers import random_positions
from tests.programs import printed_by

QUICK = [0, 2, 5, 6, 7, 9]
"""Of SMALL: those of which minimax to depth 2 takes about a second at most."""


def static(state: States) -> int:
    return int(evaluate(state[None])[0])


def searched(state: States, **settings: Any) -> SearchResult:
    return AlphaBetaSearch(AlphaBetaSettings(**settings)).search(state)


def named(state: States, words: str) -> int:
    """The legal action of that text."""
    (action,) = [a for a in legal(state) if COMMANDER.action_text(state, a) == words]
    return action


def assert_exact(state: States, depth: int) -> None:
    """Value and all best actions, with the table, with a tiny one, and without."""
    value, best = Minimax(COMMANDER, static, state).best(depth)
    for megabytes in (0, 1, 8):
        result = searched(state, depth=depth, table_megabytes=megabytes)
        assert result.value == value
        assert result.best_actions.tolist() == best
        assert result.best_actions.dtype == np.int32


@pytest.mark.parametrize(("fen", "rules"), SMALL)
def test_depth_1_is_minimax_for_both_colours(fen: str, rules: RuleSet) -> None:
    for text in (fen, mirrored_fen(fen)):
        assert_exact(COMMANDER.from_text(text, rules), 1)


@pytest.mark.parametrize("index", QUICK)
def test_depth_2_is_minimax(index: int) -> None:
    assert_exact(SMALL_STATES[index], 2)


def test_depth_2_is_minimax_for_blue() -> None:
    for index in (0, 6):
        fen, rules = SMALL[index]
        assert_exact(COMMANDER.from_text(mirrored_fen(fen), rules), 2)


def test_depth_3_is_minimax_where_few_pieces_move() -> None:
    """Three turns of little: positions recur on several paths."""
    state = COMMANDER.from_text("11/4h6/5c5/11/11/7i3/11/11/3I7/11/4H6/8C2 r - - 0 1")
    commanders_stay = changed(state, switches=int(RuleSet("russian").switches))
    assert_exact(commanders_stay, 2)
    value, best = Minimax(COMMANDER, static, state).best(3)
    result = searched(state, depth=3)
    assert (result.value, result.best_actions.tolist()) == (value, best)


def test_groups_are_searched_from_the_middle_of_a_turn() -> None:
    """After SELECT the search goes on with the same turn, and finds what it planned."""
    for index in (1, 3):
        state = SMALL_STATES[index]
        before = searched(state, depth=1).value
        for action in legal(state):
            if 104 <= action % 111 <= 109:
                selected = played(state, action)
                assert_exact(selected, 1)
                assert searched(selected, depth=1).value <= before


def test_draws_by_repetition_and_quiet_turns_are_seen() -> None:
    """Red is far behind; whatever comes back or lets the clock run out is worth 0 to it."""
    rules = RuleSet(battle="full", repetition=2)
    state = COMMANDER.from_text("3c7/11/11/1n4t4/11/11/11/11/4I6/11/11/5C4E r - - 9 1", rules)
    assert searched(state, depth=1).value < -500
    assert searched(changed(state, quiet_turns=99), depth=1).value == 0
    # Both go out and come back: once more, and the position from here stands for the second time.
    start = state
    for words in ("I e4-e5 move", "C d12-d11 move", "I e5-e4 move"):
        state = played(state, named(state, words))
    result = searched(state, depth=1)
    back = named(state, "C d11-d12 move")
    np.testing.assert_array_equal(
        COMMANDER.key(played(state, back)[None]), COMMANDER.key(start[None])
    )
    assert result.value > 500
    assert back not in result.best_actions
    for depth in (1, 2):
        assert_exact(state, depth)


@pytest.mark.parametrize(
    "fields",
    [
        {"quiet_turns": 98},
        {"quiet_turns": 97},
        {"turns": 398, "points": (30, 0)},
        {"turns": 398, "points": (0, 30)},
        {"turns": 380, "points": (90, 100)},
        {"repetition": 2},
    ],
)
def test_what_depends_on_the_path_is_exact(fields: dict[str, Any]) -> None:
    """Clocks, lead and repetition are part of what the table knows a value for."""
    assert_exact(changed(SMALL_STATES[0], **fields), 2)


def test_positions_that_have_stood_before_are_exact() -> None:
    """Where some stand for the second time, and a third would be a draw."""
    state = COMMANDER.from_text("11/5c4e/11/11/8i2/11/11/2I8/11/11/4C5E/11 r - - 0 1")
    to_and_fro = ("I c5-c4 move", "I i8-i9 move", "I c4-c5 move", "I i9-i8 move")
    values = []
    for words in 2 * to_and_fro:
        assert_exact(state, 1)
        values.append(searched(state, depth=2).value)
        state = played(state, named(state, words))
    assert winner(state) == -1
    assert len(set(values[:4])) > 1


def test_the_table_changes_no_value_in_games() -> None:
    """Whole positions, deeper than minimax comes: with and without the table."""
    for state in random_positions(COMMANDER, 6, 40, seed=11):
        with_table, without = (
            searched(state, depth=2, table_megabytes=megabytes) for megabytes in (8, 0)
        )
        assert with_table.value == without.value
        np.testing.assert_array_equal(with_table.best_actions, without.best_actions)
        assert with_table.num_nodes < without.num_nodes


CODE = """
import json, sys
from agents.alphabeta import AlphaBetaSearch, AlphaBetaSettings
from tests.agents.alphabeta.positions import SMALL_STATES
found = []
for index in (0, 9):
    result = AlphaBetaSearch(AlphaBetaSettings(depth=1)).search(SMALL_STATES[index])
    found.append([result.value, result.num_nodes, result.best_actions.tolist()])
json.dump(found, sys.stdout)
"""


def test_without_compilation_the_search_is_the_same() -> None:
    found = [json.loads(printed_by(CODE, NUMBA_DISABLE_JIT=disabled)) for disabled in "01"]
    assert found[0] == found[1]
