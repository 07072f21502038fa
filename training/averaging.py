"""The average of a network's weights over its last steps, which plays in the network's stead.

Steps of the learner are noisy; their average is a better player than the last one (Polyak and
Juditsky 1992). It is exponential, so only one copy of the weights is kept.
"""

from __future__ import annotations

import copy

import torch

from agents.network import PolicyValueNetwork


class WeightAverage:
    """An exponential moving average of weights.

    Args:
        network: on its device; the average begins as a copy of it.
        decay: weight of the old average in a step; below 1.

    Attributes:
        network: has the average as its weights.
    """

    def __init__(self, network: PolicyValueNetwork, decay: float) -> None:
        self._decay = decay
        self.network = copy.deepcopy(network).requires_grad_(False).eval()

    @torch.no_grad()
    def update(self, network: PolicyValueNetwork, num_steps: int) -> None:
        """Takes in the weights after a step.

        The first steps count more, (1 + n) / (10 + n) being the largest decay after n steps, so
        that the weights of a new network are soon forgotten.

        Args:
            network: what is averaged.
            num_steps: steps before this one.
        """
        decay = min(self._decay, (1 + num_steps) / (10 + num_steps))
        torch._foreach_lerp_(list(self.network.parameters()), list(network.parameters()), 1 - decay)
