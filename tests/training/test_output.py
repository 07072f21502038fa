"""What commands leave behind when something goes wrong at their end.

What is checked:

* an output that is full or closed costs no file, and is told as such;
* signals while files are being written wait; a second Ctrl-C does not;
* comments of a CSV stay comments; a disk that is full is named; one rule says what is arrays;
* a working directory that is gone is told; a process that has been stopped ends undisturbed.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cotulenh_env import game_records
from training import arena, cli
from training.cli import main
from training.commands import players
from training.commands.crosstable import csv_text
from training.event_file import EventFile
from training.interrupts import saving
from training.match_result import GameResult, MatchResult
from training.tournament import TournamentResult

MATCH = ["match", "--game", "tictactoe", "--red", "random", "--blue", "random", "--games", "40"]
TOURNAMENT = ["tournament", "--game", "tictactoe", "random", "random", "--games", "40"]


def full() -> io.TextIOWrapper:
    return open("/dev/full", "w", encoding="utf-8")


def closed() -> io.TextIOWrapper:
    reader, writer = os.pipe()
    os.close(reader)
    return open(writer, "w", encoding="utf-8")


@pytest.fixture
def handlers() -> Iterator[None]:
    """Signals as in a terminal, even where a background job ignores Ctrl-C; then as before."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("name", ["games.txt", "games.npz"])
@pytest.mark.parametrize("output", ["full", "closed"])
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_an_output_that_fails_costs_no_file(
    command: str, output: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the commands print, and however much of it Python holds back."""
    path, table = tmp_path / name, tmp_path / "table.csv"
    argv = [*(MATCH if command == "match" else TOURNAMENT), "--save", str(path)]
    if command == "tournament":
        argv += ["--csv", str(table), "--logdir", str(tmp_path / "logs")]
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stdout", full() if output == "full" else closed())
    monkeypatch.setattr(sys, "stderr", errors)
    code = main(argv)
    monkeypatch.undo()
    last = errors.getvalue().splitlines()[-1:]
    said = ["cotulenh: the output cannot be written: No space left on device"]
    assert (code, last) == ((2, said) if output == "full" else (1, []))
    read = game_records.load_records if name.endswith("npz") else game_records.read_records
    assert len(read(path)) == 40
    if command == "tournament":
        assert table.read_text(encoding="utf-8").startswith("# cotulenh tournament")
        assert list((tmp_path / "logs").iterdir())


@pytest.mark.parametrize("argv", [["perft", "--game", "tictactoe", "--depth", "2"]])
def test_an_output_that_is_full_is_named(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", full())
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert error == "cotulenh: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("argv", [MATCH, TOURNAMENT])
def test_signals_do_not_cost_what_is_being_written(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    """Ctrl-C while games are played, then another one and SIGTERM while they are being saved."""
    play_batch, num_calls = arena.play_batch, 0

    def interrupted(*arguments: object) -> object:
        nonlocal num_calls
        num_calls += 1
        if num_calls == 3:
            signal.raise_signal(signal.SIGINT)
        return play_batch(*arguments)  # type: ignore[arg-type]

    save = game_records.save_played_games

    def interrupted_save(*arguments: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGTERM):
            signal.raise_signal(number)
        save(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(arena, "play_batch", interrupted)
    monkeypatch.setattr(players, "save_played_games", interrupted_save)
    path = tmp_path / "games.txt"
    assert main([*argv, "--games_in_batch", "2", "--save", str(path)]) == 130
    assert len(game_records.read_records(path)) == 4


def num_written_under(number: signal.Signals, num_signals: int) -> int:
    """Steps of saving that are done when a signal comes in each of the first."""
    num_written = 0
    try:
        with saving():
            for step in range(4):
                if step < num_signals:
                    signal.raise_signal(number)
                num_written += 1
    except KeyboardInterrupt:
        return num_written
    raise AssertionError("the signals were lost")


def test_signals_while_saving_wait(handlers: None) -> None:
    """And end the program then; a second Ctrl-C there does not wait."""
    assert num_written_under(signal.SIGINT, 1) == 4
    assert num_written_under(signal.SIGTERM, 1) == num_written_under(signal.SIGTERM, 3) == 4
    assert num_written_under(signal.SIGINT, 2) == 1


def test_a_stopped_process_ends_undisturbed(
    monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    """A signal while the interpreter ends must not change the exit code; callers keep theirs."""

    def stopped(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", stopped)
    before = signal.getsignal(signal.SIGTERM)
    assert main(["train"]) == 130
    assert signal.getsignal(signal.SIGTERM) == before
    monkeypatch.setattr(sys, "argv", ["cotulenh", "train"])
    assert main() == 130
    assert signal.getsignal(signal.SIGTERM) == signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_a_comment_stays_on_its_line() -> None:
    game = GameResult(0, 1, "line", 5, (0.0, 0.0))
    result = TournamentResult(["a", "b"], {(0, 1): MatchResult((game,))})
    lines = csv_text(result, ["cotulenh 'new\nline\r\u2028' é"]).split("\n")
    assert lines[0] == r"# cotulenh 'new\nline\r\u2028' é"
    assert lines[1].startswith("rank,")


def test_a_full_disk_behind_the_logs_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(EventFile, "scalar", fail)
    logs, games = tmp_path / "logs", tmp_path / "games.txt"
    assert main([*TOURNAMENT, "--logdir", str(logs), "--save", str(games)]) == 2
    captured = capsys.readouterr()
    assert captured.err.endswith(f"cotulenh tournament: No space left on device: {logs}\n")
    assert captured.out.startswith("  # agent")
    assert games.is_file()


@pytest.mark.parametrize("game", ["tictactoe", "commander"])
def test_what_is_saved_is_read_whatever_its_name(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By one rule for both: a name that is nothing but an ending is one of arrays."""
    play = ["match", "--game", game, "--red", "random", "--blue", "random", "--games", "2"]
    for name in (".npz", "a.npz", "npz", "a.NPZ", "a.npz.txt"):
        path = tmp_path / name
        assert main([*play, "--save", str(path)]) == 0
        assert path.read_bytes().startswith(b"PK") == name.endswith(".npz")
        assert main(["record", "--game", game, str(path)]) == 0
        assert "game 2: " in capsys.readouterr().out


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    script = "import os; from training.cli import main; os.chdir('gone'); os.rmdir('../gone'); "
    (tmp_path / "gone").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", script + "raise SystemExit(main(['match', '--save', 'x']))"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2, "cotulenh match: the working directory cannot be read: No such file or directory\n"
    )  # fmt: skip
