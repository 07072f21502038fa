"""Game records in the hands of careless and hostile callers.

- what is no record, no path, no file, no text: one sentence of the package's own
- a file that cannot be written leaves the old one as it was
- errors stand where the mistake is, and no game behind a mistake is forgotten
- time and memory in proportion to the text, whatever it holds
"""

from __future__ import annotations

import io
import tracemalloc
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
    load_game_arrays,
    load_records,
    read_records,
    save_records,
    validate_records,
    write_records,
)
from cotulenh_env.errors import NotationError, RecordError
from cotulenh_env.record_fields import MAX_LENGTH
from tests.commander.notation_games import FULL, random_game

START, ACTIONS = random_game(FULL, 0, 12)
GAME = GameRecord.from_game(START, ACTIONS)
EMPTY = GameRecord(rules=FULL)
HEAD = '[Format "1"]\n[Rules "battle=full"]\n'

# --- callers ------------------------------------------------------------------------------------


class NoFile:
    """Something with a `read` that is none of a file."""

    def read(self) -> str:
        return ""


def closed_file() -> io.StringIO:
    file = io.StringIO("")
    file.close()
    return file


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: read_records(None), "records are read from text, a Path or"),  # type: ignore[arg-type]
        (lambda: read_records(5), "records are read from text, a Path or"),  # type: ignore[arg-type]
        (lambda: read_records(b"x"), "records are read from text, a Path or"),  # type: ignore[arg-type]
        (lambda: read_records([]), "records are read from text, a Path or"),  # type: ignore[arg-type]
        (lambda: validate_records(None), "records are read from text"),  # type: ignore[arg-type]
        (lambda: read_records(closed_file()), "the open file cannot be read: I/O operation on"),
        (lambda: read_records(NoFile()), "the open file cannot be read"),  # type: ignore[arg-type]
        (lambda: read_records(Path("a\0b")), r"'a\\x00b' cannot be read: embedded null byte"),
        (lambda: load_records("a\0b"), r"'a\\x00b' cannot be read: embedded null byte"),
        (lambda: load_records("a\nb"), r"'a\\nb' cannot be read: No such file"),
        (lambda: load_records(None), "a file is named by a path, got None"),  # type: ignore[arg-type]
        (lambda: load_game_arrays(5), "a file is named by a path, got 5"),  # type: ignore[arg-type]
        (lambda: save_records("a\0b", [GAME]), r"'a\\x00b' cannot be written: embedded null"),
        (lambda: save_records("/dev/null", [GAME]), "/dev/null is no regular file"),
        (lambda: save_records(".", [GAME]), ". is no regular file"),
        (lambda: save_records(None, [GAME]), "a file is named by a path"),  # type: ignore[arg-type]
        (lambda: write_records([GAME, None]), "game 2 is no GameRecord, but None"),  # type: ignore[list-item]
        (lambda: write_records(GAME), "games are GameRecords in a list, got"),  # type: ignore[arg-type]
        (lambda: GameRecord(turns=None), "turns of a record are RecordedTurns, got None"),  # type: ignore[arg-type]
        (lambda: GameRecord(turns=(5,)), "turns of a record are RecordedTurns, got 5"),  # type: ignore[arg-type]
        (lambda: GameRecord(tags=None), "tags are names and values, got None"),  # type: ignore[arg-type]
        (lambda: GameRecord(tags=(1, 2)), "a tag is a name and a value, got 1"),  # type: ignore[arg-type]
        (lambda: GameRecord(tags=("ab",)), "a tag is a name and a value, got 'ab'"),  # type: ignore[arg-type]
        (lambda: GameRecord(tags={"ab": "c"}), "a tag is a name and a value, got 'ab'"),  # type: ignore[arg-type]
        (lambda: GameRecord(points=5), "points are those of Red and Blue, got 5"),  # type: ignore[arg-type]
        (lambda: GameRecord(result=[]), "a result is one of"),  # type: ignore[arg-type]
        (lambda: GameRecord(result=np.zeros(2)), "a result is one of"),  # type: ignore[arg-type]
        (
            lambda: GameRecord(reason="x" * (MAX_LENGTH + 1)),
            "a reason has at most 65536 characters",
        ),
        (lambda: GameRecord(tags=(("A", "x" * (MAX_LENGTH + 1)),)), "a tag A has at most 65536"),
        (lambda: RecordedTurn(5), "the actions of a turn are whole numbers, got 5"),  # type: ignore[arg-type]
        (lambda: RecordedTurn(None), "the actions of a turn are whole numbers"),  # type: ignore[arg-type]
        (lambda: RecordedTurn((-1,)), "actions are 0 to 14652, got -1"),
        (lambda: RecordedTurn((14653,)), "actions are 0 to 14652, got 14653"),
        (lambda: RecordedTurn((2**40,)), "actions are 0 to 14652, got 1099511627776"),
        (lambda: RecordedTurn((1,), clock=10**400), "a clock shows 0 to 360000 seconds"),
        (lambda: RecordedTurn((1,), clock=float("inf")), "a clock shows 0 to 360000 seconds"),
        (lambda: RecordedTurn((1,), remark=np.zeros(2)), "a remark is one of"),  # type: ignore[arg-type]
        (lambda: GameRecord.from_game(None, []), "a game starts from a Position"),  # type: ignore[arg-type]
        (lambda: GameRecord.from_game(START, None), "cannot be recorded: actions come one"),  # type: ignore[arg-type]
        (lambda: GameRecord.from_game(START, [], tags=None), "tags are names and values"),  # type: ignore[arg-type]
    ],
)
def test_what_is_nothing_of_the_kind(call: Callable[[], object], words: str) -> None:
    """Neither TypeError nor AttributeError: one sentence."""
    with pytest.raises(RecordError, match=words) as caught:
        call()
    assert str(caught.value).isprintable()


