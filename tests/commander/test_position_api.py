"""What a `Position` tells about its board, and taking back.

- attackers, checkers and zones: by hand, and as the slow reference says over random positions
- stacks, pieces, material, deployment; every way to write a point
- pop restores everything; copies share the past and stay independent; pickles keep it
- the key is the game's own
"""

import copy
import gc
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from cotulenh_env import commander
from cotulenh_env.commander import Deployment, LegalMove, Piece, Position, RuleSet
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.errors import IllegalActionError, PositionError
from cotulenh_env.registry import load_game
from tests.commander.helpers import ALL_RULES, changed, random_action, random_games
from tests.commander.test_differential import rule_set
from tests.commander.test_fen import full
from tests.reference.commander import EDITIONS, Edition, Rules
from tests.reference.commander import Game as Reference
from tests.reference.commander.board import NUM_POINTS, name_of
from tests.reference.commander.flight import enemy_zones_over
from tests.reference.commander.heroes import commander_is_open, commander_points
from tests.reference.commander.movement import can_capture
from tests.reference.commander.pieces import Board
from tests.reference.random_positions import random_position

DEPLOYING = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/3C7 r - - 5 9"


def names(pieces: tuple[Piece, ...]) -> list[str]:
    """Pieces as `T f4`."""
    return [f"{piece.text} {piece.point}" for piece in pieces]


# --- attack: by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "point", "attackers"),
    [
        pytest.param({"r4": "5T5", "r6": "5t5"}, "f6", ["T f4"], id="§2 a tank reaches 2"),
        pytest.param({"r4": "5T5", "r5": "5i5", "r6": "5t5"}, "f6", [], id="§2 and is blocked"),
        pytest.param({"r3": "5A5", "r5": "5i5", "r6": "5t5"}, "f6", ["A f3"], id="§2 artillery"),
        pytest.param({"r5": "4I6", "r6": "5t5"}, "f6", [], id="§2 infantry is orthogonal"),
        pytest.param({"r5": "4+I6", "r6": "5t5"}, "f6", ["+I e5"], id="R9.2 a hero is not"),
        pytest.param({"r4": "5(FTI)5", "r5": "5t5"}, "f5", ["F f4", "T f4", "I f4"], id="R9.1"),
        pytest.param({"r4": "5(EA)5", "r6": "5t5"}, "f6", ["A f4"], id="R9.1 a heavy passenger"),
        pytest.param({"r6": "3G7", "r7": "3t7"}, "d7", ["G d6"], id="R4.5 across the river"),
        pytest.param({"r4": "2T8", "r5": "2n8"}, "c5", ["T c4"], id="R4.3 a navy on the coast"),
        pytest.param({"r4": "2T8", "r5": "11", "r6": "11"}, "c4", [], id="nobody there"),
        pytest.param({"r5": "1n9", "r4": "4T6"}, "e4", [], id="R5.3 in line only"),
        pytest.param({"r5": "1n9", "r2": "4T6"}, "e2", ["N b5"], id="R5.3 a gun"),
        pytest.param({"r5": "1n9", "r6": "1N9"}, "b6", ["N b5"], id="R5.2 a missile"),
        pytest.param({"r5": "4(hc)6", "r4": "4I6", "r12": "11"}, "e5", [], id="R4.4 infantry"),
        pytest.param({"r5": "4(hc)6", "r4": "4T6", "r12": "11"}, "e5", ["T e4"], id="R4.4 tank"),
        pytest.param({"r5": "4h6", "r4": "4I6"}, "e5", ["I e4"], id="R4.4 an empty headquarters"),
        pytest.param({"r4": "5F5", "r8": "5t5"}, "f8", ["F f4"], id="R8.3"),
        pytest.param({"r4": "5F5", "r6": "4g6", "r8": "5t5"}, "f8", [], id="R8.4 shot down"),
        pytest.param({"r4": "5+F5", "r6": "4g6", "r8": "5t5"}, "f8", ["+F f4"], id="R8.6"),
        pytest.param({"r4": "5F5", "r8": "5tg4"}, "f8", ["F f4"], id="R8.4 kamikaze"),
        pytest.param({"r12": "3c7"}, "d12", ["C d1"], id="R6.4 face to face"),
        pytest.param({"r12": "3c7", "r6": "3n7"}, "d12", [], id="R6.2 a navy is in the way"),
        pytest.param({"r12": "3c7", "r1": "3(HC)7"}, "d12", [], id="R6.5 hidden"),
        pytest.param({"r12": "11", "r2": "3t7"}, "d2", ["C d1"], id="§2 a commander captures at 1"),
        pytest.param({"r12": "11", "r3": "3t7"}, "d3", [], id="§2 and no farther"),
        pytest.param({"r1": "4tC5", "r12": "4c6"}, "e1", [], id="R6.3 in sight"),
        pytest.param({"r1": "4t(TC)5", "r12": "4c6"}, "e1", ["T f1"], id="R6.3 getting off"),
    ],
)
def test_attackers(ranks: dict[str, str], point: str, attackers: list[str]) -> None:
    position = Position.from_fen(full(**ranks), RuleSet(battle="full"))
    assert names(position.attackers(point)) == attackers


