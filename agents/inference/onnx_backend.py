"""The network computed by ONNX Runtime on a CPU, in float32 or with 8-bit convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from agents.errors import EvaluationError
from agents.inference.int8 import evened_input, quantized
from agents.inference.onnx_graph import INPUT, OnnxGraph, new_session
from agents.inference_names import InferenceName
from agents.network import PolicyValueNetwork
from cotulenh_env.game import Planes

_CHECK_EVERY = 8
"""Every so manieth calibration position is looked at for outputs that are not finite."""


class OnnxBackend:
    """Runs a copy of the network, which `refresh` brings up to date.

    Making one takes seconds, refreshing it tens of milliseconds, with 8 bits a few tenths of a
    second, since the ranges of all activations are measured afresh.

    Args:
        network: on the CPU.
        calibration: float32 [n, planes, height, width]: real positions. None computes in float32,
            otherwise convolutions are done in 8 bits, with ranges from these.
        observation_shape: planes, height, width.

    Raises:
        AgentError: the network cannot be exported.
        EvaluationError: a weight is not finite.
    """

    def __init__(
        self,
        network: PolicyValueNetwork,
        observation_shape: tuple[int, int, int],
        calibration: Planes | None = None,
    ) -> None:
        self.name: InferenceName = "onnx-float32" if calibration is None else "onnx-int8"
        self.device = torch.device("cpu")
        self._network = network
        self._calibration = calibration
        self._graph = OnnxGraph(network, observation_shape)
        self._session: Any = None
        self.refresh()

    def run(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """See `Backend.run`."""
        policy_logits, value_logits = self._session.run(None, {INPUT: planes.numpy()})
        return torch.from_numpy(policy_logits), torch.from_numpy(value_logits)

    def refresh(self) -> None:
        """Takes over the network's weights: see `Backend.refresh`."""
        weights = self._network.state_dict()
        for name, weight in weights.items():
            # Integers would hide it.
            if not torch.isfinite(weight).all():
                raise EvaluationError(f"weight {name!r} of the network is not finite")
        if self._calibration is None:
            self._graph.set_weights(weights)
            self._session = new_session(self._graph.to_bytes())
            return
        self._graph.set_weights(weights | evened_input(self._network))
        self._check_calibration(self._calibration)
        self._session = new_session(quantized(self._graph, self._calibration))

    def _check_calibration(self, calibration: Planes) -> None:
        """Refuses finite weights that are so large that an output is not."""
        with torch.inference_mode():
            outputs = self._network(torch.from_numpy(calibration[::_CHECK_EVERY]))
        if not all(np.isfinite(output.numpy()).all() for output in outputs):
            raise EvaluationError("the network's outputs are not finite")
