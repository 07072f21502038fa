"""A graph's convolutions in 8-bit integers: ranges from real positions, weights per channel.

    weights       int8, a scale for every output channel
    activations   uint8, a scale for every tensor, from its smallest and largest value over the
                  calibration positions: static, so that a row's result is its own

What comes between convolutions stays float32, and so does the last convolution of the policy: in 8
bits its logits would be rounded for no gain in speed.

The input needs help. All its planes share one scale, but the network stretches rare ones up to
50-fold, which leaves others a few steps of 256. So each plane is divided by a factor which its
weights are multiplied by: the same function, with the range shared evenly between both (as in
SmoothQuant, arXiv:2211.10438, but by the planes' bounds, not by what was seen of them). On a
trained network this halved the difference in value.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from agents.errors import EvaluationError
from agents.inference.onnx_graph import INPUT, OnnxGraph
from agents.network import PolicyValueNetwork
from cotulenh_env.game import Planes

_BATCH_SIZE = 64
_SMALLEST_WEIGHT = 1e-3
"""Planes whose weights are smaller are not stretched further."""


class _Reader:
    """Hands planes over in batches, as the quantiser asks for them."""

    def __init__(self, planes: Planes) -> None:
        self._batches: Iterator[Planes] = iter(
            [planes[start : start + _BATCH_SIZE] for start in range(0, len(planes), _BATCH_SIZE)]
        )

    def get_next(self) -> dict[str, Planes] | None:
        """The next batch by input name, None after the last."""
        batch = next(self._batches, None)
        return None if batch is None else {INPUT: batch}


def quantized(graph: OnnxGraph, planes: Planes) -> bytes:
    """The graph with 8-bit convolutions.

    Args:
        graph: float32, left as it is.
        planes: float32 [n, planes, height, width]: typical observations.

    Returns:
        The content of an .onnx file.

    Raises:
        EvaluationError: the weights have no sensible scale.
    """
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    with tempfile.TemporaryDirectory(prefix="cotulenh-") as folder:
        source, result = Path(folder) / "float32.onnx", Path(folder) / "int8.onnx"
        source.write_bytes(graph.to_bytes())
        try:
            quantize_static(
                source,
                result,
                _Reader(planes),
                quant_format=QuantFormat.QDQ,
                op_types_to_quantize=["Conv"],
                nodes_to_exclude=[graph.node_of("policy_head.planes.weight")],
                per_channel=True,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
            )
        except (AssertionError, ValueError, RuntimeError) as error:  # of ONNX Runtime's own
            raise EvaluationError(
                f"the network's numbers cannot be kept in 8 bits ({error})"
            ) from None
        return result.read_bytes()


def evened_input(network: PolicyValueNetwork) -> dict[str, Tensor]:
    """Scale and weights of the input planes with their ranges shared evenly; see above.

    Returns:
        Replacements by name: the network computes the same with them.

    Raises:
        EvaluationError: a plane's scale is not above 0, as none is that was taken from positions.
    """
    if not (network.plane_scale > 0).all():
        raise EvaluationError("a plane_scale of the network is not above 0: no 8 bits can hold it")
    # A plane lies in [0, 1], so this is the most that it can be once shifted and scaled.
    mean, scale, weight = network.plane_mean, network.plane_scale, network.stem.weight.detach()
    bound = torch.maximum(mean, 1 - mean) * scale
    largest_weight = weight.abs().amax(dim=(0, 2, 3)).clamp(min=_SMALLEST_WEIGHT)
    factor = (largest_weight[:, None, None] / bound).sqrt()
    return {"plane_scale": scale * factor, "stem.weight": weight / factor}
