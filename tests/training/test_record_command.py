"""`cotulenh record`: checking and converting files of game records."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from cotulenh_env import game_records
from cotulenh_env.commander import GameRecord, Position, RuleSet, load_records, read_records
from cotulenh_env.commander import write_records as text_of
from cotulenh_env.registry import game_names, load_game
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
        (["{file}", "--letters", "vietnamese"], "--letters vietnamese says how --out writes text"),
        (["{file}", "--coordinates", "axes", "--out", "x.npz"], "--coordinates axes says how"),
        (["{file}", "--out", "{file}"], "is the file that is read"),
        (["{file}", "--out", "/nowhere/x"], "--out '/nowhere/x' cannot be written: No such file"),
        (["{file}", "--out", "/dev/null"], "--out: /dev/null is no regular file"),
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


@pytest.mark.parametrize("game", ["commander", "tictactoe"])
def test_links_stay_and_a_failure_keeps_the_file(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: `--out` was written in place, so that a full disk left half of it."""
    source, target, link = (tmp_path / name for name in ("games.txt", "target.txt", "link"))
    record = game_records.GameRecord.from_game(load_game("tictactoe"), [0, 1])
    texts = {"commander": text_of([GAME]), "tictactoe": game_records.write_records([record])}
    source.write_text(texts[game], encoding="utf-8")
    link.symlink_to(target)
    argv = ["record", "--game", game, str(source), "--out", str(link)]
    assert main(argv) == 0
    assert link.is_symlink()
    before = target.read_bytes()
    assert b"[Format" in before
    capsys.readouterr()

    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    assert main(argv) == 2
    assert capsys.readouterr().err == f"cotulenh record: No space left on device: {link}\n"
    assert target.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == sorted([source, target, link])


# --- any game -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_games_of_every_kind_are_saved_and_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The results that `match` tells are those of the games that `record` replays."""
    path, copy = tmp_path / "games.txt", tmp_path / "copy.txt"
    players = ["--red", "random", "--blue", "greedy:random_fraction=0.9", "--games", "2"]
    assert main(["match", "--game", name, *players, "--seed", "4", "--save", str(path)]) == 0
    told = capsys.readouterr().out
    assert main(["record", "--game", name, str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    ends = Counter[tuple[str, str]]()
    for line, outcomes in zip(lines, (("wins", "losses"), ("losses", "wins")), strict=True):
        result, reason = line.split(", ")[-1].split(" ", 1)
        word = {"1-0": outcomes[0], "0-1": outcomes[1], "1/2-1/2": "draws"}[result]
        ends[word, reason.strip("()")] += 1
    listed = re.findall(r"^  (wins|draws|losses) +(\S.*?) +(\d+)$", told, re.M)
    assert {(word, reason): int(count) for word, reason, count in listed} == dict(ends)
    assert main(["record", "--game", name, str(path), "--out", str(copy)]) == 0
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("game", "flags", "words"),
    [
        ("banqi", [], "games.txt holds games of tictactoe: use --game tictactoe"),
        (
            "tictactoe",
            ["--letters", "vietnamese"],
            "--letters: games of tictactoe have no notation",
        ),
        ("tictactoe", ["--out", "x.npz"], "--out 'x.npz': games of tictactoe are saved as text"),
        ("tictactoe", ["--out", "{file}"], "is the file that is read"),
        ("go", [], "unknown game 'go'"),
        ("commander", [], "games.txt holds games of tictactoe: use --game tictactoe"),
    ],
)
def test_mistakes_with_other_games_are_one_line(
    game: str, flags: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    record = game_records.GameRecord.from_game(load_game("tictactoe"), [0, 1])
    path.write_text(game_records.write_records([record]), encoding="utf-8")
    argv = ["record", "--game", game, str(path), *(flag.format(file=path) for flag in flags)]
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_damaged_game_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    path.write_text('[Format "1"]\n[Game "tictactoe"]\n\n1. a3; a3\n*\n', encoding="utf-8")
    assert main(["record", "--game", "tictactoe", str(path)]) == 2
    assert "'a3' is no legal move in 'X........', at line 4" in capsys.readouterr().err


def test_records_of_commander_are_told_by_their_form(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have no tag Game; a file that is no record at all is told as before."""
    assert main(["record", "--game", "banqi", str(file)]) == 2
    words = f"cotulenh record: {file} holds games of commander: use --game commander\n"
    assert capsys.readouterr().err == words
    file.write_text("nothing\n")
    assert main(["record", "--game", "banqi", str(file)]) == 2
    assert 'begins with the tag [Format "1"], at line 1' in capsys.readouterr().err


def test_a_game_of_another_kind_among_others_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    records = [
        game_records.GameRecord.from_game(load_game(name), []) for name in ("tictactoe", "banqi")
    ]
    path.write_text(game_records.write_records(records), encoding="utf-8")
    assert main(["record", "--game", "tictactoe", str(path)]) == 2
    assert "game 2 is one of banqi, not of tictactoe" in capsys.readouterr().err
