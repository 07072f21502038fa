"""How fast Banqi is, beside OpenSpiel's where it is installed: `python -m tests.banqi.speed`.

Rates are by the CPU time of one thread; the best of five repeats, for both sides.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cotulenh_env import banqi_v0
from cotulenh_env.banqi import RuleSet
from cotulenh_env.banqi.actions import FIRST_STEP, MAX_LEGAL_ACTIONS
from cotulenh_env.banqi.kernels.apply import apply_action
from cotulenh_env.banqi.kernels.legal import list_legal_actions
from cotulenh_env.banqi.state import STATE_DTYPE, Records
from cotulenh_env.kernel import inner_kernel, kernel
from cotulenh_env.vector import BatchedEnv
from tests.banqi.helpers import GAME, random_states

NUM_GAMES = 256
NUM_STEPS = 2_000
NUM_ROLLOUTS = 2_000
NUM_LENGTH_GAMES = 200
_BITS = 48
"""Of the linear congruence behind C's `drand48`."""


@inner_kernel
def _next(seed: int) -> int:
    return (seed * 0x5DEECE66D + 11) & ((1 << _BITS) - 1)


@kernel
def play_out(
    states: Records,
    starts: Records,
    num_steps: int,
    seeds: npt.NDArray[np.int64],
    legal_actions: npt.NDArray[np.int32],
) -> int:
    """Plays random actions in every game; one that is over starts anew. Returns the flips."""
    num_flips = 0
    for row in range(len(states)):
        seed = int(seeds[row])
        num_done = 0
        while num_done < num_steps:
            state = states[row]
            count = list_legal_actions(state, legal_actions)
            if count == 0:
                states[row] = starts[row]
                continue
            seed = _next(seed)
            action = int(legal_actions[((seed >> 24) * count) >> 24])
            draw = 0.0
            if action < FIRST_STEP:
                seed = _next(seed)
                draw = seed / (1 << _BITS)
                num_flips += 1
            apply_action(state, action, draw)
            num_done += 1
        seeds[row] = seed
    return num_flips


def rate(work: Callable[[], float]) -> float:
    """Most units of work per second of CPU time, after one call that does not count."""
    work()
    rates = []
    for _ in range(5):
        start = time.process_time()
        units = work()
        rates.append(units / (time.process_time() - start))
    return max(rates)


def show_playouts(preset: str) -> None:
    starts = GAME.new_states(NUM_GAMES, rules=RuleSet(preset=preset)).view(STATE_DTYPE)[:, 0].copy()
    states = starts.copy()
    seeds = np.random.default_rng(1).integers(0, 1 << _BITS, NUM_GAMES)
    legal_actions = np.empty(MAX_LEGAL_ACTIONS, np.int32)
    num_decisions = NUM_GAMES * NUM_STEPS

    def decisions() -> float:
        play_out(states, starts, NUM_STEPS, seeds, legal_actions)
        return num_decisions

    def nodes() -> float:
        return num_decisions + play_out(states, starts, NUM_STEPS, seeds, legal_actions)

    show(f"playout, {preset}: decisions", rate(decisions))
    show(f"playout, {preset}: decisions and chances", rate(nodes))


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


def show_open_spiel() -> None:
    """Its C++ playouts: games × their mean length, which random games from Python give."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        print("OpenSpiel is not installed")
        return
    game = pyspiel.load_game("banqi")
    rng = random.Random(1)
    num_nodes = num_decisions = 0
    for _ in range(NUM_LENGTH_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            num_nodes += 1
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, shares)[0])
            else:
                num_decisions += 1
                state.apply_action(rng.choice(state.legal_actions()))
    evaluator = pyspiel.RandomRolloutEvaluator(NUM_ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1_000, False, 1, False)
    start = game.new_initial_state()

    def rollouts() -> float:
        bot.step(start)
        return NUM_ROLLOUTS / NUM_LENGTH_GAMES

    games = rate(rollouts)
    show("OpenSpiel playout: decisions", games * num_decisions)
    show("OpenSpiel playout: decisions and chances", games * num_nodes)


def show(name: str, value: float) -> None:
    print(f"{name:<50} {value:>14,.0f} /s")


if __name__ == "__main__":
    for rules in ("standard", "taiwanese"):
        show_playouts(rules)
    show_open_spiel()
    show_environments()
    show_calls()
