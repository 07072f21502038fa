"""Settings of what learns: the network's size, the memory of positions, the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agents.network import NETWORK_SIZES, NetworkSettings
from training.setting_checks import check_range


@dataclass(frozen=True)
class NetworkOptions:
    """Size of the network by name; numbers that are given go before the name's.

    Attributes:
        size: tiny, small, medium or large; the numbers behind the names are in docs/training.md.
        num_channels: channels of the residual trunk, 1–1024; as `size` says if not given.
        num_blocks: residual blocks, 1–128; as `size` says if not given.
        num_value_channels: width of the value head, 1–1024; as `size` says if not given.
    """

    size: Literal["tiny", "small", "medium", "large"] = "tiny"
    num_channels: int | None = None
    num_blocks: int | None = None
    num_value_channels: int | None = None

    def __post_init__(self) -> None:
        _ = self.resolved

    @property
    def resolved(self) -> NetworkSettings:
        """The numbers.

        Raises:
            AgentError: one is out of range.
        """
        named = NETWORK_SIZES[self.size]

        def chosen(name: str) -> int:
            given: int | None = getattr(self, name)
            number: int = getattr(named, name) if given is None else given
            return number

        return NetworkSettings(
            chosen("num_channels"), chosen("num_blocks"), chosen("num_value_channels")
        )


@dataclass(frozen=True)
class ReplaySettings:
    """The memory of past positions. Its size in bytes is fixed and logged at the start.

    Attributes:
        capacity: positions kept; the oldest are forgotten first.
        actions_per_position: room for the policy, in legal actions per position on average; games
            with more legal actions keep fewer positions.
        min_positions: learning begins when this many positions are there.
        window_start: from this many positions on, batches come only from the newest: from a window
            that grows more slowly than the positions played. 0 = from all that are kept.
        window_exponent: the window grows as this power of the positions played, as in KataGo; 1 is
            in a line.
        window_growth: positions by which the window grows for each one played, at first.
    """

    capacity: int = 50_000
    actions_per_position: int = 96
    min_positions: int = 1_000
    window_start: int = 0
    window_exponent: float = 0.75
    window_growth: float = 0.4

    def __post_init__(self) -> None:
        check_range(self, "replay.capacity", 1)
        check_range(self, "replay.actions_per_position", 1)
        check_range(self, "replay.min_positions", 1, self.capacity)
        check_range(self, "replay.window_start", 0)
        check_range(self, "replay.window_exponent", 0.01, 1)
        check_range(self, "replay.window_growth", 0, 1)

    def window(self, num_added: int) -> int:
        """Positions to sample from, the newest, after so many were added since the start.

        The formula of KataGo (arXiv:1902.10565, appendix C), with c, α, β our `window_start`,
        `window_exponent` and `window_growth`: c (1 + β ((n / c)^α − 1) / α).
        """
        start, exponent = self.window_start, self.window_exponent
        if start == 0 or num_added <= start:
            return num_added
        growth = self.window_growth * ((num_added / start) ** exponent - 1) / exponent
        return int(start * (1 + growth))


@dataclass(frozen=True)
class LearnerSettings:
    """How the network learns from the memory.

    Attributes:
        steps_per_iteration: batches learned from per iteration.
        replay_ratio: positions learned from per position added, since the start: the batches of an
            iteration then follow from what was played, not from `steps_per_iteration`. 0 = off.
        batch_size: positions in a batch.
        optimizer: adamw, adam, or sgd with momentum.
        momentum: of sgd.
        learning_rate: the highest rate, reached after the warm-up.
        final_learning_rate: the rate at the end of the run.
        schedule: how the rate gets there over the iterations of the run: cosine; step, which takes
            it for the last quarter; or constant, which never does.
        warmup_steps: steps over which the rate rises from 0.
        weight_decay: decay of weight matrices and kernels; biases are left alone.
        ema_decay: what plays and is saved as the network is an average of the weights over the last
            1 / (1 − decay) steps or so, over fewer at first. 0 = the weights themselves.
        value_weight: weight of the win/draw/loss loss beside the policy loss.
        max_gradient_norm: longer gradients are shortened to this length.
        bfloat16: compute convolutions and linear maps in bfloat16, losses and weights in float32;
            quicker for larger networks where the hardware multiplies it.
        use_symmetries: turn and mirror sampled positions at random, if the game has symmetries.
    """

    steps_per_iteration: int = 16
    replay_ratio: float = 0.0
    batch_size: int = 256
    optimizer: Literal["adamw", "adam", "sgd"] = "adamw"
    momentum: float = 0.9
    learning_rate: float = 2e-3
    final_learning_rate: float = 2e-4
    schedule: Literal["cosine", "step", "constant"] = "cosine"
    warmup_steps: int = 50
    weight_decay: float = 1e-4
    ema_decay: float = 0.0
    value_weight: float = 1.0
    max_gradient_norm: float = 2.0
    bfloat16: bool = False
    use_symmetries: bool = True

    def __post_init__(self) -> None:
        check_range(self, "learner.steps_per_iteration", 1)
        check_range(self, "learner.replay_ratio", 0, 1000)
        check_range(self, "learner.batch_size", 1)
        check_range(self, "learner.momentum", 0.01, 0.9999)
        check_range(self, "learner.learning_rate", 1e-9, 10)
        check_range(self, "learner.final_learning_rate", 0, self.learning_rate)
        check_range(self, "learner.warmup_steps", 0)
        check_range(self, "learner.weight_decay", 0, 1)
        check_range(self, "learner.ema_decay", 0, 0.999999)
        check_range(self, "learner.value_weight", 0, 1000)
        check_range(self, "learner.max_gradient_norm", 1e-6)

    def num_steps_due(self, num_added: int) -> int | None:
        """Batches that are due since the start, after so many positions; None without a ratio."""
        if self.replay_ratio == 0:
            return None
        return int(self.replay_ratio * num_added / self.batch_size)


@dataclass(frozen=True)
class CheckpointSettings:
    """When the run is saved.

    Attributes:
        every: iterations from one checkpoint to the next; there is one more at the end.
        keep: the newest checkpoints that are kept.
    """

    every: int = 10
    keep: int = 3

    def __post_init__(self) -> None:
        check_range(self, "checkpoint.every", 1)
        check_range(self, "checkpoint.keep", 1)
