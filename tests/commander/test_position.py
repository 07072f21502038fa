"""`Position`: looking, changing, copying, and refusing.

- a game is played and read as the documentation shows
- illegal or malformed actions and moves are refused, name the position and change nothing
- copies are equal and independent, however they are made; bytes are checked when they come back
- words: every legal action has its own, and is found by it
"""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cotulenh_env import commander
from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.actions import END, NUM_ACTIONS
from cotulenh_env.commander.fen import START_FEN
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.errors import (
    IllegalActionError,
    MoveTextError,
    PositionError,
    RulesError,
    StateError,
)
from tests.commander.helpers import ALL_RULES, changed, random_games

DEPLOYING = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/3C7 r - - 5 9"


# --- looking ------------------------------------------------------------------------------------


def test_start() -> None:
    position = Position()
    assert (position.turn, position.winner, position.reason) == (0, None, "")
    assert (position.points, position.turns) == ((0, 0), 0)
    assert position.rules == RuleSet()
    assert position.fen() == START_FEN
    assert len(position.legal_actions()) == 114


@pytest.mark.parametrize("rules", ALL_RULES)
def test_rules_travel_with_the_position(rules: RuleSet) -> None:
    assert Position(rules).rules == rules
    assert Position(rules).copy().rules == rules


def test_a_turn_in_words() -> None:
    position = Position.from_fen(DEPLOYING, RuleSet(battle="full"))
    for text in ("SELECT c5 T", "T c5-e5 move", "SELECT c5 F", "F c5-c9 move", "END"):
        position.push(position.parse_move(text))
    assert position.fen() == "6c4/11/11/2F8/11/11/11/2N1T6/11/11/11/3C7 b - - 6 9"
    assert (position.turn, position.turns) == (1, 1)


def test_groups_that_differ_in_marks_only_are_told_apart() -> None:
    position = Position.from_fen(DEPLOYING.replace("(NFT)", "(NT+T)"))
    texts = [position.move_text(action) for action in position.legal_actions()]
    assert {"SELECT c5 T", "SELECT c5 +T"} <= set(texts)
    assert "SELECT c5 NT" in texts
    position = Position.from_fen(DEPLOYING.replace("(NFT)", "(NF+T)"))
    assert position.parse_move("SELECT c5 T") in position.legal_actions()


def test_words_are_unique_and_read_back() -> None:
    rng = np.random.default_rng(0)
    for position in random_games(len(ALL_RULES), ALL_RULES, seed=21, max_actions=150):
        legal = position.legal_actions()
        assert legal == sorted(set(legal))
        if rng.random() < 0.2:
            texts = [position.move_text(action) for action in legal]
            assert len(set(texts)) == len(texts)
            action = int(rng.integers(len(legal))) if legal else -1
            assert not legal or position.parse_move(texts[action]) == legal[action]


def test_drawing_and_repr() -> None:
    position = Position.from_fen(DEPLOYING)
    assert str(position).splitlines()[-1] == "Red to move"
    assert eval(repr(position), {"Position": Position, "RuleSet": RuleSet}) == position
    position.push(position.parse_move("SELECT c5 T"))
    assert "deploying c5" in str(position)
    placing = Position(RuleSet(placement=True))
    assert str(placing).splitlines()[-1] == "Red to place H"
    lost = Position.from_fen("6c4/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1")
    assert str(lost).splitlines()[-1] == "Blue wins: no move"


def test_placement() -> None:
    position = Position(RuleSet(placement=True, battle="sea"))
    rng = np.random.default_rng(5)
    for placed in range(38):
        assert position.turn == placed % 2
        assert position.fen().endswith(
            " r - - 0 1 place" if placed % 2 == 0 else " b - - 0 1 place"
        )
        texts = [position.move_text(action) for action in position.legal_actions()]
        assert all(text.startswith("PLACE ") for text in texts)
        position.push(int(rng.choice(position.legal_actions())))
    assert (position.turn, position.turns, position.points) == (0, 0, (0, 0))
    assert position.fen().endswith(" r - - 0 1")
    record = position.state.view(STATE_DTYPE)[0]
    assert record["armed"].tolist() == [15, 15]
    assert record["history_length"] == 1


