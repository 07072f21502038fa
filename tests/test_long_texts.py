"""Texts of any length from outside: messages about them have a length that can be read.

- games, environments and records are given 60,000 characters of several sorts for every text
- arguments that an environment settles itself are unknown options
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cotulenh_env import aec, banqi_v0, commander, commander_chess_v0, game_records
from cotulenh_env.errors import CotulenhError
from cotulenh_env.registry import game_names, load_game
from cotulenh_env.single import SingleAgentEnv
from cotulenh_env.vector import BatchedEnv

MAX_MESSAGE = 1500
"""A message may show a position, a move and a reason."""

LONG = 60_000
TEXTS = {
    "letters": "a" * LONG,
    "digits": "1" * LONG,
    "option": "a" * LONG + "=1",
    "value": "quiet_limit=" + "a" * LONG,
    "fields": "a " * (LONG // 2) + "a",
    "rows": "K" * LONG + "/8 r b - 17",
    "comma": "a,b;" * (LONG // 4) + "a",
    "bracket": "flip a1 (" + "x" * LONG + ")",
    "quotes": "'" * LONG,
}

every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


def message(call: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """What a refusal says."""
    with pytest.raises(CotulenhError) as caught:
        call(*arguments, **named)
    words = str(caught.value)
    assert len(words) < MAX_MESSAGE
    assert words.isprintable()
    return words


@every_text
@pytest.mark.parametrize("name", game_names())
def test_games(name: str, text: str) -> None:
    game = load_game(name)
    state = game.new_states(1)[0]
    message(load_game, text)
    message(game.from_text, text)
    message(game.parse_action, state, text)
    message(game.make_rules, **{text: 1})
    for option in vars(game.make_rules()):
        if option != "book":  # a path, of which nothing is looked at before it is read
            message(game.make_rules, **{option: text})


@every_text
def test_environments(text: str) -> None:
    game = load_game("tictactoe")
    message(commander_chess_v0.raw_env, **{text: 1})
    message(commander_chess_v0.raw_env, rules=commander.RuleSet(), **{text: 1})
    for make in (aec.raw_env, SingleAgentEnv, lambda game, **given: BatchedEnv(game, 1, **given)):
        message(make, game, illegal=text)
    env = aec.raw_env(game)
    message(env.step, text)
    env.reset(seed=1)
    message(env.reset, options={"fen": text})
    message(env.step, text)
    message(env.set_state, {**env.get_state(), text: 1})
    for key in env.get_state():
        message(env.set_state, {**env.get_state(), key: text})


RECORDS = {
    "tictactoe": "1. a3; a2\n2. b3; b2\n3. c3\n1-0\n",
    "banqi": "1. flip a1 (H)\n*\n",
}


@every_text
@pytest.mark.parametrize("name", [*RECORDS, "commander"])
@pytest.mark.parametrize("tag", ["Rules", "Start", "Result", "Reason", "Game"])
def test_tags_of_records(name: str, tag: str, text: str) -> None:
    """Regression: a tag Rules or Reason came back whole."""
    head = f'[Format "1"]\n[Game "{name}"]\n' if tag != "Game" else '[Format "1"]\n'
    if name == "commander":
        head, turns = '[Format "1"]\n', "*\n"
    else:
        turns = RECORDS[name]
    if name != "tictactoe" and tag in ("Reason", "Game"):
        return  # free words of a game that goes on, and a tag that Commander Chess has not
    read = commander.read_records if name == "commander" else game_records.read_records
    message(read, f'{head}[{tag} "{text}"]\n\n{turns}')


@every_text
def test_turns_of_records(text: str) -> None:
    for name in RECORDS:
        head = f'[Format "1"]\n[Game "{name}"]\n\n'
        message(game_records.read_records, f"{head}{text}\n1-0\n")
        message(game_records.read_records, f"{head}1. {text}\n1-0\n")
    for turns in (text, f"1. {text}", f"1. T3,5_5,5 {text}"):
        message(commander.read_records, f'[Format "1"]\n\n{turns}\n1-0\n')
    message(game_records.read_records, text)


@every_text
def test_records(text: str, tmp_path: Path) -> None:
    """Regression: a long reason of a game that the rules had ended came back whole."""
    game = load_game("tictactoe")
    won = [0, 3, 1, 4, 2]
    make = game_records.GameRecord.from_game
    message(make, game, won, reason=text)
    message(make, game, won, result=text)
    message(make, game, won, start=text)
    record = make(game, [0])
    for changes in ({"reason": text, "played": make(game, won).played}, {"game": text}):
        broken = game_records.GameRecord(**(vars(record) | changes))
        message(broken.validate)
        message(game_records.save_records, tmp_path / "games.npz", [broken])
        message(game_records.save_records, tmp_path / "games.npz", [record, broken])
        message(game_records.write_records, [broken])


def test_options_that_an_environment_settles() -> None:
    """Regression: they were TypeErrors, of an argument that is given twice."""
    for make in (banqi_v0.raw_env, banqi_v0.env, banqi_v0.single_env, banqi_v0.vector_env):
        for name in ("game", "name"):
            words = message(make, **{name: 1})
            assert words.startswith(f"unknown rule option '{name}': the options are preset, ")
