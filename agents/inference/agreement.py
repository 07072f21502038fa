"""How closely a backend follows the exact one, in policy and value, on real positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.inference.backend import Backend
from agents.inference.evaluator import BackendEvaluator
from cotulenh_env.game import Game, States

MAX_POLICY_DIVERGENCE = 0.005
"""Mean, in nats."""

MAX_VALUE_DIFFERENCE = 0.05
"""Mean, of values in [-1, 1]. What it costs in play is told in docs/inference.md."""


@dataclass(frozen=True)
class Agreement:
    """Differences between a backend and the exact one.

    Attributes:
        num_positions: that were compared.
        policy_divergence: Kullback-Leibler divergence of the backend's policy over the legal
            actions from the exact one, in nats, mean.
        max_policy_divergence: the largest.
        same_best: share of positions where both think the same action likeliest. A network that
            knows little thinks many actions alike, so this alone says little.
        value_difference: distance of the values, mean.
        max_value_difference: the largest.
    """

    num_positions: int
    policy_divergence: float
    max_policy_divergence: float
    same_best: float
    value_difference: float
    max_value_difference: float

    @property
    def is_acceptable(self) -> bool:
        """Whether the means are within `MAX_POLICY_DIVERGENCE` and `MAX_VALUE_DIFFERENCE`."""
        return (
            self.policy_divergence <= MAX_POLICY_DIVERGENCE
            and self.value_difference <= MAX_VALUE_DIFFERENCE
        )

    def __str__(self) -> str:
        return (
            f"policy off by {self.policy_divergence:.5f} nats (at most "
            f"{self.max_policy_divergence:.4f}), best action the same in {self.same_best:.0%}, "
            f"value off by {self.value_difference:.4f} (at most {self.max_value_difference:.3f})"
        )


@dataclass(frozen=True)
class Outputs:
    """What a backend says of positions.

    Attributes:
        log_policy: float64 [n, width], −inf beyond the legal actions.
        values: float32 [n] in [-1, 1].
    """

    log_policy: npt.NDArray[np.float64]
    values: npt.NDArray[np.float32]


def outputs_of(game: Game, backend: Backend, states: States) -> Outputs:
    """Evaluates positions.

    Args:
        game: the game.
        backend: computes its network.
        states: uint8 [n, state_size], none of them finished.

    Raises:
        EvaluationError: an output is not finite.
    """
    legal_actions, counts = game.legal_actions(states)
    players = game.current_player(states)
    logits, values = BackendEvaluator(game, backend).evaluate(
        states, players, legal_actions, counts
    )
    is_legal = np.arange(logits.shape[1]) < counts[:, None]
    shifted = np.where(is_legal, logits.astype(np.float64), -np.inf)
    shifted -= shifted.max(axis=1, keepdims=True)
    return Outputs(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), values)


def agreement(exact: Outputs, other: Outputs) -> Agreement:
    """Compares what two backends say of the same positions."""
    is_legal = np.isfinite(exact.log_policy)
    ours, theirs = (np.where(is_legal, one.log_policy, 0) for one in (exact, other))
    divergence = np.where(is_legal, np.exp(ours) * (ours - theirs), 0).sum(axis=1)
    is_same = exact.log_policy.argmax(axis=1) == other.log_policy.argmax(axis=1)
    distance = np.abs(exact.values - other.values)
    return Agreement(
        num_positions=len(distance),
        policy_divergence=max(0.0, float(divergence.mean())),
        max_policy_divergence=max(0.0, float(divergence.max())),
        same_best=float(is_same.mean()),
        value_difference=float(distance.mean()),
        max_value_difference=float(distance.max()),
    )
