"""Matches between two agents: many games at once, every opening played with both colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from cotulenh_env.game import Game, States
from training.openings import random_openings
from training.rating import score_interval


@dataclass(frozen=True)
class GameResult:
    """One game of a match.

    Attributes:
        seat: the player that the first agent was, 0 or 1.
        outcome: 1, 0 or -1 for the first agent.
        reason: why the game ended, in the rules' word.
        num_turns: its length in turns of both sides, the opening included.
    """

    seat: int
    outcome: int
    reason: str
    num_turns: int


@dataclass(frozen=True)
class MatchResult:
    """All games of a match, in the order of their openings, from the first agent's view."""

    games: tuple[GameResult, ...]

    def count(self, outcome: int, seat: int | None = None) -> int:
        """Games of that outcome, 1, 0 or -1, in one seat or in both."""
        return sum(game.outcome == outcome and seat in (None, game.seat) for game in self.games)

    @property
    def points(self) -> float:
        """Wins plus half the draws."""
        return self.count(1) + self.count(0) / 2

    @property
    def score(self) -> float:
        """Points per game, in [0, 1]."""
        return self.points / max(len(self.games), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The score's 95 % interval."""
        return score_interval(self.points, len(self.games))

    def reasons(self) -> Counter[tuple[int, str]]:
        """Number of games by (outcome, reason)."""
        return Counter((game.outcome, game.reason) for game in self.games)


@dataclass(frozen=True)
class MatchSettings:
    """How a match is played.

    Attributes:
        num_games: number of games.
        opening_turns: uniformly random turns before each game.
        swap: play every opening with both colours; otherwise the first agent is always player 0.
        max_games_in_batch: games played side by side.
    """

    num_games: int = 100
    opening_turns: int = 4
    swap: bool = True
    max_games_in_batch: int = 128


def play_match(
    game: Game,
    agents: tuple[Agent, Agent],
    settings: MatchSettings,
    rng: np.random.Generator,
    rules: Any = None,
    on_finished: Callable[[int], None] | None = None,
) -> MatchResult:
    """Plays a match.

    Args:
        game: the game of both agents.
        agents: the first is the one whose results are told.
        settings: how to play.
        rng: the source of openings, chance and both agents' randomness, by streams of their own.
        rules: the RuleSet, or None for the default.
        on_finished: called with the number of games finished so far.
    """
    num_games = settings.num_games
    opening_rng, chance_rng, *agent_rngs = rng.spawn(4)
    seats = np.arange(num_games) % 2 if settings.swap else np.zeros(num_games, np.int64)
    num_openings = (num_games + 1) // 2 if settings.swap else num_games
    turns = np.full(num_openings, settings.opening_turns)
    openings = random_openings(game, turns, opening_rng, rules)
    starts = openings[np.arange(num_games) // 2] if settings.swap else openings
    results: list[GameResult] = []
    for first in range(0, num_games, settings.max_games_in_batch):
        rows = slice(first, first + settings.max_games_in_batch)
        finals = _play_out(
            game,
            agents,
            starts[rows].copy(),
            seats[rows],
            (agent_rngs[0], agent_rngs[1]),
            chance_rng,
            _counting_from(first, on_finished),
        )
        results += _results(game, finals, seats[rows])
    return MatchResult(tuple(results))


def _play_out(
    game: Game,
    agents: tuple[Agent, Agent],
    states: States,
    seats: npt.NDArray[np.int64],
    agent_rngs: tuple[np.random.Generator, np.random.Generator],
    chance_rng: np.random.Generator,
    on_finished: Callable[[int], None] | None,
) -> States:
    """Plays all games to their ends, and returns the final states."""
    num_open = len(states)
    while True:
        is_open = ~game.is_terminal(states)
        if on_finished is not None and is_open.sum() < num_open:
            on_finished(len(states) - int(is_open.sum()))
        num_open = int(is_open.sum())
        if num_open == 0:
            return states
        is_first = game.current_player(states) == seats
        for agent, agent_rng, is_mine in zip(
            agents, agent_rngs, (is_first, ~is_first), strict=True
        ):
            rows = np.flatnonzero(is_open & is_mine)
            if len(rows):
                actions = agent.act(states[rows], agent_rng)
                states[rows], _ = game.apply(states[rows], actions, chance_rng.random(len(rows)))


def _counting_from(
    first: int, on_finished: Callable[[int], None] | None
) -> Callable[[int], None] | None:
    """The callback for a batch before which `first` games have been finished."""
    if on_finished is None:
        return None
    return lambda num_done: on_finished(first + num_done)


def _results(game: Game, finals: States, seats: npt.NDArray[np.int64]) -> list[GameResult]:
    returns, reasons, turns = game.returns(finals), game.end_reason(finals), game.num_turns(finals)
    return [
        GameResult(int(seat), round(float(returns[row, seat])), reasons[row], int(turns[row]))
        for row, seat in enumerate(seats)
    ]
