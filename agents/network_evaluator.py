"""`NetworkEvaluator`: a policy-value network seen as an `Evaluator`, computed in float32."""

from __future__ import annotations

import torch

from agents.devices import checked_device
from agents.inference.evaluator import BackendEvaluator
from agents.inference.torch_backend import TorchBackend
from agents.network import PolicyValueNetwork
from cotulenh_env.game import Game


class NetworkEvaluator(BackendEvaluator):
    """The exact evaluator, and the one that others are compared with: backend `torch-float32`.

    The network is used as it is at each call: a learner may go on training it. `agents.inference`
    has the faster ones.

    Args:
        game: the game to observe.
        network: put into evaluation mode and moved to `device`.
        device: where it runs, for example "cpu" or "cuda".

    Raises:
        AgentError: there is no such device here.
    """

    def __init__(
        self, game: Game, network: PolicyValueNetwork, device: str | torch.device = "cpu"
    ) -> None:
        super().__init__(game, TorchBackend(network, checked_device(device)))