def test_import_is_lazy_and_complete() -> None:
    assert commander.Position is Position
    with pytest.raises(AttributeError):
        _ = commander.Nothing


# --- refusing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [True, False, np.bool_(True), 1.0, np.float64(699), None, "699", [699], np.array([699])],
)
def test_an_action_is_a_whole_number(action: Any) -> None:
    position = Position()
    with pytest.raises(IllegalActionError, match="whole number") as error:
        position.push(action)
    assert START_FEN in str(error.value)
    assert position == Position()


@pytest.mark.parametrize(
    "action",
    [-1, NUM_ACTIONS, 10**30, pytest.param(-(10**5000), id="huge"), np.int64(2**62), np.int8(-1)],
)
def test_actions_out_of_range(action: int) -> None:
    position = Position()
    with pytest.raises(IllegalActionError, match="actions are 0 to 14652") as error:
        position.push(action)
    assert START_FEN in str(error.value)
    assert position == Position()


def test_every_action_that_is_not_legal_is_refused() -> None:
    for position in (Position(), Position.from_fen(DEPLOYING)):
        legal = set(position.legal_actions())
        before = position.copy()
        for action in range(NUM_ACTIONS):
            if action not in legal:
                with pytest.raises(IllegalActionError, match=f"action {action} is not legal"):
                    position.push(action)
                with pytest.raises(IllegalActionError):
                    position.move_text(action)
        assert position == before


