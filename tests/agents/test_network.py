"""The network and its evaluator: shapes, where logits lie, whose value it is."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from agents.errors import AgentError
from agents.inference import BackendEvaluator
from agents.inference.torch_backend import TorchBackend
from agents.network import NetworkSettings, PolicyValueNetwork
from agents.network_evaluator import NetworkEvaluator
from agents.search import BatchedSearch, SearchSettings
from cotulenh_env.registry import load_game
from tests.agents.helpers import random_positions
from tests.agents.table_game import Node, TableGame

TICTACTOE = load_game("tictactoe")


def network_of(spec: Any, seed: int = 0, **settings: int) -> PolicyValueNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = PolicyValueNetwork(spec, NetworkSettings(**settings))
        # A new network says almost the same everywhere; these tests want opinions.
        for parameter in network.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)
    return network


@pytest.mark.parametrize(("planes", "num_globals"), [(1, 0), (7, 1), (111, 3)])
def test_shapes(planes: int, num_globals: int) -> None:
    spec = dataclasses.replace(
        TICTACTOE.spec,
        board_shape=(12, 11),
        plane_names=tuple("abcde"),
        policy_planes=planes,
        num_global_logits=num_globals,
    )
    network = PolicyValueNetwork(spec, NetworkSettings(num_channels=8, num_blocks=3))
    policy_logits, value_logits = network(torch.rand(4, 5, 12, 11))
    assert policy_logits.shape == (4, planes * 132 + num_globals)
    assert value_logits.shape == (4, 3)
    assert policy_logits.dtype == value_logits.dtype == torch.float32


def test_logits_of_a_plane_lie_row_by_row_on_the_board() -> None:
    """The logit of (plane, row, column) moves with what is seen at (row, column)."""
    spec = dataclasses.replace(TICTACTOE.spec, policy_planes=2, board_shape=(4, 5))
    network = network_of(spec, num_channels=8, num_blocks=1)
    with torch.no_grad():
        # Leave only what is local: the head's convolutions of size 1, and one tap of the stem.
        parameters = dict(network.named_parameters())
        parameters["blocks.0.conv2.weight"].zero_()
        parameters["policy_head.pooled.linear.weight"].zero_()
        tap = network.stem.weight[:, :, 1:2, 1:2].clone()
        network.stem.weight.zero_()
        network.stem.weight[:, :, 1:2, 1:2] = tap
        empty = torch.zeros(1, 3, 4, 5)
        marked = empty.clone()
        marked[0, 1, 2, 3] = 1
        changed = (network(marked)[0] != network(empty)[0])[0].reshape(2, 4, 5)
    expected = torch.zeros(2, 4, 5, dtype=torch.bool)
    expected[:, 2, 3] = True
    assert torch.equal(changed, expected)


def test_a_new_network_is_nearly_uniform_and_even() -> None:
    network = PolicyValueNetwork(TICTACTOE.spec)
    with torch.no_grad():
        policy_logits, value_logits = network(torch.rand(16, 3, 3, 3))
    assert policy_logits.abs().max() < 0.5
    assert value_logits.abs().max() < 0.5


def test_training_and_evaluation_compute_the_same() -> None:
    network = network_of(TICTACTOE.spec)
    planes = torch.rand(5, 3, 3, 3)
    with torch.no_grad():
        for one, other in zip(network.train()(planes), network.eval()(planes), strict=True):
            assert torch.equal(one, other)


def test_every_parameter_is_trained() -> None:
    spec = dataclasses.replace(TICTACTOE.spec, num_global_logits=1)
    network = network_of(spec)
    policy_logits, value_logits = network(torch.rand(8, 3, 3, 3))
    (policy_logits.logsumexp(1) - policy_logits[:, 0] + value_logits[:, 1] ** 2).sum().backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize(
    ("name", "value"),
    [("num_channels", 0), ("num_blocks", 129), ("num_channels", 8.0), ("num_blocks", True)],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: Any) -> None:
    with pytest.raises(AgentError, match=name):
        NetworkSettings(**{name: value})


# --- evaluator ----------------------------------------------------------------------------------


def test_evaluator_gathers_the_logits_of_legal_actions() -> None:
    """Against a permuted policy_index with global logits, entry by entry."""
    game = TableGame(Node(0, [Node(1, [Node(0), Node(0)]), Node(0), Node(0)]))
    network = network_of(game.spec)
    states = np.concatenate([game.new_states(1), game.states_of(game.nodes[1])])
    legal_actions, counts = game.legal_actions(states)
    players = game.current_player(states)
    logits, values = NetworkEvaluator(game, network).evaluate(
        states, players, legal_actions, counts
    )
    assert logits.dtype == values.dtype == np.float32
    with torch.no_grad():
        policy_logits, value_logits = network(torch.from_numpy(game.observe(states, players)))
    for row, count in enumerate(counts):
        for column in range(count):
            place = game.spec.policy_index[legal_actions[row, column]]
            assert logits[row, column] == pytest.approx(float(policy_logits[row, place]), abs=1e-6)
    win, _, loss = value_logits.softmax(1).T
    np.testing.assert_allclose(values, (win - loss).numpy(), atol=1e-6)


def test_value_is_the_win_of_the_player_to_move() -> None:
    network = PolicyValueNetwork(TICTACTOE.spec)
    with torch.no_grad():
        network.value_head.outcome.weight.zero_()
        network.value_head.outcome.bias.copy_(torch.tensor([3.0, 0.0, -3.0]))
    evaluator = NetworkEvaluator(TICTACTOE, network)
    states = random_positions(TICTACTOE, 6, 4)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    _, values = evaluator.evaluate(states, TICTACTOE.current_player(states), legal_actions, counts)
    np.testing.assert_allclose(values, (np.exp(3) - np.exp(-3)) / (np.exp(3) + 1 + np.exp(-3)))


def test_rows_of_any_batch_agree_closely() -> None:
    evaluator = NetworkEvaluator(TICTACTOE, network_of(TICTACTOE.spec))
    states = random_positions(TICTACTOE, 33, 6)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    players = TICTACTOE.current_player(states)
    logits, values = evaluator.evaluate(states, players, legal_actions, counts)
    for row in range(0, 33, 8):
        one = slice(row, row + 1)
        alone = evaluator.evaluate(states[one], players[one], legal_actions[one], counts[one])
        count = int(counts[row])
        np.testing.assert_allclose(alone[0][0, :count], logits[row, :count], atol=1e-5)
        np.testing.assert_allclose(alone[1], values[one], atol=1e-5)


def test_lower_precision_is_close() -> None:
    network = network_of(TICTACTOE.spec)
    states = random_positions(TICTACTOE, 16, 6)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    arguments = (states, TICTACTOE.current_player(states), legal_actions, counts)
    exact = NetworkEvaluator(TICTACTOE, network).evaluate(*arguments)
    backend = TorchBackend(network, torch.device("cpu"), is_exact=False)
    rough = BackendEvaluator(TICTACTOE, backend).evaluate(*arguments)
    assert rough[0].dtype == rough[1].dtype == np.float32
    np.testing.assert_allclose(rough[0], exact[0], atol=0.1)
    np.testing.assert_allclose(rough[1], exact[1], atol=0.05)


def test_search_with_a_network_finds_the_win() -> None:
    evaluator = NetworkEvaluator(TICTACTOE, PolicyValueNetwork(TICTACTOE.spec))
    search = BatchedSearch(TICTACTOE, evaluator, SearchSettings(num_simulations=32, gumbel_scale=0))
    states = np.stack([TICTACTOE.from_text(text) for text in ("XX.OO....", "XX.OO.X..")])
    assert search.search(states, np.random.default_rng(0)).actions.tolist() == [2, 5]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_agrees_with_the_cpu() -> None:
    network = network_of(TICTACTOE.spec)
    states = random_positions(TICTACTOE, 64, 6)
    legal_actions, counts = TICTACTOE.legal_actions(states)
    arguments = (states, TICTACTOE.current_player(states), legal_actions, counts)
    on_cpu = NetworkEvaluator(TICTACTOE, network).evaluate(*arguments)
    on_gpu = NetworkEvaluator(TICTACTOE, network, "cuda").evaluate(*arguments)
    legal = np.arange(on_cpu[0].shape[1]) < counts[:, None]
    np.testing.assert_allclose(on_gpu[0][legal], on_cpu[0][legal], atol=1e-2)
    np.testing.assert_allclose(on_gpu[1], on_cpu[1], atol=1e-2)
