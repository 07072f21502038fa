"""The batched environment: many games of any `Game` at once, arrays in and arrays out.

    from cotulenh_env import load_game
    from cotulenh_env.vector import BatchedEnv

    env = BatchedEnv(load_game("commander"), 256, edition="bga")
    step = env.reset(seed=7)
    while True:
        step = env.step(choose(step.observations, step.legal_actions, step.counts))
        learn_from(step.finished.rows, step.rewards)

Whoever is to move in a game acts in it: `step.players` says who, and one player may act several
times in a row. A game that ends is followed by the next one in the same step.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.batch import Batch, Rows, read_only, winners
from cotulenh_env.checks import (
    check_actions,
    check_count,
    check_flag,
    check_illegal,
    check_players,
    check_saved_batch,
    illegal_action_error,
    resolve_row_rules,
    seeded_generator,
)
from cotulenh_env.errors import CotulenhError, IllegalActionError, PositionError, shown
from cotulenh_env.game import (
    Actions,
    Counts,
    Events,
    Game,
    Mask,
    Planes,
    Players,
    States,
)
from cotulenh_env.play import NOBODY

__all__ = ["BatchedEnv", "BatchedStep", "FinishedGames"]


@dataclass(frozen=True)
class FinishedGames:
    """The games that ended in one step: arrays of their own, which no later step changes.

    Attributes:
        rows: int [k], ascending: where they were played.
        winners: int32 [k]: 0, 1, or -1 for a draw.
        reasons: why each ended: the rules' own word, or `"illegal action"`.
        states: uint8 [k, state_size]: the last position of each.
    """

    rows: Rows
    winners: Players
    reasons: list[str]
    states: States


class BatchedStep(NamedTuple):
    """What `reset` and `step` return, by row.

    All but `finished` are the environment's own arrays, which the next call overwrites: copy what
    you keep. What the game filled cannot be written (`flags.writeable` is False), since it changes
    only what differs from the last step: copy what you change, too.

    Attributes:
        observations: float32 [n, planes, height, width] in [0, 1], from the side of the player to
            move; None if left out.
        action_masks: int8 [n, num_actions], 1 = legal; None if left out.
        legal_actions: int32 [n, max_legal_actions], ascending, padded with -1.
        counts: int32 [n], at least 1: legal actions per row.
        players: int32 [n]: who is to move.
        rewards: float32 [n, 2], by player: ±1 where a game was won in this step, else 0.
        terminations: bool [n]: whether a game ended in this step; all else in the row then belongs
            to the game that has begun, but `rewards` and `events`.
        events: int32 [n]: the chance outcome or announcement of the last action, 0 in games
            without; of no meaning after `reset` and where an illegal action lost.
        finished: the games that ended in this step.
    """

    observations: Planes | None
    action_masks: Mask | None
    legal_actions: Actions
    counts: Counts
    players: Players
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    events: Events
    finished: FinishedGames


class BatchedEnv:
    """Many games at once.

    Each game has its own stream of chance: its course depends neither on the other games nor on
    the number of threads. Copies and pickles are exact.

    Attributes:
        game: whose rules are played.
        num_games: rows.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        *,
        rules: Any | Sequence[Any] | None = None,
        illegal: str = "raise",
        observations: bool = True,
        action_masks: bool = True,
        num_threads: int = 1,
        **rule_options: Any,
    ) -> None:
        """Makes all arrays; games begin with `reset`.

        Args:
            game: from `cotulenh_env.load_game`.
            num_games: at least 1.
            rules: the game's RuleSet, or a list with one per row; None for the default, or for the
                one that `rule_options` make. A row keeps its rules from game to game.
            illegal: what an illegal action does: `"raise"` an error before anything is played in
                any row, or `"lose"` the row's game for the player who tried it.
            observations: False leaves the observations out, for speed.
            action_masks: False leaves the dense masks out, for speed.
            num_threads: threads that share the rows; worth it only where kernels do the work.
            rule_options: the game's rule options; only without `rules`.

        Raises:
            RulesError: rules are given twice, are too many or too few, or make no sense.
            CotulenhError: `num_games`, `num_threads` or `illegal` makes no sense.
        """
        self.game = game
        self.num_games = check_count("num_games", num_games)
        self._illegal = check_illegal(illegal)
        self._batch = Batch(
            game,
            resolve_row_rules(game, rules, rule_options, self.num_games),
            masks=check_flag("action_masks", action_masks),
            observations=check_flag("observations", observations),
            num_threads=check_count("num_threads", num_threads),
        )
        self._rewards = np.zeros((self.num_games, game.spec.num_players), np.float32)
        self._terminations = np.zeros(self.num_games, np.bool_)
        self._players = np.zeros(self.num_games, np.int32)

    @property
    def rules(self) -> list[Any]:
        """By row the RuleSet under which its games begin."""
        return list(self._batch.rules)

    @property
    def states(self) -> States:
        """uint8 [n, state_size]: the positions, as `Agent.act` takes them; a new array."""
        self._batch.started()
        return self._batch.states.copy()

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        *,
        rows: Sequence[int] | npt.NDArray[np.integer[Any]] | None = None,
        fen: str | Sequence[str | None] | None = None,
    ) -> BatchedStep:
        """Begins new games.

        Args:
            seed: an integer gives every row an independent stream of it, the same in a batch of any
                size; a list seeds each row as `reset(seed=…)` seeds a single game. None, also in a
                list, lets a row's stream go on from where it stands.
            rows: in which rows; None for all. The first time it must be all.
            fen: a position to begin at, or one per row; None is the usual start. Games that follow
                begin at the usual start.

        Returns:
            The new games, without rewards or ends.

        Raises:
            PositionError: a position is malformed, or the game is over in it.
            CotulenhError: a seed or a row makes no sense. Nothing has changed.
        """
        batch = self._batch
        chosen = self._checked_rows(rows)
        generators = self._generators(seed, chosen)
        texts: list[Any] = list(fen) if isinstance(fen, (list, tuple)) else [fen] * len(chosen)
        if len(texts) != len(chosen):
            raise PositionError(
                f"fen is one text or one per row, got {len(texts)} for {len(chosen)} rows"
            )
        positions = [
            None if text is None else batch.position(row, text)
            for row, text in zip(chosen.tolist(), texts, strict=True)
        ]
        batch.generators = generators
        batch.new_games(chosen.tolist(), positions)
        batch.look(None if rows is None else chosen)
        self._check_beginnings(chosen)
        return self._nothing_ended()

    def step(self, actions: Any) -> BatchedStep:
        """Plays one action in every row.

        Args:
            actions: int32 [n], or any array or list of integers: one for each row's player to move.

        Returns:
            What follows; in rows whose game ended, what follows in the next game.

        Raises:
            IllegalActionError: an action is none at all (wrong type, out of range), or it is
                illegal and `illegal="raise"`. Nothing has been played in any row.
        """
        batch = self._batch
        batch.started()
        chosen = check_actions(actions, self.num_games, self.game.spec.num_actions)
        legal = batch.is_legal(chosen)
        if legal.all():
            batch.play(chosen)
        elif self._illegal == "raise":
            raise self._illegal_action_error(chosen, int(legal.argmin()))
        else:
            batch.offenders[~legal] = batch.players()[~legal]
            rows = np.flatnonzero(legal)
            batch.play_rows(rows, chosen[rows])
        over = batch.over()
        if not over.any():
            return self._nothing_ended()
        rows = np.flatnonzero(over)
        returns = batch.returns(rows)
        finished = FinishedGames(rows, winners(returns), batch.reasons(rows), batch.states[rows])
        batch.new_games(rows.tolist(), [None] * len(rows))
        batch.look(rows)
        self._check_beginnings(rows)
        self._rewards.fill(0)
        self._rewards[rows] = returns
        self._terminations[:] = over
        return self._step(finished)

    def final_observations(
        self, finished: FinishedGames, players: npt.ArrayLike | None = None
    ) -> Planes:
        """What players see of finished games.

        Args:
            finished: from a step of this environment.
            players: one player (0 or 1), or one per finished game; None for who would be to move.

        Returns:
            float32 [k, planes, height, width]: a new array.

        Raises:
            CotulenhError: a player is neither 0 nor 1, or there is not one per finished game; or
                the finished games are none of this game's.
        """
        given: Any = finished
        state_size = self.game.spec.state_size
        if not isinstance(given, FinishedGames) or given.states.shape[1] != state_size:
            raise CotulenhError(
                f"finished games are those of a step of this environment, got {shown(finished)}"
            )
        num_finished = len(finished.rows)
        if num_finished == 0:
            return np.zeros((0, *self.game.spec.observation_shape), np.float32)
        seen_by = self.game.current_player(finished.states) if players is None else players
        return self.game.observe(finished.states, check_players(seen_by, num_finished))

    # --- saving ---------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Everything that `set_state` needs to go on exactly from here, as plain data.

        Returns:
            `game` (name), `states` (uint8 [n, state_size]: positions, histories and rules), and
            `generators` (by row NumPy's own dictionary of the bit generator).
        """
        return {
            "game": self.game.spec.name,
            "states": self.states,
            "generators": [dict(row.bit_generator.state) for row in self._batch.generators],
        }

    def set_state(self, saved: Mapping[str, Any]) -> BatchedStep:
        """Goes on exactly from where `get_state` was called, here or in another environment.

        Games keep the rules they were saved under; those that follow have this environment's own.

        Returns:
            The games as they stand, without rewards or ends.

        Raises:
            StateError: it holds no such games; the environment is left as it was.
        """
        states, generators = check_saved_batch(self.game, self.num_games, saved)
        batch = self._batch
        batch.states[:] = states
        batch.generators = generators
        batch.offenders.fill(NOBODY)
        batch.look()
        return self._nothing_ended()

    def clone(self) -> BatchedEnv:
        """An independent environment in exactly this state, generators included."""
        return copy.deepcopy(self, {id(self.game): self.game})

    def close(self) -> None:
        """Ends the threads. The environment stays usable: they start again when needed."""
        self._batch.close()

    # --- inside ---------------------------------------------------------------------------------

    def _nothing_ended(self) -> BatchedStep:
        self._rewards.fill(0)
        self._terminations.fill(False)
        none = np.zeros(0, np.int64)
        states: States = np.zeros((0, self.game.spec.state_size), np.uint8)
        return self._step(FinishedGames(none, none.astype(np.int32), [], states))

    def _step(self, finished: FinishedGames) -> BatchedStep:
        buffers = self._batch.buffers
        self._players[:] = self._batch.players()
        return BatchedStep(
            None if buffers.observations is None else read_only(buffers.observations),
            None if buffers.mask is None else read_only(buffers.mask),
            read_only(buffers.legal_actions),
            read_only(buffers.counts),
            self._players,
            self._rewards,
            self._terminations,
            read_only(buffers.events),
            finished,
        )

    def _checked_rows(self, rows: Any) -> Rows:
        if rows is None:
            return np.arange(self.num_games)
        try:
            array = np.asarray(rows)
        except ValueError:  # lists of unequal lengths
            array = np.zeros((0, 0))
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise CotulenhError(f"rows are a list of integers, got {shown(rows)}")
        outside = array.size and (array.min() < 0 or array.max() >= self.num_games)
        if outside or len(np.unique(array)) != array.size:
            raise CotulenhError(
                f"rows are 0 to {self.num_games - 1}, each at most once, got {shown(rows)}"
            )
        self._batch.started()
        return array.astype(np.intp)

    def _generators(self, seed: Any, rows: Rows) -> list[np.random.Generator]:
        """The generators of all rows, with those of `rows` seeded anew."""
        generators = list(self._batch.generators)
        if not generators:
            entropy = np.random.SeedSequence()
            generators = [*map(np.random.default_rng, entropy.spawn(self.num_games))]
        if seed is None:
            return generators
        if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != len(rows):
                raise CotulenhError(f"there are {len(rows)} rows to seed, got {len(seed)} seeds")
            for row, row_seed in zip(rows.tolist(), seed, strict=True):
                if row_seed is not None:
                    generators[row] = seeded_generator(row_seed)
        else:
            for row in rows.tolist():
                generators[row] = seeded_generator(seed, row)
        return generators

    def _check_beginnings(self, rows: Rows) -> None:
        if not self._batch.buffers.counts[rows].all():
            row = int(rows[self._batch.buffers.counts[rows].argmin()])
            text = self.game.to_text(self._batch.states[row])
            raise CotulenhError(f"game {row} is over before it begins, in {text!r}")

    def _illegal_action_error(self, actions: Actions, row: int) -> IllegalActionError:
        error = illegal_action_error(self.game, self._batch.states[row], int(actions[row]))
        return IllegalActionError(f"game {row}: {error}")