def test_no_style() -> None:
    """Games without turns, which need none, included."""
    with pytest.raises(NotationError, match="written in a NotationStyle, got 'x'"):
        write_records([EMPTY], "x")  # type: ignore[arg-type]


def test_open_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(b'[Format "1"]\xff')
    for read in (read_records, validate_records):
        with path.open(encoding="utf-8") as file, pytest.raises(RecordError, match="no UTF-8 text"):
            read(file)
    with path.open("a") as file, pytest.raises(RecordError, match="file cannot be read: not read"):
        read_records(file)


# --- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [[EMPTY], [EMPTY, GAME], [GAME, EMPTY, EMPTY, GAME, EMPTY]])
def test_games_without_turns(games: list[GameRecord], tmp_path: Path) -> None:
    """A game may be recorded before its first turn."""
    save_records(tmp_path / "games.npz", games)
    assert load_records(tmp_path / "games.npz") == games
    assert read_records(write_records(games)) == games


def unpickled(turn: RecordedTurn) -> RecordedTurn:
    """A turn with an action that no array holds, past all checks, as from a foreign pickle."""
    object.__setattr__(turn, "actions", (2**40,))
    return turn


@pytest.mark.parametrize(
    "games",
    [[GAME, None], [replace(GAME, turns=(unpickled(RecordedTurn((1,))),))]],
    ids=["no record", "no action"],
)
def test_failing_save_keeps_the_file(games: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    save_records(path, [GAME])
    before = path.read_bytes()
    with pytest.raises((RecordError, OverflowError)):
        save_records(path, games)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_interrupted_save_keeps_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk in the middle of writing."""
    path = tmp_path / "games.npz"
    save_records(path, [GAME])
    before = path.read_bytes()

    def fail(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match=r"No space left on device: .*games\.npz"):
        save_records(path, [EMPTY])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_saved_file_is_where_it_was(tmp_path: Path) -> None:
    """Permissions and links stay; an error of the system names the file that was asked for."""
    path, link = tmp_path / "games.npz", tmp_path / "link.npz"
    save_records(path, [EMPTY])
    path.chmod(0o640)
    link.symlink_to(path)
    save_records(link, [GAME])
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert load_records(path) == load_records(link) == [GAME]
    with pytest.raises(FileNotFoundError, match=r"nowhere/x\.npz"):
        save_records(tmp_path / "nowhere" / "x.npz", [GAME])


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        ("points", np.array([[-5, 3]], np.int32), "points are 0 to 1000000, or twice -1"),
        ("points", np.array([[-1, 3]], np.int32), "points are 0 to 1000000, or twice -1"),
        ("points", np.array([[0, 1_000_001]], np.int32), "points are 0 to 1000000, or twice -1"),
        ("rules", np.array([1], np.int32), "rules has an index outside 0 to 0"),
    ],
)
def test_arrays_are_looked_at(name: str, array: Any, words: str, tmp_path: Path) -> None:
    """`load_game_arrays` gives nothing that no game has."""
    path = tmp_path / "games.npz"
    save_records(path, [GAME])
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files} | {name: array}
    np.savez(path, **arrays)
    with pytest.raises(RecordError, match=words):
        load_game_arrays(path)


def test_index_into_no_games(tmp_path: Path) -> None:
    path = tmp_path / "none.npz"
    save_records(path, [])
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    arrays |= {"rules": np.zeros(1, np.int32), "results": np.zeros(1, np.int8)}
    np.savez(path, **arrays)
    with pytest.raises(RecordError, match="rules has an index outside an empty list"):
        load_game_arrays(path)


def test_games_are_counted_from_0(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    save_records(path, [EMPTY, GAME])
    arrays = load_game_arrays(path)
    assert arrays.record(1) == GAME.without_notes()
    for index in (-1, 2, 0.0, None):
        with pytest.raises(RecordError, match="there are 2 games, counted from 0"):
            arrays.record(index)  # type: ignore[arg-type]


# --- places -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        (HEAD + '[E vent "x"]\n*', 3, 1, "a tag is written"),
        (HEAD + '[A "x"] [1A "x"]\n*', 3, 9, "the name of a tag is a letter"),
        (HEAD + '[A "x"] [B "a\x07"]\n*', 3, 9, "a tag B is one line without control"),
        (HEAD + '\n[Reason "a\x07"]\n*', 4, 1, "a tag Reason is one line without control"),
        (HEAD + '[Points "9999999 0"]\n*', 3, 1, "two numbers from 0 to 1000000, Red's"),
        (HEAD + '[Points "0 99999999"]\n*', 3, 1, "two numbers from 0 to 1000000, Red's"),
        (HEAD + "{fine}\n{a\x07b} *", 4, 1, "a comment is one line without control"),
        (HEAD + "{[%clk 0:01:00]} *", 3, 1, "a comment cannot contain '[%clk'"),
        (HEAD + "T3,5_5,5 {ok}\n {a\x07b} *", 4, 2, "a comment is one line without control"),
        (HEAD + "T3,5_5,5 {ok}\n {[%clk 0:61:00]} *", 4, 2, "is no clock time"),
        (HEAD + "1. 1. T3,5_5,5 *", 3, 1, "no turn stands behind the number 1."),
        (HEAD + "1. T3,5_5,5 1... *", 3, 13, "no turn stands behind the number 1..."),
        (HEAD + "1. T3,5_5,5 T8,5_6,5\n2.", 4, 1, "no turn stands behind the number 2."),
        (HEAD + "1. T3,5_5,5> *", 3, 12, "the turn gives no check, though > says so, in 6c4"),
        (HEAD + "1. T3,5_M5,5 *", 3, 9, "the target at 5,5 is nothing, not M, in 6c4"),
        (HEAD + "1. /T3,5_5,5 *", 3, 4, "no turn is under way"),
    ],
)
def test_places(text: str, line: int, column: int, words: str) -> None:
    """Line and column of the mistake itself, told once."""
    with pytest.raises(RecordError) as caught:
        read_records(text)
    message = str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), message
    assert words in message
    assert "at character" not in message
    assert message.endswith(f"at line {line}, column {column}")


def test_number_and_its_turn() -> None:
    """A comment may stand between them, and belongs to the turn; full-width numbers are numbers."""
    (game,) = read_records(
        HEAD + "{game} 1. {x} {[%clk 0:01:00]} T3,5_5,5 {y} １．．． T8,5_6,5 ＋＋ {z}\n*"
    )
    assert game.comment == "game"
    assert [(turn.comment, turn.clock, turn.remark) for turn in game.turns] == [
        ("x y", 60.0, ""),
        ("z", None, "++"),
    ]
    assert read_records(write_records([game])) == [game]


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n \t", " {note}\n\n  "])
def test_game_behind_one_without_its_result(between: str) -> None:
    """The error stands at the next game's first tag, and that game is looked at all the same."""
    head = HEAD.strip()
    broken = f"{head}\n1. T3,5_6,5 *\n"
    text = f"{head}\n1. T3,5_5,5{between}{broken}{head}\n*\n{broken}"
    errors = [str(error) for error in validate_records(text)]
    assert len(errors) == 3
    assert "a turn or the result of the game should stand here, got '['" in errors[0]
    assert all("T at 3,5 cannot go to 6,5" in error for error in errors[1:])


def test_game_behind_one_that_begins_twice() -> None:
    """The second tag Format may begin another game, so it is read as one."""
    errors = validate_records('[Format "1"]\n [Format "2"]\n*\n[Format "3"]\n*')
    assert [str(error).split(", ")[0] for error in errors] == [
        "the tag 'Format' is there twice",
        "the format's version is 1",
        "the format's version is 1",
    ]
    assert [(error.line, error.column) for error in errors] == [(2, 2), (2, 2), (4, 1)]


# --- sizes --------------------------------------------------------------------------------------

SIZE = 1 << 22


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "{a" + " " * SIZE + "b} *",
        HEAD + "{a" + " " * SIZE + "\nb} *",
        HEAD + "{a" + " " * 900_000 + "b} *",
        HEAD + "{a" + "\t" * 900_000 + "b} *",
        HEAD + "{" + "a" * SIZE,
        HEAD + "{" + "a \t" * (SIZE // 3) + "} *",
        HEAD + "{aaaaaaa}" * (SIZE // 9) + "*",
        HEAD + '[A "' + "a" * SIZE + '"]\n*',
        HEAD + '[A "' + '\\"' * (SIZE // 2) + '"]\n*',
        HEAD + '[A "' + '\\"' * (SIZE // 2),
        HEAD + "[" + " " * SIZE + 'A "x"]\n*',
        HEAD + "[" + "A" * SIZE + ' "x"]\n*',
        HEAD + '[A "\n' + "\n" * SIZE,
        HEAD + "1" * SIZE,
        HEAD + "T" * SIZE,
        HEAD + "T3,5" + " " * SIZE + "_5,5 *",
        HEAD + "T3,5_5,5 " + "+" * SIZE + "x",
        HEAD + "T3,5_5,5" + " +" * (SIZE // 2) + " x",
        HEAD + "T3,5_5,5 {" + "[%clk " * (SIZE // 6) + "} *",
        HEAD + "x\n" + ("[" + " " * 10_000 + "\n") * (SIZE // 10_000),
        HEAD + "x\n" + " " * SIZE + "[",
    ],
    ids=lambda text: f"{text[39:51]!r}",
)
def test_large_texts_are_refused(text: str) -> None:
    """Read at once, with no more memory than a few times the text: no word of it is read twice."""
    tracemalloc.start()
    (error,) = validate_records(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * SIZE
    assert len(str(error)) < 1000
    assert error.line is not None


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "{a" + " " * 1_000_000 + "\nb}\n*\n",
        HEAD + "{a\n" + " \n" * 500_000 + "b}\n*\n",
        HEAD + "\n" * SIZE + "{a b}" + " " * SIZE + "*",
    ],
    ids=["spaces", "lines", "outside"],
)
def test_large_space_is_read(text: str) -> None:
    (game,) = read_records(text)
    assert game.comment == "a b"


def test_longest_fields_read_back() -> None:
    """What a record may hold its text may hold, escapes and clocks included."""
    turn = RecordedTurn(tuple(ACTIONS[:1]), comment="x" * MAX_LENGTH, clock=1.5)
    game = GameRecord(
        (turn,),
        FULL,
        reason='"' * MAX_LENGTH,
        tags=(("A", "\\" * MAX_LENGTH),),
        comment="y" * MAX_LENGTH,
    )
    assert read_records(write_records([game])) == [game]
    assert len(turn.comment) == MAX_LENGTH
    assert Position(FULL) == START
