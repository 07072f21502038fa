"""`SearchSettings`: the numbers that say how to search."""

from __future__ import annotations

import math
from dataclasses import dataclass

from agents.errors import AgentError


@dataclass(frozen=True)
class SearchSettings:
    """How to search. The defaults are those of "Policy improvement by planning with Gumbel".

    Attributes:
        num_simulations: simulations per position, at least 0.
        max_num_considered_actions: root actions among which sequential halving starts, at least 1.
        gumbel_scale: 1 explores as in training, 0 plays the best action without noise.
        maxvisit_init: see `value_scale`.
        value_scale: Q-values count as logits (maxvisit_init + most visits) × value_scale × q.
        rescale_values: spread the Q-values of a node over [0, 1] first.
    """

    num_simulations: int = 32
    max_num_considered_actions: int = 16
    gumbel_scale: float = 1.0
    maxvisit_init: float = 50.0
    value_scale: float = 0.1
    rescale_values: bool = True

    def __post_init__(self) -> None:
        for name, smallest in (("num_simulations", 0), ("max_num_considered_actions", 1)):
            count = getattr(self, name)
            if not isinstance(count, int) or isinstance(count, bool) or count < smallest:
                raise AgentError(f"{name} is an integer of at least {smallest}, got {count!r}")
        for name in ("gumbel_scale", "maxvisit_init", "value_scale"):
            number = getattr(self, name)
            if (
                not isinstance(number, int | float)
                or isinstance(number, bool)
                or not math.isfinite(number)
                or number < 0
            ):
                raise AgentError(f"{name} is a finite number of at least 0, got {number!r}")
        if not isinstance(self.rescale_values, bool):
            raise AgentError(f"rescale_values is true or false, got {self.rescale_values!r}")
