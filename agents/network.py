"""The policy-value network: a small residual network that knows a game only by its shapes.

    planes         scale ─ conv 3×3 ─ block × num_blocks ─ relu ─┬─ policy head ─ [n, P × H × W + G]
    [n, C, H, W]                                                 └─ value head ── [n, 3]

    block:  x ─ relu ─ conv 3×3 ─ relu ─┬───────────────────── + ─ relu ─ conv 3×3 ─ + ─
            │                           └─ mean, max ─ linear ─┘                     │
            └────────────────────────────────────────────────────────────────────────┘

`scale` brings every plane to mean 0 and deviation 1 over positions seen before training. Without it
the piece planes, empty but for a few points, are drowned by the constant ones, and learning stalls.

The pooled bias lets a block see the whole board at once (as in KataGo). There is no normalisation
layer: the last convolution of every block starts at zero, so a new network is as well scaled as a
shallow one, evaluation costs nothing extra, and training and playing compute the same function.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.errors import AgentError
from cotulenh_env.game import GameSpec

_MAX_CHANNELS, _MAX_BLOCKS = 1024, 128
"""Limits that keep a settings file from asking for all the memory there is."""

_MIN_DEVIATION = 0.02
"""Of a plane; a smaller one counts as this when planes are scaled."""

WIN, DRAW, LOSS = 0, 1, 2
"""Value logits, for the player to move."""


@dataclass(frozen=True)
class NetworkSettings:
    """Size of the network.

    Attributes:
        num_channels: channels of the residual trunk, 1–1024.
        num_blocks: residual blocks, 1–128.
        num_value_channels: width of the value head, 1–1024.
    """

    num_channels: int = 32
    num_blocks: int = 2
    num_value_channels: int = 32

    def __post_init__(self) -> None:
        limits = {
            "num_channels": _MAX_CHANNELS,
            "num_blocks": _MAX_BLOCKS,
            "num_value_channels": _MAX_CHANNELS,
        }
        for name, largest in limits.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= largest:
                raise AgentError(f"{name} of a network is an integer in 1–{largest}, got {value!r}")


NETWORK_SIZES = {
    "tiny": NetworkSettings(32, 2, 32),
    "small": NetworkSettings(64, 4, 32),
    "medium": NetworkSettings(96, 6, 48),
    "large": NetworkSettings(128, 10, 64),
}
"""Sizes by name; docs/training.md tells what they cost."""


class _Pooled(nn.Module):
    """Mean and maximum over the board, [n, c, H, W] → [n, 2c], mapped linearly to [n, size]."""

    def __init__(self, num_channels: int, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(2 * num_channels, size)

    def forward(self, x: Tensor) -> Tensor:
        pooled = torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)
        mapped: Tensor = self.linear(pooled)
        return mapped


class _Block(nn.Module):
    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(num_channels, num_channels, 3, padding=1)
        self.pooled = _Pooled(num_channels, num_channels)
        self.conv2 = nn.Conv2d(num_channels, num_channels, 3, padding=1)
        nn.init.kaiming_normal_(self.conv1.weight, nonlinearity="relu")
        nn.init.zeros_(self.conv2.weight)
        for layer in (self.conv1, self.conv2):
            assert layer.bias is not None
            nn.init.zeros_(layer.bias)

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.conv1(functional.relu(x)))
        inner = functional.relu(inner + self.pooled(inner)[:, :, None, None])
        added: Tensor = x + self.conv2(inner)
        return added


class _PolicyHead(nn.Module):
    """One logit per action plane and point, then the global ones from pooled features."""

    def __init__(self, spec: GameSpec, num_channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(num_channels, num_channels, 1)
        self.pooled = _Pooled(num_channels, num_channels)
        self.planes = nn.Conv2d(num_channels, spec.policy_planes, 1)
        self.globals = (
            _Pooled(num_channels, spec.num_global_logits) if spec.num_global_logits else None
        )
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")
        # A new network's policy is close to uniform.
        nn.init.normal_(self.planes.weight, std=0.01)
        assert self.planes.bias is not None
        nn.init.zeros_(self.planes.bias)
        if self.globals is not None:
            nn.init.normal_(self.globals.linear.weight, std=0.01)
            nn.init.zeros_(self.globals.linear.bias)

    def forward(self, trunk: Tensor) -> Tensor:
        """All logits, [n, planes × height × width + globals]."""
        planes, global_logits = self._outputs(trunk)
        logits = planes.flatten(1)
        return logits if global_logits is None else torch.cat([logits, global_logits], dim=1)

    def at(self, trunk: Tensor, places: Tensor) -> Tensor:
        """Only the logits at int64 [n, k] places of `forward`'s, without laying all of them out."""
        planes, global_logits = self._outputs(trunk)
        num_planes, num_points = planes.shape[1], planes.shape[2] * planes.shape[3]
        # Plane after plane in `places`, but point after point in memory.
        points = planes.permute(0, 2, 3, 1).reshape(len(planes), -1)
        on_board = places % num_points * num_planes + places // num_points
        if global_logits is None:
            return points.gather(1, on_board)
        is_global = places >= points.shape[1]
        numbers = (places - points.shape[1]).clamp(min=0)
        logits = points.gather(1, on_board.masked_fill(is_global, 0))
        return torch.where(is_global, global_logits.gather(1, numbers), logits)

    def _outputs(self, trunk: Tensor) -> tuple[Tensor, Tensor | None]:
        x = functional.relu(self.conv(trunk))
        x = functional.relu(x + self.pooled(x)[:, :, None, None])
        return self.planes(x), None if self.globals is None else self.globals(x)


