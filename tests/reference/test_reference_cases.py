"""The reference against every recorded case.

- positions: legal actions, their words, and the FEN written back
- games: every recorded action is legal, and the end is the recorded one
- rules: hand-made positions, each named by the rule it shows
- perft: all counts up to MAX_NODES
"""

from typing import Any

import pytest

from tests.cases import Case, read_document, read_lines
from tests.reference.commander import Game, Rules, perft
from tests.reference.commander.board import parse_point

# Deeper counts take this implementation minutes.
MAX_NODES = 20_000
WINNERS = {0: "red", 1: "blue", -1: "draw", None: None}

POSITIONS = read_lines("commander_positions.jsonl")
GAMES = read_lines("commander_games.jsonl")
RULES = read_lines("commander_rules.jsonl")
PERFT = read_document("commander_perft.json")


def load(case: Case) -> Game:
    return Game.from_fen(
        case["fen"],
        Rules(**case["rules"]),
        selected=case.get("selected"),
        acted=case.get("acted"),
        armed=case.get("armed"),
    )


def test_every_edition_and_battle_is_covered() -> None:
    rules = [Rules(**case["rules"]) for case in POSITIONS + GAMES + RULES + PERFT]
    assert {rule.edition for rule in rules} == {"official", "bga", "russian"}
    assert {rule.battle for rule in rules} == {"standard", "sea", "air", "surprise", "full"}


@pytest.mark.parametrize("case", POSITIONS, ids=range(len(POSITIONS)))
def test_position(case: Case) -> None:
    game = load(case)
    assert sorted(game.legal_texts().values()) == case["text"]
    assert game.legal_actions() == case["legal"]
    assert (game.selected, game.acted) == (case["selected"], case["acted"])
    if case["selected"] is None:
        assert game.fen() == case["fen"]


def result(game: Game) -> dict[str, Any]:
    return {
        "winner": WINNERS[game.winner],
        "reason": game.reason,
        "points": list(game.points),
    }


def recorded_result(case: Case) -> dict[str, Any]:
    return {name: case[name] for name in ("winner", "reason", "points")}


@pytest.mark.parametrize("case", GAMES, ids=range(len(GAMES)))
def test_game(case: Case) -> None:
    game = Game.from_fen(case["start"], Rules(**case["rules"]))
    for action in case["actions"]:
        assert game.winner is None
        game.push(action)
    assert result(game) == recorded_result(case)
    assert game.board_fen() == case["final_board"]
    assert game.turns == case["turns"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in RULES if "point" in case]
)
def test_rule_of_one_point(case: Case) -> None:
    choices = load(case).choices().values()
    here = [choice for choice in choices if choice.origin == parse_point(case["point"])]
    assert sorted(choice.text for choice in here) == case["text"]
    assert sorted(choice.number for choice in here) == case["legal"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in RULES if "play" in case]
)
def test_rule_in_play(case: Case) -> None:
    game = load(case)
    for played in case["play"]:
        assert game.legal_texts()[played["action"]] == played["move"]
        game.push(played["action"])
        assert game.board_fen() == played["board"]
    assert result(game) == recorded_result(case)
    assert game.winner is not None or game.fen() == case["fen_after"]


@pytest.mark.parametrize("case", PERFT, ids=range(len(PERFT)))
def test_perft(case: Case) -> None:
    counts = [count for count in case["counts"] if count <= MAX_NODES]
    assert len(counts) >= 2
    found = [perft(load(case), depth) for depth in range(1, len(counts) + 1)]
    assert found == counts
