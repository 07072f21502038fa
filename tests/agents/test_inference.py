"""Backends of inference, how they are compared, and the choice among them.

What is checked, for every backend whose packages are installed:

* an evaluator over it keeps the contract: shapes, padding, rows that depend on nothing else;
* it agrees with `torch-float32` within the documented limits, in two games;
* new weights are seen as `Backend` says; several threads may share it; equal weights, equal bits;
* weights and outputs that are not finite are refused.

And: agreement is computed right; `auto` takes the fastest that is exact enough, near ties going to
the more exact, and says so in one sentence; mistakes are told in one sentence.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agents
from agents.errors import AgentError, EvaluationError
from agents.inference import (
    INFERENCE_NAMES,
    MAX_VALUE_DIFFERENCE,
    Agreement,
    Backend,
    BackendEvaluator,
    InferenceName,
    Measurement,
    agreement,
    choice,
    choose_backend,
    fastest,
    make_backend,
    measure,
    outputs_of,
)
from agents.inference.agreement import Outputs
from agents.inference.int8 import evened_input
from agents.inference.torch_backend import TorchBackend
from agents.network import NetworkSettings, PolicyValueNetwork
from agents.weights import save_weights
from cotulenh_env.game import Game, States
from cotulenh_env.registry import load_game
from tests.agents.helpers import random_positions

CPU = torch.device("cpu")
TICTACTOE = load_game("tictactoe")
COPIES = ["onnx-float32", "onnx-int8"]
"""Backends with a copy of the weights."""
BACKENDS = ["torch-float32", "torch-bfloat16", *COPIES]


def network_of(game: Game, seed: int = 0) -> PolicyValueNetwork:
    """A small network with opinions, its planes scaled as in training."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = PolicyValueNetwork(game.spec, NetworkSettings(16, 2, 8))
        for parameter in network.parameters():
            parameter.data += 0.05 * torch.randn_like(parameter)
        network.value_head.outcome.weight.data *= 10
    states = random_positions(game, 64, 40)
    network.calibrate(torch.from_numpy(game.observe(states, game.current_player(states))))
    return network


@functools.cache
def shared_network(game_name: str) -> PolicyValueNetwork:
    """For all tests, since translating a network takes seconds."""
    return network_of(load_game(game_name))


@pytest.fixture
def network() -> Iterator[PolicyValueNetwork]:
    """Plays tic-tac-toe, and gets its weights back after the test."""
    shared = shared_network("tictactoe")
    weights = copy.deepcopy(shared.state_dict())
    yield shared
    shared.load_state_dict(weights)


def evaluated(backend: Backend, states: States, game: Game = TICTACTOE) -> Any:
    legal_actions, counts = game.legal_actions(states)
    return BackendEvaluator(game, backend).evaluate(
        states, game.current_player(states), legal_actions, counts
    )


def refreshed(backend: Backend, states: States) -> Any:
    backend.refresh()
    return evaluated(backend, states)


# --- contract -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BACKENDS)
def test_rows_depend_on_nothing_but_themselves(name: str, network: PolicyValueNetwork) -> None:
    evaluator = BackendEvaluator(TICTACTOE, make_backend(name, TICTACTOE, network, CPU))
    states = random_positions(TICTACTOE, 133, 6)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    players = TICTACTOE.current_player(states)
    logits, values = evaluator.evaluate(states, players, legal_actions, counts)
    assert logits.dtype == values.dtype == np.float32
    assert logits.flags.c_contiguous
    assert logits.shape == (133, counts.max())
    assert (np.abs(values) <= 1).all()
    for row in range(0, 133, 12):
        one = slice(row, row + 1)
        alone = evaluator.evaluate(states[one], players[one], legal_actions[one], counts[one])
        count = int(counts[row])
        np.testing.assert_allclose(alone[0][0, :count], logits[row, :count], atol=1e-2)
        np.testing.assert_allclose(alone[1], values[one], atol=1e-2)