class _ValueHead(nn.Module):
    """Three logits from pooled features: win, draw, loss."""

    def __init__(self, num_channels: int, num_value_channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(num_channels, num_value_channels, 1)
        self.hidden = _Pooled(num_value_channels, 2 * num_value_channels)
        self.outcome = nn.Linear(2 * num_value_channels, 3)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")
        # A new network holds every position for even.
        nn.init.normal_(self.outcome.weight, std=0.01)
        nn.init.zeros_(self.outcome.bias)

    def forward(self, trunk: Tensor) -> Tensor:
        """The logits, [n, 3]."""
        x = functional.relu(self.conv(trunk))
        outcome: Tensor = self.outcome(functional.relu(self.hidden(x)))
        return outcome


class PolicyValueNetwork(nn.Module):
    """Policy logits and a win-draw-loss value for positions of one game.

    Initial weights come from torch's global generator: seed it inside `torch.random.fork_rng`.

    Args:
        spec: the game's; only its shapes are used.
        settings: size of the network.
    """

    def __init__(self, spec: GameSpec, settings: NetworkSettings | None = None) -> None:
        super().__init__()
        self.settings = NetworkSettings() if settings is None else settings
        num_channels = self.settings.num_channels
        num_planes = len(spec.plane_names)
        self.plane_mean: Tensor
        self.plane_scale: Tensor
        self.register_buffer("plane_mean", torch.zeros(num_planes, 1, 1))
        self.register_buffer("plane_scale", torch.ones(num_planes, 1, 1))
        self.stem = nn.Conv2d(num_planes, num_channels, 3, padding=1)
        self.blocks = nn.Sequential(
            *(_Block(num_channels) for _ in range(self.settings.num_blocks))
        )
        self.policy_head = _PolicyHead(spec, num_channels)
        self.value_head = _ValueHead(num_channels, self.settings.num_value_channels)
        # Convolutions on CPUs and GPUs are faster with the channels side by side.
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    @torch.no_grad()
    def calibrate(self, planes: Tensor) -> None:
        """Takes mean and deviation of every plane from typical positions, before training.

        A plane that does not vary among them is only shifted, and none is stretched more than
        50-fold: it may vary later.

        Args:
            planes: float32 [n, planes, height, width].
        """
        deviation = planes.std(dim=(0, 2, 3), correction=0)
        scale = torch.where(deviation > 0, 1 / deviation.clamp(min=_MIN_DEVIATION), 1.0)
        self.plane_mean.copy_(planes.mean(dim=(0, 2, 3))[:, None, None])
        self.plane_scale.copy_(scale[:, None, None])

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Evaluates observations from the side of the player to move.

        Args:
            planes: float32 [n, planes, height, width], values in [0, 1].

        Returns:
            policy_logits: [n, policy_planes × height × width + num_global_logits], to be indexed
                by `spec.policy_index`; illegal actions are not masked.
            value_logits: [n, 3]: win, draw, loss of the player to move.
        """
        trunk = self.trunk(planes)
        return self.policy_head(trunk), self.value_head(trunk)

    def trunk(self, planes: Tensor) -> Tensor:
        """What both heads look at: [n, num_channels, height, width], at least 0."""
        scaled = (planes - self.plane_mean) * self.plane_scale
        x = self.stem(scaled.contiguous(memory_format=torch.channels_last))
        trunk: Tensor = functional.relu(self.blocks(x))
        return trunk
