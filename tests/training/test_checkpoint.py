"""Checkpoints and resuming.

What is checked:

* the same seed gives the same run, another seed another one;
* a run interrupted anywhere and resumed ends with the same bits as an uninterrupted one: weights,
  optimiser, replay buffer, games in progress, counters, random streams;
* a failing write leaves the last good checkpoint and no rubbish, with one sentence;
* truncated, foreign and altered checkpoints are refused by name;
* resuming with other settings is refused by name, a longer run is not;
* only the newest checkpoints are kept;
* two processes cannot train in one folder, and a new run does not write over an old one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from cotulenh_env.errors import CotulenhError
from tests.training.runs import (
    config_of,
    differences,
    fingerprint,
    resume_in,
    run_in,
    stop_at_check,
)
from training import checkpoint
from training.checkpoint import load_checkpoint, save_checkpoint
from training.checkpoint_files import seal
from training.errors import CheckpointError, RunFolderError, TrainingError
from training.loop import Trainer, new_state, train
from training.run_folder import RunFolder

FILES = ("weights.safetensors", "meta.json", "optimizer.pt", "replay.npz", "games-0.npz")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted short run; not to be changed."""
    folder = tmp_path_factory.mktemp("run") / "full"
    run_in(folder)
    return folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be changed."""
    folder = tmp_path / "copy"
    shutil.copytree(finished, folder, symlinks=True)
    return folder


def test_checkpoint_holds_its_files(finished: Path) -> None:
    assert {path.name for path in (finished / "latest").iterdir()} == {*FILES, "games-1.npz"}
    assert (finished / "latest").resolve().name == "000005"


def test_same_seed_gives_the_same_run(finished: Path, tmp_path: Path) -> None:
    run_in(tmp_path / "again")
    assert differences(fingerprint(finished), fingerprint(tmp_path / "again")) == []
    run_in(tmp_path / "other", "--seed", "1")
    assert differences(fingerprint(finished), fingerprint(tmp_path / "other"))


@pytest.mark.parametrize("num_checks", [1, 6, 9, 17, 27, 44])
def test_resumed_run_equals_an_uninterrupted_one(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_checks: int
) -> None:
    """Ctrl-C comes at the given one of the trainer's looks for it: play, learning or evaluation."""
    folder = tmp_path / "run"
    trainer = Trainer(new_state(config_of(folder)), RunFolder(folder))
    stop_at_check(trainer, num_checks, monkeypatch)
    resume_in(folder)
    assert differences(fingerprint(finished), fingerprint(folder)) == []


def test_longer_run_goes_on_from_a_shorter_one(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run_in(folder, "--num-iterations", "2")
    # The learning rate follows the length of the whole run, so this run differs …
    resume_in(folder, "--num-iterations", "5")
    assert differences(fingerprint(finished), fingerprint(folder))
    # … but it has gone on to the end.
    assert json.loads((folder / "latest" / "meta.json").read_text())["extra"]["learner_steps"] == 20


def test_resuming_a_finished_run_changes_nothing(finished: Path, copy: Path) -> None:
    resume_in(copy)
    assert differences(fingerprint(finished), fingerprint(copy)) == []


def test_only_the_newest_checkpoints_are_kept(finished: Path) -> None:
    names = sorted(path.name for path in (finished / "checkpoints").iterdir())
    assert names == ["000004", "000005"]


@pytest.mark.parametrize("name", FILES)
def test_truncated_file_is_refused(copy: Path, name: str) -> None:
    path = copy / "latest" / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(CotulenhError, match=name.replace(".", r"\.")):
        resume_in(copy)


@pytest.mark.parametrize("name", FILES)
def test_missing_or_foreign_file_is_refused(copy: Path, name: str) -> None:
    path = copy / "latest" / name
    path.write_bytes(b"not what you think\n")
    with pytest.raises(CotulenhError, match=name.replace(".", r"\.")):
        resume_in(copy)
    path.unlink()
    with pytest.raises((CotulenhError, OSError)) as caught:
        resume_in(copy)
    assert name in str(caught.value)


def test_pickle_in_the_optimizer_file_is_not_run(copy: Path, tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "executed",)  # type: ignore[return-value]

    torch.save(Hostile(), copy / "latest" / "optimizer.pt")
    seal(copy / "latest")
    with pytest.raises(CheckpointError, match=r"optimizer\.pt"):
        resume_in(copy)
    assert not (tmp_path / "executed").exists()


def test_pickle_in_the_replay_file_is_not_run(copy: Path) -> None:
    np.savez(copy / "latest" / "replay.npz", counters=np.array([{}], object))
    seal(copy / "latest")
    with pytest.raises(CheckpointError, match=r"replay\.npz"):
        resume_in(copy)


def test_impossible_states_are_refused(copy: Path) -> None:
    path = copy / "latest" / "games-1.npz"
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive}
    arrays["states"][:, 0] = 200
    np.savez(path, **arrays)
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match="no state of tictactoe"):
        resume_in(copy)


