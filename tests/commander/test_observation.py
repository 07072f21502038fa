"""Observation planes.

- the table in the documentation is that of the code
- everything the planes promise can be rebuilt from them: board, deployment, clocks, rules
- values are in [0, 1], and both players see the same position from their own sides
- planes that differ only in what is left out are equal (Markov up to older repetition history)
"""

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.board import IS_BANK, IS_COAST, IS_SEA
from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.commander.kernels.losses import WIN_BONUS
from cotulenh_env.commander.observation import KIND_NAMES, PLANE_NAMES, PLANES
from cotulenh_env.commander.pieces import (
    COMMANDER,
    NAVY,
    VALUE,
    make_stack,
    piece_code,
    stack_codes,
)
from cotulenh_env.commander.rules import BATTLES
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE
from cotulenh_env.commander.tables import ZONE_RADIUS
from tests.commander.helpers import ALL_RULES, changed, random_games
from tests.planes import constant, planes_on_board

GAME = CommanderChess()
DOCUMENT = Path(__file__).parents[2] / "docs" / "observation.md"
DECISIVE = {"standard": 15, "sea": 8, "air": 2, "surprise": 1, "full": 1}


def observe(position: Position, player: int) -> dict[str, npt.NDArray[np.float32]]:
    """Planes by name, float32 [132], points numbered as on the board."""
    return planes_on_board(GAME, position.state, player)


def test_documented_table() -> None:
    rows = re.findall(
        r"^\| (\d+) \| `(\w+)` \| (.+) \| (.+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.M
    )
    assert [(int(number), *row) for number, *row in rows] == [
        (number, *plane) for number, plane in enumerate(PLANES)
    ]
    assert f"`float32 [{len(PLANES)}, 12, 11]`" in DOCUMENT.read_text(encoding="utf-8")
    assert len(set(PLANE_NAMES)) == len(PLANES)


def rebuilt_board(planes: dict[str, npt.NDArray[np.float32]], player: int) -> npt.NDArray[np.int64]:
    board = np.zeros(132, np.int64)
    for point in range(132):
        for name, side in (("own", player), ("enemy", 1 - player)):
            codes = []
            for kind in range(1, 12):
                count = round(2 * float(planes[f"{name}_{KIND_NAMES[kind]}"][point]))
                heroic_plane = planes.get(f"{name}_heroic_{KIND_NAMES[kind]}")
                heroes = 0 if heroic_plane is None else round(2 * float(heroic_plane[point]))
                codes += [piece_code(kind, True)] * heroes
                codes += [piece_code(kind, False)] * (count - heroes)
            if codes:
                assert board[point] == 0
                board[point] = make_stack(codes, side)
    return board


def expected_zones(position: Position, side: int) -> set[int]:
    board = position.state.view(STATE_DTYPE)[0]["board"]
    zones = set()
    for point, stack in enumerate(board):
        if not stack or int(stack) >> 15 != side:
            continue
        radius = int(ZONE_RADIUS[int(stack) & 31]) ** 2
        for other in range(132 if radius else 0):
            ranks, files = other // 11 - point // 11, other % 11 - point % 11
            if ranks**2 + files**2 <= radius:
                zones.add(other)
    return zones


