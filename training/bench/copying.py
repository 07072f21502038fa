"""Copies of one game: its state, a `Position`, an environment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from cotulenh_env import commander_chess_v0
from cotulenh_env.commander import Position
from cotulenh_env.registry import load_game
from training.bench import peers
from training.bench.random_play import RandomGames
from training.bench.rows import Row, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, Work, peer_job, time_jobs

GROUP = "copying"

_OPEN_SPIEL = "OpenSpiel chess, state.clone()"


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of copies, all of a position after 40 random actions."""
    game, rng = load_game("commander"), np.random.default_rng(settings.seed)
    games = RandomGames(game, game.new_states(1), rng)
    games.play(40)
    states = games.states
    position = Position.from_state(states[0])
    env = commander_chess_v0.raw_env()
    env.reset(seed=settings.seed, options={"fen": position.fen()})
    few = max(1, settings.num_copies // 100)

    jobs = [
        Job(
            "copy of one state",
            _called(states.copy, settings.num_copies),
            "copies/s",
            Target(1),
            _OPEN_SPIEL,
        ),
        Job("Position.copy()", _called(position.copy, few), "copies/s", peer=_OPEN_SPIEL),
        Job("AEC raw_env.clone()", _called(env.clone, few), "copies/s", peer=_OPEN_SPIEL),
        peer_job(_OPEN_SPIEL, partial(peers.open_spiel_clones, settings), "copies/s"),
    ]
    return time_jobs(GROUP, jobs, settings.num_repeats)


def _called(function: Callable[[], object], num_calls: int) -> Work:

    def work() -> float:
        for _ in range(num_calls):
            function()
        return num_calls

    return work
