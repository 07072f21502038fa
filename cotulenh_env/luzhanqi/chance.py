"""Flip mode: what a flip can turn up, and with what probability."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Events
from cotulenh_env.luzhanqi.actions import FIRST_FLIP_MOVE
from cotulenh_env.luzhanqi.state import Record


def outcomes_of(state: Record, action: int) -> tuple[Events, npt.NDArray[np.float64]]:
    """What an action can lead to.

    Args:
        state: a record of FLIP_DTYPE.
        action: legal in it.

    Returns:
        int32 [k] events, ascending: for a flip the pieces that may be turned up, 0–23 (colour × 12
        + kind - 1); for a move 0 alone. And float64 [k] probabilities.
    """
    if action >= FIRST_FLIP_MOVE:
        return np.zeros(1, np.int32), np.ones(1)
    remaining = state["remaining"].astype(np.float64)
    codes = np.flatnonzero(remaining)
    return (codes - 1).astype(np.int32), remaining[codes] / remaining.sum()


def draw_of(state: Record, event: int) -> float:
    """The draw in [0, 1) with which a flip turns up a piece.

    Args:
        state: a record of FLIP_DTYPE.
        event: the piece, 0–23; one that lies face down.
    """
    remaining = state["remaining"].astype(np.int64)
    before = int(remaining[: event + 1].sum())
    return (before + 0.5 * int(remaining[event + 1])) / int(remaining.sum())