def test_attackers_do_not_wait_for_their_turn() -> None:
    """Attack is a matter of the board: whoever is to move, and in mid-deployment."""
    fen = full(r4="5(TM)5", r6="5ti4")
    before = Position.from_fen(fen)
    expected = {"f6": ["T f4"], "f4": ["T f6"]}
    for position in (before, Position.from_fen(fen.replace(" r ", " b "))):
        assert {point: names(position.attackers(point)) for point in expected} == expected
    before.push(before.parse_move("SELECT f4 M"))
    before.push(before.parse_move("M f4-g5 move"))
    assert names(before.attackers("g6")) == ["M g5"]
    assert names(before.attackers("f6")) == ["T f4", "M g5"]


def test_russian_headquarters_hide_their_commander_from_most() -> None:
    """R12.2: a strike that leaves the commander is no attack, one on another stack is."""
    fen = full(r5="2I1(hc)I4A", r4="2t1T6", r9="4F6", r12="11")
    russian = Position.from_fen(fen, RuleSet(edition="russian", battle="full"))
    assert names(russian.attackers("e5")) == ["F e9"]
    assert names(russian.attackers("c4")) == ["T e4", "I c5"]
    official = Position.from_fen(fen, RuleSet(battle="full"))
    assert names(official.attackers("e5")) == ["T e4", "F e9"]


def test_check() -> None:
    """R10.8, and R9.1 for a commander in its stack."""
    position = Position.from_fen(full(r1="3C7", r3="3t7", r12="6c4"))
    assert (position.is_check(), position.is_check(0), position.is_check(1)) == (True, True, False)
    assert names(position.checkers()) == ["T d3"]
    assert position.checkers(1) == ()
    without = Position.from_fen(full(r1="11", r3="3t7"))
    assert not without.is_check(0)


def test_start_is_quiet() -> None:
    position = Position()
    assert not position.is_check(0)
    assert not position.is_check(1)
    assert all(position.attackers(point) == () for point in range(NUM_POINTS))


# --- attack: against the reference ----------------------------------------------------------------


