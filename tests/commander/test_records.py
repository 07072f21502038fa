"""Game records: plain data, text, arrays.

- random games of all editions: text → records → text is the identity, and so is the way through
  an .npz file
- the complete example of docs/records.md
- what hand-written text may do, and what is refused, with line and column
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cotulenh_env.commander import (
    GameRecord,
    Position,
    RecordedTurn,
    RuleSet,
    load_game_arrays,
    load_records,
    read_records,
    save_records,
    validate_records,
    write_records,
)
from cotulenh_env.commander.notation_symbols import ENGLISH_LETTERS, VIETNAMESE_LETTERS
from cotulenh_env.commander.rules_text import parse_rules, rules_text
from cotulenh_env.errors import RecordError
from tests.commander.notation_games import (
    FULL,
    RULE_SETS,
    STYLES,
    WIN,
    position_of,
    record_of,
)

DOC = Path(__file__).parents[2] / "docs" / "records.md"


GAMES = [record_of(rules, seed) for seed, rules in enumerate(RULE_SETS)]
SMALL = record_of(FULL, max_actions=12)
SMALL_TEXT = write_records([SMALL])


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_text_is_the_identity(style: Any) -> None:
    """R11.2: records → text → records → text, in every style."""
    text = write_records(GAMES, style)
    assert read_records(text) == GAMES
    assert write_records(read_records(text), style) == text


def test_text_does_not_depend_on_line_ends(tmp_path: Path) -> None:
    """Files from other systems, open files, and a byte order mark."""
    assert read_records(SMALL_TEXT.replace("\n", "\r\n")) == [SMALL]
    assert read_records(io.StringIO(SMALL_TEXT)) == [SMALL]
    (tmp_path / "games.txt").write_text(SMALL_TEXT, encoding="utf-8-sig")
    assert read_records(tmp_path / "games.txt") == [SMALL]
    assert read_records("") == read_records("\n \n") == []


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("games.txt", r"give Path\('games.txt'\)"),
        ("a.npz", "load_records"),
        (__file__, "give Path"),
    ],
)
def test_name_of_a_file_is_no_text(name: str, advice: str) -> None:
    for read in (read_records, validate_records):
        with pytest.raises(RecordError, match=f"looks like the name of a file: .*{advice}"):
            read(name)


def test_arrays_are_the_identity(tmp_path: Path) -> None:
    """Text → .npz → text, but for notes; with and without replaying."""
    path = tmp_path / "games.npz"
    save_records(path, read_records(write_records(GAMES)))
    bare = [game.without_notes() for game in GAMES]
    assert load_records(path) == load_records(path, validate=False) == bare
    assert write_records(load_records(path)) == write_records(bare)
    arrays = load_game_arrays(path)
    assert len(arrays) == len(GAMES)
    assert arrays.actions.tolist() == [action for game in GAMES for action in game.actions]
    assert arrays.offsets[-1] == len(arrays.actions)
    save_records(path, [])
    assert load_records(path) == []


def test_numpy_reads_the_arrays(tmp_path: Path) -> None:
    """Without this package and without pickle."""
    path = tmp_path / "games.npz"
    save_records(path, [SMALL])
    with np.load(path, allow_pickle=False) as arrays:
        assert arrays["actions"].dtype == np.int32
        assert arrays["actions"].tolist() == SMALL.actions
        header = json.loads(arrays["header"].tobytes())
    assert (header["format"], header["game"]) == (2, "commander")
    assert header["starts"] == [None]
    assert header["rules"][0]["battle"] == "full"


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_rules_are_written_whole(rules: RuleSet) -> None:
    """Every option of RuleSet goes through text."""
    assert parse_rules(rules_text(rules)) == rules


def test_replay() -> None:
    """Positions before and after every turn; each the caller's own."""
    positions = list(SMALL.replay())
    assert len(positions) == len(SMALL.turns) + 1
    assert positions[0] == Position(FULL)
    assert positions[-1] == SMALL.final_position()
    again = SMALL.replay()
    next(again).push(positions[0].legal_actions()[0])
    assert list(again) == positions[1:]


