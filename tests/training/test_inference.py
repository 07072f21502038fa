"""Inference in a run.

What is checked:

* `auto` is measured once: what it came to is in the saved settings and in the checkpoint, and a
  resumed run keeps to it without measuring; a flag changes it;
* with every backend the same seed gives the same run, and a resumed run equals one that was not
  interrupted;
* a run whose backend has become inexact says so, and what can be done;
* the occupancy of batches counts one place per game;
* `match` takes the option, measures once for all threads, and refuses names that do not exist.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from agents.inference import Agreement, Backend, choice, choose_backend
from agents.network import PolicyValueNetwork
from agents.weights import load_weights
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game
from tests.training.runs import (
    config_of,
    differences,
    fingerprint,
    resume_in,
    run_config,
    run_in,
    stop_at_check,
)
from tests.training.test_self_play import new_self_play
from training import evaluation, loop
from training.cli import main
from training.loop import Trainer, new_state
from training.report import iteration_scalars
from training.run_folder import RunFolder
from training.self_play_settings import SelfPlaySettings

NAMES = ["torch-bfloat16", "onnx-int8"]


def saved_names(folder: Path) -> list[str]:
    """What the settings and the checkpoint of a run say."""
    meta = json.loads((folder / "latest" / "meta.json").read_text())
    settings = yaml.safe_load((folder / "config.yaml").read_text())
    return [settings["inference"], meta["extra"]["config"]["inference"]]


def test_auto_is_measured_once_and_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def quickest(game: object, backends: list[object], *rest: object) -> list[float]:
        return [1.0, 0.5, *[1.0] * (len(backends) - 2)]

    monkeypatch.setattr(choice, "_quickest", quickest)
    folder = tmp_path / "run"
    run_in(folder, "--inference", "auto", "--num-iterations", "2")
    assert saved_names(folder) == ["torch-bfloat16"] * 2

    def fail(*arguments: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(choice, "_quickest", fail)
    trainer = resume_in(folder, "--num-iterations", "3")
    assert trainer._state.backend.name == "torch-bfloat16"
    assert saved_names(folder) == ["torch-bfloat16"] * 2
    resume_in(folder, "--num-iterations", "4", "--inference", "torch-float32")
    assert saved_names(folder) == ["torch-float32"] * 2


@pytest.mark.parametrize("name", NAMES)
def test_run_is_reproduced_and_resumed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in(tmp_path / "one", "--inference", name)
    folder = tmp_path / "two"
    trainer = Trainer(new_state(config_of(folder, "--inference", name)), RunFolder(folder))
    stop_at_check(trainer, 14, monkeypatch)  # while the second iteration is played
    resume_in(folder)
    assert differences(fingerprint(tmp_path / "one"), fingerprint(folder)) == []
    run_in(tmp_path / "exact")
    assert differences(fingerprint(tmp_path / "one"), fingerprint(tmp_path / "exact"))


def test_inexact_inference_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rough = Agreement(8, 0.25, 1.0, 0.5, 0.125, 0.5)
    monkeypatch.setattr(evaluation, "inference_agreement", lambda state: rough)
    folder = tmp_path / "run"
    with caplog.at_level(logging.INFO):
        flags = ("--num-iterations", "1", "--evaluation.every", "0")
        run_config(config_of(folder, *flags, "--inference", "torch-bfloat16"))
    (line,) = [text for text in caplog.messages if "become inexact" in text]
    assert line == (
        f"inference by torch-bfloat16 has become inexact, {rough}: the exact one is taken by "
        f"cotulenh train --resume {folder} --inference torch-float32"
    )


def test_a_resumed_run_chooses_by_the_weights_that_it_goes_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new network's exactness says nothing of a trained one's."""
    folder = tmp_path / "run"
    run_config(config_of(folder, "--num-iterations", "1", "--evaluation.every", "0"))
    saved = load_weights(folder / "latest").network.state_dict()
    seen: list[bool] = []
    choose = choose_backend

    def spy(name: str, game: Game, network: PolicyValueNetwork, *rest: Any) -> Backend:
        seen.append(all(torch.equal(saved[key], w) for key, w in network.state_dict().items()))
        return choose(name, game, network, *rest)

    monkeypatch.setattr(loop, "choose_backend", spy)
    resume_in(folder, "--num-iterations", "2")
    assert seen == [True]


def test_occupancy_counts_a_place_for_every_game(tmp_path: Path) -> None:
    self_play = new_self_play(load_game("tictactoe"), SelfPlaySettings(opening_turns=0))
    self_play.step()
    full = self_play.take_stats()
    assert full.num_evaluated == full.num_places == 7 * 6  # the root and 6 simulations, 6 games
    for _ in range(8):
        self_play.step()
    later = self_play.take_stats()
    assert 0 < later.num_evaluated < later.num_places
    state = new_state(config_of(tmp_path / "run"))
    scalars = iteration_scalars(later, None, 0.0, state.replay, state.counters, 0)
    share = later.num_evaluated / later.num_places
    assert scalars["inference/batch_occupancy"] == pytest.approx(share)


def test_match_takes_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    run_in(folder, "--num-iterations", "1")
    match = ["match", "--game", "tictactoe", "--red", str(folder), "--blue", "random"]
    match += ["--games", "2", "--simulations", "4", "--inference"]
    assert main([*match, "torch-bfloat16"]) == 0
    capsys.readouterr()
    assert main([*match, "int8"]) == 2
    assert capsys.readouterr().err.startswith("cotulenh match: --inference is auto or one of")


@pytest.mark.parametrize("find_wins", ["false", "true"])
def test_threads_of_a_match_share_what_was_measured(
    find_wins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measuring again may come to another backend, and so to other games."""
    num_measured = 0

    def quickest(game: object, backends: list[object], *rest: object) -> list[float]:
        nonlocal num_measured
        num_measured += 1
        return [1.0] * len(backends)

    monkeypatch.setattr(choice, "_quickest", quickest)
    folder = tmp_path / "run"
    run_in(folder, "--num-iterations", "1")
    match = ["match", "--game", "tictactoe", "--red", f"{folder}:find_wins={find_wins}"]
    match += ["--blue", "random", "--games", "4", "--games_in_batch", "2", "--num-threads", "2"]
    assert main([*match, "--simulations", "4", "--inference", "auto"]) == 0
    assert num_measured == 1
