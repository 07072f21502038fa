"""`Game` and `GameSpec`: the one interface through which everything else sees a game.

A game is batched over NumPy arrays; a single game is a batch of one. A state is one fixed-size
record without pointers, complete in itself (board, clocks, history *and the resolved rules*), so
that a copy of its bytes is a copy of the game, and one batch may mix rules.

    states          uint8   [n, state_size]   C-contiguous; kernels view them by the game's dtype
    actions         int32   [n]               one call of `apply` each
    legal_actions   int32   [n, max_legal_actions]   padded with -1 after each row's count
    players         int32   [n]               0 or 1
    draws           float64 [n] in [0, 1)     all the chance an action needs
    events          int32   [n]               chance outcome or announcement; 0 in games without

Randomness never lives in a state: `apply` takes one draw per row. Search keeps one child per
(action, event).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import MoveTextError, StateError, shown
from cotulenh_env.game_arrays import (
    Actions,
    Counts,
    Draws,
    Events,
    GameSpec,
    Mask,
    Planes,
    Players,
    States,
    StepBuffers,
)
from cotulenh_env.played_game import GameWriter

__all__ = [
    "Actions",
    "Counts",
    "Draws",
    "Events",
    "Game",
    "GameSpec",
    "Mask",
    "Planes",
    "Players",
    "States",
    "StepBuffers",
    "fill_mask",
]


class Game(ABC):
    """Rules of one game over batches of states.

    Subclasses implement the abstract primitives; the other methods have defaults that a game
    overrides for speed or where it has more to say. Arguments are trusted: checks are made where
    data enters (`Position`, environments, loaders).
    """

    spec: GameSpec

    # --- primitives -----------------------------------------------------------------------------

    @abstractmethod
    def make_rules(self, /, **options: Any) -> Any:
        """The game's frozen `RuleSet` from keyword options.

        Raises:
            RulesError: an option is unknown or its value makes no sense.
        """

    @abstractmethod
    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: Any | Sequence[Any] | None = None,
    ) -> States:
        """Starting states.

        Args:
            n: number of rows.
            rng: for games whose start is dealt by chance; others ignore it.
            rules: one RuleSet for all rows, one per row, or None for the default.

        Returns:
            uint8 [n, state_size].
        """

    @abstractmethod
    def rules_of(self, state: States) -> Any:
        """The `RuleSet` that a state (uint8 [state_size]) is played by."""

    @abstractmethod
    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        """Legal actions of the player to move; none in a finished game.

        Args:
            states: uint8 [n, state_size].
            out: int32 [n, max_legal_actions] to fill, or None for a new array.
            counts: int32 [n] to fill, or None for a new array.

        Returns:
            The actions in ascending order, padded with -1, and their counts.
        """

    @abstractmethod
    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        """Plays one legal action in every row.

        Args:
            states: uint8 [n, state_size]; left unchanged unless it is also `out`.
            actions: int32 [n], legal in their rows.
            draws: float64 [n] in [0, 1); None only in games without chance.
            out: uint8 [n, state_size] to fill (may be `states`), or None for a new array.

        Returns:
            The next states and int32 [n] events.
        """

    @abstractmethod
    def current_player(self, states: States) -> Players:
        """int32 [n]: who is to move; in a finished game, who would be."""

    @abstractmethod
    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        """Bool [n]: whether the game is over."""

    @abstractmethod
    def returns(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: result per player, +1 win, -1 loss, 0 draw or unfinished."""

    @abstractmethod
    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        """Observation planes from each row's given player's own side.

        Args:
            states: uint8 [n, state_size].
            players: int32 [n].
            out: float32 [n, planes, height, width] to fill, or None for a new array.

        Returns:
            float32 [n, planes, height, width], values in [0, 1].
        """

    @abstractmethod
    def key(self, states: States) -> npt.NDArray[np.uint64]:
        """uint64 [n]: hash of board, marks, side to move and unfinished turn; no clocks."""

    @abstractmethod
    def to_text(self, state: States) -> str:
        """One state (uint8 [state_size]) as a line of text, such as a FEN."""

    @abstractmethod
    def from_text(self, text: str, rules: Any | None = None) -> States:
        """uint8 [state_size] from a line of text.

        Raises:
            PositionError: the text is malformed, with the reason and the place.
        """

    @abstractmethod
    def action_text(self, state: States, action: int) -> str:
        """A legal action of one state (uint8 [state_size]) in words."""

    @abstractmethod
    def draw(self, state: States) -> str:
        """One state (uint8 [state_size]) as a drawing in plain text."""

    @abstractmethod
    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        """One state (uint8 [state_size]) as an RGB picture, uint8 [height, width, 3]."""

    @abstractmethod
    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        """int32 [n]: turns completed by both sides since the start or the loaded position."""

    # --- defaults -------------------------------------------------------------------------------

    def parse_action(self, state: States, text: str) -> int:
        """The legal action that `action_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        if not isinstance(text, str):
            raise MoveTextError(f"a move is text, got {shown(text)}")
        legal, counts = self.legal_actions(state[None])
        for action in legal[0, : counts[0]]:
            if self.action_text(state, int(action)) == text.strip():
                return int(action)
        raise MoveTextError(f"{shown(text)} is no legal move in {self.to_text(state)!r}")

    def event_text(self, state: States, action: int, event: int) -> str:
        """One of the events of an action, in words of its own; empty if it has nothing to tell."""
        return str(event) if self.spec.has_chance or self.spec.has_hidden_information else ""

    def end_reason(self, states: States) -> list[str]:
        """Why each game ended, in the rules' own word; empty while it goes on."""
        return ["finished" if done else "" for done in self.is_terminal(states)]

    def score(self, states: States) -> npt.NDArray[np.float32]:
        """float32 [n, 2]: each player's official points or material; zeros if there are none."""
        return np.zeros((len(states), 2), np.float32)

    def winning_actions(
        self, states: States, legal_actions: Actions, counts: Counts
    ) -> npt.NDArray[np.bool_]:
        """Legal actions that win: at once, or as the first of a turn that can be completed so.

        What it tells is certain; a game may leave out wins that are dear to find. Here every action
        is played; with chance or hidden information nothing is certain, and none is told.

        Args:
            states: uint8 [n, state_size].
            legal_actions: int32 [n, max_legal_actions].
            counts: int32 [n].

        Returns:
            bool [n, largest count], for the player to move.
        """
        is_legal = np.arange(int(counts.max(initial=0))) < counts[:, None]
        wins = np.zeros(is_legal.shape, np.bool_)
        if self.spec.has_chance or self.spec.has_hidden_information:
            return wins
        rows, columns = np.nonzero(is_legal)
        if len(rows):
            after, _ = self.apply(states[rows], legal_actions[rows, columns])
            players = self.current_player(states)[rows]
            wins[rows, columns] = self.returns(after)[np.arange(len(rows)), players] > 0
        return wins

    def game_writer(self) -> GameWriter | None:
        """What writes played games in the game's own form of records.

        None where it has none: `game_records.save_played_games` writes games of every kind.
        """
        return None

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        """Symmetries of the board as seen by the mover, other than the identity.

        Returns:
            Pairs of (int32 [height × width]: the square whose planes move here,
            int32 [num_actions]: the image of each action). Most games have none.
        """
        return []

    def chance_outcomes(
        self, states: States, actions: Actions
    ) -> list[tuple[Events, npt.NDArray[np.float64]]]:
        """For every row its action's events, by the draws that lead to them, and probabilities."""
        return [(np.zeros(1, np.int32), np.ones(1)) for _ in actions]

    def resample_hidden(self, states: States, players: Players, rng: np.random.Generator) -> States:
        """States that each row's player cannot tell from the given ones, drawn at random."""
        return states.copy()

    def as_seen(self, states: States, players: Players) -> States:
        """States without what each row's player does not know: to be shown, not to be played."""
        return states

    def info_key(self, states: States, players: Players) -> npt.NDArray[np.uint64]:
        """uint64 [n]: hash of what each row's player knows."""
        return self.key(states)

    def current_player_of(self, state: States) -> int:
        """Who is to move in one state, uint8 [state_size]."""
        return int(self.current_player(state[None])[0])

    def new_notes(self, n: int) -> npt.NDArray[Any] | None:
        """The game's own notes on `n` rows of arrays that are zero; None when it keeps none."""
        return None

    def observe_again(
        self, states: States, players: Players, out: Planes, notes: npt.NDArray[Any] | None
    ) -> None:
        """`observe` into arrays that it has filled before, changing only what differs.

        Args:
            states: uint8 [n, state_size].
            players: int32 [n].
            out: float32 [n, planes, height, width], as the last call with these notes left it, or
                zero before the first.
            notes: from `new_notes`, brought up to date.
        """
        self.observe(states, players, out)

    def new_buffers(self, n: int, *, mask: bool = True, observations: bool = True) -> StepBuffers:
        """Buffers for `step_into` over `n` rows."""
        spec = self.spec
        return StepBuffers(
            events=np.zeros(n, np.int32),
            legal_actions=np.full((n, spec.max_legal_actions), -1, np.int32),
            counts=np.zeros(n, np.int32),
            mask=np.zeros((n, spec.num_actions), np.int8) if mask else None,
            observations=np.zeros((n, *spec.observation_shape), np.float32)
            if observations
            else None,
            notes=self.new_notes(n),
        )

    def refresh(self, states: States, buffers: StepBuffers) -> None:
        """Fills legal actions, mask and observations of the player to move, without a step."""
        self.legal_actions(states, buffers.legal_actions, buffers.counts)
        if buffers.mask is not None:
            fill_mask(buffers.legal_actions, buffers.counts, buffers.mask)
        if buffers.observations is not None:
            self.observe(states, self.current_player(states), buffers.observations)

    def step_into(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        """`apply` in place, then legal actions, mask and observations, all into `buffers`."""
        _, buffers.events[:] = self.apply(states, actions, draws, out=states)
        self.refresh(states, buffers)

    def stepper(
        self, states: States, buffers: StepBuffers
    ) -> Callable[[Actions, Draws | None], None]:
        """`step_into` for arrays that stay the same: what can be prepared for them is, once."""
        return lambda actions, draws: self.step_into(states, actions, draws, buffers)

    def check_states(self, states: npt.ArrayLike) -> States:
        """States from outside as a C-contiguous uint8 [n, state_size] of this game's own copy.

        A game extends this by looking inside the record.

        Raises:
            StateError: wrong dtype or shape.
        """
        try:
            array = np.asarray(states)
        except ValueError:  # rows of different lengths
            raise StateError(
                f"states of {self.spec.name} are uint8 [n, {self.spec.state_size}], got no array"
            ) from None
        if array.dtype != np.uint8 or array.ndim != 2 or array.shape[1] != self.spec.state_size:
            raise StateError(
                f"states of {self.spec.name} are uint8 [n, {self.spec.state_size}], "
                f"got {array.dtype} {list(array.shape)}"
            )
        return np.array(array, order="C")


def fill_mask(legal_actions: Actions, counts: Counts, mask: Mask) -> None:
    """Writes a dense mask from sparse legal actions.

    Args:
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n].
        mask: int8 [n, num_actions], overwritten: 1 = legal.
    """
    mask.fill(0)
    for row, count in enumerate(counts):
        mask[row, legal_actions[row, :count]] = 1
