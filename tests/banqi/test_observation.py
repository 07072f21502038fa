"""Observation planes of Banqi, compared with BANQI.md section 7.

- 35 planes, values in [0, 1]; what both players see of one position, counted by hand
- before the first flip: no pieces, all counts 1
- the planes of quiet turns and repetitions
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.observation import PLANE_NAMES
from tests.banqi.helpers import GAME, random_states

FEN = "4g3/1C6/2Ss4/6?? r b Hr 20"
"""Player 0 is black; player 1, red, is to move."""


def planes_of(position: Position, player: int) -> dict[str, list[float]]:
    planes = GAME.observe(position.state[None], np.array([player], np.int32))[0]
    named = zip(PLANE_NAMES, planes.reshape(35, 32), strict=True)
    return {name: plane.tolist() for name, plane in named}


def cells(plane: list[float]) -> dict[int, float]:
    return {cell: value for cell, value in enumerate(plane) if value}


def test_bounds() -> None:
    states = random_states(6, seed=41)
    for player in range(2):
        planes = GAME.observe(states, np.full(len(states), player, np.int32))
        assert planes.shape == (len(states), 35, 4, 8)
        assert planes.dtype == np.float32
        assert ((planes >= 0) & (planes <= 1)).all()
        # Every cell is exactly one thing, whoever looks, once somebody has a colour.
        assert (planes[1:, :16].sum(axis=1) == 1).mean() > 0.98


def test_both_players_see_their_own_side() -> None:
    position = Position.from_fen(FEN)
    for player, own, enemy in ((0, "own", "enemy"), (1, "enemy", "own")):
        planes = planes_of(position, player)
        pieces = {
            f"{own}_general": {4: 1.0}, f"{own}_soldier": {19: 1.0},
            f"{enemy}_cannon": {9: 1.0}, f"{enemy}_soldier": {18: 1.0},
            "face_down": {30: 1.0, 31: 1.0},
        }  # fmt: skip
        for name in PLANE_NAMES[:15]:
            assert cells(planes[name]) == pieces.get(name, {}), name
        assert len(cells(planes["empty"])) == 32 - 6
        hidden = {f"{own}_hidden_chariot": 0.5, f"{enemy}_hidden_horse": 0.5}
        for name in PLANE_NAMES[16:30]:
            assert set(planes[name]) == {hidden.get(name, 0.0)}, name
        constants = {name: set(planes[name]) for name in PLANE_NAMES[30:]}
        assert constants == {
            "quiet": {np.float32(20 / 50)}, "seen_once": {0.0}, "seen_twice": {0.0},
            "colours_known": {1.0}, "ones": {1.0},
        }  # fmt: skip


def test_before_the_first_flip() -> None:
    for player in range(2):
        planes = planes_of(Position(), player)
        for index, name in enumerate(PLANE_NAMES):
            is_one = name in ("face_down", "ones") or 16 <= index < 30
            assert set(planes[name]) == {float(is_one)}, name


def test_repetitions_and_quiet_turns() -> None:
    position = Position.from_fen("G7/8/8/7g r r - 0", RuleSet(repetition=4))
    seen = []
    for _ in range(2):
        for move in ("a4-b4", "h1-g1", "b4-a4", "g1-h1"):
            position.push(position.parse_move(move))
        planes = planes_of(position, 0)
        seen.append([planes[name][0] for name in ("seen_once", "seen_twice", "quiet")])
    assert seen == [[1.0, 0.0, float(np.float32(4 / 50))], [1.0, 1.0, float(np.float32(8 / 50))]]
    assert position.winner is None
