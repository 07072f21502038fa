"""Observation planes of states (observation.py says what they mean)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.board import NUM_CELLS
from cotulenh_env.banqi.observation import (
    COLOURS_KNOWN,
    EMPTY_CELLS,
    ENEMY_HIDDEN,
    ENEMY_PIECES,
    FACE_DOWN_CELLS,
    NUM_PLANES,
    ONES,
    OWN_HIDDEN,
    OWN_PIECES,
    QUIET,
    SEEN_ONCE,
)
from cotulenh_env.banqi.pieces import EMPTY, FACE_DOWN, INITIAL_COUNTS, NUM_TYPES
from cotulenh_env.banqi.state import NO_COLOUR, Record
from cotulenh_env.kernel import inner_kernel

PlaneRows = npt.NDArray[np.float32]
"""float32 [planes, 32]: the planes of one state."""


@inner_kernel
def observe(state: Record, player: int, planes: PlaneRows) -> None:
    """Writes all planes of one state from the player's side."""
    for plane in range(NUM_PLANES):
        for cell in range(NUM_CELLS):
            planes[plane, cell] = 0
    first_colour = int(state["first_colour"])
    own_colour = 0 if first_colour == NO_COLOUR else (first_colour + player) % 2
    for cell in range(NUM_CELLS):
        code = int(state["board"][cell])
        if code == EMPTY:
            planes[EMPTY_CELLS, cell] = 1
        elif code == FACE_DOWN:
            planes[FACE_DOWN_CELLS, cell] = 1
        else:
            first_plane = OWN_PIECES if code // NUM_TYPES == own_colour else ENEMY_PIECES
            planes[first_plane + code % NUM_TYPES, cell] = 1
    for kind in range(NUM_TYPES):
        own, enemy = own_colour * NUM_TYPES + kind, (1 - own_colour) * NUM_TYPES + kind
        number = int(INITIAL_COUNTS[kind])
        _set(planes, OWN_HIDDEN + kind, int(state["hidden"][own]) / number)
        _set(planes, ENEMY_HIDDEN + kind, int(state["hidden"][enemy]) / number)
    _set(planes, QUIET, min(1.0, int(state["quiet"]) / int(state["quiet_limit"])))
    times_before = _times_before(state)
    for times in range(1, 3):
        _set(planes, SEEN_ONCE + times - 1, 1.0 if times_before >= times else 0.0)
    _set(planes, COLOURS_KNOWN, 0.0 if first_colour == NO_COLOUR else 1.0)
    _set(planes, ONES, 1.0)


@inner_kernel
def _set(planes: PlaneRows, plane: int, value: float) -> None:
    """Makes a plane hold one value."""
    number = np.float32(value)
    if number != 0:
        # A loop: assigning to a slice compiles ten times as long.
        for cell in range(NUM_CELLS):
            planes[plane, cell] = number


@inner_kernel
def _times_before(state: Record) -> int:
    """How often the position has stood before (rule 5.3)."""
    last = int(state["history_length"]) - 1
    count = 0
    for index in range(last - 4, -1, -2):
        if state["history"][index] == state["history"][last]:
            count += 1
    return count