@pytest.mark.parametrize("kind", [int, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_whole_numbers_of_any_kind(kind: Callable[[int], int]) -> None:
    position = Position()
    position.push(kind(position.parse_move("T f4-f6 move")))
    assert position.turn == 1


def test_nothing_is_legal_after_the_end() -> None:
    position = Position(RuleSet(turn_limit=1))
    position.push(position.legal_actions()[0])
    assert (position.winner, position.reason) == (-1, "turn limit")
    assert position.legal_actions() == []
    with pytest.raises(IllegalActionError, match="the game is over"):
        position.push(END)


@pytest.mark.parametrize(
    "text", ["", "T f4-f6", "t f4-f6 move", "T f4-f6 move ", "T f4-f7 move", "END", "A" * 9999]
)
def test_moves_that_cannot_be_read(text: str) -> None:
    with pytest.raises(MoveTextError, match="is no legal move") as error:
        Position().parse_move(text)
    assert START_FEN in str(error.value)
    assert len(str(error.value)) < 400


def test_rules_are_a_rule_set() -> None:
    with pytest.raises(RulesError):
        Position({"battle": "full"})  # type: ignore[arg-type]
    with pytest.raises(RulesError):
        Position(None)  # type: ignore[arg-type]


# --- copies and bytes ---------------------------------------------------------------------------

COPIES: list[Callable[[Position], Position]] = [
    Position.copy,
    copy.copy,
    copy.deepcopy,
    lambda position: pickle.loads(pickle.dumps(position)),
    lambda position: Position.from_state(position.state),
    lambda position: Position.from_state(position.state.tobytes()),
]


@pytest.mark.parametrize("make_copy", COPIES)
def test_copies_are_equal_and_independent(make_copy: Callable[[Position], Position]) -> None:
    position = Position.from_fen(DEPLOYING)
    position.push(position.parse_move("SELECT c5 F"))
    twin = make_copy(position)
    assert twin == position
    assert twin is not position
    assert twin.legal_actions() == position.legal_actions()
    before = twin.fen(), twin.legal_actions()
    position.push(position.legal_actions()[0])
    assert twin != position
    assert (twin.fen(), twin.legal_actions()) == before
    twin.push(twin.legal_actions()[0])
    assert twin == position


def test_equality() -> None:
    assert Position() != Position(RuleSet(repetition=4))
    assert Position() != START_FEN
    with pytest.raises(TypeError):
        hash(Position())


def test_the_state_is_a_copy() -> None:
    position = Position()
    position.state[:] = 0
    assert position == Position()


def test_states_of_games_are_accepted() -> None:
    for number, position in enumerate(random_games(9, ALL_RULES, seed=31)):
        if number % 5 == 0 or position.winner is not None:
            assert Position.from_state(position.state) == position


DAMAGES: list[dict[str, Any]] = [
    {"key": 1},
    {"history_length": 0},
    {"history_length": 129},
    {"history": 7},
    {"board": 0},
    {"board": 0x7FFF},
    {"points": -1},
    {"points": 10**9},
    {"counts": 1},
    {"commander": 0},
    {"armed": 0},
    {"armed": 16},
    {"turns": 400},
    {"turns": 60_000},
    {"quiet_turns": 100},
    {"move_number": 0},
    {"move_number": 65_536},
    {"turn_limit": 0},
    {"player": 1},
    {"player": 2},
    {"origin": 0},
    {"origin": 200},
    {"unacted": 1},
    {"selected": 1},
    {"num_sub_moves": 1},
    {"turn_loss": 1},
    {"num_placed": 5},
    {"placing": 1},
    {"winner": 0},
    {"winner": 5},
    {"reason": 1},
    {"reason": 2, "winner": 0},
    {"reason": 1, "winner": -1},
    {"reason": 3, "winner": 1},
    {"reason": 4, "winner": 0},
    {"reason": 6, "winner": -1},
    {"reason": 99, "winner": 0},
    {"edition": 3},
    {"switches": -1},
    {"switches": 1 << 13},
    {"switches": 12},
    {"battle": 9},
    {"placement": 2},
    {"enforce_check": 2},
    {"allow_shoot_down": -1},
    {"repetition": 1},
    {"quiet_limit": 0},
    {"quiet_limit": -1},
    {"unused": 1},
    {"origin": 34, "unacted": 1, "num_sub_moves": 1, "selected": 2},
    {"origin": 34, "unacted": 3, "num_sub_moves": 1},
    {"origin": 34, "unacted": 1, "num_sub_moves": 0},
    {"origin": -1},
    {"player": -1},
    {"turns": -1},
    {"quiet_turns": -5},
    {"armed": -1},
    {"edition": -1},
    {"battle": -1},
    {"history_length": -1},
    {"reason": -1, "winner": 0},
    {"origin": 35, "unacted": 1, "num_sub_moves": -1},
    {"origin": 35, "unacted": 1, "num_sub_moves": 1, "selected": -1},
]


@pytest.mark.parametrize("fields", DAMAGES, ids=str)
def test_damaged_states_are_refused(fields: dict[str, Any]) -> None:
    state = changed(Position(), **fields)
    with pytest.raises(StateError) as error:
        Position.from_state(state)
    assert "\n" not in str(error.value)


def test_damaged_bytes_never_get_through_as_nonsense() -> None:
    """What is accepted can be played on to the end, whatever bits were flipped."""
    rng = np.random.default_rng(3)
    seeds = [position.state for position in random_games(3, ALL_RULES, seed=9, max_actions=60)]
    num_accepted = 0
    for _ in range(2000):
        state = seeds[rng.integers(len(seeds))].copy()
        for _ in range(rng.integers(1, 3)):
            state[rng.integers(1032, len(state))] ^= np.uint8(1 << rng.integers(8))
        try:
            position = Position.from_state(state)
        except StateError:
            continue
        num_accepted += 1
        for _ in range(20):
            legal = position.legal_actions()
            if not legal:
                break
            position.push(int(rng.choice(legal)))
        Position.from_state(position.state)
        str(position)
    assert num_accepted > 20


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"x" * 10,
        None,
        "state",
        np.zeros(STATE_DTYPE.itemsize, np.int8),
        np.zeros((1, STATE_DTYPE.itemsize), np.uint8),
        np.zeros(STATE_DTYPE.itemsize, np.uint8),
    ],
)
def test_what_is_no_state(state: Any) -> None:
    with pytest.raises(StateError):
        Position.from_state(state)


def test_errors_are_value_errors() -> None:
    for error in (IllegalActionError, MoveTextError, PositionError, RulesError, StateError):
        assert issubclass(error, ValueError)
