"""Environments: one game at a time as in PettingZoo, and many at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cotulenh_env import commander_chess_v0
from cotulenh_env.game import Game, States
from cotulenh_env.gymnasium_vector import SingleAgentVectorEnv
from cotulenh_env.registry import load_game
from cotulenh_env.vector import BatchedEnv
from training.bench import peers
from training.bench.random_play import RandomGames, random_choice, typical_states
from training.bench.rows import Row, Target
from training.bench.settings import BenchSettings
from training.bench.timing import Job, Work, peer_job, time_jobs

GROUP = "environment"

Choose = Callable[[Any, Any, Any], int]
"""(environment, observation, info) → action."""

_CHESS = "PettingZoo chess_v6 raw, by mask"
_OPEN_SPIEL = "OpenSpiel chess, tensor and mask"


def measure(settings: BenchSettings) -> list[Row]:
    """The rows of environments."""
    return [*_single(settings), *_batched(settings)]


def _single(settings: BenchSettings) -> list[Row]:
    rng = np.random.default_rng(settings.seed)
    choose: dict[str, Choose] = {
        "legal_actions": partial(_by_list, rng),
        "mask": partial(peers.choose_by_mask, rng),
        "Discrete.sample(mask)": _by_sample,
    }
    jobs = []
    for name, make_env in (
        ("raw_env", commander_chess_v0.raw_env),
        ("env", commander_chess_v0.env),
    ):
        for how, chooser in choose.items():
            work = partial(play_env, make_env(), chooser, settings.num_env_steps, settings.seed)
            has_target = name == "raw_env" and how == "legal_actions"
            target = Target(80) if has_target else None
            jobs.append(Job(f"AEC {name}, by {how}", work, target=target, peer=_CHESS))
    jobs.append(peer_job(_CHESS, partial(_pettingzoo_chess, settings, rng)))
    return time_jobs(GROUP, jobs, settings.num_repeats)


def _pettingzoo_chess(settings: BenchSettings, rng: np.random.Generator) -> tuple[Work, str]:
    env, choose = peers.pettingzoo_chess(), partial(peers.choose_by_mask, rng)
    return partial(play_env, env, choose, settings.num_chess_steps, settings.seed), ""


def play_env(env: Any, choose: Choose, num_steps: int, seed: int) -> int:
    """Calls `last` and `step` so many times, starting over after each game."""
    env.reset(seed=seed)
    num_done = 0
    while num_done < num_steps:
        observation, _, termination, truncation, info = env.last()
        if termination or truncation:
            env.reset()
        else:
            env.step(choose(env, observation, info))
            num_done += 1
    return num_done


def _by_list(rng: np.random.Generator, env: Any, observation: Any, info: Any) -> int:
    legal = info["legal_actions"]
    return int(legal[int(rng.random() * len(legal))])


def _by_sample(env: Any, observation: Any, info: Any) -> int:
    return int(env.action_space(env.agent_selection).sample(observation["action_mask"]))


def _batched(settings: BenchSettings) -> list[Row]:
    rng = np.random.default_rng(settings.seed)
    game, num_games = load_game("commander"), settings.num_games
    states = typical_states(game, num_games, rng)
    games = RandomGames(game, states, rng, mask=True, observations=True)
    jobs = [
        Job(
            f"BatchedEnv of {num_games}, observations and masks",
            _batched_env(game, states, rng, settings),
            target=Target(20),
            peer=_OPEN_SPIEL,
        ),
        Job(
            f"Gymnasium VectorEnv of {num_games}, random opponent",
            _vector_env(game, rng, settings),
            peer=_OPEN_SPIEL,
            note="steps of the learner",
        ),
        Job(
            f"Game.step_into over {num_games}, observations and masks",
            partial(games.play, settings.num_batched_steps),
            peer=_OPEN_SPIEL,
        ),
        peer_job(_OPEN_SPIEL, partial(peers.open_spiel_batch, settings, rng)),
    ]
    return time_jobs(GROUP, jobs, settings.num_repeats)


def _batched_env(
    game: Game, states: States, rng: np.random.Generator, settings: BenchSettings
) -> Work:
    env = BatchedEnv(game, len(states))
    step = env.reset(seed=settings.seed, fen=[game.to_text(state) for state in states])

    def work() -> float:
        nonlocal step
        for _ in range(settings.num_batched_steps):
            step = env.step(random_choice(step.legal_actions, step.counts, rng))
        return settings.num_batched_steps * len(states)

    return work


def _vector_env(game: Game, rng: np.random.Generator, settings: BenchSettings) -> Work:
    envs = SingleAgentVectorEnv(game, settings.num_games)

    def work() -> float:
        infos = envs.reset(seed=settings.seed)[1]
        for _ in range(settings.num_batched_steps):
            actions = random_choice(infos["legal_actions"], infos["num_legal"], rng)
            infos = envs.step(actions)[4]
        return settings.num_batched_steps * settings.num_games

    return work