def test_non_finite_optimizer_state_is_refused(copy: Path) -> None:
    path = copy / "latest" / "optimizer.pt"
    saved = torch.load(path, weights_only=True)
    saved["state"][0]["exp_avg"][:] = torch.nan
    torch.save(saved, path)
    seal(copy / "latest")
    with pytest.raises(CheckpointError, match="exp_avg"):
        resume_in(copy)


def test_meta_without_training_state_is_refused(copy: Path) -> None:
    path = copy / "latest" / "meta.json"
    meta = json.loads(path.read_text())
    del meta["extra"]["streams"]
    path.write_text(json.dumps(meta))
    with pytest.raises(CheckpointError, match=r"meta\.json"):
        resume_in(copy)


@pytest.mark.parametrize(
    ("flag", "value", "words"),
    [
        ("--seed", "3", "seed is 3, not 0"),
        ("--learner.learning_rate", "0.5", "learner.learning_rate is 0.5, not 0.002"),
        ("--replay.capacity", "200", "replay.capacity is 200, not 100"),
        ("--search.num_simulations", "9", "search.num_simulations is 9, not 8"),
    ],
)
def test_resuming_with_other_settings_is_refused_by_name(
    copy: Path, flag: str, value: str, words: str
) -> None:
    with pytest.raises(CheckpointError, match=words):
        resume_in(copy, flag, value)


def test_resuming_an_empty_folder_is_refused(copy: Path) -> None:
    (copy / "latest").unlink()
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        resume_in(copy)


@pytest.mark.parametrize("failing", ["save_weights", "sync", "_point_latest"])
def test_failing_write_leaves_the_last_good_checkpoint(
    copy: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    before = fingerprint(copy)

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, failing, fail)
    with pytest.raises(TrainingError, match=r"No space left.*last good checkpoint is .*000005"):
        resume_in(copy, "--num-iterations", "6")
    assert not list((copy / "checkpoints").glob("*.tmp"))
    monkeypatch.undo()
    assert differences(before, fingerprint(copy)) == []
    resume_in(copy, "--num-iterations", "6")
    assert (copy / "latest").resolve().name == "000006"


def test_full_disk_ends_the_run_with_one_sentence(copy: Path) -> None:
    """A limit on the size of files makes every larger write fail, as a full disk does."""
    before = fingerprint(copy)
    script = (
        "import resource, sys\n"
        "from training.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))\n"
        f"sys.exit(main(['train', '--resume', {str(copy)!r}, '--num-iterations', '6']))\n"
    )
    # Without compilation: the cache of compiled kernels would meet the limit first.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("cotulenh train: checkpoint ")
    assert "000005" in last
    assert differences(before, fingerprint(copy)) == []
    assert sorted(path.name for path in (copy / "checkpoints").iterdir()) == ["000004", "000005"]


def test_leftovers_of_a_killed_process_do_no_harm(copy: Path) -> None:
    checkpoints = copy / "checkpoints"
    shutil.copytree(checkpoints / "000005", checkpoints / "000006")  # renamed, not yet the latest
    (checkpoints / "000006" / "meta.json").write_text("{}")
    (checkpoints / "000007.tmp").mkdir()
    resume_in(copy, "--num-iterations", "6")
    assert sorted(path.name for path in checkpoints.iterdir()) == ["000005", "000006"]
    assert fingerprint(copy)


def test_save_and_load_are_inverse(finished: Path, tmp_path: Path) -> None:
    state = new_state(config_of(tmp_path / "other"))
    load_checkpoint(RunFolder(finished), state)
    save_checkpoint(RunFolder(tmp_path / "other"), state)
    assert differences(fingerprint(finished), fingerprint(tmp_path / "other")) == []


def test_two_runs_in_one_folder_are_refused(copy: Path) -> None:
    with RunFolder(copy).locked():
        done = subprocess.run(
            [sys.executable, "-m", "training.cli", "train", "--resume", str(copy)],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last == f"cotulenh train: run folder {copy} is in use by another process"


def test_new_run_does_not_write_over_an_old_one(copy: Path) -> None:
    before = fingerprint(copy)
    with pytest.raises(RunFolderError, match="already holds a run"):
        train(config_of(copy))
    assert differences(before, fingerprint(copy)) == []


def test_settings_that_fail_leave_no_folder(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("needs a machine without a GPU")
    with pytest.raises(CotulenhError, match="GPU"):
        train(config_of(tmp_path / "run", "--device", "cuda"))
    assert not (tmp_path / "run").exists()