def expected_attackers(board: Board, target: int, rules: Rules) -> list[str]:
    """R9.1 for every piece but the commander, which captures as it stands (R6.4, R6.5)."""
    found = []
    for point in sorted(board):
        for piece in board[point]:
            if piece.side == board[target][0].side:
                continue
            seen = board if piece.kind == "C" else {**board, point: (piece,)}
            if can_capture(seen, piece, point, target, rules):
                found.append(f"{piece.letter} {name_of(point)}")
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_attackers_and_zones_agree_with_the_reference(edition: Edition) -> None:
    """R2–R8, R9.1, R10.8, R12: over random positions, deployments and placements included."""
    rng = Random(f"attackers {edition}")
    points = tuple(range(NUM_POINTS))
    num_attackers = num_checks = 0
    for _ in range(100):
        fen, rules = random_position(rng, [edition])
        position = Position.from_fen(fen, rule_set(rules))
        board = Reference.from_fen(fen, rules).board
        for target in board:
            attackers = names(position.attackers(target))
            assert attackers == expected_attackers(board, target, rules), f"{fen} {target}"
            num_attackers += len(attackers)
        for side in (0, 1):
            is_open = commander_is_open(board, side, rules)
            assert position.is_check(side) == is_open, fen
            num_checks += is_open
            assert [piece.point for piece in position.pieces(side) if piece.text == "C"] == [
                name_of(point) for point in commander_points(board, side)
            ]
            zones = enemy_zones_over(board, 1 - side, points)
            covered = {point: [zone for zone in zones if point in zone] for point in points}
            found = position.zones(side)
            assert list(found) == [name_of(point) for point in points if covered[point]], fen
            for point in points:
                assert len(found.get(name_of(point), ())) == len(covered[point]), fen
    assert num_attackers > 200
    assert num_checks > 10


def ends_battle(position: Position, action: int) -> bool:
    """Whether the action, or one of the group that it selects, ends the battle."""
    after = position.copy()
    after.push(action)
    if after.deployment is not None and after.deployment.selected:
        return any(ends_battle(after, following) for following in after.legal_actions())
    return after.reason == "battle" and after.winner == position.turn


def test_check_agrees_with_what_can_be_played() -> None:
    """R10.8: a commander is open exactly if the enemy, to move, could capture it at once."""
    num_checks = 0
    for position in random_games(6, [RuleSet(battle="full")], seed=77):
        if position.is_game_over() or position.deployment is not None:
            continue
        captures = any(ends_battle(position, action) for action in position.legal_actions())
        assert position.is_check(1 - position.turn) == captures
        num_checks += captures
    assert num_checks > 5


# --- zones ----------------------------------------------------------------------------------------


def test_zones() -> None:
    """R8.1, R9.2: G and N 1, S 2, heroic ones 1 more; carriers only (R7.2)."""
    position = Position.from_fen(full(r1="2G7C", r4="5S5", r6="1(NF)9", r9="2(ES)8"))
    zones = position.zones(0)
    covered_by = {
        text: [point for point, pieces in zones.items() if text in [piece.text for piece in pieces]]
        for text in ("G", "S", "N", "F", "E")
    }
    assert covered_by == {
        "G": ["b1", "c1", "d1", "c2"],
        "S": ["f2", "e3", "f3", "g3", "d4", "e4", "f4", "g4", "h4", "e5", "f5", "g5", "f6"],
        "N": ["b5", "a6", "b6", "c6", "b7"],
        "F": [],
        "E": [],
    }
    assert position.zones(1) == {}


# --- the board ------------------------------------------------------------------------------------


def test_stacks_and_pieces() -> None:
    position = Position.from_fen(full(r4="2(n+ft)8", r6="2I8"))
    assert position.stack_at("c4") == (
        Piece("c4", "N", 1),
        Piece("c4", "+F", 1),
        Piece("c4", "T", 1),
    )
    assert position.stack_at("c5") == ()
    assert names(position.pieces(0)) == ["C d1", "I c6"]
    assert names(position.pieces(1)) == ["N c4", "+F c4", "T c4", "C g12"]


def test_material() -> None:
    """§2, R9.2: values, 10 more for a hero."""
    position = Position.from_fen(full(r4="2(n+ft)8", r6="2I8"))
    red, blue = position.material(0), position.material(1)
    assert (red.points, blue.points) == (110, 80 + 50 + 20 + 100)
    assert blue.counts == {
        "H": 0, "N": 1, "F": 1, "T": 1, "C": 1, "I": 0, "M": 0, "E": 0, "A": 0, "G": 0, "S": 0,
    }  # fmt: skip
    assert list(blue.counts) == list("HNFTCIMEAGS")
    assert sum(Position().material(1).counts.values()) == 19


