"""`cotulenh record`: checking and converting files of game records."""

from __future__ import annotations

from pathlib import Path

import pytest

from cotulenh_env.commander import GameRecord, Position, RuleSet, load_records, read_records
from cotulenh_env.commander import write_records as text_of
from training.cli import main

RULES = RuleSet(edition="bga", battle="full")
GAME = GameRecord.from_game(
    Position(RULES), [4219, 4219], tags=[("Red", "An"), ("Blue", "Bình")], result="1-0"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text(text_of([GAME, GAME]), encoding="utf-8")
    return path


def test_every_game_has_a_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"game {n}: An – Bình, bga full, 2 turns, 1-0" for n in (1, 2)]


def test_what_is_wrong_is_told_with_its_place(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R11.2: the second game's first turn moves a tank by three points."""
    text = file.read_text(encoding="utf-8")
    start = text.rindex("T3,5_5,5")
    file.write_text(text[:start] + "T3,5_6,5" + text[start + 8 :], encoding="utf-8")
    assert main(["record", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    number = text[:start].count("\n") + 1
    assert line.startswith("cotulenh record: ")
    assert f"line {number}, column 4" in line


def test_converting_there_and_back(file: Path, tmp_path: Path) -> None:
    arrays, back = tmp_path / "games.npz", tmp_path / "back.txt"
    assert main(["record", str(file), "--out", str(arrays)]) == 0
    assert load_records(arrays) == [GAME.without_notes()] * 2
    assert main(["record", str(arrays), "--out", str(back), "--letters", "vietnamese"]) == 0
    assert "1. X3,5_5,5 X8,5_6,5" in back.read_text(encoding="utf-8")
    assert read_records(back) == [GAME.without_notes()] * 2


def test_to_the_screen(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(file), "--out", "-", "--coordinates", "points"]) == 0
    assert "1. Tf4_f6 Tf9_f7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["nowhere.txt"], "nowhere.txt cannot be read: No such file"),
        (["nowhere.npz"], "nowhere.npz"),
        ([], "the following arguments are required"),
        (["{file}", "--letters", "french"], "english or vietnamese, got 'french'"),
        (["{file}", "--out", "{file}"], "is the file that is read"),
        (["{file}", "--out", "/nowhere/x"], "No such file or directory: /nowhere/x"),
    ],
    ids=str,
)
def test_mistakes_are_one_line(
    flags: list[str], words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    assert main(["record", *(flag.format(file=file) for flag in flags)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert file.read_bytes() == before