@pytest.mark.parametrize("name", BACKENDS)
def test_padding_is_not_read_and_no_rows_are_fine(name: str, network: PolicyValueNetwork) -> None:
    backend = make_backend(name, TICTACTOE, network, CPU)
    evaluator = BackendEvaluator(TICTACTOE, backend)
    states = random_positions(TICTACTOE, 12, 6)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    players = TICTACTOE.current_player(states)
    is_padding = np.arange(legal_actions.shape[1]) >= counts[:, None]
    other = np.where(is_padding, 3, legal_actions)
    one = evaluator.evaluate(states, players, legal_actions, counts)
    two = evaluator.evaluate(states, players, other, counts)
    legal = ~is_padding[:, : one[0].shape[1]]
    np.testing.assert_array_equal(one[0][legal], two[0][legal])
    nothing = evaluator.evaluate(states[:0], players[:0], legal_actions[:0], counts[:0])
    assert [len(array) for array in nothing] == [0, 0]


@pytest.mark.parametrize("game_name", ["tictactoe", "commander"])
@pytest.mark.parametrize("name", [name for name in BACKENDS if name != "torch-float32"])
def test_agrees_with_float32(name: str, game_name: str) -> None:
    game = load_game(game_name)
    network = shared_network(game_name)
    states = random_positions(game, 128, 6 if game_name == "tictactoe" else 60)
    found = agreement(
        outputs_of(game, TorchBackend(network, CPU), states),
        outputs_of(game, make_backend(name, game, network, CPU), states),
    )
    assert found.num_positions == 128
    assert found.is_acceptable, str(found)
    if name.endswith("float32"):
        assert found.policy_divergence < 1e-6
        assert found.max_value_difference < 1e-4


@pytest.mark.parametrize("name", BACKENDS)
def test_equal_weights_give_equal_bits(name: str, network: PolicyValueNetwork) -> None:
    states = random_positions(TICTACTOE, 20, 6)
    one, two = (evaluated(make_backend(name, TICTACTOE, network, CPU), states) for _ in range(2))
    for ours, theirs in zip(one, two, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", BACKENDS)
def test_threads_share_a_backend(name: str, network: PolicyValueNetwork) -> None:
    backend = make_backend(name, TICTACTOE, network, CPU)
    batches = [random_positions(TICTACTOE, 16, 6, seed) for seed in range(8)]
    alone = [evaluated(backend, states) for states in batches]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda states: evaluated(backend, states), batches))
    for one, two in zip(alone, together, strict=True):
        np.testing.assert_allclose(one[0], two[0], atol=1e-6)
        np.testing.assert_allclose(one[1], two[1], atol=1e-6)


# --- weights ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BACKENDS)
def test_new_weights_are_seen_after_refresh(name: str, network: PolicyValueNetwork) -> None:
    states = random_positions(TICTACTOE, 16, 6)
    backend = make_backend(name, TICTACTOE, network, CPU)
    before = evaluated(backend, states)[1]
    network.load_state_dict(network_of(TICTACTOE, seed=1).state_dict())
    between = evaluated(backend, states)[1]
    backend.refresh()
    after = evaluated(backend, states)[1]
    exact = evaluated(TorchBackend(network, CPU), states)[1]
    assert np.abs(after - before).max() > 2 * MAX_VALUE_DIFFERENCE
    assert np.abs(after - exact).mean() <= MAX_VALUE_DIFFERENCE
    np.testing.assert_array_equal(between, before if name.startswith("onnx") else after)
    fresh = make_backend(name, TICTACTOE, network, CPU)
    np.testing.assert_array_equal(evaluated(fresh, states)[1], after)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("name", BACKENDS)
def test_weights_that_are_not_finite_are_refused(
    name: str, value: float, network: PolicyValueNetwork
) -> None:
    states = random_positions(TICTACTOE, 4, 6)
    backend = make_backend(name, TICTACTOE, network, CPU)
    with torch.no_grad():
        dict(network.named_parameters())["blocks.1.conv1.weight"][0, 0, 1, 1] = value
    with pytest.raises(EvaluationError, match="not finite"):
        refreshed(backend, states)


