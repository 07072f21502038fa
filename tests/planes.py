"""What observations hold, by the names of their planes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Game, States

Plane = npt.NDArray[np.float32]


def planes_on_board(game: Game, state: States, player: int) -> dict[str, Plane]:
    """Planes by name, float32 [squares], numbered as on the board of a game that turns its ranks.

    Args:
        game: one in which player 1 sees the ranks the other way round.
        state: uint8 [state_size].
        player: who looks.
    """
    planes = game.observe(state[None], np.array([player], np.int32))[0]
    assert planes.dtype == np.float32
    assert planes.min() >= 0
    assert planes.max() <= 1
    turned = planes[:, ::-1] if player else planes
    return dict(zip(game.spec.plane_names, turned.reshape(len(turned), -1), strict=True))


def constant(plane: Plane) -> float:
    """The value that a plane has everywhere."""
    assert (plane == plane[0]).all()
    return float(plane[0])
