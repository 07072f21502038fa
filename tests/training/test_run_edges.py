"""Runs at the edges: folders that are not theirs, runs resumed oddly, outputs that refuse a letter.

What is checked:

* a new run writes over nothing: a folder with other things in it is refused and left as it was;
* resuming a run beyond its end, into another folder, of too few iterations, or of another version;
* evaluations are written to TensorBoard once; an interrupted iteration leaves no wrong point;
* a terminal that cannot show a letter does not end a run; SIGTERM saves like Ctrl-C.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
from tests.training.runs import FLAGS, run_in
from training.checkpoint_files import seal
from training.cli import main

COTULENH = [sys.executable, "-m", "training.cli"]


def error_of(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The one line that a mistake gives."""
    assert main(list(argv)) == 2
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if line]
    assert len(lines) == 1
    return lines[0]


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def steps(folder: Path, tag: str) -> list[int]:
    """The steps at which a tag was written, as TensorBoard shows them."""
    accumulator = EventAccumulator(str(folder / "tensorboard"))
    accumulator.Reload()
    return [event.step for event in accumulator.Scalars(tag)]


def test_a_folder_with_other_things_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("config.yaml", "checkpoints/000000/notes", "checkpoints/A/notes", "zz.tmp"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    before = content(tmp_path)
    line = error_of(capsys, "train", *FLAGS, "--run-dir", str(tmp_path))
    assert "is not empty" in line
    assert str(tmp_path) in line
    assert content(tmp_path) == before


@pytest.mark.parametrize("folder", ["", "a\0b"])
def test_a_run_folder_has_a_name(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "run_dir is the path" in error_of(capsys, "train", *FLAGS, "--run-dir", folder)


def test_resuming_oddly_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    run_in(tmp_path / "run", "--num-iterations", "2")
    before = content(tmp_path / "run" / "checkpoints")
    capsys.readouterr()
    assert main(["train", "--resume", run, "--num-iterations", "1"]) == 2
    assert "the run has done 2 already" in capsys.readouterr().err
    line = error_of(capsys, "train", "--resume", run, "--run-dir", str(tmp_path / "other"))
    assert "leave --run-dir out" in line
    assert content(tmp_path / "run" / "checkpoints") == before


@pytest.mark.parametrize("text", ["lerner: {}\n", "learner: {foo: {}}\n"])
def test_unknown_settings_without_values_are_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("game: tictactoe\n" + text, encoding="utf-8")
    line = error_of(capsys, "train", "--config", str(path))
    assert "unknown setting" in line
    assert str(path) in line


def test_run_of_a_version_with_other_settings_is_refused_but_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Auxiliary targets once were settings; a run that has them is refused by name."""
    run = tmp_path / "run"
    run_in(run, "--num-iterations", "1")
    path, meta_path = run / "config.yaml", run / "latest" / "meta.json"
    text = path.read_text(encoding="utf-8")
    assert "\nlearner:\n" in text
    older = text.replace("\nlearner:\n", "\nlearner:\n  lead_weight: 0.0\n")
    path.write_text(older, encoding="utf-8")
    line = error_of(capsys, "train", "--resume", str(run))
    assert line == f"cotulenh train: unknown setting learner.lead_weight, in {path}"
    meta = json.loads(meta_path.read_text(encoding="utf-8"))
    meta["extra"]["config"]["learner"]["lead_weight"] = 0.0
    meta_path.write_text(json.dumps(meta), encoding="utf-8")
    seal(run / "latest")
    path.write_text(text, encoding="utf-8")
    line = error_of(capsys, "train", "--resume", str(run))
    assert "learner.lead_weight is None, not 0.0 as in checkpoint" in line
    agents.load(run, num_simulations=2)


def test_evaluations_are_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finished run, resumed for its table, plays the evaluation but writes no second point."""
    run = tmp_path / "run"
    run_in(run, "--num-iterations", "2")
    for _ in range(2):
        assert main(["train", "--resume", str(run)]) == 0
        assert "network against greedy" in capsys.readouterr().out
    counted = Counter(steps(run, "evaluation/score_random"))
    assert set(counted.values()) == {1}


def test_disk_full_while_the_settings_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    write_text = Path.write_text

    def full(path: Path, *args: object, **keywords: object) -> int:
        if path.name == "config.tmp":
            raise OSError(28, "No space left on device")
        return write_text(path, *args, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["train", *FLAGS, "--run-dir", str(run)]) == 1
    assert capsys.readouterr().err.strip() == (
        f"cotulenh train: {run / 'config.yaml'} cannot be written: No space left on device"
    )
    assert not list(run.glob("*.tmp"))


def test_a_network_that_blows_up_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its weights may still be finite when its outputs no longer are; this once hung the search."""
    wild = ["--network.num_blocks", "16", "--learner.warmup_steps", "0"]
    wild += ["--learner.learning_rate", "10", "--learner.final_learning_rate", "10"]
    assert main(["train", *FLAGS, *wild, "--run-dir", str(tmp_path / "run")]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert "the last good checkpoint is" in last


def test_a_terminal_without_our_letters(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for argv in (
        ["train", "--help"],
        ["train", *FLAGS, "--num-iterations", "1", "--run-dir", str(tmp_path / "z_é")],
    ):
        done = subprocess.run([*COTULENH, *argv], env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def test_sigterm_saves(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = subprocess.Popen(
        [*COTULENH, "train", *FLAGS, "--num-iterations", "100000", "--run-dir", str(run)],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (run / "latest").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1].startswith("interrupted: saved ")