@pytest.mark.parametrize("name", BACKENDS)
def test_outputs_that_are_not_finite_are_refused(name: str, network: PolicyValueNetwork) -> None:
    states = random_positions(TICTACTOE, 4, 6)
    backend = make_backend(name, TICTACTOE, network, CPU)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1e15)
    with pytest.raises(EvaluationError, match="not finite"):
        refreshed(backend, states)


def test_evened_input_computes_the_same() -> None:
    network = network_of(load_game("commander"))
    planes = torch.rand(4, *load_game("commander").spec.observation_shape)
    with torch.no_grad():
        before = network(planes)
        network.load_state_dict(network.state_dict() | evened_input(network))
        after = network(planes)
    for one, two in zip(before, after, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-3)


# --- agreement and choice -----------------------------------------------------------------------


def outputs(policies: list[list[float]], values: list[float]) -> Outputs:
    with np.errstate(divide="ignore"):
        return Outputs(np.log(np.array(policies)), np.array(values, np.float32))


def test_agreement_by_hand() -> None:
    exact = outputs([[0.5, 0.5, 0], [0.25, 0.5, 0.25]], [0.5, -1])
    other = outputs([[0.25, 0.75, 0], [0.25, 0.5, 0.25]], [0.25, -0.5])
    found = agreement(exact, other)
    divergence = 0.5 * np.log(2) + 0.5 * np.log(2 / 3)
    assert dataclasses.astuple(found) == pytest.approx(
        dataclasses.astuple(Agreement(2, divergence / 2, divergence, 0.5, 0.375, 0.5))
    )
    assert not found.is_acceptable
    assert agreement(exact, exact).is_acceptable


def measured(name: InferenceName, microseconds: float, problem: str = "") -> Measurement:
    backend = TorchBackend(PolicyValueNetwork(TICTACTOE.spec), CPU)
    return Measurement(name, backend, microseconds, None, problem)


def test_fastest_is_exact_enough_and_worth_it() -> None:
    float32, bfloat16 = measured("torch-float32", 100), measured("torch-bfloat16", 95)
    assert fastest([float32, bfloat16]) is float32  # a near tie, which noise would decide
    assert fastest([float32, dataclasses.replace(bfloat16, microseconds=80)]).microseconds == 80
    rough = measured("onnx-int8", 10, "too inexact")
    assert fastest([float32, bfloat16, rough]) is float32


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Seconds a batch by backend, which the clock then shows; only torch's backends exist."""
    seconds = {"torch-float32": 4.0, "torch-bfloat16": 1.0}
    run = TorchBackend.run

    def timed(self: TorchBackend, planes: torch.Tensor) -> Any:
        seconds["now"] += seconds[self.name]
        return run(self, planes)

    seconds["now"] = 0.0
    monkeypatch.setattr(TorchBackend, "run", timed)
    monkeypatch.setattr(choice, "missing_package", lambda: "onnxruntime")
    return seconds


def test_auto_takes_the_fastest_and_says_so(
    times: dict[str, float], caplog: pytest.LogCaptureFixture
) -> None:
    def choose() -> str:
        return choose_backend(
            "auto", TICTACTOE, network_of(TICTACTOE), CPU, 8, clock=lambda: times["now"]
        ).name

    with caplog.at_level(logging.INFO):
        assert [choose(), choose()] == ["torch-bfloat16"] * 2
        times["torch-bfloat16"] = 4.0
        assert choose() == "torch-float32"
    first, again, last = (record.getMessage() for record in caplog.records)
    assert first == again
    assert first.startswith("inference by torch-bfloat16: 125000 µs a position in batches of 8, ")
    assert "(torch-float32 500000 µs)" in first
    assert first.endswith("More speed may come from pip install 'cotulenh-env[onnx]'")
    assert last.startswith("inference by torch-float32: 500000 µs")


