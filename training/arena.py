"""Matches between two agents: many games at once, every opening played with both colours.

The games are dealt into batches before the first is played, and each batch has random streams of
its own, so that the games depend neither on the number of threads nor on which of them plays what.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from cotulenh_env.game import Game, States
from cotulenh_env.played_game import PlayedGame
from training.match_result import GameResult, MatchResult
from training.openings import played_openings

Pair = tuple[Agent, Agent]


@dataclass(frozen=True)
class MatchSettings:
    """How a match is played.

    Attributes:
        num_games: number of games.
        opening_turns: uniformly random turns before each game.
        swap: play every opening with both colours; otherwise the first agent is always player 0.
        max_games_in_batch: games played side by side, in batches of about equal size; the games
            depend on it.
        keep_games: keep start, actions and events of every game.
    """

    num_games: int = 100
    opening_turns: int = 4
    swap: bool = True
    max_games_in_batch: int = 16
    keep_games: bool = False


@dataclass(frozen=True)
class Batch:
    """Games of a match that are played side by side.

    Attributes:
        seats: int64 [n]: the player that the first agent is in each.
        rng: the source of all their chance, by streams of its own; played again, others come of it.
    """

    seats: npt.NDArray[np.int64]
    rng: np.random.Generator


class _StoppedError(Exception):
    """Nobody wants to know any more how the games end."""


def match_batches(settings: MatchSettings, rng: np.random.Generator) -> list[Batch]:
    """Deals the games of a match into batches of whole pairs, the last one perhaps smaller."""
    num_games = settings.num_games
    num_batches = -(-num_games // max(settings.max_games_in_batch, 1))
    size = -(-num_games // max(num_batches, 1))
    size += size % 2
    seats = np.arange(num_games) % 2 if settings.swap else np.zeros(num_games, np.int64)
    starts = range(0, num_games, max(size, 1))
    streams = rng.spawn(len(starts))
    return [
        Batch(seats[start : start + size], stream)
        for start, stream in zip(starts, streams, strict=True)
    ]


def play_match(
    game: Game,
    agents: Pair,
    settings: MatchSettings,
    rng: np.random.Generator,
    rules: Any = None,
    on_finished: Callable[[int], None] | None = None,
    *,
    copies: Sequence[Pair] = (),
    is_decided: Callable[[MatchResult], bool] | None = None,
) -> MatchResult:
    """Plays a match.

    Args:
        game: the game of both agents.
        agents: the first is the one whose results are told.
        settings: how to play.
        rng: the source of openings, chance and both agents' randomness, by streams of their own.
        rules: the RuleSet, or None for the default.
        on_finished: called with the number of games finished so far.
        copies: further pairs of the same agents, one for every further thread.
        is_decided: asked after every batch, in their order, whether its games and those before it
            are enough.
    """
    games: list[GameResult] = []
    batches = match_batches(settings, rng)
    with closing(
        played_batches(game, [agents, *copies], batches, settings, rules, on_finished)
    ) as played:
        for results in played:
            games += results
            if is_decided is not None and is_decided(MatchResult(tuple(games))):
                break
    return MatchResult(tuple(games))


def played_batches(
    game: Game,
    pairs: Sequence[Pair],
    batches: Sequence[Batch],
    settings: MatchSettings,
    rules: Any = None,
    on_finished: Callable[[int], None] | None = None,
) -> Generator[list[GameResult], None, None]:
    """Plays batches in as many threads as there are pairs of agents; yields them in their order.

    Args:
        game: the game.
        pairs: the two agents once for every thread.
        batches: from `match_batches`.
        settings: how to play.
        rules: the RuleSet, or None for the default.
        on_finished: called with the number of games finished so far.
    """
    count = _Count(on_finished)
    stopped = threading.Event()

    def play(pair: Pair, batch: Batch) -> list[GameResult]:
        return play_batch(game, pair, batch, settings, rules, count.add, stopped.is_set)

    if len(pairs) == 1:
        for batch in batches:
            yield play(pairs[0], batch)
        return
    free: SimpleQueue[Pair] = SimpleQueue()
    for pair in pairs:
        free.put(pair)

    def play_with_a_free_pair(batch: Batch) -> list[GameResult]:
        pair = free.get()
        try:
            return play(pair, batch)
        finally:
            free.put(pair)

    waiting: deque[Future[list[GameResult]]] = deque()
    pool = ThreadPoolExecutor(len(pairs), "cotulenh-match", _one_thread_of_torch)
    try:
        for batch in batches:
            waiting.append(pool.submit(play_with_a_free_pair, batch))
            if len(waiting) > 2 * len(pairs):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)


def play_batch(
    game: Game,
    agents: Pair,
    batch: Batch,
    settings: MatchSettings,
    rules: Any = None,
    on_finished: Callable[[int], None] | None = None,
    is_stopped: Callable[[], bool] | None = None,
) -> list[GameResult]:
    """Plays the games of one batch side by side.

    Args:
        game: the game of both agents.
        agents: the first is the one whose results are told.
        batch: from `match_batches`.
        settings: how to play.
        rules: the RuleSet, or None for the default.
        on_finished: called with the number of games that have finished since the last call.
        is_stopped: asked before every action whether to give up.
    """
    opening_rng, chance_rng, *agent_rngs = batch.rng.spawn(4)
    num_games, seats = len(batch.seats), batch.seats
    of_opening = np.arange(num_games) // 2 if settings.swap else np.arange(num_games)
    num_openings = int(of_opening.max(initial=-1)) + 1
    turns = np.full(num_openings, settings.opening_turns)
    openings = played_openings(game, turns, opening_rng, rules)
    states = openings.states[of_opening].copy()
    actions_played = [list(openings.actions[index]) for index in of_opening]
    events_seen = [list(openings.events[index]) for index in of_opening]
    for agent in agents:
        agent.forget()
    num_open = num_games
    while True:
        if is_stopped is not None and is_stopped():
            raise _StoppedError
        is_open = ~game.is_terminal(states)
        if on_finished is not None and is_open.sum() < num_open:
            on_finished(num_open - int(is_open.sum()))
        num_open = int(is_open.sum())
        if num_open == 0:
            break
        is_first = game.current_player(states) == seats
        for agent, agent_rng, is_mine in zip(
            agents, agent_rngs, (is_first, ~is_first), strict=True
        ):
            rows = np.flatnonzero(is_open & is_mine)
            if len(rows):
                actions = agent.act(states[rows], agent_rng)
                draws = chance_rng.random(len(rows))
                states[rows], events = game.apply(states[rows], actions, draws)
                if settings.keep_games:
                    for row, action, event in zip(rows, actions, events, strict=True):
                        actions_played[row].append(int(action))
                        events_seen[row].append(int(event))
    played: list[PlayedGame | None] = [None] * num_games
    if settings.keep_games:
        played = [
            PlayedGame(openings.starts[index], actions, events)
            for index, actions, events in zip(of_opening, actions_played, events_seen, strict=True)
        ]
    return _results(game, states, seats, played)


class _Count:
    """Games finished in all threads, told one change at a time."""

    def __init__(self, on_finished: Callable[[int], None] | None) -> None:
        self._on_finished = on_finished
        self._num_finished = 0
        self._lock = threading.Lock()

    def add(self, number: int) -> None:
        with self._lock:
            self._num_finished += number
            if self._on_finished is not None:
                self._on_finished(self._num_finished)


def _one_thread_of_torch() -> None:
    """Threads side by side do better than torch's own, which would wait for each other."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def _results(
    game: Game,
    finals: States,
    seats: npt.NDArray[np.int64],
    played: Sequence[PlayedGame | None],
) -> list[GameResult]:
    returns, reasons, turns = game.returns(finals), game.end_reason(finals), game.num_turns(finals)
    scores = game.score(finals)
    return [
        GameResult(
            int(seat),
            round(float(returns[row, seat])),
            reasons[row],
            int(turns[row]),
            (float(scores[row, seat]), float(scores[row, 1 - seat])),
            played[row],
        )
        for row, seat in enumerate(seats)
    ]