def test_start_from_a_fen() -> None:
    """A game from a position, from mid-turn, that is over at once, and by resignation."""
    start = position_of("(NFT)c5 Ck1 cj12 hj11", "b", rest="7 31")
    record = GameRecord.from_game(
        start, start.legal_actions()[:1], result="1-0", reason="resignation"
    )
    text = write_records([record])
    assert f'[Start "{start.fen()}"]' in text
    assert "\n31... C" in text
    assert '[Reason "resignation"]' in text
    middle = position_of("(NI)c5 Tf5 cf7 Ck1", rest="0 1 c5:NI")
    rest = GameRecord.from_game(middle, [14652])
    assert "\n1. />\n*\n" in write_records([rest])
    over = GameRecord.from_game(position_of("Ck1 cj12", rest="100 1"), [])
    assert (over.result, over.reason) == ("1/2-1/2", "quiet")
    games = [record, rest, over]
    assert read_records(write_records(games)) == games


def test_unfinished_last_turn() -> None:
    """A game may stop in mid-deployment, also between selecting and moving."""
    start = position_of("(NFT)c5 Ck1 cj12 hj11")
    for words in ("SELECT c5 F", "SELECT c5 F; F c5-e7 move"):
        position = start.copy()
        actions = []
        for move in words.split("; "):
            actions.append(position.parse_move(move))
            position.push(actions[-1])
        record = GameRecord.from_game(start, actions)
        assert read_records(write_records([record])) == [record]
    text = write_records([record]).replace("/...\n", "/... C11,9_11,8\n")
    with pytest.raises(RecordError, match=r"only the last turn .* at line \d+, column \d+"):
        read_records(text)


def test_example_in_the_documentation() -> None:
    """docs/records.md shows a complete file: it reads, and is written back as it stands."""
    text = DOC.read_text(encoding="utf-8")
    example = text.split("```text\n[Format")[1].split("```")[0]
    games = read_records("[Format" + example)
    assert len(games) == 2
    assert write_records(games) == "[Format" + example
    assert games[0].turns[0].remark == "+"
    assert games[0].turns[0].clock == 898.5
    assert dict(games[0].tags)["Red"] == "An"
    assert games[1].start is not None


def test_files_of_format_1_are_read() -> None:
    """The documentation's example as the first version wrote it, without the game's name."""
    text = "[Format" + DOC.read_text(encoding="utf-8").split("```text\n[Format")[1].split("```")[0]
    path = Path(__file__).with_name("games_format_1.npz")
    with np.load(path) as file:
        assert set(json.loads(file["header"].tobytes())) == {"format", "rules", "starts", "reasons"}
    assert load_records(path) == [game.without_notes() for game in read_records(text)]


BLOCKS = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_documentation_runs(
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """docs/records.md: its Python blocks run as written."""
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "records.md", "exec"), {})
    assert re.search(r"Xf4_f6|12  ~|9 c5:F\+T\n|\[0 3 1 4 2\]", capsys.readouterr().out)


def test_documentation_has_every_letter() -> None:
    """docs/records.md: the tables are those of the code (R11.2)."""
    text = DOC.read_text(encoding="utf-8")
    for kind, symbol in ENGLISH_LETTERS.items():
        assert f"| `{symbol}` | `{VIETNAMESE_LETTERS[kind]}` |" in text


HAND_WRITTEN = """
[Format "1"]  [ Rules   "battle=full" ]

{ by hand,
   in two lines } {and two comments}
1.T3,5_5,5 T8,5 - –
2. Af1,4_2,4 ++ { good }{[%clk 0:01:02.50] now } af10,4_9,4
Aa3,4_3,3 *
"""


def test_hand_written_text() -> None:
    """Tags on one line, no spaces behind numbers, numbers left out, comments over lines."""
    text = HAND_WRITTEN.replace("T8,5 - –", "T8,5–6,5 –")
    (game,) = read_records(text)
    assert game.comment == "by hand, in two lines and two comments"
    assert [turn.remark for turn in game.turns] == ["", "-", "++", "", ""]
    assert game.turns[2].comment == "good now"
    assert game.turns[2].clock == 62.5
    assert game.points is None
    assert game.rules == FULL
    assert read_records(write_records([game])) == [game]


