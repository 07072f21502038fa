"""Observation planes.

- the table in the documentation is that of the code, and there are 54 (section 7)
- everything the planes promise can be rebuilt from them: board, rights, clocks, armies
- values are in [0, 1], and both players see the same position from their own sides
- no two kinds and no two armies look alike, derived ones included
"""

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.armies import ARMIES, ARMY_CODES
from cotulenh_env.cwda.game import DifferentArmies
from cotulenh_env.cwda.observation import ARMY_SHARES, PIECE_PLANES, PLANE_NAMES, PLANES
from cotulenh_env.cwda.pieces import KIND_NAMES, NUM_KINDS
from tests.cwda.helpers import load, play, random_games, record, varied_starts
from tests.planes import constant, planes_on_board

GAME = DifferentArmies()
DOCUMENT = Path(__file__).parents[2] / "docs" / "cwda.md"
COMPOUNDS = {
    ("queen", "knight"): "amazon", ("charging_rook", "queen"): "forequeen",
    ("bishop", "knight"): "bishight", ("bishop", "charging_knight"): "knishop",
    ("fibnif", "knight"): "crab",
}  # fmt: skip


def observe(position: Position, player: int) -> dict[str, npt.NDArray[np.float32]]:
    """Planes by name, float32 [64], squares numbered as on the board."""
    return planes_on_board(GAME, position.state, player)


def test_documented_table() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.+) \|$", text, re.M)
    assert [(int(number), *row) for number, *row in rows] == [
        (number, *plane) for number, plane in enumerate(PLANES)
    ]
    assert len(set(PLANE_NAMES)) == len(PLANES) == 54
    assert GAME.spec.observation_shape == (54, 8, 8)


def kind_at(planes: dict[str, npt.NDArray[np.float32]], side: str, square: int) -> str:
    names = [
        name.removeprefix(f"{side}_")
        for name in PLANE_NAMES[:36]
        if name.startswith(side) and planes[name][square]
    ]
    if len(names) == 2:
        a, b = sorted(names)
        return {tuple(sorted(parts)): kind for parts, kind in COMPOUNDS.items()}[a, b]
    return names[0] if names else ""


def check_planes(position: Position, player: int) -> None:
    state = record(position)
    planes = observe(position, player)
    for square, code in enumerate(state["board"].tolist()):
        kind = KIND_NAMES[code & 31]
        is_own = code >> 5 == player
        assert kind_at(planes, "own", square) == (kind if code and is_own else "")
        assert kind_at(planes, "enemy", square) == (kind if code and not is_own else "")

    fields = position.fen().split()
    letters = "KQkq" if player == 0 else "kqKQ"
    for letter, name in zip(
        letters,
        ("own_castles_short", "own_castles_long", "enemy_castles_short", "enemy_castles_long"),
        strict=True,
    ):
        assert constant(planes[name]) == (letter in fields[2])
    assert np.flatnonzero(planes["en_passant"]).tolist() == (
        [state["en_passant"]] if state["can_en_passant"] else []
    )
    history = state["history"][: state["history_length"]]
    occurrences = (history == history[-1]).sum()
    assert constant(planes["stood_twice"]) == (occurrences >= 2)
    assert constant(planes["stood_thrice"]) == (occurrences >= 3)
    assert round(100 * constant(planes["quiet_plies"]), 3) == min(100, int(fields[4]))
    codes = position.rules.white_army, position.rules.black_army
    for side, army in (("own", codes[player]), ("enemy", codes[1 - player])):
        shares = [constant(planes[f"{side}_army_{main}"]) for main in ("ff", "cc", "nn", "rr")]
        if army in ("FF", "CC", "NN", "RR"):
            assert shares == [float(main == army) for main in ("FF", "CC", "NN", "RR")]
        assert shares == ARMY_SHARES[ARMY_CODES.index(army)].tolist()
    assert constant(planes["white"]) == (player == 0)
    assert constant(planes["to_move"]) == (position.turn == player)


def test_everything_is_rebuilt_from_the_planes() -> None:
    rng = np.random.default_rng(0)
    num_checked = 0
    for position, _ in random_games(varied_starts(), seed=11, max_moves=100):
        if rng.random() < 0.1 or position.is_game_over():
            check_planes(position, int(rng.integers(2)))
            num_checked += 1
    assert num_checked > 150


def test_loaded_positions() -> None:
    passing = play(load("AC-FW", "4k3/8/8/8/2p5/C7/1P6/4K2X w - - 30 9"), "b2b4")
    for player in (0, 1):
        check_planes(load("AC-FW", "tj2k3/8/8/8/8/C7/1P6/4K2X w - - 130 9"), player)
        check_planes(passing, player)
        assert observe(passing, player)["en_passant"].sum() == 1


def test_no_two_kinds_and_no_two_armies_look_alike() -> None:
    kinds = {tuple(PIECE_PLANES[0, kind]) for kind in range(1, NUM_KINDS + 1)}
    assert len(kinds) == NUM_KINDS
    assert len({tuple(shares) for shares in ARMY_SHARES.tolist()}) == len(ARMIES)


def test_both_sides_see_the_same_board() -> None:
    """Colours swapped and the board turned round, only the plane of the colour differs."""
    num_compared = 0
    for position, _ in random_games(varied_starts(), seed=12, max_moves=60):
        if position.is_game_over():
            continue
        twin = turned(position)
        assert twin.legal_actions() == position.legal_actions()
        planes = GAME.observe(
            np.stack([position.state, twin.state]), np.array([position.turn, twin.turn], np.int32)
        )
        for name, seen, seen_by_twin in zip(PLANE_NAMES, *planes, strict=True):
            if name not in ("white", "stood_twice"):
                assert np.array_equal(seen, seen_by_twin), name
        num_compared += 1
    assert num_compared > 1000


def turned(position: Position) -> Position:
    """Colours swapped, the board turned round; it stands for the first time."""
    fields = position.fen().split()
    fields[0] = "/".join(reversed(fields[0].swapcase().split("/")))
    fields[1] = {"w": "b", "b": "w"}[fields[1]]
    fields[2] = fields[2].swapcase()
    if fields[3] != "-":
        fields[3] = fields[3][0] + {"3": "6", "6": "3"}[fields[3][1]]
    rules = position.rules
    return Position.from_fen(" ".join(fields), RuleSet(rules.black_army, rules.white_army))
