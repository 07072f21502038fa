"""The learner: one optimiser step after another on batches of positions.

Policy loss: cross-entropy against the search's policy, over the legal actions only. Value loss:
cross-entropy of win, draw, loss of the player to move against its target. Both in float32. The
average of the weights that plays is in `averaging`.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.network import PolicyValueNetwork
from cotulenh_env.game import GameSpec
from training.averaging import WeightAverage
from training.errors import TrainingError
from training.learning_settings import LearnerSettings
from training.replay import Batch
from training.threads import Threads

_LAST_QUARTER = 0.75


@dataclass(frozen=True)
class LearnerStats:
    """Means over a batch, or over batches; see `metrics.SCALARS` for their meaning."""

    total: float
    policy: float
    value: float
    policy_entropy: float
    target_entropy: float
    value_accuracy: float
    gradient_norm: float
    learning_rate: float


class Learner:
    """A network, the average of its weights, its optimiser, and the count of steps made.

    Args:
        spec: of the game.
        network: trained in place.
        settings: how to learn.
        device: where the network is.
        threads: on a CPU each learns from its part of the batch.

    Attributes:
        num_steps: steps made.
        optimizer: of the network.
    """

    def __init__(
        self,
        spec: GameSpec,
        network: PolicyValueNetwork,
        settings: LearnerSettings,
        device: torch.device,
        threads: Threads,
    ) -> None:
        self._threads = threads
        self._network = network
        self._settings = settings
        self._device = device
        self._policy_index = torch.from_numpy(spec.policy_index.astype(np.int64)).to(device)
        self._parameters = list(network.parameters())
        self._average = (
            WeightAverage(network, settings.ema_decay) if settings.ema_decay > 0 else None
        )
        self.num_steps = 0
        self.optimizer = _make_optimizer(self._parameters, settings)

    @property
    def playing_network(self) -> PolicyValueNetwork:
        """The network as it plays: the average of its weights, or itself if none is kept."""
        return self._network if self._average is None else self._average.network

    @property
    def further_weights(self) -> dict[str, Tensor]:
        """The weights behind the average, by name, in their own memory; empty without one."""
        return {} if self._average is None else self._network.state_dict()

    def learning_rate(self, step: int, progress: float) -> float:
        """The rate of a step: a linear rise over the first, then as scheduled.

        Args:
            step: steps made before it.
            progress: of the run, in [0, 1): its share of iterations done.
        """
        settings = self._settings
        height = settings.learning_rate - settings.final_learning_rate
        if settings.schedule == "cosine":
            rate = settings.final_learning_rate + height * (1 + math.cos(math.pi * progress)) / 2
        elif settings.schedule == "step" and progress >= _LAST_QUARTER:
            rate = settings.final_learning_rate
        else:
            rate = settings.learning_rate
        return rate * min(1.0, (step + 1) / max(1, settings.warmup_steps))

    def step(self, batch: Batch, progress: float) -> LearnerStats:
        """Learns from one batch.

        Args:
            batch: positions.
            progress: of the run, in [0, 1), for the learning rate.

        Raises:
            TrainingError: the loss or its gradient is not finite; the network is left as it was.
        """
        settings = self._settings
        rate = self.learning_rate(self.num_steps, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self._network.train()
        num_parts = self._threads.num_threads if self._device.type == "cpu" else 1
        parts = _split(batch, num_parts)
        shares = [len(part.counts) / len(batch.counts) for part in parts]
        results = self._threads.map(self._differentiate, parts)
        losses = {
            name: sum(
                share * values[name] for share, (values, _) in zip(shares, results, strict=True)
            )
            for name in results[0][0]
        }
        # Summed in the order of the parts, so that the same seed gives the same bits.
        for index, parameter in enumerate(self._parameters):
            scaled = [
                share * gradients[index]
                for share, (_, gradients) in zip(shares, results, strict=True)
            ]
            parameter.grad = functools.reduce(torch.add, scaled)
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, settings.max_gradient_norm).item()
        if not (math.isfinite(losses["total"]) and math.isfinite(norm)):
            raise TrainingError(
                f"the loss became {losses['total']} with a gradient of length {norm} "
                f"at learner step {self.num_steps + 1}, learning rate {rate:.3g}"
            )
        self.optimizer.step()
        if self._average is not None:
            self._average.update(self._network, self.num_steps)
        self.num_steps += 1
        return LearnerStats(gradient_norm=norm, learning_rate=rate, **losses)

    def _differentiate(self, batch: Batch) -> tuple[dict[str, float], tuple[Tensor, ...]]:
        """The batch's losses by name, and the gradient of the total loss by parameter."""
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._settings.bfloat16):
            losses = self._losses(batch)
        losses["total"] = losses["policy"] + self._settings.value_weight * losses["value"]
        gradients = torch.autograd.grad(losses["total"], self._parameters)
        return {name: loss.item() for name, loss in losses.items()}, gradients

    def _losses(self, batch: Batch) -> dict[str, Tensor]:
        device = self._device
        planes = torch.from_numpy(batch.planes).to(device)
        trunk = self._network.trunk(planes)
        value_logits = self._network.value_head(trunk)
        actions = torch.from_numpy(batch.legal_actions.astype(np.int64)).to(device)
        target = torch.from_numpy(batch.policy).to(device)
        counts = torch.from_numpy(batch.counts).to(device)
        is_legal = torch.arange(actions.shape[1], device=device) < counts[:, None]
        logits = self._network.policy_head.at(trunk, self._policy_index[actions]).float()
        log_policy = functional.log_softmax(logits.masked_fill(~is_legal, -torch.inf), dim=1)
        log_policy = log_policy.masked_fill(~is_legal, 0)  # 0 × -inf would be NaN
        policy = log_policy.exp() * is_legal
        outcomes = torch.from_numpy(batch.outcomes).to(device)
        value_logits = value_logits.float()
        return {
            "policy": -(target * log_policy).sum(dim=1).mean(),
            "value": functional.cross_entropy(value_logits, outcomes),
            "policy_entropy": -(policy * log_policy).sum(dim=1).mean(),
            "target_entropy": -torch.special.xlogy(target, target).sum(dim=1).mean(),
            "value_accuracy": _agreement(value_logits, outcomes),
        }


