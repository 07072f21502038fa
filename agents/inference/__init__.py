"""What computes a network's numbers: backends that trade exactness for speed, and their choice.

    torch-float32    torch, exact: what all others are compared with
    torch-bfloat16   torch with bfloat16 convolutions; the faster choice on GPUs, and on CPUs that
                     multiply bfloat16
    onnx-float32     ONNX Runtime on a CPU
    onnx-int8        the same with convolutions in 8 bits, calibrated on positions of random games

    backend = choose_backend("auto", game, network, torch.device("cpu"), batch_size=64)
    evaluator = BackendEvaluator(game, backend)

The network's weights are seen as of the last `backend.refresh()` (`Backend` says more). ONNX
backends need the extra `onnx`.
"""

from agents.inference.agreement import (
    MAX_POLICY_DIVERGENCE,
    MAX_VALUE_DIFFERENCE,
    Agreement,
    agreement,
    outputs_of,
)
from agents.inference.backend import Backend
from agents.inference.choice import (
    Measurement,
    choose_backend,
    fastest,
    make_backend,
    measure,
)
from agents.inference.evaluator import BackendEvaluator
from agents.inference_names import INFERENCE_NAMES, InferenceName

__all__ = [
    "INFERENCE_NAMES",
    "MAX_POLICY_DIVERGENCE",
    "MAX_VALUE_DIFFERENCE",
    "Agreement",
    "Backend",
    "BackendEvaluator",
    "InferenceName",
    "Measurement",
    "agreement",
    "choose_backend",
    "fastest",
    "make_backend",
    "measure",
    "outputs_of",
]
