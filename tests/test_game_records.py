"""Records of any game as text.

- random games of several games are written, read back equal, and replayed to the same states
- by hand: a game with chance, one begun by player 1, several actions in a turn, a resignation
- draws for events, and events for states; announcements and dealt starts of games that have them
- what is malformed, illegal or untrue is refused with the line
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cotulenh_env import registry
from cotulenh_env.banqi import RuleSet
from cotulenh_env.errors import RecordError
from cotulenh_env.game import Actions, Draws, Events, States
from cotulenh_env.game_records import (
    GameRecord,
    PlayedAction,
    draw_of_event,
    event_between,
    read_records,
    write_records,
)
from cotulenh_env.registry import load_game
from cotulenh_env.tictactoe import TicTacToe

BANQI = load_game("banqi")

BY_HAND = """\
[Format "1"]
[Game "banqi"]
[Event "Tea \\"house\\""]
[Rules "preset=taiwanese quiet_limit=7 adjudicate_dead_material=false"]
[Start "4g3/8/2S5/6?? r b Hs 3"]
[Result "1-0"]
[Reason "resignation"]

1... flip h1 (H)
2. e4-e3; h1-h2
3. flip g1 (s)
1-0
"""


def random_game(
    name: str, seed: int, rules: Any = None
) -> tuple[list[int], list[int], list[States]]:
    """Actions, events and states of a random game of at most 300 actions."""
    game, rng = load_game(name), np.random.default_rng(seed)
    states = game.new_states(1, rules=rules)
    actions: list[int] = []
    events: list[int] = []
    seen = [states[0]]
    for _ in range(300):
        legal, counts = game.legal_actions(states)
        if not counts[0]:
            break
        chosen = legal[:, rng.integers(counts[0])].copy()
        states, event = game.apply(states, chosen, rng.random(1))
        actions.append(int(chosen[0]))
        events.append(int(event[0]))
        seen.append(states[0])
    return actions, events, seen


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("banqi", {}),
        ("banqi", {"preset": "taiwanese", "soldier_takes_soldier": False}),
        ("tictactoe", {}),
        ("cwda", {"white_army": "NN", "black_army": "CC"}),
        ("commander", {"battle": "sea", "turn_limit": 60}),
    ],
)
def test_random_games(name: str, options: dict[str, Any]) -> None:
    game = load_game(name)
    rules = game.make_rules(**options)
    records = []
    for seed in range(3):
        actions, events, states = random_game(name, seed, rules)
        record = GameRecord.from_game(game, actions, events, rules=rules, tags=[("Round", "1")])
        assert (record.actions, record.events) == (actions, events)
        assert all(map(np.array_equal, record.replay(), states))
        assert record.reason == game.end_reason(states[-1][None])[0]
        records.append(record)
    text = write_records(records)
    assert read_records(text) == records
    assert read_records(io.StringIO(text)) == records
    # Lines may be spaced as one likes, and numbers and empty lines may be missing or more.
    loose = text.replace("\n", " \r\n\r\n").replace("; ", " ;").replace("\n10. ", "\n")
    assert read_records(loose) == records


def test_by_hand(tmp_path: Path) -> None:
    (record,) = read_records(BY_HAND)
    assert record.rules == RuleSet(preset="taiwanese", quiet_limit=7)
    assert record.tags == (("Event", 'Tea "house"'),)
    assert record.played == (
        PlayedAction(31, 4),
        PlayedAction(BANQI.parse_action(next(after(record, 1)), "e4-e3"), 0),
        PlayedAction(BANQI.parse_action(next(after(record, 2)), "h1-h2"), 0),
        PlayedAction(30, 13),
    )
    assert write_records([record]) == BY_HAND
    *_, last = record.replay()
    assert BANQI.to_text(last) == "8/4g3/2S4H/6s1 r b - 0"
    path = tmp_path / "games.txt"
    path.write_text(BY_HAND + "\n" + BY_HAND)
    assert read_records(path) == [record, record]
    with pytest.raises(RecordError, match="give Path"):
        read_records(str(path))


def test_example_in_the_documentation() -> None:
    """docs/records.md shows a game of Banqi: it reads, and is written back as it stands."""
    text = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    example = "[Format" + text.split("## Records of other games")[1].split("[Format", 1)[1]
    example = example.split("```")[0]
    assert write_records(read_records(example)) == example


def after(record: GameRecord, num_actions: int) -> Any:
    return iter(list(record.replay())[num_actions:])


def test_several_actions_in_a_turn() -> None:
    game = load_game("commander")
    fen = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/3C7 r - - 5 9"
    state = game.from_text(fen)
    actions = []
    for words in ("SELECT c5 T", "T c5-e5 move", "SELECT c5 F", "F c5-c7 move"):
        actions.append(game.parse_action(state, words))
        state = game.apply(state[None], np.array(actions[-1:], np.int32))[0][0]
    text = write_records([GameRecord.from_game(game, actions, start=fen)])
    assert "\n1. SELECT c5 T, T c5-e5 move, SELECT c5 F, F c5-c7 move\n" in text
    assert read_records(text)[0].actions == actions


@pytest.mark.parametrize("name", ["luzhanqi_flip", "luzhanqi_referee", "tictactoe"])
@pytest.mark.parametrize("option", ["self", "kind", "rules"])
def test_rule_options_of_any_name_are_one_sentence(name: str, option: str) -> None:
    """Regression: a name that Python's own arguments have was a TypeError."""
    text = f'[Format "1"]\n[Game "{name}"]\n[Rules "{option}=1"]\n\n*\n'
    with pytest.raises(RecordError, match=rf"option.*\b{option}\b.*at line"):
        read_records(text)


