"""`Rule`: the settings of a search in the form that its kernels read."""

from __future__ import annotations

from typing import NamedTuple

from agents.search.settings import SearchSettings


class Rule(NamedTuple):
    """How an edge is chosen below the root. Every field but the first as in `SearchSettings`.

    Attributes:
        is_puct: by PUCT; otherwise towards the improved policy, as Gumbel search does.
        maxvisit_init: of Gumbel.
        value_scale: of Gumbel.
        rescale_values: of both.
        c_puct: of PUCT.
        c_puct_base: of PUCT.
        fpu_reduction: of PUCT.
    """

    is_puct: bool
    maxvisit_init: float
    value_scale: float
    rescale_values: bool
    c_puct: float
    c_puct_base: float
    fpu_reduction: float


def rule_of(settings: SearchSettings) -> Rule:
    """The rule; its numbers are floats, so that kernels are compiled for one type only."""
    return Rule(
        is_puct=settings.algorithm == "puct",
        maxvisit_init=float(settings.maxvisit_init),
        value_scale=float(settings.value_scale),
        rescale_values=settings.rescale_values,
        c_puct=float(settings.c_puct),
        c_puct_base=float(settings.c_puct_base),
        fpu_reduction=float(settings.fpu_reduction),
    )
