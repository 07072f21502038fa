"""The learner.

What is checked: the losses equal a plain NumPy computation, padding changes nothing, several
threads give what one gives, a batch is learned by heart, the learning rate's curve, gradients are
clipped, and a loss that is not finite stops without touching the weights.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from agents.network import NetworkSettings, PolicyValueNetwork
from cotulenh_env.registry import load_game
from training.errors import TrainingError
from training.learner import Learner, mean_stats
from training.learning_settings import LearnerSettings
from training.replay import Batch
from training.threads import Threads

GAME = load_game("tictactoe")


def make_batch(n: int, seed: int = 0) -> Batch:
    """Random positions after two marks, with random policies and results."""
    rng = np.random.default_rng(seed)
    states = GAME.new_states(n)
    counts = np.zeros(n, np.int32)
    for _ in range(2):
        legal, counts = GAME.legal_actions(states)
        states, _ = GAME.apply(states, legal[np.arange(n), rng.integers(0, counts)])
    legal, counts = GAME.legal_actions(states)
    width = int(counts.max())
    policy = rng.dirichlet(np.full(width, 0.3), n).astype(np.float32)
    return Batch(
        planes=GAME.observe(states, GAME.current_player(states)),
        legal_actions=np.maximum(legal[:, :width], 0),
        policy=policy,
        counts=counts,
        outcomes=np.eye(3, dtype=np.float32)[rng.integers(0, 3, n)],
    )


def make_learner(
    num_threads: int = 1, **settings: float | str
) -> tuple[PolicyValueNetwork, Learner]:
    torch.manual_seed(0)
    network = PolicyValueNetwork(GAME.spec, NetworkSettings(16, 1, 8))
    options = {"warmup_steps": 0, "learning_rate": 1e-2, **settings}
    learner = Learner(
        GAME.spec,
        network,
        LearnerSettings(**options),  # type: ignore[arg-type]
        torch.device("cpu"),
        Threads(num_threads),
    )
    return network, learner


def test_losses_equal_a_plain_computation() -> None:
    network, learner = make_learner(value_weight=0.5)
    batch = make_batch(10)
    with torch.no_grad():
        policy_logits, value_logits = network(torch.from_numpy(batch.planes))
    stats = learner.step(batch, 0)
    policy_loss, value_loss, entropy = [], [], []
    for row in range(10):
        actions = batch.legal_actions[row, : batch.counts[row]]
        logits = policy_logits[row].numpy().astype(np.float64)[GAME.spec.policy_index[actions]]
        log_policy = logits - np.log(np.exp(logits).sum())
        policy_loss.append(-(batch.policy[row, : batch.counts[row]] * log_policy).sum())
        entropy.append(-(np.exp(log_policy) * log_policy).sum())
        outcome = value_logits[row].numpy().astype(np.float64)
        log_outcome = outcome - np.log(np.exp(outcome).sum())
        value_loss.append(-(batch.outcomes[row] * log_outcome).sum())
    assert stats.policy == pytest.approx(np.mean(policy_loss), rel=1e-5)
    assert stats.value == pytest.approx(np.mean(value_loss), rel=1e-5)
    assert stats.policy_entropy == pytest.approx(np.mean(entropy), rel=1e-5)
    assert stats.total == pytest.approx(stats.policy + 0.5 * stats.value, rel=1e-5)


def test_padding_changes_nothing() -> None:
    batch = make_batch(10)
    padded = Batch(
        planes=batch.planes,
        legal_actions=np.pad(batch.legal_actions, ((0, 0), (0, 5))),
        policy=np.pad(batch.policy, ((0, 0), (0, 5))),
        counts=batch.counts,
        outcomes=batch.outcomes,
    )
    (network, learner), (other_network, other) = make_learner(), make_learner()
    one, two = learner.step(batch, 0), other.step(padded, 0)
    assert one.policy == pytest.approx(two.policy, rel=1e-6)
    assert one.target_entropy == pytest.approx(two.target_entropy, rel=1e-6)
    for mine, theirs in zip(network.parameters(), other_network.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("batch_size", [1, 2, 10, 11])
def test_threads_learn_what_one_learns(batch_size: int) -> None:
    batch = make_batch(batch_size)
    (network, learner), (other_network, other) = make_learner(), make_learner(num_threads=3)
    one, two = learner.step(batch, 0), other.step(batch, 0)
    for name in vars(one):
        assert getattr(one, name) == pytest.approx(getattr(two, name), rel=1e-4)
    for mine, theirs in zip(network.parameters(), other_network.parameters(), strict=True):
        assert mine.grad is not None
        torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-4, atol=1e-6)


def test_a_batch_is_learned_by_heart() -> None:
    _, learner = make_learner()
    batch = make_batch(8)
    first = learner.step(batch, 0)
    stats = [learner.step(batch, 0) for _ in range(99)][-1]
    assert stats.policy - stats.target_entropy < 0.2 * (first.policy - first.target_entropy)
    assert stats.value < 0.2
    assert stats.value_accuracy == 1


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("cosine", [1e-2, 0.0086819805, 0.0055, 0.0023180195, 1e-3]),
        ("step", [1e-2, 1e-2, 1e-2, 1e-3, 1e-3]),
        ("constant", [1e-2] * 5),
    ],
)
def test_learning_rate_rises_over_the_first_steps_then_goes_by_the_run(
    schedule: str, rates: list[float]
) -> None:
    """The cosine's values are (1 + cos(π / 4)) / 2 and so on, between both rates."""
    _, learner = make_learner(warmup_steps=10, final_learning_rate=1e-3, schedule=schedule)
    assert [learner.learning_rate(step, 0.0) for step in (0, 4, 9, 99)] == pytest.approx(
        [1e-3, 5e-3, 1e-2, 1e-2]
    )
    found = [learner.learning_rate(50, progress) for progress in (0, 0.25, 0.5, 0.75, 1)]
    assert found == pytest.approx(rates)


def test_gradient_is_clipped() -> None:
    network, learner = make_learner(max_gradient_norm=1e-3)
    stats = learner.step(make_batch(10), 0)
    norms = [
        parameter.grad.norm() for parameter in network.parameters() if parameter.grad is not None
    ]
    assert stats.gradient_norm > 1e-3
    assert torch.stack(norms).norm().item() == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e38])
def test_loss_that_is_not_finite_stops_before_the_weights_change(value: float) -> None:
    network, learner = make_learner()
    before = copy.deepcopy(network.state_dict())
    batch = make_batch(10)
    batch.planes[3, 0] = value
    with pytest.raises(TrainingError, match="learner step 1"):
        learner.step(batch, 0)
    assert learner.num_steps == 0
    for name, weight in network.state_dict().items():
        assert torch.equal(weight, before[name])


def test_means_keep_the_last_learning_rate() -> None:
    _, learner = make_learner()
    rows = [learner.step(make_batch(4, seed), 0) for seed in range(3)]
    mean = mean_stats(rows)
    assert mean is not None
    assert mean.policy == pytest.approx(np.mean([row.policy for row in rows]))
    assert mean.learning_rate == rows[-1].learning_rate
    assert mean_stats([]) is None