def test_material_falls_as_points_rise() -> None:
    """R10.6: what a side has lost is what the other has won, while nobody is promoted."""
    num_compared = 0
    has_heroes = False
    for position in random_games(4, [RuleSet(battle="full")], seed=3):
        marks = [piece.text[0] for side in (0, 1) for piece in position.pieces(side)]
        has_heroes = "+" in marks or (has_heroes and bool(position.actions_played))
        if not has_heroes and not position.is_game_over():
            num_compared += 1
            assert position.points[0] == 550 - position.material(1).points
            assert position.points[1] == 550 - position.material(0).points
    assert num_compared > 100


POINTS: list[str | int] = ["f4", "3,5", 38]


@pytest.mark.parametrize("point", [*POINTS, np.int16(38), np.uint8(38)])
def test_points_as_they_are_written(point: str | int) -> None:
    """R1.1: `3,5` is f4."""
    assert names(Position().stack_at(point)) == ["T f4"]


def test_corners() -> None:
    position = Position.from_fen(full(r1="n9I", r12="N9i"))
    corners: list[list[str | int]] = [
        ["a1", "0,0", 0],
        ["k1", "0,10", 10],
        ["a12", "11,0", 121],
        ["k12", "11,10", 131],
    ]
    for texts in corners:
        assert len({position.stack_at(text) for text in texts}) == 1
        assert position.stack_at(texts[0])


@pytest.mark.parametrize(
    "point",
    ["", "f", "4f", "f0", "f13", "l4", "F4", "f4 ", "12,0", "0,11", "-1,0", "03,5", "3,5,1", "3,",
     ",5", "٣,5", "²,5", -1, 132, 10**40, True, None, 3.0, (3, 5), "x" * 5000, "1," * 5000],
)  # fmt: skip
def test_what_is_no_point(point: Any) -> None:
    for look in (Position().stack_at, Position().attackers):
        with pytest.raises(PositionError, match="is no point: points are") as error:
            look(point)
        assert len(str(error.value)) < 400


@pytest.mark.parametrize("side", [2, -1, True, "red", 0.0, 10**30])
def test_what_is_no_side(side: Any) -> None:
    position = Position()
    for look in (position.pieces, position.material, position.zones, position.is_check):
        with pytest.raises(PositionError, match=r"a side is 0 \(Red\) or 1 \(Blue\)"):
            look(side)


def test_deployment() -> None:
    """R7.7–R7.9: from the selection to the turn's end."""
    position = Position.from_fen(DEPLOYING)
    seen = [position.deployment]
    for text in ("SELECT c5 NF", "NF c5-c6 move", "END"):
        position.push(position.parse_move(text))
        seen.append(position.deployment)
    assert seen == [None, Deployment("c5", "NFT", "NF"), Deployment("c5", "T", ""), None]


def test_a_navy_that_has_struck_has_a_deployment() -> None:
    """R12.2: nothing is left to act but the whole."""
    fen = full("r - - 0 9", r4="2N8", r6="4t6")
    position = Position.from_fen(fen, RuleSet(edition="russian", battle="full"))
    position.push(position.parse_move("N c4*e6 strike"))
    assert position.deployment == Deployment("c4", "", "")
    assert position.key != Position.from_fen(full(r4="2N8")).key


# --- moves, taking back ---------------------------------------------------------------------------


def test_legal_moves_are_the_legal_actions_in_words() -> None:
    for position in random_games(2, ALL_RULES[:3], seed=8, max_actions=60):
        assert position.legal_moves() == [
            LegalMove(action, position.move_text(action)) for action in position.legal_actions()
        ]


def test_pop_restores_every_position_of_a_game() -> None:
    """Clocks, history, points, marks and unfinished deployments, backwards to the start."""
    rng = np.random.default_rng(4)
    for rules in ALL_RULES:
        position = Position(rules)
        states, played = [position.state.tobytes()], []
        while legal := position.legal_actions():
            played.append(random_action(position, legal, rng))
            position.push(played[-1])
            states.append(position.state.tobytes())
        assert position.actions_played == played
        while played:
            assert position.state.tobytes() == states.pop()
            assert position.pop() == played.pop()
            assert position.actions_played == played
        assert position == Position(rules)
        assert position.legal_actions() == Position(rules).legal_actions()


