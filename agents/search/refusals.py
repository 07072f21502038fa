"""Why a search is refused, in one sentence."""

from __future__ import annotations

import numpy as np

from agents.errors import AgentError, EvaluationError
from agents.evaluator import Logits
from agents.search.walk import LARGEST_VALUE
from cotulenh_env.errors import shown


def check_memory(needed: int, allowed: int, num_trees: int, num_nodes: int) -> None:
    """Refuses trees that are too large.

    Args:
        needed: bytes.
        allowed: megabytes.
        num_trees: that need it.
        num_nodes: of each.

    Raises:
        AgentError: they need more.
    """
    if needed > allowed << 20:
        raise AgentError(
            f"{num_trees} trees of {num_nodes} nodes need {-(-needed >> 20):,} MB, more "
            f"than max_tree_megabytes = {allowed:,}: search fewer positions at once, take "
            "fewer simulations, or allow more"
        )


def bad_evaluation(value: float, logits: Logits, count: int, position: str) -> EvaluationError:
    """What is wrong with what the evaluator said of a position.

    Args:
        value: it gave.
        logits: float32: it gave.
        count: legal actions.
        position: in words.
    """
    own_logits = logits[:count]
    if not np.isfinite(value):
        problem = f"a value that is not finite ({value})"
    elif abs(value) > LARGEST_VALUE:
        problem = f"the value {value:.7g}, which is not in [-1, 1],"
    elif len(own_logits) < count:
        problem = f"{len(own_logits)} logits for {count} legal actions"
    else:
        logit = own_logits[~np.isfinite(own_logits)][0]
        problem = f"a legal action a logit that is not finite ({logit})"
    return EvaluationError(f"the evaluator gave {problem} in position {shown(position)}")
