"""`SearchSettings`: the numbers that say how to search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from agents.checks import checked_count, checked_number
from agents.errors import AgentError
from cotulenh_env.errors import shown

MAX_SIMULATIONS = 1_000_000
"""Per position: 1.4 GB of Commander Chess, and far below what the trees' int32 can number."""
MAX_CONSIDERED_ACTIONS = 100_000
MAX_MEGABYTES = 1_000_000
MIN_ALPHA, MAX_ALPHA = 1e-6, 1e6

Algorithm = Literal["gumbel", "puct"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

_NUMBERS = (
    "gumbel_scale",
    "maxvisit_init",
    "value_scale",
    "c_puct",
    "c_puct_base",
    "fpu_reduction",
    "root_fpu_reduction",
)


@dataclass(frozen=True)
class SearchSettings:
    """How to search. The defaults are those of the papers: see `docs/search.md`.

    Attributes:
        algorithm: gumbel: Gumbel noise and sequential halving at the root, visits towards the
            improved policy below it. puct: PUCT everywhere, Dirichlet noise at the root.
        num_simulations: simulations per position, in 0–1000000.
        max_num_considered_actions: gumbel: root actions among which sequential halving starts, in
            1–100000.
        gumbel_scale: gumbel: 1 explores as in training, 0 plays the best action without noise; up
            to 1e9.
        maxvisit_init: gumbel: see `value_scale`; in 0–1e9.
        value_scale: gumbel: Q-values count as logits (maxvisit_init + most visits) × value_scale ×
            q; in 0–1e9.
        rescale_values: spread the Q-values of a node over [0, 1] first.
        c_puct: puct: weight of the prior against Q-values in [0, 1], in 0–1e9; half of it where a
            program's Q-values are in [-1, 1].
        c_puct_base: puct: the weight grows by ln((visits + c_puct_base + 1) / c_puct_base); 0: it
            does not grow; up to 1e9.
        fpu_reduction: puct: an unvisited action counts as its node's value less this × the root
            of the visited actions' prior, but never as less than the lowest value; in 0–1e9.
        root_fpu_reduction: puct: the same at the root.
        dirichlet_alpha: puct: of each action's noise, in 1e-6–1e6; none: 10 / number of legal
            actions.
        dirichlet_fraction: puct: share of the noise in the root's priors, in 0–1.
        find_wins: no position counts as open where the player to move can win at once, as far as
            the game can tell (`Game.winning_actions`).
        reuse_subtrees: begin with what the last search of the same row knows of the position, where
            that is one of its nodes; all simulations come on top of it. Subtrees of more than
            num_simulations nodes are dropped, and all when a search needs more room than before.
            Refused in games with hidden information.
        max_tree_megabytes: memory that the trees of one search may take, in 1–1000000; a search
            that needs more is refused in one sentence.
    """

    algorithm: Algorithm = "gumbel"
    num_simulations: int = 32
    max_num_considered_actions: int = 16
    gumbel_scale: float = 1.0
    maxvisit_init: float = 50.0
    value_scale: float = 0.1
    rescale_values: bool = True
    c_puct: float = 1.25
    c_puct_base: float = 19652.0
    fpu_reduction: float = 0.2
    root_fpu_reduction: float = 0.0
    dirichlet_alpha: float | None = None
    dirichlet_fraction: float = 0.25
    find_wins: bool = False
    reuse_subtrees: bool = False
    max_tree_megabytes: int = 4096

    def __post_init__(self) -> None:
        algorithm: object = self.algorithm
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            raise AgentError(f"algorithm is {' or '.join(ALGORITHMS)}, got {shown(self.algorithm)}")
        checked_count("num_simulations", self.num_simulations, 0, MAX_SIMULATIONS)
        checked_count(
            "max_num_considered_actions",
            self.max_num_considered_actions,
            1,
            MAX_CONSIDERED_ACTIONS,
        )
        checked_count("max_tree_megabytes", self.max_tree_megabytes, 1, MAX_MEGABYTES)
        for name in _NUMBERS:
            checked_number(name, getattr(self, name))
        checked_number("dirichlet_fraction", self.dirichlet_fraction, largest=1)
        if self.dirichlet_alpha is not None:
            alpha = checked_number("dirichlet_alpha", self.dirichlet_alpha)
            if not MIN_ALPHA <= alpha <= MAX_ALPHA:
                raise AgentError(
                    f"dirichlet_alpha is a number in {MIN_ALPHA:g}–{MAX_ALPHA:g}, got {alpha:g}"
                )
        for name in ("rescale_values", "find_wins", "reuse_subtrees"):
            if not isinstance(getattr(self, name), bool):
                raise AgentError(f"{name} is true or false, got {shown(getattr(self, name))}")