def check_planes(position: Position, player: int) -> None:
    record = position.state.view(STATE_DTYPE)[0]
    rules = position.rules
    planes = observe(position, player)
    assert np.array_equal(rebuilt_board(planes, player), record["board"])

    origin = np.flatnonzero(planes["origin"]).tolist()
    assert origin == ([] if record["origin"] == NO_POINT else [record["origin"]])
    for name in ("unacted", "selected"):
        slots = [planes[f"{name}_{slot + 1}"] for slot in range(3)]
        assert all(set(np.flatnonzero(slot)) <= set(origin) for slot in slots)
        mask = sum(1 << index for index, slot in enumerate(slots) if slot.any())
        assert mask == record[name]
    assert constant(planes["sub_move_made"]) == (record["num_sub_moves"] > 0)
    assert constant(planes["turn_loss"]) == record["turn_loss"]

    assert set(np.flatnonzero(planes["own_zones"])) == expected_zones(position, player)
    assert set(np.flatnonzero(planes["enemy_zones"])) == expected_zones(position, 1 - player)
    assert np.array_equal(planes["sea"], IS_SEA)
    assert np.array_equal(planes["coast"], IS_COAST)
    assert np.array_equal(planes["bank"], IS_BANK)
    assert np.flatnonzero(planes["reef"]).tolist() == [60, 62, 71, 73]  # f6 h6 f7 h7

    assert constant(planes["to_move"]) == (position.turn == player)
    quiet_turns = int(position.fen().split()[4])
    quiet_left = round(127 * constant(planes["quiet_left"]), 3)
    assert quiet_left == max(0, rules.quiet_limit - quiet_turns)
    left = constant(planes["turns_left"])
    assert round(100 * left / (1 - left), 1) == rules.turn_limit - position.turns
    points = [round(2000 * constant(planes[f"{name}_points"]), 2) for name in ("own", "enemy")]
    assert points == list(position.points if player == 0 else position.points[::-1])
    history = record["history"][: record["history_length"]]
    occurrences = (history == history[-1]).sum() if len(history) else 0
    assert round(2 / constant(planes["repetition"])) == rules.repetition
    assert round(rules.repetition * constant(planes["occurrences"]), 5) == min(
        occurrences, rules.repetition
    )

    assert constant(planes["enforce_check"]) == rules.enforce_check
    assert constant(planes["allow_shoot_down"]) == rules.allow_shoot_down
    for switch, value in rules.resolved.items():
        assert constant(planes[switch]) == (value in (True, "loss")), switch
    for side, name in ((player, "own"), (1 - player, "enemy")):
        divisions = ("commander", "air_force", "land", "navy")
        decisive = sum(
            1 << bit
            for bit, division in enumerate(divisions)
            if constant(planes[f"{name}_decisive_{division}"])
        )
        armed = 15 if record["placing"] else int(record["armed"][side])
        assert decisive == armed & DECISIVE[rules.battle]
    following = [name for name in KIND_NAMES[1:] if constant(planes[f"next_{name}"])]
    if record["placing"]:
        order = "HHCNNFFSGGAATTMEEII"
        letters = dict(zip(KIND_NAMES[1:], "HNFTCIMEAGS", strict=True))
        assert [letters[name] for name in following] == [order[record["num_placed"] // 2]]
    else:
        assert following == []


def test_everything_is_rebuilt_from_the_planes() -> None:
    rng = np.random.default_rng(0)
    num_checked = 0
    for position in random_games(2 * len(ALL_RULES), ALL_RULES, seed=11, max_actions=250):
        if rng.random() < 0.1 or ":" in position.fen():
            check_planes(position, int(rng.integers(2)))
            num_checked += 1
    assert num_checked > 300


@pytest.mark.parametrize("battle", BATTLES)
def test_loaded_positions(battle: str) -> None:
    rules = RuleSet(battle=battle, repetition=9, quiet_limit=127, turn_limit=5000)
    fen = "6c4/11/2(nf+t)8/8+s2/11/4(EG)6/11/5(TII)5/11/5(HC)5/11/11 r - - 90 100 f5:I"
    for player in (0, 1):
        check_planes(Position.from_fen(fen, rules), player)


def test_points_never_exceed_their_scale() -> None:
    heroic_navy = int(VALUE[piece_code(NAVY, True)])
    assert heroic_navy == max(VALUE[piece_code(kind, True)] for kind in range(1, 12) if kind != 5)
    assert 18 * heroic_navy + int(VALUE[piece_code(COMMANDER, False)]) + WIN_BONUS <= 2000


def test_both_players_see_one_position() -> None:
    for position in random_games(3, ALL_RULES, seed=12, max_actions=100):
        red, blue = observe(position, 0), observe(position, 1)
        for name in PLANE_NAMES:
            other = name
            if name.startswith("own_"):
                other = "enemy_" + name.removeprefix("own_")
            elif name.startswith("enemy_"):
                other = "own_" + name.removeprefix("enemy_")
            if name != "to_move":
                assert np.array_equal(red[name], blue[other]), name
        assert constant(red["to_move"]) == 1 - constant(blue["to_move"])


def test_what_is_left_out() -> None:
    """Move number and turns played do not matter by themselves; limits left do."""
    position = Position(RuleSet(turn_limit=50))
    later = changed(Position(RuleSet(turn_limit=80)), turns=30, move_number=99)
    assert np.array_equal(
        GAME.observe(position.state[None], np.zeros(1, np.int32)),
        GAME.observe(later[None], np.zeros(1, np.int32)),
    )


def test_every_piece_of_a_stack_is_seen() -> None:
    position = Position.from_fen("6c4/11/11/11/11/11/11/11/2(NTT)8/11/11/3C7 r - - 0 1")
    planes = observe(position, 0)
    point = 3 * 11 + 2
    assert planes["own_tank"][point] == 1
    assert planes["own_navy"][point] == 0.5
    assert len(stack_codes(int(position.state.view(STATE_DTYPE)[0]["board"][point]))) == 3