def test_draws_of_events() -> None:
    """The middle of the outcome's share, wherever it lies; BANQI.md: 1 general in 32."""
    start = BANQI.new_states(1)[0]
    assert draw_of_event(BANQI, start, 0, 0) == 0.5 / 32
    assert draw_of_event(BANQI, start, 0, 13) == pytest.approx((32 - 2.5) / 32)
    state = BANQI.from_text("4g3/8/2S5/6?? r b Hs 3")
    assert draw_of_event(BANQI, state, 31, 13) == 0.75
    with pytest.raises(RecordError, match="event 3 cannot follow 'flip h1'"):
        draw_of_event(BANQI, state, 31, 3)


def test_events_between_states() -> None:
    actions, events, states = random_game("banqi", 9)
    turns = zip(states, actions, states[1:], strict=False)
    assert [event_between(BANQI, *turn) for turn in turns] == events
    with pytest.raises(RecordError, match="does not lead from"):
        event_between(BANQI, states[0], actions[0], states[2])


class Announced(TicTacToe):
    """Tic-tac-toe that begins with a dealt X, and announces the row of every mark."""

    spec = replace(TicTacToe.spec, name="announced", has_hidden_information=True)

    def new_states(
        self, n: int, rng: np.random.Generator | None = None, rules: Any = None
    ) -> States:
        states = super().new_states(n)
        assert rng is not None
        return super().apply(states, rng.integers(0, 9, n).astype(np.int32))[0]

    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        return super().apply(states, actions, None, out)[0], actions // 3

    def from_text(self, text: str, rules: Any = None) -> States:
        empty = TicTacToe().new_states(1)
        state: States = TicTacToe().apply(empty, np.array([text.index("X")], np.int32))[0][0]
        return state

    def event_text(self, state: States, action: int, event: int) -> str:
        return f"row {event}"


def test_announcements_and_dealt_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, "announced", f"{__name__}:Announced")
    game = load_game("announced")
    with pytest.raises(RecordError, match="games of announced are dealt: the record needs a start"):
        GameRecord.from_game(game, [0])
    record = GameRecord.from_game(game, [8, 3], start="X........")
    assert record.events == [2, 1]  # told by playing them
    text = write_records([record])
    assert text.endswith("\n1... c1 (row 2)\n2. a2 (row 1)\n*\n")
    assert read_records(text) == [record]
    with pytest.raises(RecordError, match="behind 'a2' stands one of 'row 1' in brackets"):
        read_records(text.replace("row 1", "row 2"))
    with pytest.raises(RecordError, match="event 1 cannot follow 'c1'"):
        GameRecord.from_game(game, [8], [1], start="X........")


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ('[Format "1"]\n', "", "a game is [Format \"1\"]", 1),
        ('[Format "1"]', '[Format "2"]', 'begins with the tag [Format "1"]', None),
        ('[Game "banqi"]\n', "", "the tag Game, with the game's name, is missing", None),
        ('"banqi"', '"go"', "unknown game 'go'", None),
        ("quiet_limit=7", "quiet_limit=0", "quiet_limit is a whole number", None),
        ("quiet_limit=7", "quiet_limit", "is not written name=value", None),
        ('[Game "banqi"]', '[Game "banqi]', 'a tag is written [Name "value"] on one line', 2),
        ('[Event "Tea', '[Game "Tea', "the tag 'Game' is there twice", 3),
        ("[Event ", "[1vent ", "the name of a tag is a letter", 3),
        ("r b Hs 3", "r b H 3", "the start is no position", None),
        ("1... flip", "1. flip", "the next turn has the number 1..., not 1.", 9),
        ("2. e4", "3. e4", "the next turn has the number 2., not 3.", 10),
        ("e4-e3", "e4-e2", "'e4-e2' is no legal move in", 10),
        ("e4-e3; h1-h2", "e4-e3, h1-h2", "the turn is over before 'h1-h2'", 10),
        ("e4-e3; h1-h2", "e4-e3; ", "'' is no legal move", 10),
        (" (H)", "", "behind 'flip h1' stands one of 'H, s' in brackets, got ''", 9),
        (" (H)", " (R)", "behind 'flip h1' stands one of 'H, s' in brackets, got 'R'", 9),
        (" (H)", " (H) (H)", "is no legal move", 9),
        ("e4-e3;", "e4-e3 (H);", "behind 'e4-e3' stands one of 'nothing' in brackets", 10),
        ("\n1-0\n", "\n", "does not end with its result, one of 1-0, 0-1, 1/2-1/2, *", None),
        ("\n1-0\n", "\n0-1\n", "ends with 0-1, but its tag Result is '1-0'", 12),
        ("(s)\n1-0\n", "(s)\n2-0\n", "'2-0' is no legal move", 12),
    ],
)  # fmt: skip
def test_refused(old: str, new: str, words: str, line: int | None) -> None:
    assert BY_HAND.count(old) >= 1
    with pytest.raises(RecordError) as raised:
        read_records(BY_HAND.replace(old, new))
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.line is not None
    assert line is None or raised.value.line == line