HEAD = '[Format "1"]\n[Rules "battle=full"]\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("1. T3,5_5,5 *", 1, 1, "a game begins with the tag"),
        ('[Event "x"]\n*', 1, 1, "the first tag of a game is"),
        ('[Format "2"]\n*', 1, 1, "the format's version is 1, got '2'"),
        (HEAD + "[Event x]\n*", 3, 1, 'a tag is written [Name "value"]'),
        (HEAD + '[Event "x]\n*', 3, 1, 'a tag is written [Name "value"]'),
        (HEAD + '[E-vent "x"]\n*', 3, 1, "the name of a tag"),
        (HEAD + '[Rules ""]\n*', 3, 1, "the tag 'Rules' is there twice"),
        ('[Format "1"]\n[Rules "battle=none"]\n*', 2, 1, "battle is one of"),
        ('[Format "1"]\n[Rules "battle"]\n*', 2, 1, "is not written name=value"),
        ('[Format "1"]\n[Rules "speed=3"]\n*', 2, 1, "unknown rule option 'speed'"),
        ('[Format "1"]\n[Rules "battle=sea battle=sea"]\n*', 2, 1, "is there twice"),
        ('[Format "1"]\n[Rules "turn_limit=true"]\n*', 2, 1, "turn_limit is a whole number"),
        (HEAD + '[Start "11/11 r"]\n*', 3, 1, "the start is no position"),
        (HEAD + '[Points "3"]\n*', 3, 1, "the points are two numbers"),
        (HEAD + '[Result "won"]\n*', 4, 1, "its tag Result is 'won'"),
        (HEAD + '[Result "1-0"]\n\n*', 5, 1, "the game ends with *, but its tag Result"),
        (HEAD + '[Reason "battle"]\n\n*', 5, 1, "the rules have not ended the game"),
        (HEAD + '[Points "10 0"]\n\n*', 5, 1, "the points are 0 0, not 10 0"),
        (HEAD + "\n1. T3,5_5,5\n", 5, 1, "does not end with its result"),
        (HEAD + "\n1. T3,5_5,5\n[Format", 5, 1, "should stand here, got '['"),
        (HEAD + "\n1. T3,5_5,5 {open\n*", 4, 13, "a comment is not closed"),
        (HEAD + "\n1. T3,5_5,5 } *", 4, 13, "should stand here, got '}'"),
        (HEAD + "\n2. T3,5_5,5 *", 4, 1, "the number of this turn is 1., got '2.'"),
        (HEAD + "\n1... T3,5_5,5 *", 4, 1, "the number of this turn is 1., got '1...'"),
        (HEAD + "\n1. T3,5_6,5 *", 4, 4, "T at 3,5 cannot go to 6,5"),
        (HEAD + "\n1. T3,5_5,5\n  T8,5_Z *", 5, 8, "the target point should stand here"),
        (HEAD + "\n1. T3,5_5,5 {[%clk 0:61:00]} *", 4, 13, "is no clock time"),
        (HEAD + "\n1. T3,5_5,5 {a\x07b} *", 4, 13, "a comment is one line without control"),
        (HEAD + "\n1. T3,5_5,5 1-0 *", 4, 17, "a game begins with the tag"),
    ],
)  # fmt: skip
def test_refused_text(text: str, line: int, column: int, words: str) -> None:
    """What is wrong, with line and column."""
    with pytest.raises(RecordError) as caught:
        read_records(text)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert f"at line {line}" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"result": "0-1"}, "the result is 1-0 (battle), not 0-1 as recorded"),
        ({"result": "*"}, "the result is 1-0 (battle), not * as recorded"),
        ({"reason": "no move"}, "the reason is 'battle', not 'no move' as recorded"),
        ({"points": (0, 0)}, "the points are"),
        ({"start": None}, "the points are 0 0, not 200 0 as recorded"),
        ({"start": "8/8 w"}, "the start is no position"),
        ({"turns": (*WIN.turns, *WIN.turns)}, "turn 2: action"),
        ({"turns": (RecordedTurn((4219, 4219)),)}, "turn 1: action 4219 is not legal"),
    ],
)
def test_wrong_records(change: dict[str, Any], words: str) -> None:
    """`validate` and writing refuse what reading would refuse."""
    wrong = replace(WIN, **change)
    with pytest.raises(RecordError) as caught:
        wrong.validate()
    assert words in str(caught.value)
    with pytest.raises(RecordError):
        write_records([wrong])
    WIN.validate()


