"""One game in progress: a batch of one with its buffers, its generator, and how it ends.

Besides the rules of its `Game`, it can end by an offence: an illegal action that loses.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from cotulenh_env.checks import check_action, illegal_action_error, twin_generator
from cotulenh_env.errors import IllegalActionError
from cotulenh_env.game import Actions, Game, Mask, Planes, States

NOBODY = -1
ILLEGAL_ACTION = "illegal action"
"""The reason of a game that ended by an offence."""

_PLAYER_ROWS = (np.array([0], np.int32), np.array([1], np.int32))
"""Each player as the batch of one that `Game.observe` takes."""


class Play:
    """One game in progress.

    Attributes:
        game: whose rules are played.
        states: uint8 [1, state_size], replaced in place by every action.
        generator: where all chance comes from; shared with the owner.
        offender: the player who lost by an illegal action, or -1.
        player: who is to move; in a finished game, who would be.
        num_legal: how many actions are legal now; 0 when the game is over, and before `look`.
    """

    def __init__(
        self,
        game: Game,
        states: States,
        generator: np.random.Generator,
        offender: int = NOBODY,
    ) -> None:
        self.game = game
        self.states = states
        self.generator = generator
        self.offender = offender
        # One row of everything, reused for every action.
        self._buffers = game.new_buffers(1)
        self._row = self._buffers.legal_actions[0]
        self._mask: Mask = self._buffers.mask[0]  # type: ignore[index]  # it was asked for
        self._planes: Planes = self._buffers.observations[0]  # type: ignore[index]
        self._action: Actions = np.zeros(1, np.int32)
        self._draw = np.zeros(1) if game.spec.has_chance else None
        self._num_actions = game.spec.num_actions
        self._step = game.stepper(states, self._buffers)
        self.player = 0
        self.num_legal = 0

    def look(self) -> Self:
        """Finds the legal actions of a state that did not come about by `apply`."""
        self.game.refresh(self.states, self._buffers)
        self.player = self.game.current_player_of(self.states[0])
        self.num_legal = int(self._buffers.counts[0]) if self.offender == NOBODY else 0
        return self

    @property
    def state(self) -> States:
        """uint8 [state_size]: a view that the next action overwrites."""
        state: States = self.states[0]
        return state

    def seen_by(self, player: int) -> States:
        """uint8 [state_size] without what the player does not know: to be shown."""
        seen: States = self.game.as_seen(self.states, _PLAYER_ROWS[player])[0]
        return seen

    def copy(self) -> Self:
        """The same game with the same future, generator included."""
        generator = twin_generator(self.generator)
        return type(self)(self.game, self.states.copy(), generator, self.offender).look()

    def __reduce__(self) -> tuple[Any, ...]:
        # Not attribute by attribute: one array is a view of another.
        return _looked, (type(self), self.game, self.states, self.generator, self.offender)

    def legal_actions(self) -> Actions:
        """int32 [num_legal], ascending: a new array."""
        legal: Actions = self._row[: self.num_legal].copy()
        return legal

    def is_legal(self, action: Any) -> bool:
        """Whether an action is legal now.

        Raises:
            IllegalActionError: it is no action of the game: wrong type or out of range.
        """
        number = check_action(action, self._num_actions)
        return self.num_legal != 0 and self._mask.item(number) == 1

    def apply(self, action: Any) -> None:
        """Plays an action that is legal."""
        self._action[0] = action
        if self._draw is not None:
            self._draw[0] = self.generator.random()
        self._step(self._action, self._draw)
        self.player = self.game.current_player_of(self.states[0])
        self.num_legal = self._buffers.counts.item(0)

    def forfeit(self) -> None:
        """The player to move loses by an illegal action."""
        self.offender = self.player
        self.num_legal = 0

    def observe(self, player: int) -> Planes:
        """float32 [planes, height, width] from the player's own side: a new array."""
        if player == self.player:
            return self._planes.copy()
        planes: Planes = np.empty(self.game.spec.observation_shape, np.float32)
        self.game.observe(self.states, _PLAYER_ROWS[player], planes[None])
        return planes

    def mask(self, *, legal: bool) -> Mask:
        """int8 [num_actions], 1 = legal now; all zeros if not `legal`: a new array."""
        if legal and self.num_legal:
            return self._mask.copy()
        return np.zeros(self._num_actions, np.int8)

    def returns(self) -> tuple[float, float]:
        """Result per player: +1 win, -1 loss, 0 draw or unfinished."""
        if self.offender != NOBODY:
            return (-1.0, 1.0) if self.offender == 0 else (1.0, -1.0)
        red, blue = self.game.returns(self.states)[0]
        return float(red), float(blue)

    def reason(self) -> str:
        """Why the game ended; empty while it goes on."""
        if self.offender != NOBODY:
            return ILLEGAL_ACTION
        return self.game.end_reason(self.states)[0]

    def illegal_action_error(self, action: Any) -> IllegalActionError:
        """The error that says which action is illegal, in which position."""
        return illegal_action_error(self.game, self.state, int(action))

    def saved_generator(self) -> dict[str, Any]:
        """NumPy's own dictionary of the bit generator."""
        bits: dict[str, Any] = dict(self.generator.bit_generator.state)
        return bits


def winner(returns: tuple[float, float] | npt.NDArray[np.float32]) -> int:
    """0 or 1 for the player with the better result, -1 for a draw."""
    return -1 if returns[0] == returns[1] else int(returns[1] > returns[0])


def _looked(made: type[Play], *settings: Any) -> Play:
    return made(*settings).look()
