"""Action numbers of Banqi.

- 32 flips, 104 steps, 216 jumps, in the order that BANQI.md fixes; encode and decode are inverse
- the bound of legal actions, and positions that come near to it
- every action has a place of its own among the logits
- a mirrored position has the mirrored actions and planes
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.actions import (
    MAX_LEGAL_ACTIONS,
    NUM_ACTIONS,
    ActionKind,
    Move,
    count_bound,
    decode,
    encode,
)
from cotulenh_env.errors import IllegalActionError
from tests.banqi.helpers import ALL_RULES, GAME, random_games

SIZE = GAME.spec.policy_planes * 32


def expected_moves() -> list[tuple[int, int]]:
    """(from, to) by number, written from BANQI.md section 6."""
    moves = [(cell, cell) for cell in range(32)]
    for cell in range(32):
        row, column = divmod(cell, 8)
        for there in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= there[0] < 4 and 0 <= there[1] < 8:
                moves.append((cell, there[0] * 8 + there[1]))
    for cell in range(32):
        for other in range(32):
            same_row = cell // 8 == other // 8 and abs(cell - other) >= 2
            same_column = cell % 8 == other % 8 and abs(cell - other) >= 16
            if same_row or same_column:
                moves.append((cell, other))
    return moves


def test_numbers() -> None:
    moves = [decode(action) for action in range(NUM_ACTIONS)]
    assert [(move.start, move.target) for move in moves] == expected_moves()
    kinds = [move.kind for move in moves]
    assert [kinds.count(kind) for kind in ActionKind] == [32, 104, 216]
    assert NUM_ACTIONS == GAME.spec.num_actions == 352
    assert [encode(move) for move in moves] == list(range(NUM_ACTIONS))


def test_no_such_action() -> None:
    for action in (-1, 352):
        with pytest.raises(IllegalActionError, match=str(action)):
            decode(action)
    with pytest.raises(IllegalActionError):
        encode(Move(ActionKind.STEP, 0, 2))


def test_places_of_logits() -> None:
    index = GAME.spec.policy_index
    assert GAME.spec.policy_planes == 21
    assert len(set(index.tolist())) == NUM_ACTIONS
    assert ((index >= 0) & (index < SIZE)).all()
    for action in range(NUM_ACTIONS):
        assert index[action] % 32 == decode(action).start
    # A plane is one shift of the board: shifting its starts gives its targets.
    for plane in range(21):
        moves = [decode(int(a)) for a in np.flatnonzero(index // 32 == plane)]
        assert len({move.target - move.start for move in moves}) == 1


def test_bound_of_legal_actions() -> None:
    assert count_bound() <= MAX_LEGAL_ACTIONS == GAME.spec.max_legal_actions
    crowded = "1R1E1E1R/A1H1H1A1/1S1S1S1C/S1C1S1G1 r r - 0"
    rules = RuleSet(elimination=False)  # there is nobody else
    assert len(Position.from_fen(crowded, rules).legal_actions()) == 104 / 2
    for position in random_games(6, ALL_RULES, seed=4):
        assert len(position.legal_actions()) <= MAX_LEGAL_ACTIONS


def mirrored_fen(fen: str, left_right: bool, up_down: bool) -> str:
    board, *rest = fen.split()
    rows = [row[::-1] if left_right else row for row in board.split("/")]
    return " ".join(["/".join(rows[::-1] if up_down else rows), *rest])


def test_symmetries() -> None:
    symmetries = GAME.symmetries()
    assert len(symmetries) == 3
    turns = ((True, False), (False, True), (True, True))
    num_compared = 0
    for position in random_games(4, ALL_RULES[:1], seed=5):
        if position.is_game_over():
            continue
        here = Position.from_fen(position.fen())
        players = np.array([here.turn], np.int32)
        planes = GAME.observe(here.state[None], players)[0].reshape(-1, 32)
        for (source, image), turn in zip(symmetries, turns, strict=True):
            there = Position.from_fen(mirrored_fen(here.fen(), *turn))
            assert sorted(image[here.legal_actions()].tolist()) == there.legal_actions()
            seen = GAME.observe(there.state[None], players)[0].reshape(-1, 32)
            assert np.array_equal(planes[:, source], seen)
            num_compared += 1
    assert num_compared > 500
