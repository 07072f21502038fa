"""`cotulenh match`: what it prints, when it stops, and the games that it saves.

What is checked: saved games are read back, and their results, points and reasons are those of the
tables, the points also as the independent slow rules count them; openings come in pairs; SPRT ends
a match at the same game in any number of threads; agents play by time; mistakes are one line.
"""

from __future__ import annotations

import io
import logging
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from cotulenh_env import game_records
from cotulenh_env.commander import load_records, read_records
from tests.reference.commander import Game as Reference
from tests.reference.commander import Rules
from training.cli import main

TICTACTOE = ["match", "--game", "tictactoe"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saved")


@pytest.fixture(scope="module")
def printed(saved: Path) -> str:
    """What a match prints that has been saved as text and as arrays."""
    outputs = []
    for name in ("games.txt", "games.npz"):
        argv = ["--red", "greedy", "--blue", "greedy:random_fraction=0.6", "--games", "8"]
        argv += ["--seed", "3", "--turn_limit", "60", "--save", str(saved / name)]
        text = io.StringIO()
        with redirect_stdout(text):
            assert main(["match", *argv]) == 0
        outputs.append(text.getvalue())
    assert outputs[0].replace("games.txt", "games.npz") == outputs[1]
    return outputs[0]


def test_saved_games_are_those_of_the_tables(printed: str, saved: Path) -> None:
    records = read_records(saved / "games.txt")
    assert f"8 games saved in {saved / 'games.txt'}" in printed
    outcomes, reasons, points = Counter[str](), Counter[tuple[str, str]](), [0, 0]
    for number, record in enumerate(records, 1):
        tags = dict(record.tags)
        assert (tags["Event"], tags["Seed"], tags["Round"]) == ("cotulenh match", "3", str(number))
        is_red = tags["Red"] == "greedy"
        assert {tags["Red"], tags["Blue"]} == {"greedy", "greedy:random_fraction=0.6"}
        assert is_red == (number % 2 == 1)
        word = {"1-0": "wins", "0-1": "losses", "1/2-1/2": "draws"}[record.result]
        if not is_red:
            word = {"wins": "losses", "losses": "wins", "draws": "draws"}[word]
        outcomes[word] += 1
        reasons[word, record.reason] += 1
        assert record.points is not None
        for index, value in enumerate(record.points if is_red else record.points[::-1]):
            points[index] += value
    row = re.search(r"^greedy against \S+ +8 +(\d+) +(\d+) +(\d+)", printed, re.M)
    assert row is not None
    assert [int(n) for n in row.groups()] == [outcomes[w] for w in ("wins", "draws", "losses")]
    listed = re.findall(r"^  (wins|draws|losses) +(\S.*?) +(\d+)$", printed, re.M)
    assert {(word, reason): int(count) for word, reason, count in listed} == dict(reasons)
    assert (
        f"official points: greedy {points[0]:,}, greedy:random_fraction=0.6 {points[1]:,}"
        in printed
    )


def test_official_points_are_those_of_the_slow_rules(printed: str, saved: Path) -> None:
    """R10.6, counted by the reference in the games that were saved."""
    for record in read_records(saved / "games.txt")[:2]:
        reference = Reference.start(Rules(turn_limit=60))
        for action in record.actions:
            reference.push(action)
        assert tuple(reference.points) == record.points
        assert reference.reason == record.reason


def test_arrays_hold_the_same_games(printed: str, saved: Path) -> None:
    texts = [record.without_notes() for record in read_records(saved / "games.txt")]
    assert load_records(saved / "games.npz") == texts
    openings = [record.actions[:4] for record in texts]
    assert openings[::2] == openings[1::2]


def test_saved_games_are_taken_by_the_record_command(
    printed: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", str(saved / "games.txt")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("game 1: greedy – greedy:random_fraction=0.6, official standard")
    assert lines[1].startswith("game 2: greedy:random_fraction=0.6 – greedy, official standard")


def test_sprt_ends_a_match(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    argv = [*TICTACTOE, "--red", "mcts", "--blue", "random", "--simulations", "16"]
    argv += ["--sprt", "0", "100", "--openings", "1"]
    with caplog.at_level(logging.INFO):
        assert main(argv) == 0
    out = capsys.readouterr().out
    row = re.search(r"^mcts against random +(\d+)", out, re.M)
    assert row is not None
    assert int(row[1]) < 200
    line = next(text for text in out.splitlines() if text.startswith("SPRT"))
    assert "SPRT +0 or +100 Elo, alpha 0.05, beta 0.05: H1 (+100 Elo) is accepted; LLR" in line
    assert line.endswith("(-2.94 to 2.94)")
    told = [record.getMessage().partition(" games finished, LLR")[0] for record in caplog.records]
    assert told == [str(number) for number in range(16, int(row[1]) + 1, 16)]
    assert main([*argv, "--num-threads", "3"]) == 0
    assert capsys.readouterr().out == out
    # Of equal agents the other hypothesis is accepted, or nothing within the games allowed.
    argv = [*TICTACTOE, "--red", "random", "--blue", "random", "--sprt", "-50", "200"]
    assert main([*argv, "--games", "300"]) == 0
    assert "H0 (-50 Elo) is accepted" in capsys.readouterr().out
    assert main([*argv, "--games", "4"]) == 0
    assert "not decided" in capsys.readouterr().out


def test_pairs_and_elo_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*TICTACTOE, "--red", "greedy", "--blue", "random", "--games", "40"]
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert re.search(r"^difference in Elo: \+\d+ \(.*\)$", out, re.M)
    counts = re.search(r"^openings by points \(0, ½, 1, 1½, 2\): (.*)$", out, re.M)
    assert counts is not None
    assert sum(map(int, counts[1].split())) == 20
    assert "official points" not in out  # tic-tac-toe counts none
    assert main([*argv, "--fixed_colours"]) == 0
    assert "openings by points" not in capsys.readouterr().out


def test_agents_play_by_time(capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*TICTACTOE, "--red", "mcts", "--blue", "mcts:num_simulations=1", "--games", "4"]
    assert main([*argv, "--seconds", "0.001"]) == 0
    assert "mcts against mcts:num_simulations=1" in capsys.readouterr().out


def test_interrupted_match_tells_and_saves_what_is_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from training import arena

    play_batch, num_calls = arena.play_batch, 0

    def interrupted(*arguments: object) -> object:
        nonlocal num_calls
        num_calls += 1
        if num_calls == 3:
            raise KeyboardInterrupt
        return play_batch(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(arena, "play_batch", interrupted)
    argv = ["--red", "greedy", "--blue", "random", "--games", "12", "--games_in_batch", "2"]
    assert main(["match", *argv, "--save", str(tmp_path / "games.txt")]) == 130
    assert re.search(r"^greedy against random +4 ", capsys.readouterr().out, re.M)
    assert len(read_records(tmp_path / "games.txt")) == 4


@pytest.mark.parametrize("num_threads", ["1", "2"])
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_sigterm_tells_and_saves_what_is_finished(
    command: str, num_threads: str, tmp_path: Path
) -> None:
    """Sent twice, as `timeout` does: the second may come while the games are being saved."""
    path = tmp_path / "games.txt"
    players = ["--red", "random", "--blue", "random", "--sprt", "-0.1", "0.1"]
    if command == "tournament":
        players = [*["random"] * 60, "--games", "32"]
    argv = [command, "--game", "tictactoe", *players, "--save", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "training.cli", *argv, "--num-threads", num_threads],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for _ in range(20):
        assert process.stderr.readline()
    for _ in range(2):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.001)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    told = re.search(rf"^(\d+) games saved in {path}$", out, re.M)
    assert told is not None
    assert int(told[1]) > 0
    assert len(game_records.read_records(path)) == int(told[1])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["--sprt", "5", "1"], "the differences of an SPRT"),
        (["--sprt", "5"], "expected 2 arguments"),
        (["--sprt", "0", "5", "--alpha", "0.7"], "alpha of an SPRT"),
        (["--save", "/nowhere/x.txt"], "--save '/nowhere/x.txt' cannot be written: No such file"),
        (["--save", "/proc/games.txt"], "--save '/proc/games.txt' cannot be written: No such"),
        (["--save", "/dev/null"], "--save: /dev/null is no regular file"),
        (["--save", ""], "--save '' names no file"),
        (["--red", "random:x=1"], "unknown option 'x' of agent 'random': it has no options"),
        (["--games", "0"], "--games must be from 1"),
        (["--alpha", "0.01"], "--alpha 0.01 says something of --sprt only"),
        (["--beta", "0.05"], "--beta 0.05 says something of --sprt only"),
        (["--simulations", "64", "--seconds", "1"], "--simulations and --seconds both limit"),
    ],
)
def test_mistakes_are_one_line(
    argv: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "--red", "random", "--blue", "random", *argv]) == 2
    captured = capsys.readouterr()
    assert line in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
