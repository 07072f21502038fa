"""Weights on disk: written and read back; and what a damaged or hostile folder may hold."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch

import agents
from agents.errors import AgentError, EvaluationError, WeightsError
from agents.mcts_agent import MCTSAgent
from agents.network import NetworkSettings, PolicyValueNetwork
from agents.weights import META_FILE, WEIGHTS_FILE, load_weights, save_weights
from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.registry import load_game
from tests.agents.table_game import Node, TableGame

TICTACTOE = load_game("tictactoe")
SMALL = NetworkSettings(num_channels=4, num_blocks=1, num_value_channels=4)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    saved = tmp_path / "saved"
    save_weights(saved, PolicyValueNetwork(TICTACTOE.spec, SMALL), TICTACTOE, extra={"step": 7})
    return saved


def refusal(folder: Path, **options: Any) -> str:
    """The one sentence with which the folder is refused."""
    with pytest.raises(WeightsError) as caught:
        load_weights(folder, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    assert str(folder) in message
    return message.replace(str(folder), "FOLDER")


def edit_meta(folder: Path, **changes: Any) -> None:
    meta = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    meta.update(changes)
    (folder / META_FILE).write_text(json.dumps(meta), encoding="utf-8")


def edit_tensors(folder: Path, edit: Callable[[dict[str, torch.Tensor]], object]) -> None:
    tensors = safetensors.torch.load((folder / WEIGHTS_FILE).read_bytes())
    edit(tensors)
    (folder / WEIGHTS_FILE).write_bytes(safetensors.torch.save(tensors))


# --- what is written is read --------------------------------------------------------------------


def test_round_trip(tmp_path: Path) -> None:
    network = PolicyValueNetwork(TICTACTOE.spec, SMALL).train()
    save_weights(tmp_path / "a" / "b", network, TICTACTOE, {}, {"named": "Cờ tư lệnh", "x": [1]})
    loaded = load_weights(tmp_path / "a" / "b")
    assert loaded.game is TICTACTOE
    assert loaded.rules == TICTACTOE.make_rules()
    assert loaded.meta["extra"] == {"named": "Cờ tư lệnh", "x": [1]}
    assert loaded.network.settings == SMALL
    assert not loaded.network.training
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, loaded.network.state_dict()[name]), name
    planes = torch.rand(3, 3, 3, 3)
    with torch.no_grad():
        assert torch.equal(network(planes)[0], loaded.network(planes)[0])


def test_reading_draws_no_random_numbers(folder: Path) -> None:
    before = torch.random.get_rng_state()
    load_weights(folder)
    assert torch.equal(before, torch.random.get_rng_state())


def test_loaded_weights_can_be_trained(folder: Path) -> None:
    network = load_weights(folder).network.train()
    network(torch.rand(2, 3, 3, 3))[0].sum().backward()
    assert all(parameter.grad is not None for parameter in network.policy_head.parameters())


def test_writing_replaces_what_was_there(folder: Path) -> None:
    save_weights(folder, PolicyValueNetwork(TICTACTOE.spec), TICTACTOE)
    loaded = load_weights(folder)
    assert loaded.network.settings == NetworkSettings()
    assert loaded.meta["extra"] == {}


def test_bad_numbers_are_not_written(tmp_path: Path) -> None:
    network = PolicyValueNetwork(TICTACTOE.spec, SMALL)
    with torch.no_grad():
        network.stem.bias[1] = float("nan")  # type: ignore[index]
    with pytest.raises(WeightsError, match=r"'stem\.bias' has a weight that is not finite"):
        save_weights(tmp_path / "new", network, TICTACTOE)
    with pytest.raises(WeightsError, match="cannot be written"):
        save_weights(
            tmp_path / "new",
            PolicyValueNetwork(TICTACTOE.spec, SMALL),
            TICTACTOE,
            extra={"loss": float("nan")},
        )
    assert not (tmp_path / "new").exists()


# --- meta.json ----------------------------------------------------------------------------------


def test_no_folder_and_no_files(tmp_path: Path, folder: Path) -> None:
    assert "there is no file FOLDER" in refusal(tmp_path / "nowhere")
    (folder / WEIGHTS_FILE).unlink()
    assert "there is no file FOLDER/weights.safetensors" in refusal(folder)
    (folder / META_FILE).unlink()
    (folder / META_FILE).mkdir()
    assert "there is no file FOLDER/meta.json" in refusal(folder)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"[]", "holds a list"),
        (b"null", "holds a NoneType"),
        ('{"format": "cờ"}'.encode("utf-16"), "is not UTF-8 text, at byte 0"),
        (b'{"format": "caf\xe9"}', "is not UTF-8 text, at byte 15"),
        (b"\xef\xbb\xbf{}", "is not JSON"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"version": ' + b"9" * 10_000 + b"}", "is not JSON"),
        (b"{}", "lacks 'format'"),
    ],
)
def test_foreign_meta(folder: Path, data: bytes, message: str) -> None:
    (folder / META_FILE).write_bytes(data)
    assert message in refusal(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "onnx"}, "'format' is 'cotulenh-weights', got 'onnx'"),
        ({"version": 2}, "reads version 1 of the format, got version 2"),
        ({"version": True}, "'version' is a int, got True"),
        ({"game": "chess960"}, "unknown game 'chess960'"),
        ({"game": ["tictactoe"]}, "'game' is a str"),
        ({"num_actions": 10}, "tictactoe has 9 actions, got 10"),
        ({"num_actions": "9"}, "'num_actions' is a int"),
        ({"plane_names": ["own", "opponent"]}, "has 3 observation planes, got 2"),
        (
            {"plane_names": ["own", "to_move", "opponent"]},
            "plane 1 of tictactoe is 'opponent', got 'to_move'",
        ),
        ({"plane_names": ["own", 7, "to_move"]}, "got 7"),
        ({"plane_names": ["own", "x" * 10_000, "to_move"]}, "…"),
        ({"rules": {"battle": "sea"}}, "'rules' do not fit tictactoe"),
        ({"rules": {"self": 1}}, "'rules' do not fit tictactoe"),
        ({"network": {"num_channels": 4}}, "'network' lacks 'num_blocks'"),
        (
            {"network": {"num_channels": 4, "num_blocks": 1, "num_value_channels": 4, "x": 1}},
            "'network' has the unknown field 'x'",
        ),
        (
            {"network": {"num_channels": 10**9, "num_blocks": 1, "num_value_channels": 4}},
            "num_channels of a network is an integer in 1–1024",
        ),
        (
            {"network": {"num_channels": 4, "num_blocks": [1], "num_value_channels": 4}},
            "num_blocks of a network is an integer",
        ),
        ({"extra": None}, "'extra' is a dict, got None"),
    ],
)
def test_meta_that_does_not_fit(folder: Path, changes: dict[str, Any], message: str) -> None:
    edit_meta(folder, **changes)
    assert message in refusal(folder)


def test_weights_of_another_game(folder: Path) -> None:
    game = TableGame(Node(0, [Node(1)]))
    assert "is of game 'tictactoe', not of 'table'" in refusal(folder, game=game)
    save_weights(folder, PolicyValueNetwork(game.spec, SMALL), game)
    assert load_weights(folder, game=game).game is game
    assert "unknown game 'table'" in refusal(folder)


def test_a_device_that_is_not_there(folder: Path) -> None:
    for device in ("abacus", "cuda:99", "tpu", "meta", "", "cpu\0", "x" * 10**4):
        with pytest.raises(AgentError, match="cannot be put on device") as caught:
            load_weights(folder, device)
        assert shown(device) in str(caught.value)
        assert len(str(caught.value)) < 500
        assert "\n" not in str(caught.value)
        with pytest.raises(AgentError, match="cannot be put on device"):
            agents.load(folder, device=device)


@pytest.mark.parametrize("device", [None, 5, True, 1.5, ["cpu"], pytest.param(10**5000, id="x")])
def test_a_device_is_a_name(folder: Path, device: Any) -> None:
    for load in (lambda: agents.load(folder, device=device), lambda: load_weights(folder, device)):
        with pytest.raises(AgentError, match="device is a name such as 'cpu'") as caught:
            load()
        assert shown(device) in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"num_simulations": 2**40}, {"max_num_considered_actions": 10**15}]
)
def test_huge_searches_are_refused(folder: Path, options: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match=f"got {next(iter(options.values()))}$"):
        agents.load(folder, **options)


def test_finite_weights_whose_outputs_are_not(folder: Path) -> None:
    def enlarge(tensors: dict[str, torch.Tensor]) -> None:
        for name in tensors:
            tensors[name] = torch.full_like(tensors[name], 1e30)

    edit_tensors(folder, enlarge)
    agent = agents.load(folder, num_simulations=8)
    with pytest.raises(EvaluationError, match="the network's outputs are not finite"):
        agent.act(TICTACTOE.new_states(4), np.random.default_rng(0))


# --- weights.safetensors ------------------------------------------------------------------------


def header(entries: dict[str, Any], data: bytes = b"") -> bytes:
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text + data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 a zip, or what torch.save writes",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 100) + b"{}",
        header({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}),
        header({"w": {"dtype": "F32", "shape": [2**62, 2**62], "data_offsets": [0, 0]}}),
        header({"w": {"dtype": "F99", "shape": [], "data_offsets": [0, 4]}}, bytes(4)),
    ],
)
def test_foreign_tensors(folder: Path, data: bytes) -> None:
    (folder / WEIGHTS_FILE).write_bytes(data)
    assert "is damaged or no safetensors file" in refusal(folder)


def test_truncated_tensors(folder: Path) -> None:
    data = (folder / WEIGHTS_FILE).read_bytes()
    for length in (3, 8, 100, len(data) // 2, len(data) - 1):
        (folder / WEIGHTS_FILE).write_bytes(data[:length])
        assert "is damaged or no safetensors file" in refusal(folder)


def test_a_file_that_is_too_large_is_not_even_read(folder: Path) -> None:
    with (folder / WEIGHTS_FILE).open("r+b") as file:
        file.truncate(1 << 40)  # sparse
    assert "has 1099511627776 bytes, at most" in refusal(folder)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_weight_that_is_not_finite_is_named(folder: Path, number: float) -> None:
    edit_tensors(folder, lambda tensors: tensors["value_head.outcome.bias"].fill_(number))
    assert "'value_head.outcome.bias' has a weight that is not finite" in refusal(folder)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda t: t.pop("stem.bias"), "lacks 'stem.bias'"),
        (lambda t: t.update(more=torch.zeros(1)), "has the unknown tensor 'more'"),
        (
            lambda t: t.update({"stem.bias": torch.zeros(5)}),
            "tensor 'stem.bias' is float32 [4], got float32 [5]",
        ),
        (
            lambda t: t.update({"stem.bias": torch.zeros(4, dtype=torch.float64)}),
            "tensor 'stem.bias' is float32 [4], got float64 [4]",
        ),
    ],
)
def test_tensors_that_do_not_fit(
    folder: Path, edit: Callable[[dict[str, torch.Tensor]], object], message: str
) -> None:
    edit_tensors(folder, edit)
    assert message in refusal(folder)


def test_weights_errors_are_value_errors() -> None:
    assert issubclass(WeightsError, CotulenhError)
    assert issubclass(WeightsError, ValueError)


# --- as an agent --------------------------------------------------------------------------------


def plays(agent: agents.Agent) -> bool:
    states = TICTACTOE.new_states(2)
    actions = agent.act(states, np.random.default_rng(0))
    return agent.game is TICTACTOE and set(actions.tolist()) <= set(range(9))


def test_a_folder_plays(folder: Path) -> None:
    agent = agents.load(folder, num_simulations=3)
    assert isinstance(agent, MCTSAgent)
    assert agent.search.settings.num_simulations == 3
    assert agent.name == "saved"
    assert plays(agent)
    assert plays(agents.load(str(folder), "tictactoe", num_simulations=3, device="cpu"))


def test_a_run_plays_its_latest_checkpoint(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    checkpoint = run / "checkpoints" / "step-10"
    checkpoint.parent.mkdir(parents=True)
    folder.rename(checkpoint)
    latest = run / "checkpoints" / "latest"
    latest.symlink_to("step-10")
    assert plays(agents.load(run, num_simulations=3))
    assert plays(agents.load(latest, num_simulations=3))
    latest.unlink()
    latest.write_text("step-10\n", encoding="utf-8")
    assert plays(agents.load(run, num_simulations=3))
    assert plays(agents.load(run / "checkpoints", num_simulations=3))
    latest.write_text("../../elsewhere", encoding="utf-8")
    with pytest.raises(AgentError, match="holds no network, checkpoint or run"):
        agents.load(run)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 1}, "unknown option 'simulations'"),
        ({"num_simulations": None}, "num_simulations is an integer"),
        ({"device": "abacus"}, "cannot be put on device"),
        ({"game": TableGame(Node(0, [Node(1)]))}, "is of game 'tictactoe', not of 'table'"),
    ],
)
def test_options_of_a_folder_are_checked(
    folder: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises((AgentError, WeightsError), match=message):
        agents.load(folder, **options)