def _split(batch: Batch, num_parts: int) -> list[Batch]:
    """The batch in parts of nearly equal size, none of them empty."""
    bounds = np.linspace(0, len(batch.counts), min(num_parts, len(batch.counts)) + 1).astype(int)
    names = [item.name for item in dataclasses.fields(Batch)]
    return [
        Batch(**{name: getattr(batch, name)[start:end] for name in names})
        for start, end in itertools.pairwise(bounds)
    ]


def _agreement(value_logits: Tensor, outcomes: Tensor) -> Tensor:
    return (value_logits.argmax(dim=1) == outcomes.argmax(dim=1)).float().mean()


def mean_stats(stats: Iterable[LearnerStats]) -> LearnerStats | None:
    """Means over some steps, with the last learning rate; None without steps."""
    rows = list(stats)
    if not rows:
        return None
    names = [name for name in LearnerStats.__dataclass_fields__ if name != "learning_rate"]
    means = {name: sum(getattr(row, name) for row in rows) / len(rows) for name in names}
    return LearnerStats(learning_rate=rows[-1].learning_rate, **means)


def _make_optimizer(
    parameters: list[nn.Parameter], settings: LearnerSettings
) -> torch.optim.Optimizer:
    matrices = [parameter for parameter in parameters if parameter.ndim > 1]
    others = [parameter for parameter in parameters if parameter.ndim <= 1]
    groups: list[dict[str, Any]] = [
        {"params": matrices, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    if settings.optimizer == "adamw":
        return torch.optim.AdamW(groups, lr=settings.learning_rate)
    if settings.optimizer == "adam":
        return torch.optim.Adam(groups, lr=settings.learning_rate)
    return torch.optim.SGD(groups, lr=settings.learning_rate, momentum=settings.momentum)
