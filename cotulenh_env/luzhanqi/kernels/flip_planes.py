"""Observation planes of the flip mode (observation.py says what they mean)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.board import NUM_PLACES
from cotulenh_env.luzhanqi.kernels.flip import colour_of, is_flag_open, num_mines_lost
from cotulenh_env.luzhanqi.observation import (
    COLOURS_ASSIGNED,
    DOWN,
    EMPTY_PLACE,
    ENEMY_DOWN,
    ENEMY_FLAG_OPEN,
    ENEMY_MINES_LOST,
    ENEMY_UP,
    FLIP_ONES,
    FLIP_PLIES,
    FLIP_QUIET,
    FLIP_TERRAIN,
    MINES_SCALE,
    NUM_FLIP_PLANES,
    OWN_DOWN,
    OWN_FLAG_OPEN,
    OWN_MINES_LOST,
    OWN_UP,
    PLIES_SCALE,
    TERRAIN,
)
from cotulenh_env.luzhanqi.pieces import COUNT, NUM_KINDS
from cotulenh_env.luzhanqi.state import FACE_DOWN, NO_COLOUR, Record

PlaneRows = npt.NDArray[np.float32]
"""float32 [planes, 60]: the planes of one state, places as the observing player numbers them."""


@inner_kernel
def fill(planes: PlaneRows, plane: int, value: float) -> None:
    """Makes a plane hold one value."""
    number = np.float32(value)
    for place in range(NUM_PLACES):
        planes[plane, place] = number


@inner_kernel
def observe_flip(state: Record, player: int, planes: PlaneRows) -> None:
    """Fills the planes as the player sees the state."""
    colour = colour_of(state, player)
    assigned = colour != NO_COLOUR
    if not assigned:
        colour = player  # all is the same for both
    for plane in range(NUM_FLIP_PLANES):
        if plane < OWN_DOWN:
            fill(planes, plane, 0.0)
    for place in range(NUM_PLACES):
        code = int(state["board"][NUM_PLACES - 1 - place if player else place])
        if code == 0:
            planes[EMPTY_PLACE, place] = 1
        elif code == FACE_DOWN:
            planes[DOWN, place] = 1
        else:
            owner = 1 if code > NUM_KINDS else 0
            kind = code - owner * NUM_KINDS
            planes[(OWN_UP if owner == colour else ENEMY_UP) + kind - 1, place] = 1
        for index in range(len(TERRAIN)):
            planes[FLIP_TERRAIN + index, place] = TERRAIN[index, place]
    for kind in range(1, NUM_KINDS + 1):
        initial = float(COUNT[kind])
        own = int(state["remaining"][colour * NUM_KINDS + kind])
        enemy = int(state["remaining"][(1 - colour) * NUM_KINDS + kind])
        fill(planes, OWN_DOWN + kind - 1, own / initial)
        fill(planes, ENEMY_DOWN + kind - 1, enemy / initial)
    quiet = int(state["quiet_plies"]) / int(state["quiet_limit"])
    fill(planes, FLIP_QUIET, min(1.0, quiet))
    fill(planes, OWN_MINES_LOST, num_mines_lost(state, colour) / MINES_SCALE)
    fill(planes, ENEMY_MINES_LOST, num_mines_lost(state, 1 - colour) / MINES_SCALE)
    fill(planes, ENEMY_FLAG_OPEN, 1.0 if assigned and is_flag_open(state, 1 - colour) else 0.0)
    fill(planes, OWN_FLAG_OPEN, 1.0 if assigned and is_flag_open(state, colour) else 0.0)
    fill(planes, COLOURS_ASSIGNED, 1.0 if assigned else 0.0)
    fill(planes, FLIP_PLIES, min(1.0, int(state["plies"]) / PLIES_SCALE))
    fill(planes, FLIP_ONES, 1.0)
