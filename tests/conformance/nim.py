"""Nim, the toy game that docs/adding_a_game.md makes: heaps of 1, 3, 5 and 7 sticks.

A turn takes some sticks of one heap; who takes the last one wins, or loses in the misère game.

    action = heap × 7 + sticks taken - 1     0 ≤ heap < 4, at least one stick
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError, RulesError, StateError, shown
from cotulenh_env.game import (
    Actions,
    Counts,
    Draws,
    Events,
    Game,
    GameSpec,
    Planes,
    Players,
    States,
)
from cotulenh_env.render.raster import text_picture

HEAPS = np.array([1, 3, 5, 7], np.uint8)
NUM_HEAPS, MOST = len(HEAPS), 7
NUM_ACTIONS = NUM_HEAPS * MOST

STATE_DTYPE = np.dtype(
    [
        ("heaps", np.uint8, (NUM_HEAPS,)),
        ("turns", np.uint8),
        ("player", np.uint8),
        ("misere", np.uint8),
        ("unused", np.uint8),
    ]
)

_HEAP_OF = np.arange(NUM_ACTIONS) // MOST
_TAKEN_BY = np.arange(NUM_ACTIONS) % MOST + 1


@dataclass(frozen=True)
class RuleSet:
    """Rules of one game.

    Attributes:
        misere: who takes the last stick loses.
    """

    misere: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.misere, bool):
            raise RulesError(f"misere is true or false, got {shown(self.misere)}")


class Nim(Game):
    """See the module."""

    spec = GameSpec(
        name="nim",
        num_actions=NUM_ACTIONS,
        state_dtype=STATE_DTYPE,
        max_legal_actions=int(HEAPS.sum()),
        board_shape=(NUM_HEAPS, MOST),
        plane_names=("sticks", "to_move", "misere"),
        policy_planes=1,
        num_global_logits=0,
        policy_index=np.arange(NUM_ACTIONS, dtype=np.int32),
    )

    def make_rules(self, **options: Any) -> RuleSet:
        if set(options) - {"misere"}:
            raise RulesError(f"the only option of nim is misere, got {shown(options)}")
        return RuleSet(**options)

    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: RuleSet | Sequence[RuleSet] | None = None,
    ) -> States:
        rows = rules if isinstance(rules, Sequence) else [rules or RuleSet()] * n
        records = np.zeros(n, STATE_DTYPE)
        records["heaps"] = HEAPS
        records["misere"] = [row.misere for row in rows]
        return records.view(np.uint8).reshape(n, STATE_DTYPE.itemsize)

    def rules_of(self, state: States) -> RuleSet:
        return RuleSet(bool(_records(state[None])["misere"][0]))

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, self.spec.max_legal_actions), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        out.fill(-1)
        for row, heaps in enumerate(_records(states)["heaps"]):
            legal = np.flatnonzero(heaps[_HEAP_OF] >= _TAKEN_BY)
            counts[row] = len(legal)
            out[row, : len(legal)] = legal
        return out, counts

    def apply(
        self,
        states: States,
        actions: Actions,
        draws: Draws | None = None,
        out: States | None = None,
    ) -> tuple[States, Events]:
        if out is None:
            out = states.copy()
        elif out is not states:
            out[:] = states
        records = _records(out)
        records["heaps"][np.arange(len(out)), _HEAP_OF[actions]] -= _TAKEN_BY[actions].astype(
            np.uint8
        )
        records["turns"] += 1
        records["player"] ^= 1
        return out, np.zeros(len(out), np.int32)

    def current_player(self, states: States) -> Players:
        return _records(states)["player"].astype(np.int32)

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = _records(states)["heaps"].max(axis=1) == 0
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        records = _records(states)
        # The other player took the last stick.
        winner = np.where(records["misere"] == 1, records["player"], 1 - records["player"])
        first = np.where(winner == 0, 1, -1) * self.is_terminal(states)
        return np.stack([first, -first], axis=1).astype(np.float32)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        records = _records(states)
        if out is None:
            out = np.empty((len(states), *self.spec.observation_shape), np.float32)
        out[:, 0] = np.arange(MOST) < records["heaps"][:, :, None]
        out[:, 1] = (records["player"] == players)[:, None, None]
        out[:, 2] = records["misere"][:, None, None]
        return out

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        records = _records(states)
        digits = np.concatenate([records["heaps"], records["player"][:, None]], axis=1)
        key: npt.NDArray[np.uint64] = digits.astype(np.uint64) @ (
            8 ** np.arange(NUM_HEAPS + 1, dtype=np.uint64)
        )
        return key

    def to_text(self, state: States) -> str:
        record = _records(state[None])[0]
        return f"{' '.join(map(str, record['heaps']))} {'ab'[record['player']]}"

    def from_text(self, text: str, rules: RuleSet | None = None) -> States:
        *heaps, player = text.split() or [""]
        is_right = len(heaps) == NUM_HEAPS and all(map(str.isdecimal, heaps)) and player in "ab"
        if not is_right or (np.array(heaps, int) > HEAPS).any():
            raise PositionError(f"a position of nim is like '1 3 5 7 a', got {shown(text)}")
        state: States = self.new_states(1, rules=rules)[0]
        record = _records(state[None])[0]
        record["heaps"] = np.array(heaps, int)
        record["player"] = "ab".index(player)
        return state

    def action_text(self, state: States, action: int) -> str:
        return f"{_TAKEN_BY[action]} of heap {_HEAP_OF[action] + 1}"

    def draw(self, state: States) -> str:
        heaps = _records(state[None])["heaps"][0]
        return "\n".join(f"{heap + 1} {'|' * sticks}" for heap, sticks in enumerate(heaps))

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        return text_picture(self.draw(state))

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        return _records(states)["turns"].astype(np.int32)

    def check_states(self, states: npt.ArrayLike) -> States:
        checked = super().check_states(states)
        records = _records(checked)
        is_wrong = (records["heaps"] > HEAPS).any(axis=1) | (records["turns"] > HEAPS.sum())
        is_wrong |= (records["player"] > 1) | (records["misere"] > 1) | (records["unused"] != 0)
        if is_wrong.any():
            raise StateError(f"row {int(np.argmax(is_wrong))} is no state of nim")
        return checked


def _records(states: States) -> npt.NDArray[np.void]:
    return states.view(STATE_DTYPE)[:, 0]
