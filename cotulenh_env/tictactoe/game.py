"""Tic-tac-toe as a `Game`. An action is the cell, 0–8."""

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
from cotulenh_env.tictactoe.kernels import apply_actions, fill_legal_actions
from cotulenh_env.tictactoe.state import DRAW, LINES, NUM_CELLS, STATE_DTYPE, UNFINISHED

_MARKS = ".XO"


@dataclass(frozen=True)
class RuleSet:
    """Tic-tac-toe has no options."""


class TicTacToe(Game):
    """3 × 3; three in a line win, a full board draws."""

    spec = GameSpec(
        name="tictactoe",
        num_actions=NUM_CELLS,
        state_dtype=STATE_DTYPE,
        max_legal_actions=NUM_CELLS,
        board_shape=(3, 3),
        plane_names=("own", "opponent", "to_move"),
        policy_planes=1,
        num_global_logits=0,
        policy_index=np.arange(NUM_CELLS, dtype=np.int32),
    )

    def make_rules(self, /, **options: Any) -> RuleSet:
        if options:
            raise RulesError(f"tictactoe has no rule options, got {shown(next(iter(options)))}")
        return RuleSet()

    def new_states(
        self,
        n: int,
        rng: np.random.Generator | None = None,
        rules: RuleSet | Sequence[RuleSet] | None = None,
    ) -> States:
        records = np.zeros(n, STATE_DTYPE)
        records["winner"] = UNFINISHED
        return records.view(np.uint8).reshape(n, STATE_DTYPE.itemsize)

    def rules_of(self, state: States) -> RuleSet:
        return RuleSet()

    def legal_actions(
        self, states: States, out: Actions | None = None, counts: Counts | None = None
    ) -> tuple[Actions, Counts]:
        n = len(states)
        out = np.empty((n, NUM_CELLS), np.int32) if out is None else out
        counts = np.empty(n, np.int32) if counts is None else counts
        fill_legal_actions(_records(states), out, counts)
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
        apply_actions(_records(out), actions)
        return out, np.zeros(len(states), np.int32)

    def current_player(self, states: States) -> Players:
        return _records(states)["turns"].astype(np.int32) % 2

    def is_terminal(self, states: States) -> npt.NDArray[np.bool_]:
        done: npt.NDArray[np.bool_] = _records(states)["winner"] != UNFINISHED
        return done

    def returns(self, states: States) -> npt.NDArray[np.float32]:
        winner = _records(states)["winner"]
        red = (winner == 0).astype(np.float32) - (winner == 1).astype(np.float32)
        return np.stack([red, np.float32(0) - red], axis=1)

    def observe(self, states: States, players: Players, out: Planes | None = None) -> Planes:
        records = _records(states)
        board = records["board"].reshape(-1, 3, 3)
        out = (
            np.empty((len(states), *self.spec.observation_shape), np.float32)
            if out is None
            else out
        )
        own = (players + 1)[:, None, None]
        out[:, 0] = board == own
        out[:, 1] = board == 3 - own
        out[:, 2] = (records["turns"] % 2 == players)[:, None, None]
        return out

    def key(self, states: States) -> npt.NDArray[np.uint64]:
        powers = 3 ** np.arange(NUM_CELLS, dtype=np.uint64)
        key: npt.NDArray[np.uint64] = _records(states)["board"].astype(np.uint64) @ powers
        return key

    def to_text(self, state: States) -> str:
        return "".join(_MARKS[mark] for mark in _record(state)["board"])

    def from_text(self, text: str, rules: RuleSet | None = None) -> States:
        given: object = text
        cells = given.strip() if isinstance(given, str) else ""
        if len(cells) != NUM_CELLS or set(cells) - set(_MARKS):
            raise PositionError(f"a tic-tac-toe position is nine of '.XO', got {shown(text)}")
        num_x, num_o = cells.count("X"), cells.count("O")
        if num_x - num_o not in (0, 1):
            raise PositionError(
                f"X moves first, so {num_x} X and {num_o} O cannot be, in {shown(text)}"
            )
        states = self.new_states(1)
        record = _record(states[0])
        board = np.array([_MARKS.index(mark) for mark in cells], np.uint8)
        record["board"] = board
        record["turns"] = num_x + num_o
        won = [bool((board[LINES] == mark).all(axis=1).any()) for mark in (1, 2)]
        if (won[0] and num_x == num_o) or (won[1] and num_x > num_o):
            raise PositionError(f"the game went on after a win, in {shown(text)}")
        if any(won):
            record["winner"] = won.index(True)
        elif num_x + num_o == NUM_CELLS:
            record["winner"] = DRAW
        state: States = states[0]
        return state

    def action_text(self, state: States, action: int) -> str:
        return f"{'abc'[action % 3]}{3 - action // 3}"

    def draw(self, state: States) -> str:
        text = self.to_text(state)
        rows = [f"{3 - row} {' '.join(text[3 * row : 3 * row + 3])}" for row in range(3)]
        return "\n".join([*rows, "  a b c"])

    def picture(self, state: States) -> npt.NDArray[np.uint8]:
        return text_picture(self.draw(state))

    def end_reason(self, states: States) -> list[str]:
        words = {UNFINISHED: "", DRAW: "full board"}
        return [words.get(int(winner), "line") for winner in _records(states)["winner"]]

    def num_turns(self, states: States) -> npt.NDArray[np.int32]:
        return _records(states)["turns"].astype(np.int32)

    def symmetries(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
        cells = np.arange(NUM_CELLS, dtype=np.int32).reshape(3, 3)
        images = []
        for turned in range(8):
            image = np.rot90(cells.T if turned >= 4 else cells, turned % 4).reshape(-1)
            # image[i] is the cell whose mark moves to i, so its inverse maps actions.
            inverse = np.argsort(image).astype(np.int32)
            images.append((image.astype(np.int32), inverse))
        return images[1:]

    def check_states(self, states: npt.ArrayLike) -> States:
        checked = super().check_states(states)
        for row, state in enumerate(checked):
            record = _record(state)
            if (record["board"] > 2).any() or not np.array_equal(
                self.from_text(self.to_text(state)), state
            ):
                raise StateError(f"row {row} is no state of tictactoe")
        return checked


def _records(states: States) -> npt.NDArray[np.void]:
    return states.view(STATE_DTYPE)[:, 0]


def _record(state: States) -> np.void:
    record: np.void = state.view(STATE_DTYPE)[0]
    return record
