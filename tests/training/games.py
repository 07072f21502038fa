"""A game for the tests: two actions to a turn, over after a fixed number, won by the sum of marks.

`record["marks"]` are the actions so far. Both actions of a turn are the same player's. Player 0
wins if the sum is even, else player 1. Action k of the six is legal if it is at least the number of
actions so far modulo 3: rows have different numbers of legal actions.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Counts, Events, Game, GameSpec, Planes, Players, States

LENGTH = 12
DTYPE = np.dtype([("marks", np.uint8, (LENGTH,)), ("num", np.uint8), ("unused", np.uint8, (3,))])


class TwoStep(Game):
    """See the module."""

    spec = GameSpec(
        name="two_step",
        num_actions=6,
        state_dtype=DTYPE,
        max_legal_actions=6,
        board_shape=(1, LENGTH),
        plane_names=("marks", "player"),
        policy_planes=1,
        num_global_logits=0,
        policy_index=np.arange(6, dtype=np.int32),
    )

    def make_rules(self, **options: Any) -> Any:
        return None

    def new_states(self, n: int, rng: Any = None, rules: Any = None) -> States:
        return np.zeros((n, DTYPE.itemsize), np.uint8)

    def rules_of(self, state: States) -> Any:
        return None

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        out = np.full((len(states), 6), -1, np.int32) if out is None else out
        counts = np.zeros(len(states), np.int32) if counts is None else counts
        for row, num in enumerate(_num(states)):
            actions = np.arange(num % 3 if num < LENGTH else 6, 6)
            out[row] = -1
            out[row, : len(actions)] = actions
            counts[row] = len(actions)
        return out, counts

    def apply(
        self, states: States, actions: Actions, draws: Any = None, out: States | None = None
    ) -> tuple[States, Events]:
        result = states.copy()
        records = result.view(DTYPE)[:, 0]
        records["marks"][np.arange(len(states)), records["num"]] = actions
        records["num"] += 1
        if out is not None:
            out[:] = result
            result = out
        return result, np.zeros(len(states), np.int32)

    def current_player(self, states: States) -> Players:
        return _num(states) // 2 % 2

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = _num(states) == LENGTH
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        sums = states.view(DTYPE)[:, 0]["marks"].astype(np.int64).sum(axis=1)
        first = np.where(sums % 2 == 0, 1, -1) * self.is_terminal(states)
        return np.stack([first, -first], axis=1).astype(np.float32)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        out = np.zeros((len(states), 2, 1, LENGTH), np.float32) if out is None else out
        out[:, 0, 0] = states.view(DTYPE)[:, 0]["marks"] / 5
        out[:, 1] = np.asarray(players)[:, None, None]
        return out

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        return np.zeros(len(states), np.uint64)

    def to_text(self, state: States) -> str:
        return str(state.tolist())

    def from_text(self, text: str, rules: Any = None) -> States:
        return np.array(json.loads(text), np.uint8)

    def action_text(self, state: States, action: int) -> str:
        return str(action)

    def draw(self, state: States) -> str:
        return self.to_text(state)

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        return np.zeros((4, 4, 3), np.uint8)

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        return _num(states) // 2


def _num(states: States) -> npt.NDArray[np.int32]:
    num: npt.NDArray[np.int32] = states.view(DTYPE)[:, 0]["num"].astype(np.int32)
    return num
