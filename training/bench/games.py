"""The rules of the other games by themselves: random games of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from cotulenh_env.registry import load_game
from training.bench import peers
from training.bench.playout import compiled_playout, means
from training.bench.random_play import RandomGames
from training.bench.rows import Row, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, peer_job, time_jobs

GROUP = "games"


@dataclass(frozen=True)
class _Measured:
    """One game.

    Attributes:
        name: in the registry.
        options: of its rules, where they are not the default.
        peer: OpenSpiel's game that it is compared with, or empty.
        target: of the compiled loop.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    peer: str = ""
    target: Target | None = None


_GAMES = (
    # The Taiwanese preset is what OpenSpiel calls banqi (docs/banqi.md).
    _Measured("banqi", {"preset": "taiwanese"}, "banqi", Target(3)),
    _Measured("cwda", peer="chess"),
    _Measured("luzhanqi_flip"),
    _Measured("luzhanqi_referee"),
)


def measure(settings: BenchSettings) -> list[Row]:
    """Two rows for every game, beside those of its peer."""
    jobs: list[Job] = []
    for measured in _GAMES:
        peer = peers.playouts_name(measured.peer) if measured.peer else ""
        jobs += _jobs(settings, measured, peer)
        if peer:
            jobs.append(peer_job(peer, partial(peers.open_spiel_playouts, settings, measured.peer)))
    return time_jobs(GROUP, jobs, settings.num_repeats)


def _jobs(settings: BenchSettings, measured: _Measured, peer: str) -> list[Job]:
    game, rng = load_game(measured.name), np.random.default_rng(settings.seed)
    rules = game.make_rules(**measured.options)
    games = RandomGames(game, game.new_states(settings.num_games, rng, rules), rng, rules=rules)
    return [
        Job(
            f"{measured.name}, random playout in one compiled loop",
            compiled_playout(settings, game, settings.num_quick_kernel_steps, rules),
            target=measured.target,
            peer=peer,
            note=", ".join([*measured.options.values(), means(settings, game, rules)]),
        ),
        Job(
            f"{measured.name}, by Game.step_into over {settings.num_games}",
            partial(games.play, settings.num_batched_steps),
            peer=peer,
        ),
    ]
