"""The network computed by torch itself, in float32 or bfloat16."""

from __future__ import annotations

import torch
from torch import Tensor

from agents.inference_names import InferenceName
from agents.network import PolicyValueNetwork


class TorchBackend:
    """Runs the network as it is at each call: a learner may go on training it.

    Args:
        network: put into evaluation mode and moved to `device`.
        device: where it runs.
        is_exact: compute in float32; otherwise torch's autocast takes bfloat16 for convolutions
            and linear maps, which pays where the hardware multiplies bfloat16.
    """

    def __init__(
        self, network: PolicyValueNetwork, device: torch.device, *, is_exact: bool = True
    ) -> None:
        self.name: InferenceName = "torch-float32" if is_exact else "torch-bfloat16"
        self.device = device
        self._is_exact = is_exact
        self._network = network.to(device).eval()

    def run(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """See `Backend.run`."""
        self._network.eval()
        with (
            torch.inference_mode(),
            torch.autocast(self.device.type, torch.bfloat16, enabled=not self._is_exact),
        ):
            outputs: tuple[Tensor, Tensor] = self._network(
                planes.to(self.device, non_blocking=True)
            )
        return outputs

    def refresh(self) -> None:
        """Does nothing: the weights are the network's own."""
