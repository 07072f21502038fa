"""Batched games for the tests of the batched environment, and what can be seen of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.registry import load_game
from cotulenh_env.vector import BatchedEnv, BatchedStep


def tictactoe(num_games: int = 4, **options: Any) -> BatchedEnv:
    env = BatchedEnv(load_game("tictactoe"), num_games, **options)
    env.reset(seed=1)
    return env


def random_actions(step: BatchedStep, rng: np.random.Generator) -> Any:
    columns = (rng.random(len(step.counts)) * step.counts).astype(np.int64)
    return step.legal_actions[np.arange(len(columns)), columns]


def seen(step: BatchedStep) -> list[Any]:
    """All of a step, comparable and safe from later ones."""
    arrays = [None if part is None else part.tobytes() for part in step[:-1]]
    finished = step.finished
    told = (finished.rows.tolist(), finished.winners.tolist(), finished.reasons)
    return [arrays, told, finished.states.tobytes()]


def course(env: BatchedEnv, step: BatchedStep, num_steps: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    steps = [seen(step)]
    for _ in range(num_steps):
        step = env.step(random_actions(step, rng))
        steps.append(seen(step))
    return steps


def everything(env: BatchedEnv) -> Any:
    saved = env.get_state()
    saved["states"] = saved["states"].tobytes()
    return saved
