"""`Backend`: where and how the numbers of a network are computed."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from agents.inference_names import InferenceName


class Backend(Protocol):
    """Computes the outputs of one network.

    **New weights.** A backend computes with the weights that the network had at the last `refresh`,
    or when the backend was made. The torch backends share the network's own weights and follow
    every change at once; the ONNX backends have a copy. So whoever changes a network calls
    `refresh` before it is used again.

    Several threads may call `run` at once, but not while another one calls `refresh`.
    """

    @property
    def name(self) -> InferenceName:
        """The backend's name."""

    @property
    def device(self) -> torch.device:
        """Where it computes."""

    def run(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Evaluates observations.

        Args:
            planes: float32 [n, planes, height, width] in main memory, n at least 1, C-contiguous.
                On a GPU it may still be read after the call, until a result has been awaited.

        Returns:
            policy_logits [n, logits] and value_logits [n, 3] on `device`, as
            `PolicyValueNetwork.forward` says, float32 or bfloat16.
        """

    def refresh(self) -> None:
        """Takes over the network's weights as they are now.

        Raises:
            EvaluationError: a weight or what follows from it is not finite.
        """
