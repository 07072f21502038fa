"""What a flip can turn up, and how likely it is (rule 2.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import FIRST_STEP
from cotulenh_env.banqi.kernels.apply import NO_EVENT
from cotulenh_env.banqi.state import Record


def outcomes_of(
    state: Record, action: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The events of a legal action and their probabilities, in the order of the draws.

    Args:
        state: the record before it.
        action: its number.

    Returns:
        int32 [m]: the pieces that a flip can turn up, ascending, or one event that means nothing;
        float64 [m], of sum 1.
    """
    if action >= FIRST_STEP:
        return np.full(1, NO_EVENT, np.int32), np.ones(1)
    pieces = np.flatnonzero(state["hidden"]).astype(np.int32)
    return pieces, state["hidden"][pieces] / int(state["num_face_down"])


def draw_of(state: Record, piece: int) -> float:
    """A draw with which a flip turns up that piece, one of those face down."""
    before = int(state["hidden"][:piece].sum())
    return (before + int(state["hidden"][piece]) / 2) / int(state["num_face_down"])
