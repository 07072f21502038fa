"""`SearchSettings`: the numbers that say how to search."""

from __future__ import annotations

from dataclasses import dataclass

from agents.checks import checked_count, checked_number
from agents.errors import AgentError
from cotulenh_env.errors import shown

MAX_SIMULATIONS = 1_000_000
"""Per position: 1.4 GB of Commander Chess, and far below what the trees' int32 can number."""
MAX_CONSIDERED_ACTIONS = 100_000
MAX_MEGABYTES = 1_000_000


@dataclass(frozen=True)
class SearchSettings:
    """How to search. The defaults are those of "Policy improvement by planning with Gumbel".

    Attributes:
        num_simulations: simulations per position, in 0–1000000.
        max_num_considered_actions: root actions among which sequential halving starts, in
            1–100000.
        gumbel_scale: 1 explores as in training, 0 plays the best action without noise; up to 1e9.
        maxvisit_init: see `value_scale`; in 0–1e9.
        value_scale: Q-values count as logits (maxvisit_init + most visits) × value_scale × q; in
            0–1e9.
        rescale_values: spread the Q-values of a node over [0, 1] first.
        reuse_subtrees: begin with what the last search of the same row knows of the position, where
            that is one of its nodes; all simulations come on top of it. Subtrees of more than
            num_simulations nodes are dropped, and all when a search needs more room than before.
        max_tree_megabytes: memory that the trees of one search may take, in 1–1000000; a search
            that needs more is refused in one sentence.
    """

    num_simulations: int = 32
    max_num_considered_actions: int = 16
    gumbel_scale: float = 1.0
    maxvisit_init: float = 50.0
    value_scale: float = 0.1
    rescale_values: bool = True
    reuse_subtrees: bool = False
    max_tree_megabytes: int = 4096

    def __post_init__(self) -> None:
        checked_count("num_simulations", self.num_simulations, 0, MAX_SIMULATIONS)
        checked_count(
            "max_num_considered_actions",
            self.max_num_considered_actions,
            1,
            MAX_CONSIDERED_ACTIONS,
        )
        checked_count("max_tree_megabytes", self.max_tree_megabytes, 1, MAX_MEGABYTES)
        for name in ("gumbel_scale", "maxvisit_init", "value_scale"):
            checked_number(name, getattr(self, name))
        for name in ("rescale_values", "reuse_subtrees"):
            if not isinstance(getattr(self, name), bool):
                raise AgentError(f"{name} is true or false, got {shown(getattr(self, name))}")
