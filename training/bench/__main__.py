"""`python -m training.bench`: how fast rules and environment are here, in about a minute.

Rates are per second of CPU time of one thread, the best of a few repeats; starts are wall time of a
new process. PettingZoo's chess is timed in the same run when its rules are installed
(`pip install chess`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from cotulenh_env import commander_chess_v0
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game

NUM_REPEATS = 3
NUM_PLAYOUT_GAMES = 256
NUM_PLAYOUT_STEPS = 200
NUM_ENV_STEPS = 20_000
NUM_CHESS_STEPS = 500

_FIRST_STEP = """
from cotulenh_env import commander_chess_v0
env = commander_chess_v0.raw_env()
env.reset(seed=0)
env.step(int(env.legal_actions()[0]))
env.last()
"""


def best_rate(work: Callable[[], int]) -> float:
    """Units per CPU-second of the quickest repeat; `work` returns how many units it did."""
    rates = []
    for _ in range(NUM_REPEATS):
        begin = time.process_time()
        units = work()
        rates.append(units / (time.process_time() - begin))
    return max(rates)


def random_playout(game: Game) -> int:
    """Steps of a batch of random games, finished ones starting over."""
    rng = np.random.default_rng(0)
    start = game.new_states(NUM_PLAYOUT_GAMES)
    states = start.copy()
    buffers = game.new_buffers(NUM_PLAYOUT_GAMES, mask=False, observations=False)
    game.refresh(states, buffers)
    rows = np.arange(NUM_PLAYOUT_GAMES)
    for _ in range(NUM_PLAYOUT_STEPS):
        columns = (rng.random(NUM_PLAYOUT_GAMES) * buffers.counts).astype(np.int64)
        game.step_into(states, buffers.legal_actions[rows, columns], None, buffers)
        done = buffers.counts == 0
        if done.any():
            states[done] = start[done]
            game.refresh(states, buffers)
    return NUM_PLAYOUT_GAMES * NUM_PLAYOUT_STEPS


def env_steps(env: Any, choose: Callable[[Any, Any], int], num_steps: int) -> int:
    """Calls of `last` and `step`, starting over after each game."""
    env.reset(seed=0)
    for _ in range(num_steps):
        observation, _, termination, truncation, info = env.last()
        if termination or truncation:
            env.reset()
        else:
            env.step(choose(observation, info))
    return num_steps


def first_step_seconds(cache: str | None) -> float:
    """Wall time of a new process up to its first step; `cache` is an empty folder or the usual."""
    environment = dict(os.environ) if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    begin = time.perf_counter()
    command = [sys.executable, "-c", _FIRST_STEP]
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    """Prints the table."""
    rng = np.random.default_rng(0)

    def by_list(_: Any, info: Any) -> int:
        legal = info["legal_actions"]
        return int(legal[int(rng.random() * len(legal))])

    def by_mask(observation: Any, _: Any) -> int:
        legal = np.flatnonzero(observation["action_mask"])
        return int(legal[int(rng.random() * len(legal))])

    with tempfile.TemporaryDirectory() as folder:
        print(f"first step of a new process, cold     {first_step_seconds(folder):10.2f} s")
    first_step_seconds(None)
    warm = min(first_step_seconds(None) for _ in range(NUM_REPEATS))
    print(f"first step of a new process, warm     {warm:10.2f} s")
    game = load_game("commander")
    random_playout(game)
    rate = best_rate(lambda: random_playout(game))
    print(f"random playout, batch of {NUM_PLAYOUT_GAMES}          {rate:10,.0f} steps/s")
    env = commander_chess_v0.raw_env()
    env_steps(env, by_list, 100)
    ours = best_rate(lambda: env_steps(env, by_list, NUM_ENV_STEPS))
    print(f"AEC raw_env, by legal_actions         {ours:10,.0f} steps/s")
    rate = best_rate(lambda: env_steps(env, by_mask, NUM_ENV_STEPS))
    print(f"AEC raw_env, by mask                  {rate:10,.0f} steps/s")
    try:
        from pettingzoo.classic.chess.chess import raw_env as chess_env
    except ModuleNotFoundError:
        print("PettingZoo chess_v6                   not installed (pip install chess)")
        return
    chess = chess_env()
    theirs = best_rate(lambda: env_steps(chess, by_mask, NUM_CHESS_STEPS))
    print(f"PettingZoo chess_v6 raw, by mask      {theirs:10,.0f} steps/s")
    print(f"ratio                                 {ours / theirs:10.1f}")


if __name__ == "__main__":
    main()
