"""The arrays that games take and give: their types, their sizes (`GameSpec`), a step's buffers.

`cotulenh_env.game` hands all of it on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

States = npt.NDArray[np.uint8]
Actions = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int32]
Players = npt.NDArray[np.int32]
Events = npt.NDArray[np.int32]
Draws = npt.NDArray[np.float64]
Planes = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


@dataclass(frozen=True)
class GameSpec:
    """The constants of a game.

    Attributes:
        name: the registry's name, for example `"commander"`.
        num_actions: size of the action space; actions are 0 … num_actions - 1.
        state_dtype: the record behind one state; its itemsize is a multiple of 8.
        max_legal_actions: no loadable position has more legal actions.
        board_shape: (height, width) of the observation planes.
        plane_names: one name per observation plane, in order.
        policy_planes: number of action planes over the board.
        num_global_logits: logits of no place on the board, computed from pooled features.
        policy_index: int32 [num_actions]: where each action's logit lies in the flat array of
            policy_planes × height × width logits followed by the global ones.
        has_chance: whether some action's result depends on its draw.
        has_hidden_information: whether players see different things.
        score_scale: a lead of so much in `Game.score` is worth about three quarters of a win.
    """

    name: str
    num_actions: int
    state_dtype: np.dtype[Any]
    max_legal_actions: int
    board_shape: tuple[int, int]
    plane_names: tuple[str, ...]
    policy_planes: int
    num_global_logits: int
    policy_index: npt.NDArray[np.int32] = field(repr=False)
    has_chance: bool = False
    has_hidden_information: bool = False
    score_scale: float = 100.0

    @property
    def num_players(self) -> int:
        """Always 2: player 0 moves first."""
        return 2

    @property
    def state_size(self) -> int:
        """Bytes of one state, a multiple of 8."""
        return self.state_dtype.itemsize

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """(planes, height, width) of one observation."""
        return (len(self.plane_names), *self.board_shape)


@dataclass
class StepBuffers:
    """Arrays that `Game.step_into` fills; made once by `Game.new_buffers`, reused for every step.

    They are the game's to write: it may change only what differs from its last visit.

    Attributes:
        events: int32 [n].
        legal_actions: int32 [n, max_legal_actions], padded with -1.
        counts: int32 [n]: legal actions per row.
        mask: int8 [n, num_actions], 1 = legal; None when not wanted.
        observations: float32 [n, planes, height, width] from the side of the player to move; None
            when not wanted.
        notes: the game's own, [n], on what the rows hold; None when it keeps none.
    """

    events: Events
    legal_actions: Actions
    counts: Counts
    mask: Mask | None
    observations: Planes | None
    notes: npt.NDArray[Any] | None = None

    def rows(self, start: int, stop: int) -> StepBuffers:
        """Some of the rows, as views."""
        rows = slice(start, stop)
        return StepBuffers(
            self.events[rows],
            self.legal_actions[rows],
            self.counts[rows],
            None if self.mask is None else self.mask[rows],
            None if self.observations is None else self.observations[rows],
            None if self.notes is None else self.notes[rows],
        )
