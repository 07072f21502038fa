"""A learner for the tests: tabular Monte Carlo control over what an environment shows.

It knows nothing of the game but observations, legal actions and rewards, so it gets better only if
all of these are the learner's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Visit = tuple[bytes, int]


class MonteCarloLearner:
    """Averages the reward that followed each action in each observation."""

    def __init__(self, *, sign: float = 1.0) -> None:
        """`sign` -1 learns from the wrong player's reward."""
        self._values: dict[Visit, tuple[float, int]] = {}
        self._sign = sign

    def act(
        self, planes: Any, legal: Sequence[int], rng: np.random.Generator, epsilon: float
    ) -> Visit:
        seen = planes.tobytes()
        if rng.random() < epsilon:
            return seen, int(legal[int(rng.random() * len(legal))])
        # What was never tried counts as a loss, lest luck be all there is to know.
        values = [self._values.get((seen, action), (-1.0, 0))[0] for action in legal]
        return seen, int(legal[int(np.argmax(values))])

    def learn(self, visits: Sequence[Visit], reward: float) -> None:
        for visit in visits:
            value, count = self._values.get(visit, (0.0, 0))
            value += (self._sign * reward - value) / (count + 1)
            self._values[visit] = value, count + 1


def play_episodes(
    env: Any,
    learner: MonteCarloLearner,
    num_episodes: int,
    *,
    epsilon: float,
    learning: bool,
    seed: int = 0,
) -> float:
    """The mean reward over episodes of a single-agent environment."""
    rng = np.random.default_rng(seed)
    total = 0.0
    observation, info = env.reset(seed=seed)
    for _ in range(num_episodes):
        visits, over, reward = [], False, 0.0
        while not over:
            visit = learner.act(observation["observation"], info["legal_actions"], rng, epsilon)
            visits.append(visit)
            observation, reward, over, _, info = env.step(visit[1])
        if learning:
            learner.learn(visits, reward)
        total += reward
        observation, info = env.reset()
    return total / num_episodes


def play_vector_episodes(
    envs: Any,
    learner: MonteCarloLearner,
    num_episodes: int,
    *,
    epsilon: float,
    learning: bool,
    seed: int = 0,
) -> float:
    """The mean reward over at least so many episodes of a `VectorEnv`."""
    rng = np.random.default_rng(seed)
    rewards: list[float] = []
    observations, infos = envs.reset(seed=seed)
    visits: list[list[Visit]] = [[] for _ in range(envs.num_envs)]
    while len(rewards) < num_episodes:
        actions = []
        for row in range(envs.num_envs):
            legal = infos["legal_actions"][row, : infos["num_legal"][row]].tolist()
            visit = learner.act(observations["observation"][row], legal, rng, epsilon)
            visits[row].append(visit)
            actions.append(visit[1])
        observations, given, over, _, infos = envs.step(np.array(actions))
        for row in np.flatnonzero(over).tolist():
            if learning:
                learner.learn(visits[row], float(given[row]))
            visits[row] = []
            rewards.append(float(given[row]))
    return float(np.mean(rewards))
