"""Environments that the tests of this folder drive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cotulenh_env import aec
from cotulenh_env.game import Actions, Draws, Events, States
from cotulenh_env.registry import load_game
from cotulenh_env.tictactoe import TicTacToe


class NoisyTicTacToe(TicTacToe):
    """Tic-tac-toe in which chance moves a mark to the lowest empty cell every other time."""

    def __init__(self) -> None:
        self.spec = replace(TicTacToe.spec, name="noisy tictactoe", has_chance=True)

    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        assert draws is not None
        legal, _ = self.legal_actions(states)
        return super().apply(states, np.where(draws < 0.5, actions, legal[:, 0]), None, out)


def make(name: str, **options: Any) -> aec.GameEnv:
    """`raw_env` of a game by name."""
    return aec.raw_env(NoisyTicTacToe() if name == "noisy" else load_game(name), **options)


def play_random(
    env: aec.GameEnv, rng: np.random.Generator, num_steps: int = 10_000
) -> list[tuple[str, int]]:
    """Plays random legal actions until the end, or so many; returns what was played by whom."""
    played: list[tuple[str, int]] = []
    while len(played) < num_steps and not any(env.terminations.values()):
        action = int(rng.choice(env.legal_actions()))
        played.append((env.agent_selection, action))
        env.step(action)
    return played


def everything(env: aec.GameEnv) -> dict[str, Any]:
    """All that may be seen of an environment, comparable."""
    saved = env.get_state()
    saved["state"] = saved["state"].tobytes()
    saved["legal"] = env.legal_actions().tolist()
    for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
        saved[name] = dict(getattr(env, name))
    saved["infos"] = {agent: repr(info) for agent, info in env.infos.items()}
    return saved
