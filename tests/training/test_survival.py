"""Runs that survive.

What is checked:

* a run killed at any moment by SIGKILL, and resumed, ends bit for bit as one that was never killed:
  weights, optimiser, memory, games, counters, random streams; its curves have every point once;
* the rubbish of a killed run is gone after the next checkpoint;
* two processes with the same seed do the same run;
* numbers that are not finite end a run with exit code 1 and one sentence, and the last good
  checkpoint goes on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.training.killed_runs import MOMENTS
from tests.training.runs import FLAGS, differences, fingerprint, resume_in, run_in
from training.cli import main
from training.learner import Learner
from training.replay import Batch

COTULENH = [sys.executable, "-m", "training.cli"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short run that nothing happened to; not to be changed."""
    folder = tmp_path_factory.mktemp("run") / "full"
    run_in(folder)
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the runs that were killed, each resumed by one test."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    folder = tmp_path_factory.mktemp("killed")
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.killed_runs", str(folder)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows of the curves that do not depend on the clock."""
    accumulator = EventAccumulator(str(folder / "tensorboard"))
    accumulator.Reload()
    tags = accumulator.Tags()["scalars"]
    return {
        tag: [(event.step, event.value) for event in accumulator.Scalars(tag)]
        for tag in tags
        if not tag.startswith(("speed/", "time/"))
    }


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_run_goes_on_as_if_nothing_had_happened(
    finished: Path, killed: Path, moment: str
) -> None:
    folder = killed / moment
    assert (folder / "latest").resolve().name == {
        "the first self-play": "000000",
        "while old ones go": "000004",
    }.get(moment, "000002")
    resume_in(folder)
    assert differences(fingerprint(finished), fingerprint(folder)) == []
    assert curves(folder) == curves(finished)
    assert {path.name for path in folder.iterdir()} == {path.name for path in finished.iterdir()}
    names = [path.name for path in (folder / "checkpoints").iterdir()]
    assert sorted(names) == ["000004", "000005"]


def test_two_processes_with_the_same_seed_do_the_same_run(finished: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    processes = [
        subprocess.Popen(
            [*COTULENH, "train", *FLAGS, "--run-dir", str(folder)],
            env={**os.environ, "PYTHONHASHSEED": str(number)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, folder in enumerate(folders)
    ]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    for folder in folders:
        assert differences(fingerprint(finished), fingerprint(folder)) == []


def ended(capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    """The sentence with which a run ends that goes on from a finished one."""
    capsys.readouterr()
    assert main(["train", "--resume", str(folder), "--num-iterations", "7"]) == 1
    errors = capsys.readouterr().err
    assert "Traceback" not in errors
    return errors.splitlines()[-1]


def test_loss_that_is_no_number_ends_the_run(
    finished: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy, symlinks=True)
    losses = Learner._losses

    def bad_losses(learner: Learner, batch: Batch) -> dict[str, torch.Tensor]:
        found = losses(learner, batch)
        return {**found, "policy": found["policy"] * (torch.nan if learner.num_steps > 21 else 1)}

    monkeypatch.setattr(Learner, "_losses", bad_losses)
    line = ended(capsys, copy)
    assert line.startswith("cotulenh train: the loss became nan")
    assert "at learner step 23" in line
    assert line.endswith("the last good checkpoint is " + str((copy / "latest").resolve()))
    assert differences(fingerprint(finished), fingerprint(copy)) == []
    monkeypatch.undo()
    resume_in(copy, "--num-iterations", "7")


@pytest.mark.parametrize("what", ["average", "weights"])
def test_weights_that_are_no_numbers_are_not_saved(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the average that plays and of the weights behind it."""
    folder = tmp_path / "run"
    run_in(folder, "--learner.ema_decay", "0.9", "--num-iterations", "2")
    before = fingerprint(folder)
    step = Learner.step

    def spoil(learner: Learner, batch: Batch, progress: float) -> object:
        stats = step(learner, batch, progress)
        network = learner.playing_network if what == "average" else learner._network
        if learner.num_steps == 16:  # the last before the checkpoint after 4 iterations
            with torch.no_grad():
                network.policy_head.planes.weight[0] = torch.inf
        return stats

    monkeypatch.setattr(Learner, "step", spoil)
    monkeypatch.setattr("training.loop.Trainer._evaluate_if_due", lambda self: False)
    line = ended(capsys, folder)
    assert "has a weight that is not finite" in line
    assert ("the learner's own" in line) == (what == "weights")
    assert "the last good checkpoint is" in line
    assert differences(before, fingerprint(folder)) == []
