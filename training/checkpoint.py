"""Checkpoints: a folder is complete or it is not there, and a resumed run goes on exactly.

    weights.safetensors   the network that plays
    learner.safetensors   the weights behind an average, if that is what plays
    meta.json             game, rules, network, settings, counters, state of every random stream,
                          checksums of the other files and of itself
    optimizer.pt          of the optimiser, tensors only
    replay.npz            the replay buffer
    games-0.npz …         the unfinished games of self-play, a file per thread

A checkpoint is written into `<name>.tmp`, brought to disk, and renamed; then the link `latest` is
replaced. Whatever fails in between, `latest` still leads to the last good one. Search trees are not
in it: every search starts afresh, so a resumed run loses nothing that an uninterrupted one has.
"""

from __future__ import annotations

import dataclasses
import io
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.inference import Backend
from agents.network import PolicyValueNetwork
from agents.weights import (
    WEIGHTS_FILE,
    LoadedNetwork,
    WeightsError,
    encode_tensors,
    load_weights,
    max_tensor_bytes,
    read_tensors,
    save_weights,
)
from cotulenh_env.game import Game
from training.checkpoint_checks import (
    check_ratio,
    checked_counters,
    checked_num_steps,
    set_streams,
)
from training.checkpoint_files import (
    MAX_META_BYTES,
    META,
    check_file,
    check_seal,
    latest_checkpoint,
    seal,
)
from training.config import TrainConfig, config_to_dict, first_difference
from training.errors import CheckpointError, TrainingError
from training.learner import Learner
from training.optimizer_file import load_optimizer, max_optimizer_bytes
from training.parallel_self_play import ParallelSelfPlay
from training.replay import ReplayBuffer
from training.run_folder import RunFolder, sync
from training.threads import Threads

LEARNER_FILE = "learner.safetensors"


@dataclass
class Counters:
    """How far a run is.

    Attributes:
        iteration: iterations completed.
        self_play_steps: of the current iteration.
        learner_steps: of the current iteration.
        num_games: games finished since the start.
        num_samples: positions learned from since the start.
        last_evaluated: iteration of the last evaluation, -1 before the first.
        seconds: time spent on the run, over all its processes.
    """

    iteration: int = 0
    self_play_steps: int = 0
    learner_steps: int = 0
    num_games: int = 0
    num_samples: int = 0
    last_evaluated: int = -1
    seconds: float = 0.0


@dataclass
class RunState:
    """Everything that a run goes on from.

    Attributes:
        rules: the RuleSet of evaluation, and of self-play unless its games draw theirs.
        network: as it plays; the learner has its own where that is an average.
    """

    config: TrainConfig
    game: Game
    rules: Any
    device: torch.device
    network: PolicyValueNetwork
    backend: Backend
    learner: Learner
    replay: ReplayBuffer
    self_play: ParallelSelfPlay
    threads: Threads
    sampling_rng: np.random.Generator
    counters: Counters

    @property
    def checkpoint_name(self) -> str:
        """Sorts by progress: `000040`, or `000040-0012` within the next iteration."""
        counters = self.counters
        steps = counters.self_play_steps + counters.learner_steps
        return f"{counters.iteration:06d}" + (f"-{steps:04d}" if steps else "")

    @property
    def _streams(self) -> dict[str, np.random.Generator]:
        return {**self.self_play.streams, "sampling": self.sampling_rng}


