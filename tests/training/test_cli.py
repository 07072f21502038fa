"""The console script.

What is checked:

* help, version, and one line for every mistake: what, value, where, without usage or traceback;
* exit codes: 0, 1 the run failed, 2 wrong input, 130 interrupted;
* `perft` counts as known, runs without torch, and stops quietly when nobody reads on;
* `match` prints its tables; the same seed gives the same table.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cotulenh_env.registry import load_game
from tests.training.runs import FLAGS
from training import cli
from training.cli import COMMANDS, main
from training.commands.perft import perft

CASES = Path(__file__).parents[1] / "cases"
COTULENH = [sys.executable, "-m", "training.cli"]
TICTACTOE_PERFT = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in ([], ["--help"], ["-h"]):
        assert main(argv) == 0
        text = capsys.readouterr().out
        assert all(command in text for command in COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert f"usage: cotulenh {command}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("cotulenh ")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["prft"], "cotulenh: unknown command 'prft': did you mean perft?"),
        (["perft", "--game", "chess"], "cotulenh perft: unknown game 'chess'"),
        (["perft", "--game", "tictactoe", "--dept", "3"], "cotulenh perft: unrecognized argument"),
        (["perft", "--game", "tictactoe", "--depth", "x"], "cotulenh perft: depth: expected int"),
        (
            ["perft", "--game", "tictactoe", "--depth", "0"],
            "cotulenh perft: --depth must be from 1",
        ),
        (
            ["perft", "--game", "tictactoe", "--fen", "XOX"],
            "cotulenh perft: a tic-tac-toe position",
        ),
        (["perft", "--game"], "cotulenh perft: argument --game: expected one argument"),
        (["train", "--nonsense", "1"], "cotulenh train: unrecognized arguments: --nonsense 1"),
        (
            ["train", "--resume", "/nowhere/x"],
            "cotulenh train: configuration /nowhere/x/config.yaml",
        ),
        (["match", "--game", "tictactoe", "--red", "random"], "cotulenh match: the following arg"),
        (
            ["match", "--game", "tictactoe", "--red", "random", "--blue", "nobody"],
            "cotulenh match: unknown agent 'nobody'",
        ),
        (
            ["match", "--game", "tictactoe", "--red", "random", "--blue", "random", "--games", "3"],
            "cotulenh match: --games must be even",
        ),
        (["bench", "--only", "serch"], "cotulenh bench: --only 'serch' is nothing to measure: did"),
        (["bench", "--seed", "-1"], "cotulenh bench: --seed must be from 0"),
        (
            ["bench", "--out", "/nowhere/x"],
            "cotulenh bench: --out '/nowhere/x' cannot be written: No",
        ),
        (["bench", "--out", "/dev/null"], "cotulenh bench: --out: /dev/null is no regular file"),
    ],
)
def test_mistakes_are_one_line(
    argv: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(line)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_operating_system_errors_name_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    argv = ["train", *FLAGS, "--run-dir", str(tmp_path / "file" / "run")]
    assert main(argv) == 2
    assert capsys.readouterr().err.endswith(f": {tmp_path / 'file' / 'run'}\n")


def test_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cli, "import_module", fail)
    assert main(["train"]) == 2
    assert "pip install 'cotulenh-env[train]'" in capsys.readouterr().err


def test_perft_counts_tic_tac_toe() -> None:
    game = load_game("tictactoe")
    start = game.new_states(1)
    counts = [perft(game, start, depth) for depth in range(1, 10)]
    assert counts == TICTACTOE_PERFT
    assert perft(game, start, 10) == 0
    assert perft(game, start, 0) == 1


def test_perft_counts_commander_chess_as_recorded() -> None:
    game = load_game("commander")
    recorded = json.loads((CASES / "commander_perft.json").read_text(encoding="utf-8"))
    official = [case for case in recorded if case["rules"].get("edition", "official") == "official"]
    assert official
    for case in official:
        state = game.from_text(case["fen"], game.make_rules(**case["rules"]))[None]
        counts = [count for count in case["counts"] if count < 100_000]
        assert [perft(game, state, depth + 1) for depth in range(len(counts))] == counts


def test_perft_prints_counts_and_divides(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["perft", "--game", "tictactoe", "--fen", "XO.......", "--depth", "2", "--divide"]
    assert main(argv) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["1", "7"], ["2", "42"]]
    assert [line.split() for line in lines[3:]] == [
        [move, "6"] for move in ("c3", "a2", "b2", "c2", "a1", "b1", "c1")
    ]


def test_perft_in_small_blocks_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.commands.perft._BYTES_PER_LEVEL", 400)
    game = load_game("tictactoe")
    assert perft(game, game.new_states(1), 5) == TICTACTOE_PERFT[4]


def test_perft_imports_no_torch() -> None:
    script = (
        "import sys\n"
        "from training.cli import main\n"
        "assert main(['perft', '--game', 'tictactoe', '--depth', '2']) == 0\n"
        "assert not {'torch', 'tensorboard', 'safetensors', 'agents'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


def test_broken_pipe_is_quiet() -> None:
    process = subprocess.Popen(
        [*COTULENH, "perft", "--game", "tictactoe", "--depth", "9"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 1
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


def test_match_prints_tables_and_is_reproducible(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["match", "--game", "tictactoe", "--red", "mcts", "--blue", "random"]
    argv += ["--games", "20", "--simulations", "8", "--openings", "1"]
    assert main(argv) == 0
    first = capsys.readouterr().out
    assert "mcts against random" in first
    assert "mcts moving second" in first
    assert "how the games ended" in first
    assert main(argv) == 0
    assert capsys.readouterr().out == first
    assert main([*argv, "--seed", "1"]) == 0
    assert capsys.readouterr().out != first


def test_interrupted_training_resumes(tmp_path: Path) -> None:
    """Ctrl-C: a checkpoint, how to resume, exit code 130; then the run goes on to its end."""
    folder = tmp_path / "run"
    argv = [
        *FLAGS,
        "--run-dir",
        str(folder),
        "--num-iterations",
        "100000",
        "--evaluation.every",
        "0",
    ]
    process = subprocess.Popen(
        [*COTULENH, "train", *argv], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not (folder / "checkpoints" / "000002").exists():
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    last = errors.splitlines()[-1]
    assert last.startswith("interrupted: saved ")
    assert last.endswith(f"go on with cotulenh train --resume {folder}")
    iteration = int((folder / "latest").resolve().name.partition("-")[0])
    done = subprocess.run(
        [*COTULENH, "train", "--resume", str(folder), "--num-iterations", str(iteration + 1)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"iteration {iteration + 1}/{iteration + 1}" in done.stderr
    for words in ("network against greedy", "games played", "tensorboard --logdir", str(folder)):
        assert words in done.stdout


def test_training_shows_plain_lines_where_there_is_no_terminal(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COTULENH, "train", *FLAGS, "--run-dir", str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\r" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("iteration 5/5")]
    assert len(lines) == 1
    for words in ("games", "positions/s", "policy loss", "value loss", "left"):
        assert words in lines[0]
