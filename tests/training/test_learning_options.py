"""What is learned from and how, by the settings that are off by default.

What is checked:

* sizes of the network by name, numbers before names, and numbers in the checkpoint;
* the average of the weights equals a plain computation, plays, and is what `agents.load` finds;
* the window grows by KataGo's formula, and batches come from nowhere else;
* with a replay ratio the steps follow from the positions that came, nothing lost between them;
* sgd equals its textbook form;
* with all of this a run that is stopped and resumed equals one that was not; damaged files of it
  are refused.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch

import agents
from agents.network import NETWORK_SIZES, NetworkSettings, PolicyValueNetwork
from agents.weights import load_weights
from cotulenh_env.errors import CotulenhError
from cotulenh_env.registry import load_game
from tests.training.runs import (
    config_of,
    differences,
    fingerprint,
    resume_in,
    run_in,
    stop_at_check,
)
from tests.training.test_learner import make_batch, make_learner
from tests.training.test_replay import random_positions
from training.checkpoint_files import seal
from training.config import parse_config
from training.learning_settings import NetworkOptions, ReplaySettings
from training.loop import Trainer, new_state
from training.replay import ReplayBuffer
from training.run_folder import RunFolder

GAME = load_game("tictactoe")

EVERYTHING = [
    "--learner.ema_decay", "0.8", "--learner.replay_ratio", "1.5", "--learner.optimizer", "sgd",
    "--learner.schedule", "step", "--replay.window_start", "30", "--network.size", "tiny",
]  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted short run with all options; not to be changed."""
    folder = tmp_path_factory.mktemp("run") / "full"
    run_in(folder, *EVERYTHING)
    return folder


# --- the network --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "channels", "blocks"),
    [("tiny", 32, 2), ("small", 64, 4), ("medium", 96, 6), ("large", 128, 10)],
)
def test_sizes_by_name(name: str, channels: int, blocks: int) -> None:
    config = parse_config(["--game", "tictactoe", "--network.size", name])
    resolved = config.network.resolved
    assert (resolved.num_channels, resolved.num_blocks) == (channels, blocks)
    assert resolved == NETWORK_SIZES[name]
    mixed = parse_config(
        ["--game", "tictactoe", "--network.size", name, "--network.num_blocks", "3"]
    )
    assert (mixed.network.resolved.num_channels, mixed.network.resolved.num_blocks) == (channels, 3)


def test_numbers_out_of_range_and_unknown_sizes_are_refused() -> None:
    with pytest.raises(CotulenhError, match="num_blocks of a network is an integer in 1–128"):
        NetworkOptions(num_blocks=0)
    with pytest.raises(CotulenhError, match=r"network\.size: expected one of"):
        parse_config(["--game", "tictactoe", "--network.size", "huge"])


def test_checkpoints_hold_numbers(finished: Path) -> None:
    meta = json.loads((finished / "latest" / "meta.json").read_text())
    assert meta["network"] == {"num_channels": 8, "num_blocks": 1, "num_value_channels": 4}


def test_logits_at_places_are_those_of_the_whole_policy() -> None:
    """Also global logits, which lie behind the board's."""
    torch.manual_seed(0)
    game = load_game("commander")
    network = PolicyValueNetwork(game.spec, NetworkSettings(8, 1, 4))
    for parameter in network.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    planes = torch.rand(3, *game.spec.observation_shape)
    index = torch.from_numpy(game.spec.policy_index.astype(np.int64))
    places = torch.stack([index[[0, 14652, 77]], index[[14652, 14651, 5]], index[[1, 2, 3000]]])
    with torch.no_grad():
        whole, _ = network(planes)
        found = network.policy_head.at(network.trunk(planes), places)
    torch.testing.assert_close(found, whole.gather(1, places))


# --- the average --------------------------------------------------------------------------------


def test_average_equals_a_plain_computation() -> None:
    """Its decay rises as (1 + n) / (10 + n) to the one that is set: 0.1, 2/11, 3/12, then 0.3."""
    network, learner = make_learner(ema_decay=0.3)
    name = "blocks.0.conv1.weight"
    expected = network.state_dict()[name].double().numpy().copy()
    for step, decay in enumerate([0.1, 2 / 11, 0.25, 0.3, 0.3]):
        learner.step(make_batch(8, step), 0)
        expected = decay * expected + (1 - decay) * network.state_dict()[name].double().numpy()
    average = learner.playing_network.state_dict()[name].numpy()
    np.testing.assert_allclose(average, expected, rtol=1e-5, atol=1e-7)
    assert not np.allclose(average, network.state_dict()[name].numpy(), atol=1e-4)


def test_without_an_average_the_network_itself_plays() -> None:
    network, learner = make_learner()
    assert learner.playing_network is network
    assert learner.further_weights == {}


def test_the_average_is_saved_as_the_network_and_plays(finished: Path) -> None:
    latest = finished / "latest"
    played = load_weights(latest).network.state_dict()
    learned = safetensors.torch.load_file(latest / "learner.safetensors")
    assert any(not torch.equal(played[name], learned[name]) for name in played)
    # Buffers are not averaged: both see the same planes.
    assert torch.equal(played["plane_scale"], learned["plane_scale"])
    agents.load(finished, num_simulations=2)


