"""How fast Banqi's environments and calls are: `python -m tests.banqi.speed`.

Rates are by the CPU time of one thread; the best of five repeats. `cotulenh bench --only games` has
its random playouts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from cotulenh_env import banqi_v0
from cotulenh_env.vector import BatchedEnv
from tests.banqi.helpers import GAME, random_states

NUM_GAMES = 256


def rate(work: Callable[[], float]) -> float:
    """Most units of work per second of CPU time, after one call that does not count."""
    work()
    rates = []
    for _ in range(5):
        start = time.process_time()
        units = work()
        rates.append(units / (time.process_time() - start))
    return max(rates)


def show_environments() -> None:
    env = BatchedEnv(GAME, NUM_GAMES)
    rng = np.random.default_rng(1)
    steps = [env.reset(seed=1)]

    def batched() -> float:
        for _ in range(200):
            columns = (rng.random(NUM_GAMES) * steps[0].counts).astype(int)
            steps[0] = env.step(steps[0].legal_actions[np.arange(NUM_GAMES), columns])
        return 200 * NUM_GAMES

    single = banqi_v0.raw_env()
    single.reset(seed=1)

    def one_by_one() -> float:
        for _ in range(10_000):
            _, _, is_over, _, info = single.last()
            if is_over:
                single.reset()
            else:
                legal = info["legal_actions"]
                single.step(legal[int(rng.random() * len(legal))])
        return 10_000

    show("BatchedEnv, 256 games: steps", rate(batched))
    show("AEC raw_env: steps", rate(one_by_one))


def show_calls() -> None:
    states = random_states(6, seed=1)
    states = np.ascontiguousarray(states[~GAME.is_terminal(states)][:NUM_GAMES])
    rng = np.random.default_rng(1)
    legal, counts = GAME.legal_actions(states)
    actions = legal[np.arange(len(states)), rng.integers(0, counts)]
    draws, players, scratch = rng.random(len(states)), GAME.current_player(states), states.copy()
    planes = GAME.observe(states, players)
    calls = {
        "listing": lambda: GAME.legal_actions(states, legal, counts),
        "playing into a copy": lambda: GAME.apply(states, actions, draws, scratch),
        "observing": lambda: GAME.observe(states, players, planes),
    }
    for name, call in calls.items():

        def repeated(call: Callable[[], object] = call) -> float:
            for _ in range(300):
                call()
            return 300 * len(states)

        show(f"{name}: positions", rate(repeated))


def show(name: str, value: float) -> None:
    print(f"{name:<50} {value:>14,.0f} /s")


if __name__ == "__main__":
    show_environments()
    show_calls()
