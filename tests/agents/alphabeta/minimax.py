"""Plain minimax over what an alpha-beta search looks at: no bounds, no table, no order.

It knows the rules through `Game` alone, and is written from `docs/alphabeta.md`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cotulenh_env.commander.actions import END, ActionKind, decode
from cotulenh_env.commander.board import NUM_FILES, NUM_RANKS
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE
from cotulenh_env.game import Game, States

WIN = 100_000_000
QUIESCENCE_TURNS = 8

Evaluation = Callable[[States], int]
"""Of uint8 [state_size], for the player to move."""


class Minimax:
    """Values of one position, and of each of its actions."""

    def __init__(self, game: Game, evaluation: Evaluation, root: States) -> None:
        self.game = game
        self.evaluation = evaluation
        self.root = root
        self.root_turns = int(game.num_turns(root[None])[0])

    def values(self, depth: int) -> dict[int, int]:
        """Action → value for the player to move, of all actions that are looked at."""
        return self._values(self.root, depth, may_be_quiet=True)

    def best(self, depth: int) -> tuple[int, list[int]]:
        """The value, and all actions that have it."""
        values = self.values(depth)
        value = max(values.values())
        return value, sorted(action for action in values if values[action] == value)

    def _values(self, state: States, depth: int, may_be_quiet: bool) -> dict[int, int]:
        record = state.view(STATE_DTYPE)[0]
        legal, counts = self.game.legal_actions(state[None])
        actions = legal[0, : counts[0]].tolist()
        if record["origin"] == NO_POINT:
            may_be_quiet = depth > 0
        elif not record["selected"]:
            has_only_captured = record["num_sub_moves"] == 1 and record["turn_loss"] == 1
            may_be_quiet = END not in actions or (depth > 0 and bool(has_only_captured))
            if END in actions and depth <= 0:
                actions = [END]
        found = {}
        for action in actions:
            if not may_be_quiet and self._is_quiet(record, action):
                continue
            child, _ = self.game.apply(state[None], np.array([action], np.int32))
            value = self._value(child[0], depth, may_be_quiet, int(record["player"]))
            if value is not None:
                found[action] = value
        return found

    def _value(self, state: States, depth: int, may_be_quiet: bool, player: int) -> int | None:
        """Of a position that `player` has moved to; None when nothing there is looked at."""
        rows = state[None]
        if self.game.is_terminal(rows)[0]:
            turns = int(self.game.num_turns(rows)[0]) - self.root_turns
            return int(self.game.returns(rows)[0, player]) * (WIN - turns)
        to_move = int(self.game.current_player(rows)[0])
        sign = 1 if to_move == player else -1
        depth -= 1 if to_move != player else 0
        record = state.view(STATE_DTYPE)[0]
        candidates = []
        if record["origin"] == NO_POINT and depth <= 0:
            candidates.append(self.evaluation(state))
            if depth <= -QUIESCENCE_TURNS or record["placing"]:
                return sign * candidates[0]
        candidates += self._values(state, depth, may_be_quiet).values()
        return sign * max(candidates) if candidates else None

    def _is_quiet(self, record: np.void, action: int) -> bool:
        move = decode(action)
        if move.kind == ActionKind.PLACE:
            return True
        if move.kind not in (ActionKind.MOVE, ActionKind.STRIKE):
            return False
        target, player = move.target, int(record["player"])
        if player == 1:
            target = (NUM_RANKS - 1 - target // NUM_FILES) * NUM_FILES + target % NUM_FILES
        stack = int(record["board"][target])
        return stack == 0 or stack >> 15 == player