def save_checkpoint(folder: RunFolder, state: RunState) -> Path:
    """Writes a checkpoint, makes it the latest, and prunes old ones.

    Returns:
        Its folder.

    Raises:
        TrainingError: it cannot be written; the last good one is intact.
    """
    final = folder.checkpoints / state.checkpoint_name
    is_saved = final.is_dir() and folder.latest.exists()
    if is_saved and latest_checkpoint(folder) == final.resolve():
        return final  # nothing has happened since
    temporary = final.with_name(final.name + ".tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        _fill(temporary, state)
        for path in temporary.iterdir():
            sync(path)
        sync(temporary)
        if final.exists():  # complete, but its process ended before it became the latest
            shutil.rmtree(final)
        temporary.rename(final)
        sync(folder.checkpoints)
        _point_latest(folder, final)
    except (OSError, WeightsError) as error:
        shutil.rmtree(temporary, ignore_errors=True)
        reason = getattr(error, "strerror", None) or error
        raise TrainingError(f"checkpoint {final} cannot be written ({reason})") from error
    _prune(folder, final, state.config.checkpoint.keep)
    return final


def load_checkpoint(folder: RunFolder, state: RunState) -> Path:
    """Fills `state` from the latest checkpoint of a run.

    Returns:
        The checkpoint's folder.

    Raises:
        CheckpointError: there is none, it is damaged or foreign, or made with other settings.
        WeightsError: the same of its network.
    """
    path = latest_checkpoint(folder)
    where = path / META
    check_file(where, MAX_META_BYTES)
    weights = load_weights(path, game=state.game)
    extra = weights.meta["extra"]
    for name in ("config", "counters", "learner_steps", "streams"):
        if name not in extra:
            raise CheckpointError(f"{where} is no training checkpoint: it lacks {name}")
    _check_config(state, weights, path)
    counters = checked_counters(extra["counters"], state.config, where)
    num_steps = checked_num_steps(extra["learner_steps"], counters, state.config, where)
    check_seal(path, weights.meta, _file_limits(path, state))
    set_streams(state._streams, extra["streams"], where)
    load_optimizer(path / "optimizer.pt", state.learner.optimizer, num_steps)
    state.replay.load(path / "replay.npz")
    check_ratio(num_steps, state.replay.num_added, state.config, where)
    state.self_play.load(path)
    state.network.load_state_dict(weights.network.state_dict())
    further = state.learner.further_weights
    if further:
        for name, tensor in read_tensors(path / LEARNER_FILE, further).items():
            further[name].copy_(tensor)
    state.counters = Counters(**counters)
    state.learner.num_steps = num_steps
    return path


def _check_config(state: RunState, weights: LoadedNetwork, path: Path) -> None:
    saved = weights.meta["extra"]["config"]
    if not isinstance(saved, dict):
        raise CheckpointError(f"{path / META} is no training checkpoint: config is no object")
    difference = first_difference(config_to_dict(state.config), saved)
    if difference is not None:
        words = " ".join(difference.split())  # a text from the file may have several lines
        words = words if len(words) <= 300 else words[:299] + "…"
        raise CheckpointError(f"{words} as in checkpoint {path}")
    if weights.network.settings != state.network.settings or weights.rules != state.rules:
        raise CheckpointError(f"network and rules in {path / META} are not those of its config")


def _file_limits(path: Path, state: RunState) -> dict[str, int]:
    """All files beside `meta.json`, and the bytes that each may have."""
    further = state.learner.further_weights
    return {
        **({LEARNER_FILE: max_tensor_bytes(further)} if further else {}),
        WEIGHTS_FILE: (path / WEIGHTS_FILE).stat().st_size,  # checked when it was read
        "optimizer.pt": max_optimizer_bytes(state.learner.optimizer),
        "replay.npz": state.replay.max_file_bytes,
        **state.self_play.max_file_bytes,
    }


def _fill(path: Path, state: RunState) -> None:
    extra: Mapping[str, Any] = {
        "config": config_to_dict(state.config),
        "counters": dataclasses.asdict(state.counters),
        "learner_steps": state.learner.num_steps,
        "streams": {name: rng.bit_generator.state for name, rng in state._streams.items()},
    }
    save_weights(path, state.network, state.game, dataclasses.asdict(state.rules), extra)
    further = state.learner.further_weights
    if further:
        (path / LEARNER_FILE).write_bytes(encode_tensors(further, "the learner's own weights"))
    encoded = io.BytesIO()  # torch's own writer turns a full disk into a RuntimeError
    torch.save(state.learner.optimizer.state_dict(), encoded)
    (path / "optimizer.pt").write_bytes(encoded.getbuffer())
    state.replay.save(path / "replay.npz")
    state.self_play.save(path)
    seal(path)


def _point_latest(folder: RunFolder, final: Path) -> None:
    link = folder.latest.with_name("latest.tmp")
    link.unlink(missing_ok=True)
    link.symlink_to(final.relative_to(folder.path))
    link.replace(folder.latest)
    sync(folder.path)


def _prune(folder: RunFolder, latest: Path, keep: int) -> None:
    """Deletes what is older than the newest ones, and what never became complete."""
    complete = sorted(path for path in folder.checkpoints.iterdir() if path.suffix != ".tmp")
    stale = [path for path in complete[:-keep] if path != latest]
    stale += [path for path in folder.checkpoints.iterdir() if path.suffix == ".tmp"]
    for path in stale:
        shutil.rmtree(path, ignore_errors=True)