def test_turns_that_end_too_early() -> None:
    """A recorded turn is one turn."""
    two = replace(SMALL, turns=(RecordedTurn(tuple(SMALL.actions[:2])),), points=None)
    with pytest.raises(RecordError, match="turn 1: it is over after 1 actions, not 2"):
        two.validate()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RecordedTurn(()), "at least one action"),
        (lambda: RecordedTurn((True,)), "whole number"),
        (lambda: RecordedTurn((1,), remark="!"), "a remark is one of"),
        (lambda: RecordedTurn((1,), comment="a}b"), "a comment cannot contain '}'"),
        (lambda: RecordedTurn((1,), comment=" a"), "one line"),
        (lambda: RecordedTurn((1,), comment="[%clk 0:00:01]"), "a comment cannot contain"),
        (lambda: RecordedTurn((1,), comment="\ud800"), "control characters"),
        (lambda: RecordedTurn((1,), clock=-1), "a clock shows"),
        (lambda: RecordedTurn((1,), clock=float("nan")), "a clock shows"),
        (lambda: GameRecord(result="2-0"), "a result is one of"),
        (lambda: GameRecord(reason="a\nb"), "a reason is one line"),
        (lambda: GameRecord(points=(1, 2, 3)), "points are those of Red and Blue"),  # type: ignore[arg-type]
        (lambda: GameRecord(points=(-1, 2)), "points are integers from 0 to"),
        (lambda: GameRecord(tags=(("Result", "x"),)), "holds a field of the record"),
        (lambda: GameRecord(tags=(("A", "x"), ("A", "y"))), "is there twice"),
        (lambda: GameRecord(tags=(("A B", "x"),)), "the name of a tag"),
        (lambda: GameRecord(tags=(("A", 3),)), "a tag A is text"),  # type: ignore[arg-type]
        (lambda: GameRecord(rules="full"), "a RuleSet"),  # type: ignore[arg-type]
        (lambda: GameRecord(turns=((1,),)), "RecordedTurns"),  # type: ignore[arg-type]
    ],
)
def test_refused_fields(make: Callable[[], object], words: str) -> None:
    """What could not be written and read back cannot be in a record."""
    with pytest.raises(RecordError, match=words.replace("(", r"\(")):
        make()


def test_a_record_starts_from_what_a_fen_tells() -> None:
    """A position with a past, or with a selected group, is no start."""
    for position in list(SMALL.replay())[1:3]:
        with pytest.raises(RecordError, match="has a past or a selected group"):
            GameRecord.from_game(position, [])
    with pytest.raises(RecordError, match="the game cannot be recorded: action 0"):
        GameRecord.from_game(Position(), [0])


def test_validate_records_goes_on() -> None:
    """The first error of every game; games behind a broken one are looked at."""
    broken = SMALL_TEXT.replace("\n1. ", "\n7. ")
    errors = validate_records("\n".join([SMALL_TEXT, broken, SMALL_TEXT, broken[:-2]]))
    num_lines = SMALL_TEXT.count("\n") + 1
    first = SMALL_TEXT[: SMALL_TEXT.index("\n1. ") + 1].count("\n") + 1
    assert [error.line for error in errors] == [num_lines + first, 3 * num_lines + first]
    assert validate_records(SMALL_TEXT) == []
