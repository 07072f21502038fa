"""Many games in progress: the counterpart of `Play` for a batch, on which environments stand.

Every game has a generator of its own, so that its course depends neither on the other games nor on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, PositionError, shown
from cotulenh_env.game import Actions, Draws, Game, Players, States, StepBuffers
from cotulenh_env.play import ILLEGAL_ACTION, NOBODY
from cotulenh_env.row_threads import RowThreads

Rows = npt.NDArray[np.intp]
"""Indexes of games in the batch, ascending."""


class Batch:
    """Games by row; a row's game ends and another begins in it.

    Attributes:
        game: whose rules are played.
        num_games: rows.
        rules: by row the RuleSet under which its games begin.
        states: uint8 [num_games, state_size], replaced in place by every action.
        buffers: what the last `play` or `look` found; only the game may write into them.
        offenders: int32 [num_games]: the player who lost by an illegal action, or -1.
        generators: by row where all chance in its games comes from; empty before the first games.
    """

    def __init__(
        self,
        game: Game,
        rules: Sequence[Any | None],
        *,
        masks: bool,
        observations: bool,
        num_threads: int,
    ) -> None:
        """Makes all arrays; the first games come with `generators` and `new_games`.

        Args:
            game: whose rules are played.
            rules: by row a RuleSet, or None for the game's default.
            masks: whether the buffers have a dense mask.
            observations: whether they have observations.
            num_threads: threads that share the rows.
        """
        num_games = len(rules)
        self.game = game
        self.num_games = num_games
        # A game would make its default anew for every start.
        default = game.make_rules() if any(each is None for each in rules) else None
        self.rules = [default if each is None else each for each in rules]
        self.states: States = np.zeros((num_games, game.spec.state_size), np.uint8)
        self.buffers = game.new_buffers(num_games, mask=masks, observations=observations)
        self.offenders: Players = np.full(num_games, NOBODY, np.int32)
        self.generators: list[np.random.Generator] = []
        self._draws: Draws | None = np.zeros(num_games) if game.spec.has_chance else None
        self._has_dense = masks or observations
        # Where some rows are gathered to be played apart from the others; made when needed.
        self._gathered: tuple[States, StepBuffers] | None = None
        self._threads = RowThreads(num_threads)

    # --- beginning ------------------------------------------------------------------------------

    def position(self, row: int, fen: str) -> States:
        """The state, uint8 [state_size], of a text under the rules of a row.

        Raises:
            PositionError: the text is malformed, or the game is over in it.
        """
        if not isinstance(fen, str):
            raise PositionError(f"game {row}: the option fen is text, got {shown(fen)}")
        state = self.game.from_text(fen, self.rules[row])
        if not self.game.legal_actions(state[None].copy())[1][0]:
            raise PositionError(f"game {row}: the game is over in {shown(fen)}")
        return state

    def new_games(self, rows: Iterable[int], positions: Sequence[States | None]) -> None:
        """Begins a game in every given row, at a position or at the usual start (None).

        Legal actions and the rest are those of the games before until `look`.
        """
        for row, position in zip(rows, positions, strict=True):
            if position is None:
                start = self.game.new_states(1, self.generators[row], self.rules[row])[0]
                self.states[row] = start
            else:
                self.states[row] = position
            self.offenders[row] = NOBODY

    def look(self, rows: Rows | None = None) -> None:
        """Finds what is legal without an action.

        Args:
            rows: of which games; None for all.
        """
        if rows is None:
            self.look_into(self.buffers)
            return
        for row in rows.tolist():
            part = self.buffers.rows(row, row + 1)
            self.game.refresh(self.states[row : row + 1], part)

    def look_into(self, buffers: StepBuffers) -> None:
        """Finds what is legal in every row, and fills buffers that may be others than its own."""
        states, refresh = self.states, self.game.refresh

        def look_at(start: int, stop: int) -> None:
            refresh(states[start:stop], buffers.rows(start, stop))

        self._threads.run(look_at, self.num_games)

    # --- playing --------------------------------------------------------------------------------

    def is_legal(self, actions: Actions) -> npt.NDArray[np.bool_]:
        """Bool [num_games]: whether each row's action is legal now."""
        width = int(self.buffers.counts.max())
        found = self.buffers.legal_actions[:, :width] == actions[:, None]
        legal: npt.NDArray[np.bool_] = found.any(axis=1)
        return legal

    def play(self, actions: Actions) -> None:
        """Plays a legal action in every row, and finds what is legal then.

        Args:
            actions: int32 [num_games], C-contiguous.
        """
        draws = self._draw(range(self.num_games))
        self._step(self.states, actions, draws, self.buffers)

    def play_rows(self, rows: Rows, actions: Actions) -> None:
        """Plays a legal action in some rows, and finds what is legal there then.

        Args:
            rows: ascending, each once.
            actions: int32 [len(rows)], C-contiguous.
        """
        num_rows = len(rows)
        if num_rows == self.num_games:
            self.play(actions)
            return
        if self._has_dense:  # too much to carry about
            for index, row in enumerate(rows.tolist()):
                part, action = slice(row, row + 1), actions[index : index + 1]
                draws = self._draw([row])
                self._step(self.states[part], action, draws, self.buffers.rows(row, row + 1))
            return
        if self._gathered is None:
            gathered = self.game.new_buffers(self.num_games, mask=False, observations=False)
            self._gathered = np.empty_like(self.states), gathered
        states, buffers = self._gathered[0][:num_rows], self._gathered[1].rows(0, num_rows)
        np.take(self.states, rows, axis=0, out=states, mode="clip")
        self._step(states, actions, self._draw(rows.tolist()), buffers)
        self.states[rows] = states
        _put(buffers, self.buffers, rows)

    def _draw(self, rows: Iterable[int]) -> Draws | None:
        if self._draws is None:
            return None
        for index, row in enumerate(rows):
            self._draws[index] = self.generators[row].random()
        return self._draws

    def _step(
        self, states: States, actions: Actions, draws: Draws | None, buffers: StepBuffers
    ) -> None:
        step_into = self.game.step_into

        def step(start: int, stop: int) -> None:
            step_into(
                states[start:stop],
                actions[start:stop],
                None if draws is None else draws[start:stop],
                buffers.rows(start, stop),
            )

        self._threads.run(step, len(states))

    # --- how games stand ------------------------------------------------------------------------

    def players(self) -> Players:
        """int32 [num_games]: who is to move; in a finished game, who would be."""
        return self.game.current_player(self.states)

    def over(self) -> npt.NDArray[np.bool_]:
        """Bool [num_games]: whether each game is over."""
        done: npt.NDArray[np.bool_] = (self.buffers.counts == 0) | (self.offenders != NOBODY)
        return done

    def returns(self, rows: Rows) -> npt.NDArray[np.float32]:
        """float32 [len(rows), 2]: result per player; +1 win, -1 loss, 0 draw or unfinished."""
        results = self.game.returns(self.states[rows])
        for player in (0, 1):
            offended = self.offenders[rows] == player
            results[offended, player] = -1
            results[offended, 1 - player] = 1
        return results

    def reasons(self, rows: Rows) -> list[str]:
        """Why each game ended; empty while it goes on."""
        words = self.game.end_reason(self.states[rows])
        offended = self.offenders[rows] != NOBODY
        return [ILLEGAL_ACTION if by else word for word, by in zip(words, offended, strict=True)]

    def started(self) -> None:
        """Checks that there are games.

        Raises:
            CotulenhError: there are none yet.
        """
        if not self.generators:
            raise CotulenhError("there are no games yet: call reset() first")

    def close(self) -> None:
        """Ends the threads. The batch stays usable: they start again when needed."""
        self._threads.close()


def winners(returns: npt.NDArray[np.float32]) -> Players:
    """int32 [n]: 0 or 1 for the player with the better result, -1 for a draw.

    Args:
        returns: float32 [n, 2].
    """
    first, second = returns[:, 0], returns[:, 1]
    return np.where(first == second, NOBODY, second > first).astype(np.int32)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory, not to be written."""
    view = array.view()
    view.flags.writeable = False
    return view


def _put(source: StepBuffers, target: StepBuffers, rows: Rows) -> None:
    """Copies buffers without mask and observations into some rows of others, notes included."""
    target.events[rows] = source.events
    target.legal_actions[rows] = source.legal_actions
    target.counts[rows] = source.counts
    if source.notes is not None and target.notes is not None:
        target.notes[rows] = source.notes
