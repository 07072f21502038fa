"""Self-play: many games side by side against oneself, each restarted when it is finished.

A game's positions wait until its result is known, then all go to the replay buffer. Games that are
unfinished at the end of an iteration go on in the next one. One player may act several times in a
row (a deployment), so results are assigned by the player to move, and temperature, resignation and
the choice of full or fast search go by turns.

Fast searches have no noise: their turns are not learned from, so there is nothing to explore for,
and they had better be played well (Wu, "Accelerating self-play learning in Go", 2019, section 3.1).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from agents.evaluator import Logits, Values
from agents.search import BatchedSearch, SearchResult
from agents.temperature import drawn_columns
from cotulenh_env.game import Actions, Counts, Game, Players, States
from training.games_file import max_games_bytes, read_games
from training.openings import random_openings
from training.replay import Positions
from training.resignation import NOBODY, Resignation
from training.rule_choices import draw_rules
from training.score_shaping import ScoreShapedEvaluator, score_weight
from training.self_play_settings import SelfPlaySettings
from training.self_play_stats import RESIGNATION, FinishedGame, SelfPlayStats
from training.teaching import lesson
from training.value_targets import value_targets


class TimedEvaluator:
    """An evaluator that adds up the time spent in it and the positions it is asked about.

    Args:
        evaluator: does the work.

    Attributes:
        seconds: so far.
        num_batches: so far.
        num_positions: in all batches.
        shaped: the evaluator inside.
    """

    def __init__(self, evaluator: ScoreShapedEvaluator) -> None:
        self.seconds = 0.0
        self.num_batches = 0
        self.num_positions = 0
        self.shaped = evaluator

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """See `Evaluator`."""
        start = time.perf_counter()
        result = self.shaped.evaluate(states, players, legal_actions, counts)
        self.seconds += time.perf_counter() - start
        self.num_batches += 1
        self.num_positions += len(states)
        return result


@dataclass(frozen=True)
class _Searched:
    """A position that waits for its result.

    The value is the search's or the teacher's, for the player to move; NaN if it has none.
    """

    state: npt.NDArray[np.uint8]
    player: int
    turn: int
    value: float
    actions: Actions
    policy: npt.NDArray[np.float32]


class SelfPlay:
    """A batch of games in progress.

    Args:
        game: the game.
        rules: the RuleSets of which every new game draws one.
        search: chooses actions; simulations of full searches as in its settings.
        evaluator: the one inside `search`, for its clock and its use of the score.
        settings: how to play.
        num_games: games in this batch, of all that the settings ask for.
        rng: the one stream of this batch.
        teacher: who plays instead of the search in the first iterations, if the settings say so.
    """

    def __init__(
        self,
        game: Game,
        rules: Sequence[Any],
        search: BatchedSearch,
        evaluator: TimedEvaluator,
        settings: SelfPlaySettings,
        num_games: int,
        rng: np.random.Generator,
        teacher: Agent | None = None,
    ) -> None:
        self._game = game
        self._rules = rules
        self._search = search
        self._evaluator = evaluator
        self._settings = settings
        self.rng = rng
        self._teacher = teacher
        self._states = np.zeros((num_games, game.spec.state_size), np.uint8)
        self._waiting: list[list[_Searched]] = [[] for _ in range(num_games)]
        self._num_actions = np.zeros(num_games, np.int32)
        # The turn for which full or fast search was drawn, and what was drawn.
        self._drawn_turns = np.full(num_games, -1, np.int32)
        self._is_full = np.ones(num_games, np.bool_)
        self._resignation = Resignation(settings, num_games)
        self._stats = SelfPlayStats()
        self._iteration = 0
        self._restart(np.arange(num_games))

    def step(self, iteration: int = 0) -> tuple[int, Positions | None]:
        """Plays one action in every game.

        Args:
            iteration: of the run, for the weight of the score. In a new one the network is another
                and checkpoints lie before it, so search trees are dropped.

        Returns:
            The number of games that this finished, and their positions, None if there are none.
        """
        evaluator = self._evaluator
        start, network_start = time.perf_counter(), evaluator.seconds
        batches_before, positions_before = evaluator.num_batches, evaluator.num_positions
        settings, game, states = self._settings, self._game, self._states
        if iteration != self._iteration:
            self._search.forget()
            self._iteration = iteration
        evaluator.shaped.weight = score_weight(
            settings.score_weight, settings.score_iterations, iteration
        )
        turns = game.num_turns(states)
        is_new_turn = self._draw_search_depth(turns)
        is_lesson = self._teacher is not None and iteration < settings.teacher_iterations
        result, actions, num_simulations = (
            self._take_lesson(states) if is_lesson else self._search_actions(states, turns)
        )
        players = game.current_player(states)
        self._remember(states, players, turns, result)
        values = np.nan_to_num(result.values)
        # A teacher's games are played to their ends.
        resigners = self._resignation.resigners(players, values, is_new_turn & (not is_lesson))
        is_resigned = resigners != NOBODY
        after, _ = game.apply(states, actions, self.rng.random(len(states)))
        self._states = np.where(is_resigned[:, None], states, after)
        self._num_actions += ~is_resigned
        stats = self._stats
        stats.num_positions += len(states)
        stats.num_simulations += num_simulations
        stats.num_legal_actions += int(result.counts.sum())
        stats.num_evaluated += evaluator.num_positions - positions_before
        stats.num_places += (evaluator.num_batches - batches_before) * len(states)
        stats.abs_values += float(np.abs(values).sum())
        finished = np.flatnonzero(game.is_terminal(self._states) | is_resigned)
        positions = self._finish(finished, resigners[finished]) if len(finished) else None
        stats.seconds += time.perf_counter() - start
        stats.network_seconds += evaluator.seconds - network_start
        return len(finished), positions

    def _search_actions(
        self, states: States, turns: npt.NDArray[np.int32]
    ) -> tuple[SearchResult, Actions, int]:
        """Searches in full or fast; also the actions to play, and the number of simulations."""
        settings = self._settings
        full = self._search.settings.num_simulations
        simulations = np.where(self._is_full, full, settings.fast_simulations).astype(np.int32)
        result = self._search.search(
            states, self.rng, simulations, noise_scale=self._is_full.astype(np.float64)
        )
        is_early = turns < settings.temperature_turns
        temperatures = np.where(is_early, settings.temperature, settings.final_temperature)
        return result, choose_actions(result, temperatures, self.rng), int(simulations.sum())

    def _take_lesson(self, states: States) -> tuple[SearchResult, Actions, int]:
        """The teacher's answers, all of them to be learned; also the actions to play."""
        assert self._teacher is not None
        self._is_full[:] = True
        fraction = self._settings.teacher_random_fraction
        return *lesson(self._game, self._teacher, states, fraction, self.rng), 0

    def take_stats(self) -> SelfPlayStats:
        """The sums so far, which start again from nothing."""
        stats, self._stats = self._stats, SelfPlayStats()
        resignation = self._resignation
        if resignation.is_on:
            threshold = resignation.threshold
            stats.resign_thresholds = [-1.0 if threshold is None else threshold]
            stats.num_judged, stats.num_false_positives = resignation.verdict
        return stats

    @property
    def states(self) -> States:
        """The positions in progress, uint8 [num_games, state_size]; none is finished."""
        return self._states

    def sample_state(self) -> npt.NDArray[np.uint8]:
        """The position of the first game, uint8 [state_size]; never a finished one."""
        state: npt.NDArray[np.uint8] = self._states[0].copy()
        return state

    def save(self, path: Path) -> None:
        """Writes all games in progress as an .npz file.

        Raises:
            OSError: the file cannot be written.
        """
        waiting = [position for positions in self._waiting for position in positions]
        state_size = self._game.spec.state_size
        empty = np.zeros(0, np.int32)
        resignation = self._resignation.arrays()
        np.savez(
            path,
            states=self._states,
            num_actions=self._num_actions,
            drawn_turns=self._drawn_turns,
            is_full=self._is_full,
            num_waiting=np.array([len(positions) for positions in self._waiting], np.int32),
            waiting_states=np.array([one.state for one in waiting], np.uint8).reshape(
                -1, state_size
            ),
            waiting_players=np.array([one.player for one in waiting], np.int32),
            waiting_turns=np.array([one.turn for one in waiting], np.int32),
            waiting_values=np.array([one.value for one in waiting], np.float64),
            waiting_counts=np.array([len(one.actions) for one in waiting], np.int32),
            waiting_actions=np.concatenate([empty, *(one.actions for one in waiting)]),
            waiting_policy=np.concatenate(
                [empty.astype(np.float32), *(one.policy for one in waiting)]
            ),
            plays_on=resignation["plays_on"],
            turn_values=resignation["turn_values"],
            first_resigners=resignation["first_resigners"],
            resign_records=resignation["resign_records"],
        )

    @property
    def max_file_bytes(self) -> int:
        """Bytes that a file of these games may have."""
        return max_games_bytes(len(self._states))

    def load(self, path: Path) -> None:
        """Replaces all games by those of a file that `save` wrote.

        Raises:
            CheckpointError: the file is damaged, or of another game or number of games.
        """
        arrays = read_games(
            path,
            self._game,
            len(self._states),
            self._settings.resign_turns,
            self._teacher is not None,
        )
        counts, states = arrays["waiting_counts"], arrays["waiting_states"]
        self._states = arrays["states"]
        self._num_actions = arrays["num_actions"].copy()
        self._drawn_turns = arrays["drawn_turns"].copy()
        self._is_full = arrays["is_full"].copy()
        self._resignation.load(arrays)
        splits = np.cumsum(counts)[:-1]
        actions = np.split(arrays["waiting_actions"], splits)
        policies = np.split(arrays["waiting_policy"], splits)
        columns = [arrays[f"waiting_{name}"].tolist() for name in ("players", "turns", "values")]
        # Without positions np.split still gives one empty part, which `strict` would refuse.
        rows = iter(
            [_Searched(*row) for row in zip(states, *columns, actions, policies, strict=False)]
        )
        self._waiting = [[next(rows) for _ in range(num)] for num in arrays["num_waiting"].tolist()]

    def _draw_search_depth(self, turns: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Draws once per turn whether it is searched in full, so that a deployment is evenly.

        Returns:
            bool [n]: where a turn begins.
        """
        is_new: npt.NDArray[np.bool_] = turns != self._drawn_turns
        drawn = self.rng.random(len(turns)) < self._settings.full_search_fraction
        self._is_full[is_new] = drawn[is_new]
        self._drawn_turns[is_new] = turns[is_new]
        return is_new

    def _remember(
        self,
        states: States,
        players: Players,
        turns: npt.NDArray[np.int32],
        result: SearchResult,
    ) -> None:
        for row in np.flatnonzero(self._is_full):
            count = result.counts[row]
            self._waiting[row].append(
                _Searched(
                    states[row].copy(),
                    int(players[row]),
                    int(turns[row]),
                    float(result.values[row]),
                    result.legal_actions[row, :count].copy(),
                    result.policy[row, :count].copy(),
                )
            )

    def _finish(
        self, rows: npt.NDArray[np.int64], resigners: npt.NDArray[np.int32]
    ) -> Positions | None:
        """Takes down the results of finished games, and starts new ones in their place.

        Args:
            rows: int [k]: games that have ended.
            resigners: int32 [k]: the player who resigned, or `NOBODY`.
        """
        game, states = self._game, self._states[rows]
        is_resigned = resigners != NOBODY
        returns = np.where(
            is_resigned, np.where(resigners == 0, -1, 1), game.returns(states)[:, 0]
        ).astype(np.float32)
        turns, reasons = game.num_turns(states), game.end_reason(states)
        self._resignation.finish(rows[~is_resigned], returns[~is_resigned])
        done: list[_Searched] = []
        outcomes: list[npt.NDArray[np.float32]] = []
        for i, row in enumerate(rows):
            done += self._waiting[row]
            outcomes.append(self._targets(self._waiting[row], float(returns[i]), int(turns[i])))
            reason = RESIGNATION if is_resigned[i] else reasons[i]
            self._stats.finished.append(
                FinishedGame(int(turns[i]), int(self._num_actions[row]), reason, float(returns[i]))
            )
        self._restart(rows)
        if not done:
            return None
        return Positions(
            states=np.stack([one.state for one in done]),
            counts=np.array([len(one.actions) for one in done], np.int32),
            actions=np.concatenate([one.actions for one in done]),
            policy=np.concatenate([one.policy for one in done]),
            outcomes=np.concatenate(outcomes),
        )

    def _targets(
        self, played: list[_Searched], result: float, final_turn: int
    ) -> npt.NDArray[np.float32]:
        return value_targets(
            result,
            np.array([one.player for one in played], np.int32),
            np.array([one.turn for one in played], np.int32),
            np.array([one.value for one in played], np.float32),
            final_turn,
            self._settings.value_decay,
        )

    def _restart(self, rows: npt.NDArray[np.int64]) -> None:
        turns = self.rng.integers(0, self._settings.opening_turns + 1, len(rows))
        rules = draw_rules(self._rules, len(rows), self.rng)
        self._states[rows] = random_openings(self._game, turns, self.rng, rules)
        self._num_actions[rows] = 0
        self._drawn_turns[rows] = -1
        self._resignation.begin(rows, self.rng)
        for row in rows:
            self._waiting[row] = []


def choose_actions(
    result: SearchResult, temperatures: npt.NDArray[np.float64], rng: np.random.Generator
) -> Actions:
    """Draws actions from the improved policies, which with PUCT are shares of visits.

    Args:
        result: of a search.
        temperatures: float64 [n]: 1 draws from the policy itself, 0 takes its best visited action,
            of equals the one of highest Q-value.
        rng: the stream that draws, once per row.

    Returns:
        int32 [n].
    """
    n, width = result.policy.shape
    is_legal = np.arange(width) < result.counts[:, None]
    policy = np.where(is_legal, result.policy.astype(np.float64), 0)
    # An unvisited action can be likeliest by its prior alone: the best must have been looked at.
    visited = np.where(result.visit_counts > 0, policy, 0)
    candidates = np.where(visited.any(axis=1, keepdims=True), visited, policy)
    is_best = candidates == candidates.max(axis=1, keepdims=True)
    best = np.where(is_best, result.qvalues, -np.inf).argmax(axis=1)
    is_warm = temperatures > 0
    drawn = drawn_columns(policy, result.counts, np.where(is_warm, temperatures, 1), rng)
    columns = np.where(is_warm, drawn, best)
    actions: Actions = result.legal_actions[np.arange(n), columns]
    return actions
