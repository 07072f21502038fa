"""`PlayedGame`: a game by its start, actions and events, as whoever played it hands it over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """One game.

    Attributes:
        start: uint8 [state_size]: before the first action.
        actions: all of them, of both players, in order.
        events: what `Game.apply` returned for each.
        tags: what else is to be kept of it, such as `("Red", "greedy")`.
    """

    start: npt.NDArray[np.uint8]
    actions: Sequence[int]
    events: Sequence[int]
    tags: Sequence[tuple[str, str]] = ()


GameWriter = Callable[[Path, Sequence[PlayedGame]], None]
"""Writes games to a file; one that is there is replaced once the new one is whole."""