FINISHED = """\
[Format "1"]
[Game "tictactoe"]
[Result "1-0"]
[Reason "line"]

1. a3; a2
2. b3; b2
3. c3
1-0
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("1-0", "0-1", "the game ends 1-0 (line), not 0-1 (line)"),
        ('"line"', '"resignation"', "the game ends 1-0 (line), not 1-0 (resignation)"),
        ("1-0", "*", "the game ends 1-0 (line), not *"),
        ("3. c3", "3. c3; c1", "the game is over before 'c1'"),
        ("3. c3", "3. c3, c1", "the game is over before 'c1'"),
    ],
)
def test_the_rules_end_games(old: str, new: str, words: str) -> None:
    (record,) = read_records(FINISHED)
    assert write_records([record]) == FINISHED
    with pytest.raises(RecordError) as raised:
        read_records(FINISHED.replace(old, new))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("actions", "events", "options", "words"),
    [
        ([0, 0], [0, 0], {}, "action 2, 0, is illegal in"),
        ([0], None, {}, "the event of 'flip a4' is missing"),
        ([0], [14], {}, "event 14 cannot follow 'flip a4'"),
        ([0], [0, 1], {}, "1 actions have as many events, got 2"),
        ([0.5], [0], {}, "actions are whole numbers, got 0.5"),
        (7, None, {}, "actions are whole numbers, got 7"),
        ([], None, {"result": "2-0"}, "a result is one of"),
        ([], None, {"result": "1-0", "reason": "a\nb"}, "a reason is one line"),
        ([], None, {"tags": [("Game", "go")]}, "the tag Game holds a field of the record"),
        ([], None, {"rules": "seed"}, "rules of banqi are a RuleSet, got 'seed'"),
        ([], None, {"start": "8/8"}, "the start is no position"),
    ],
)
def test_games_that_cannot_be_recorded(
    actions: Any, events: Sequence[int] | None, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(RecordError) as raised:
        GameRecord.from_game(BANQI, actions, events, **options)
    assert words in str(raised.value)


def test_records_made_otherwise_are_checked_when_written() -> None:
    (record,) = read_records(FINISHED)
    for changes, words in (
        ({"result": "*"}, "the game ends 1-0 (line), not *"),
        ({"reason": ""}, "the game ends 1-0 (line), not 1-0"),
        ({"played": (PlayedAction(99, 0),)}, "action 1, 99, is illegal"),
        ({"played": (PlayedAction(0, 5),)}, "event 5 cannot follow 'a3'"),
        ({"start": "X"}, "the start is no position"),
    ):
        with pytest.raises(RecordError) as raised:
            write_records([replace(record, **changes)])
        assert words in str(raised.value)


def test_only_records_are_written() -> None:
    for wrong in (7, ["game"]):
        with pytest.raises(RecordError, match="games are GameRecords in a list"):
            write_records(wrong)  # type: ignore[arg-type]
    assert write_records([]) == ""
    assert read_records("") == []