def test_auto_refuses_what_is_inexact(
    times: dict[str, float], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = TorchBackend.run

    def rough(self: TorchBackend, planes: torch.Tensor) -> Any:
        policy_logits, value_logits = run(self, planes)
        return policy_logits, value_logits + (self.name == "torch-bfloat16") * torch.eye(3)[0]

    monkeypatch.setattr(TorchBackend, "run", rough)
    arguments = (TICTACTOE, network_of(TICTACTOE), CPU, 8)
    with caplog.at_level(logging.INFO):
        assert choose_backend("auto", *arguments, clock=lambda: times["now"]).name == (
            "torch-float32"
        )
    assert "(torch-bfloat16 125000 µs too inexact (policy off by" in caplog.text


def test_measurement_reports_every_backend(network: PolicyValueNetwork) -> None:
    found = measure(TICTACTOE, network, CPU, 4)
    assert [one.name for one in found] == list(INFERENCE_NAMES)
    for one in found:
        assert one.microseconds > 0
        assert one.agreement is not None
        assert one.agreement.num_positions == 256


def test_failing_export_is_told_and_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("no such operator\nand more")

    monkeypatch.setattr(torch.onnx, "export", fail)
    network = network_of(TICTACTOE)
    with pytest.raises(AgentError, match=r"cannot be exported to ONNX: no such operator$"):
        make_backend("onnx-int8", TICTACTOE, network, CPU)
    found = measure(TICTACTOE, network, CPU, 4)
    assert str(found[-1]).startswith("onnx-int8 failed (the network cannot be exported")
    assert fastest(found).name.startswith("torch")


@pytest.mark.parametrize("scale", [0.0, -1.0])
def test_weights_that_no_8_bits_can_hold_are_refused_in_a_sentence(
    network: PolicyValueNetwork, scale: float
) -> None:
    """Finite, and no float32 backend minds: the quantiser's own complaint would be a traceback."""
    network.plane_scale[0] = scale
    with pytest.raises(EvaluationError, match="no 8 bits can hold it"):
        make_backend("onnx-int8", TICTACTOE, network, CPU)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_backends_of_a_gpu_agree_with_the_cpu() -> None:
    network = network_of(TICTACTOE)
    states = random_positions(TICTACTOE, 128, 6)
    exact = outputs_of(TICTACTOE, TorchBackend(network, CPU), states)
    cuda = torch.device("cuda")
    for name in ("torch-float32", "torch-bfloat16"):
        backend = make_backend(name, TICTACTOE, network, cuda)
        assert agreement(exact, outputs_of(TICTACTOE, backend, states)).is_acceptable
    assert choose_backend("auto", TICTACTOE, network, cuda, 64).device == cuda


def test_mistakes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(TICTACTOE)
    with pytest.raises(AgentError, match=r"auto or one of torch-float32, .*, got 'fp16'"):
        make_backend("fp16", TICTACTOE, network, CPU)
    with pytest.raises(AgentError, match="onnx-int8 runs on the CPU only, the device is 'cuda'"):
        make_backend("onnx-int8", TICTACTOE, network, torch.device("cuda"))
    monkeypatch.setattr(choice, "missing_package", lambda: "onnxruntime")
    with pytest.raises(AgentError) as caught:
        make_backend("onnx-int8", TICTACTOE, network, CPU)
    assert str(caught.value) == (
        "inference onnx-int8 needs onnxruntime, which is not installed: "
        "pip install 'cotulenh-env[onnx]'"
    )


@pytest.mark.parametrize("name", BACKENDS)
def test_agents_load_takes_it(name: str, tmp_path: Path) -> None:
    save_weights(tmp_path, network_of(TICTACTOE), TICTACTOE)
    agent = agents.load(tmp_path, num_simulations=4, inference=name)
    states = TICTACTOE.new_states(3)
    assert agent.act(states, np.random.default_rng(0)).shape == (3,)
    with pytest.raises(AgentError, match="inference is auto or one of"):
        agents.load(tmp_path, inference="int8")
