"""Measures what docs/luzhanqi.md says about speed: `python -m tests.luzhanqi.speed`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from cotulenh_env import luzhanqi_flip_v0, luzhanqi_referee_v0
from cotulenh_env.game import Game
from tests.luzhanqi.helpers import FLIP, REFEREE

NUM_GAMES, NUM_STEPS, NUM_TRIES = 256, 200, 3
NUM_WORLDS = 16


def steps_per_second(game: Game, dense: bool) -> float:
    """Plies of random games, listing, masks and observations included if `dense`."""
    rng = np.random.default_rng(0)
    states = game.new_states(NUM_GAMES, rng)
    buffers = game.new_buffers(NUM_GAMES, mask=dense, observations=dense)
    game.refresh(states, buffers)
    best = 0.0
    for _ in range(NUM_TRIES):
        start = time.process_time()
        for _ in range(NUM_STEPS):
            columns = (rng.random(NUM_GAMES) * buffers.counts).astype(int)
            actions = buffers.legal_actions[np.arange(NUM_GAMES), columns]
            game.step_into(states, actions, rng.random(NUM_GAMES), buffers)
            done = buffers.counts == 0
            if done.any():
                states[done] = game.new_states(int(done.sum()), rng)
                game.refresh(states, buffers)
        best = max(best, NUM_GAMES * NUM_STEPS / (time.process_time() - start))
    return best


def aec_steps_per_second(module: Any) -> float:
    """`last()` and `step()` of the raw environment."""
    rng = np.random.default_rng(0)
    env = module.raw_env()
    env.reset(seed=1)
    num_steps, start = 0, time.process_time()
    while time.process_time() - start < 2:
        if env.last()[2]:
            env.reset()
            continue
        legal = env.legal_actions()
        env.step(int(legal[int(rng.integers(len(legal)))]))
        num_steps += 1
    return num_steps / (time.process_time() - start)


def world_microseconds(num_plies: int) -> tuple[float, float]:
    """For a world of a new position, and for each of several of the same."""
    rng = np.random.default_rng(0)
    states = REFEREE.new_states(64, rng)
    for _ in range(num_plies):
        legal, counts = REFEREE.legal_actions(states)
        chosen = legal[np.arange(64), (rng.random(64) * counts).astype(int)]
        states, _ = REFEREE.apply(states, chosen)
        done = REFEREE.is_terminal(states)
        states[done] = REFEREE.new_states(int(done.sum()), rng)
    players = REFEREE.current_player(states)
    REFEREE.resample_hidden(states, players, rng)
    start = time.process_time()
    for _ in range(10):
        REFEREE.resample_hidden(states, players, rng)
    one = (time.process_time() - start) / 640
    many, viewers = np.repeat(states, NUM_WORLDS, 0), np.repeat(players, NUM_WORLDS)
    start = time.process_time()
    REFEREE.resample_hidden(many, viewers, rng)
    return one * 1e6, (time.process_time() - start) / len(many) * 1e6


if __name__ == "__main__":
    for mode, environments in ((FLIP, luzhanqi_flip_v0), (REFEREE, luzhanqi_referee_v0)):
        print(mode.spec.name)
        print(f"  steps        {steps_per_second(mode, False):12,.0f}/s")
        print(f"  all of them  {steps_per_second(mode, True):12,.0f}/s")
        print(f"  AEC          {aec_steps_per_second(environments):12,.0f}/s")
    for plies in (0, 20, 60, 120):
        first, further = world_microseconds(plies)
        print(f"worlds after {plies} plies: {first:.1f} µs, further ones {further:.1f} µs")
