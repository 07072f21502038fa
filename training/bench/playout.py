"""The rules by themselves: random games, and what one position costs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from cotulenh_env.game import Game, States
from cotulenh_env.registry import load_game
from training.bench import peers
from training.bench.playout_kernel import play_out
from training.bench.playout_steps import PLAYOUT_RULES
from training.bench.random_play import RandomGames, random_choice, typical_states
from training.bench.rows import Row, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, Work, peer_job, time_jobs

GROUP = "playout"

_OPEN_SPIEL = peers.playouts_name("chess")


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of the rules."""
    rng = np.random.default_rng(settings.seed)
    game = load_game("commander")
    states = typical_states(game, settings.num_games, rng)
    games = RandomGames(game, states, rng)
    jobs = [
        Job(
            "random playout in one compiled loop",
            compiled_playout(settings, game, settings.num_kernel_steps),
            target=Target(3),
            peer=_OPEN_SPIEL,
            note=means(settings, game),
        ),
        Job(
            f"random playout by Game.step_into over {settings.num_games}",
            partial(games.play, settings.num_batched_steps),
            peer=_OPEN_SPIEL,
        ),
        peer_job(_OPEN_SPIEL, partial(peers.open_spiel_playouts, settings, "chess")),
        *_calls(settings, states, rng),
    ]
    return time_jobs(GROUP, jobs, settings.num_repeats)


def compiled_playout(
    settings: BenchSettings, game: Game, num_steps: int, rules: Any | None = None
) -> Work:
    """Random games in one call of a kernel, full rules.

    Args:
        settings: how many games, and their seed.
        game: one of PLAYOUT_RULES.
        num_steps: actions in each game.
        rules: of all games; None for the default.
    """
    num_games, spec = settings.num_kernel_games, game.spec
    rng = np.random.default_rng(settings.seed)
    starts = np.ndarray(num_games, spec.state_dtype, game.new_states(num_games, rng, rules))
    states = starts.copy()
    legal_actions = np.empty(spec.max_legal_actions, np.int32)
    seeds = rng.integers(0, 1 << 48, num_games)
    works = PLAYOUT_RULES[spec.name].new_works()
    step = PLAYOUT_RULES[spec.name].argument(states, works, legal_actions)

    def work() -> float:
        play_out(states, starts, num_steps, seeds, works, legal_actions, step)
        return num_steps * num_games

    return work


def means(settings: BenchSettings, game: Game, rules: Any | None = None) -> str:
    """How long random games are, and how many legal actions their positions have."""
    rng = np.random.default_rng(settings.seed)
    starts = game.new_states(settings.num_length_games, rng, rules)
    games = RandomGames(game, starts, rng, rules=rules)
    alive = np.ones(settings.num_length_games, np.bool_)
    num_steps = num_legal = 0
    while alive.any():
        num_steps += int(alive.sum())
        num_legal += int(games.buffers.counts[alive].sum())
        turns = game.num_turns(games.states)
        games.play(1)
        alive &= game.num_turns(games.states) >= turns  # not started over
    return (
        f"{num_legal / num_steps:.0f} legal actions a position, "
        f"{num_steps / len(alive):.0f} steps a game"
    )


def _calls(settings: BenchSettings, states: States, rng: np.random.Generator) -> list[Job]:
    """What one position costs in a batch, by kind of call."""
    game, num_games = load_game("commander"), settings.num_games
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
