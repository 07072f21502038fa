"""The network as an ONNX graph whose weights can be replaced, and sessions that run graphs.

torch needs seconds to translate a network, so that is done once; the graph keeps torch's names of
the weights, and new ones are written into it in milliseconds. The packages of the extra `onnx` are
imported when they are first used.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import warnings
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from agents.errors import AgentError
from agents.network import PolicyValueNetwork

INPUT = "planes"
"""Name of the graph's input."""

_OUTPUTS = ["policy_logits", "value_logits"]
_PACKAGES = ("onnxruntime", "onnx", "onnxscript")

_exports: weakref.WeakKeyDictionary[PolicyValueNetwork, bytes] = weakref.WeakKeyDictionary()
"""Graphs of living networks: two backends of one need a single translation."""


def missing_package() -> str | None:
    """The first package of the extra `onnx` that is not installed, None if all are."""
    return next((name for name in _PACKAGES if importlib.util.find_spec(name) is None), None)


class OnnxGraph:
    """A network's graph, with the weights that it was last given; at first any of the network's.

    Args:
        network: on the CPU.
        observation_shape: planes, height, width.

    Raises:
        AgentError: torch cannot translate it.
    """

    def __init__(
        self, network: PolicyValueNetwork, observation_shape: tuple[int, int, int]
    ) -> None:
        import onnx

        try:
            if network not in _exports:
                _exports[network] = _exported(network, observation_shape)
            self._model = onnx.load_from_string(_exports[network])
        except Exception as error:  # of every kind, from several packages
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise AgentError(f"the network cannot be exported to ONNX: {reason[:200]}") from error

    def set_weights(self, weights: Mapping[str, Tensor]) -> None:
        """Writes weights over those of the same names.

        Args:
            weights: float32 by torch's names, all or some of the network's.
        """
        from onnx import numpy_helper

        places = {place.name: place for place in self._model.graph.initializer}
        for name, weight in weights.items():
            array = weight.detach().contiguous().numpy()
            places[name].CopyFrom(numpy_helper.from_array(array, name))

    def node_of(self, weight: str) -> str:
        """The name of the node that a weight enters."""
        return next(str(node.name) for node in self._model.graph.node if weight in node.input)

    def to_bytes(self) -> bytes:
        """The graph as the content of an .onnx file."""
        return bytes(self._model.SerializeToString())


def new_session(model: bytes) -> Any:
    """A session that runs a graph on the CPU, in as many threads as torch has."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; warnings are about nodes that it removes
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _exported(network: PolicyValueNetwork, observation_shape: tuple[int, int, int]) -> bytes:
    example = torch.zeros(2, *observation_shape)  # of one row the exporter makes a constant
    with _quiet():
        program: Any = torch.onnx.export(
            network.eval(),
            (example,),
            input_names=[INPUT],
            output_names=_OUTPUTS,
            dynamic_shapes=({0: torch.export.Dim("n", min=1)},),
            dynamo=True,
            optimize=False,  # it would rename and merge weights
            verbose=False,
        )
    model = program.model_proto
    absent = set(network.state_dict()) - {place.name for place in model.graph.initializer}
    if absent:
        raise AgentError(f"the graph lacks the weight {min(absent)}")
    # Without this mark the quantiser asks for a step that would rename weights.
    mark = model.metadata_props.add()
    mark.key, mark.value = "onnx.quant.pre_process", "onnxruntime.quant"
    return bytes(model.SerializeToString())


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the exporter from telling how it goes about, and which packages it could also use."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnx_ir", "onnxscript")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