def test_nothing_to_take_back() -> None:
    position = Position.from_fen(DEPLOYING)
    with pytest.raises(IllegalActionError, match="no action to take back") as error:
        position.pop()
    assert DEPLOYING in str(error.value)
    position.push(position.legal_actions()[0])
    position.pop()
    with pytest.raises(IllegalActionError):
        position.pop()
    assert position == Position.from_fen(DEPLOYING)


def test_a_refused_action_leaves_nothing_to_take_back() -> None:
    position = Position()
    with pytest.raises(IllegalActionError):
        position.push(14652)
    assert position.actions_played == []


@pytest.mark.parametrize(
    "make_copy",
    [
        Position.copy,
        copy.copy,
        copy.deepcopy,
        lambda position: pickle.loads(pickle.dumps(position)),
    ],
)
def test_copies_take_back_on_their_own(make_copy: Callable[[Position], Position]) -> None:
    position = Position()
    for _ in range(3):
        position.push(position.legal_actions()[0])
    twin = make_copy(position)
    assert twin == position
    assert twin.actions_played == position.actions_played
    state = position.state.tobytes()
    for _ in range(3):
        twin.pop()
    assert twin == Position()
    twin.push(twin.legal_actions()[-1])
    assert position.state.tobytes() == state
    assert len(position.actions_played) == 3


def test_a_copy_without_past() -> None:
    position = Position()
    position.push(position.legal_actions()[0])
    twin = position.copy(past=False)
    assert twin == position
    assert twin.actions_played == []


def test_what_can_be_taken_back_does_not_count_for_equality() -> None:
    position = Position.from_fen(DEPLOYING)
    position.push(position.parse_move("SELECT c5 T"))
    assert Position.from_state(position.state) == position


def test_a_long_past_is_forgotten_without_trouble() -> None:
    """Regression guard: a chain of a hundred thousand links is freed without deep recursion."""
    position = Position.from_fen(full(r4="5(TM)5"))
    action = position.parse_move("SELECT f4 M")
    for _ in range(10):
        position.push(action)
        position.pop()
    past = None
    for _ in range(100_000):
        position.push(action)
        link = position._past
        assert link is not None
        past = link._replace(before=past)
        position.pop()
    del past
    gc.collect()
    assert position.actions_played == []


def test_pickles_are_small() -> None:
    """They hold the first state and the actions, not every state between."""
    *_, position = random_games(1, ALL_RULES, seed=2, max_actions=80)
    assert len(position.actions_played) > 60
    assert len(pickle.dumps(position)) < 2500


# --- the key --------------------------------------------------------------------------------------


def test_key_is_the_games() -> None:
    """DESIGN §3: board, marks, side to move and unfinished deployment; no clocks."""
    game = load_game("commander")
    keys: dict[int, str] = {}
    for position in random_games(4, ALL_RULES, seed=12):
        key = position.key
        assert type(key) is int
        assert 0 <= key < 2**64
        assert key == int(game.key(position.state[None])[0])
        fields = position.fen().split()
        told = f"{fields[0]} {fields[1]} {fields[6:]} {position.deployment}"
        if not position.is_game_over():
            assert keys.setdefault(key, told) == told
    assert len(keys) > 300


def test_key_knows_no_clocks() -> None:
    position = Position()
    later = Position.from_state(changed(position, move_number=9, points=(10, 0)))
    assert later.key == position.key
    assert later != position
    blue = Position.from_fen(position.fen().replace(" r ", " b "))
    assert blue.key != position.key
    assert position.state.view(STATE_DTYPE)[0]["key"] == np.uint64(position.key).astype(np.int64)


def test_game_over() -> None:
    position = Position(RuleSet(turn_limit=1))
    assert not position.is_game_over()
    position.push(position.legal_actions()[0])
    assert position.is_game_over()


@pytest.mark.parametrize("name", commander.__all__)
def test_public_names_are_there(name: str) -> None:
    assert callable(getattr(commander, name))
