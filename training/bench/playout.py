"""The rules by themselves: random games, and what one position costs."""

from __future__ import annotations

from functools import partial

import numpy as np

from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.registry import load_game
from training.bench import peers
from training.bench.playout_kernel import play_out
from training.bench.random_play import RandomGames, random_choice, typical_states
from training.bench.rows import Row, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, Work, peer_job, time_jobs

GROUP = "playout"

_OPEN_SPIEL = "OpenSpiel chess playouts in C++"


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of the rules."""
    rng = np.random.default_rng(settings.seed)
    games = RandomGames(load_game("commander"), settings.num_games, rng)
    jobs = [
        Job(
            "random playout in one compiled loop",
            compiled_playout(settings),
            target=Target(3),
            peer=_OPEN_SPIEL,
        ),
        Job(
            f"random playout by Game.step_into over {settings.num_games}",
            partial(games.play, settings.num_batched_steps),
            peer=_OPEN_SPIEL,
        ),
        peer_job(
            _OPEN_SPIEL,
            partial(peers.open_spiel_playouts, settings),
            note=f"steps: {settings.num_rollouts} games × their mean length",
        ),
        *_calls(settings),
    ]
    return time_jobs(GROUP, jobs, settings.num_repeats)


def compiled_playout(settings: BenchSettings) -> Work:
    """Random games in one call of a kernel, full rules."""
    game, num_games = load_game("commander"), min(settings.num_games, 64)
    starts = game.new_states(num_games).view(STATE_DTYPE)[:, 0].copy()
    states = starts.copy()
    legal_actions = np.empty(game.spec.max_legal_actions, np.int32)
    seeds = np.random.default_rng(settings.seed).integers(0, 1 << 48, num_games)

    def work() -> float:
        play_out(states, starts, settings.num_playout_steps, seeds, legal_actions)
        return settings.num_playout_steps * num_games

    return work


def _calls(settings: BenchSettings) -> list[Job]:
    """What one position costs in a batch, by kind of call."""
    game, num_games = load_game("commander"), settings.num_games
    rng = np.random.default_rng(settings.seed)
    states = typical_states(game, num_games, rng)
    legal_actions, counts = game.legal_actions(states)
    actions = random_choice(legal_actions, counts, rng)
    players = game.current_player(states)
    planes = game.observe(states, players)
    scratch = states.copy()

    def repeat(call: Work) -> Work:
        return lambda: sum(call() for _ in range(settings.num_batched_steps))

    def list_all() -> float:
        game.legal_actions(states, legal_actions, counts)
        return num_games

    def apply_all() -> float:
        game.apply(states, actions, None, scratch)
        return num_games

    def observe_all() -> float:
        game.observe(states, players, planes)
        return num_games

    return [
        Job("  listing the legal actions of a position", repeat(list_all), "µs"),
        Job("  applying an action, into a copy", repeat(apply_all), "µs"),
        Job("  observing a position, from nothing", repeat(observe_all), "µs"),
    ]
