"""`Position` against every recorded case of all editions.

- positions: legal actions, their words read back, and the FEN written back
- games: every recorded action is legal, and the end is the recorded one
- rules: hand-made positions, each named by the rule it shows
- perft: counts up to MAX_NODES
"""

import numpy as np
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.fen import board_text
from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.commander.state import STATE_DTYPE
from tests.cases import Case, read_document, read_lines
from tests.commander.helpers import load_case

MAX_NODES = 2_000_000
WINNERS = {0: "red", 1: "blue", -1: "draw", None: None}

POSITIONS = read_lines("commander_positions.jsonl")
GAMES = read_lines("commander_games.jsonl")
RULES = read_lines("commander_rules.jsonl")
PERFT = read_document("commander_perft.json")


def board_of(position: Position) -> str:
    return board_text(position.state.view(STATE_DTYPE)[0]["board"])


@pytest.mark.parametrize("case", POSITIONS, ids=range(len(POSITIONS)))
def test_position(case: Case) -> None:
    position = load_case(case)
    legal = position.legal_actions()
    assert legal == case["legal"]
    texts = [position.move_text(action) for action in legal]
    assert sorted(texts) == case["text"]
    assert [position.parse_move(text) for text in texts] == legal
    if case["selected"] is None:
        assert position.fen() == case["fen"]


def assert_result(position: Position, case: Case) -> None:
    assert WINNERS[position.winner] == case["winner"]
    assert position.reason == case["reason"]
    assert list(position.points) == case["points"]


@pytest.mark.parametrize("case", GAMES, ids=range(len(GAMES)))
def test_game(case: Case) -> None:
    position = Position.from_fen(case["start"], RuleSet(**case["rules"]))
    for action in case["actions"]:
        assert position.winner is None
        position.push(action)
    assert_result(position, case)
    assert board_of(position) == case["final_board"]
    assert position.turns == case["turns"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in RULES if "point" in case]
)
def test_rule_of_one_point(case: Case) -> None:
    position = load_case(case)
    origin = parse_point(case["point"])
    seen = (11 - origin // 11) * 11 + origin % 11 if position.turn else origin
    here = [action for action in position.legal_actions() if action // 111 == seen]
    assert here == case["legal"]
    assert sorted(position.move_text(action) for action in here) == case["text"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in RULES if "play" in case]
)
def test_rule_in_play(case: Case) -> None:
    position = load_case(case)
    for played in case["play"]:
        assert position.move_text(played["action"]) == played["move"]
        position.push(position.parse_move(played["move"]))
        assert board_of(position) == played["board"]
    assert_result(position, case)
    assert position.winner is not None or position.fen() == case["fen_after"]


def perft(states: np.ndarray[tuple[int, int], np.dtype[np.uint8]], depth: int) -> int:
    """Sequences of actions of that length, counted in batches."""
    game = CommanderChess()
    legal, counts = game.legal_actions(states)
    if depth == 1 or not counts.any():
        return int(counts.sum()) if depth == 1 else 0
    total = 0
    for first in range(0, len(states), 512):
        rows = np.repeat(
            np.arange(first, min(first + 512, len(states))), counts[first : first + 512]
        )
        actions = legal[first : first + 512]
        after, _ = game.apply(states[rows], actions[actions >= 0])
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize("case", PERFT, ids=range(len(PERFT)))
def test_perft(case: Case) -> None:
    state = load_case(case).state[None]
    counts = [count for count in case["counts"] if count <= MAX_NODES]
    assert len(counts) >= 2
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
