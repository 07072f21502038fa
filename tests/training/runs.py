"""Short runs of tic-tac-toe for the tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch

from agents.weights import load_weights
from training.checkpoint import Counters
from training.config import TrainConfig, parse_config
from training.loop import Trainer, new_state
from training.run_folder import RunFolder

FLAGS = [
    "--game", "tictactoe", "--num-iterations", "5", "--num-threads", "2",
    "--network.num_channels", "8", "--network.num_blocks", "1", "--network.num_value_channels", "4",
    "--search.num_simulations", "8", "--search.max_num_considered_actions", "4",
    "--self_play.num_games_in_batch", "8", "--self_play.steps_per_iteration", "6",
    "--self_play.full_search_fraction", "0.7", "--self_play.fast_simulations", "3",
    "--self_play.resign_threshold=-0.01", "--self_play.resign_turns", "1",
    "--self_play.resign_playthrough_fraction", "0.5",
    "--self_play.resign_max_false_positives", "0.8",
    "--replay.capacity", "100", "--replay.actions_per_position", "6",
    "--replay.min_positions", "10", "--learner.steps_per_iteration", "4",
    "--learner.batch_size", "16", "--learner.warmup_steps", "2",
    "--evaluation.every", "2", "--evaluation.num_games", "4", "--evaluation.final_games", "4",
    "--evaluation.num_simulations", "4", "--checkpoint.every", "2", "--checkpoint.keep", "2",
]  # fmt: skip
"""A run of about a second that uses every part."""


def config_of(folder: Path, *flags: str) -> TrainConfig:
    """Settings of the short run in that folder."""
    return parse_config([*FLAGS, "--run-dir", str(folder), *flags])


def run_in(folder: Path, *flags: str) -> Trainer:
    """Does the short run, and returns its trainer."""
    return run_config(config_of(folder, *flags))


def resume_in(folder: Path, *flags: str) -> Trainer:
    """Goes on with the run in that folder."""
    return run_config(parse_config(["--resume", str(folder), *flags]))


def run_config(config: TrainConfig) -> Trainer:
    assert config.run_dir is not None
    trainer = Trainer(new_state(config), RunFolder(config.run_dir))
    trainer.run()
    return trainer


def fingerprint(folder: Path) -> dict[str, object]:
    """Everything but times in the latest checkpoint, comparable by `differences`."""
    latest = folder / "latest"
    loaded = load_weights(latest)
    extra = loaded.meta["extra"]
    content: dict[str, object] = {f"weights {k}": v for k, v in loaded.network.state_dict().items()}
    if (latest / "learner.safetensors").exists():
        further = safetensors.torch.load_file(latest / "learner.safetensors")
        content |= {f"learner {name}": tensor for name, tensor in further.items()}
    optimizer = torch.load(latest / "optimizer.pt", weights_only=True)
    for index, values in optimizer["state"].items():
        content |= {f"optimizer {index} {name}": value for name, value in values.items()}
    for name in ("replay.npz", "games-0.npz", "games-1.npz"):
        with np.load(latest / name) as archive:
            content |= {f"{name} {key}": torch.from_numpy(archive[key]) for key in archive}
    counters = Counters(**extra["counters"])
    counters.seconds = 0
    return content | {"counters": counters, "streams": extra["streams"]}


def differences(one: dict[str, object], other: dict[str, object]) -> list[str]:
    """Names of what is not bit for bit the same in two fingerprints."""
    assert one.keys() == other.keys()
    different = []
    for name, value in one.items():
        theirs = other[name]
        if isinstance(value, torch.Tensor):
            assert isinstance(theirs, torch.Tensor)
            is_same = torch.equal(value, theirs)
        else:
            is_same = value == theirs
        if not is_same:
            different.append(name)
    return different


def stop_at_check(trainer: Trainer, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs until Ctrl-C comes, at one of the trainer's looks for it.

    Args:
        trainer: has not run.
        number: of the look, from 1; evaluation looks from several threads.
        monkeypatch: the test's.
    """
    seen = 0
    check_stop = trainer._check_stop

    def counting_check() -> None:
        nonlocal seen
        seen += 1
        trainer.stop_wanted = seen >= number
        check_stop()

    monkeypatch.setattr(trainer, "_check_stop", counting_check)
    with pytest.raises(KeyboardInterrupt):
        trainer.run()
    assert seen >= number