# --- the window and the ratio -------------------------------------------------------------------


def test_window_grows_by_the_formula() -> None:
    """By hand: 16^0.75 = 8, so after 16 c positions it is c (1 + 0.4 × 7 / 0.75)."""
    settings = ReplaySettings(window_start=3000)
    assert [settings.window(n) for n in (0, 10, 3000)] == [0, 10, 3000]
    assert settings.window(16 * 3000) == 14_200
    assert 300 < settings.window(4000) - settings.window(3000) < 400  # a slope of 0.4 at first
    assert ReplaySettings().window(10**9) == 10**9


def test_batches_come_from_the_window_only() -> None:
    rng = np.random.default_rng(0)
    settings = ReplaySettings(60, 9, 1, window_start=10, window_growth=0.5, window_exponent=1.0)
    buffer = ReplayBuffer(GAME, settings)
    added = random_positions(50, rng)
    added.outcomes[:] = 0
    added.outcomes[:, 0] = np.arange(50) / 64  # tells them apart
    added.outcomes[:, 2] = 1 - added.outcomes[:, 0]
    buffer.add(added)
    assert buffer.window == 30  # 10 and half of the 40 that came after
    batch = buffer.sample(2000, rng, use_symmetries=False)
    assert set((64 * batch.outcomes[:, 0]).tolist()) == set(range(20, 50))


def test_steps_follow_from_the_positions_that_came(finished: Path, tmp_path: Path) -> None:
    meta = json.loads((finished / "latest" / "meta.json").read_text())
    with np.load(finished / "latest" / "replay.npz") as archive:
        num_added = int(archive["counters"][1])
    num_steps = meta["extra"]["learner_steps"]
    assert num_steps == num_added * 1.5 // 16  # a batch has 16
    assert meta["extra"]["counters"]["num_samples"] == 16 * num_steps
    # More than those that are due cannot have been made.
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy, symlinks=True)
    meta["extra"]["learner_steps"] += 1
    (copy / "latest" / "meta.json").write_text(json.dumps(meta))
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match=rf"learner_steps is at most {num_steps}"):
        resume_in(copy)


# --- losses and optimisers ----------------------------------------------------------------------


def test_sgd_is_the_textbook_one() -> None:
    """v ← 0.9 v + g + decay × w, w ← w − rate × v."""
    network, learner = make_learner(optimizer="sgd", weight_decay=0.01)
    weight = network.stem.weight
    expected = weight.detach().double().numpy().copy()
    velocity = np.zeros_like(expected)
    for step in range(3):
        learner.step(make_batch(8, step), 0.5)
        assert weight.grad is not None
        velocity = 0.9 * velocity + weight.grad.double().numpy() + 0.01 * expected
        expected = expected - learner.learning_rate(step, 0.5) * velocity
    np.testing.assert_allclose(weight.detach().numpy(), expected, rtol=1e-4, atol=1e-6)


def test_bfloat16_learns_nearly_the_same_into_float32_weights() -> None:
    (network, exact), (_, rough) = make_learner(), make_learner(bfloat16=True)
    one, other = exact.step(make_batch(32), 0), rough.step(make_batch(32), 0)
    assert one.total != other.total
    for name in ("policy", "value", "gradient_norm"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=0.03)
    assert {weight.dtype for weight in network.parameters()} == {torch.float32}


# --- stopping and resuming ----------------------------------------------------------------------


@pytest.mark.parametrize("num_checks", [8, 10, 17])
def test_resumed_run_equals_an_uninterrupted_one(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_checks: int
) -> None:
    folder = tmp_path / "run"
    trainer = Trainer(new_state(config_of(folder, *EVERYTHING)), RunFolder(folder))
    stop_at_check(trainer, num_checks, monkeypatch)
    resume_in(folder)
    assert differences(fingerprint(finished), fingerprint(folder)) == []


def test_damaged_weights_of_the_learner_are_refused(finished: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy, symlinks=True)
    path = copy / "latest" / "learner.safetensors"
    tensors = safetensors.torch.load_file(path)
    tensors["stem.bias"][0] = torch.nan
    safetensors.torch.save_file(tensors, path)
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match=r"'stem\.bias' has a weight that is not finite"):
        resume_in(copy)
    del tensors["stem.bias"]
    safetensors.torch.save_file(tensors, path)
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match=r"lacks 'stem\.bias'"):
        resume_in(copy)


def test_damaged_momentum_is_refused(finished: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(finished, copy, symlinks=True)
    path = copy / "latest" / "optimizer.pt"
    saved = torch.load(path, weights_only=True)
    saved["state"][0]["momentum_buffer"].fill_(torch.inf)
    torch.save(saved, path)
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match=r"momentum_buffer of state\[0\] is not finite"):
        resume_in(copy)
    saved["state"][0]["step"] = torch.tensor(3.0)
    torch.save(saved, path)
    seal(copy / "latest")
    with pytest.raises(CotulenhError, match=r"state\[0\] holds momentum_buffer in"):
        resume_in(copy)
