"""`Position` as its user meets it.

- rules and armies: by name, at random, refused
- push and pop, copies, equality, pickles, saved states
- bad actions and bad states are refused, and change nothing
- a state with any byte changed is refused, or is another game's that can be
"""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from cotulenh_env.cwda import DifferentArmies, Position, RuleSet
from cotulenh_env.errors import IllegalActionError, PositionError, RulesError, StateError
from tests.cwda.helpers import changed, load, play, random_games, varied_starts


def test_armies_by_chance() -> None:
    rng = np.random.default_rng(4)
    drawn = {(rules.white_army, rules.black_army) for rules in _drawn(RuleSet(), rng)}
    assert len(drawn) == 16
    assert {rules.white_army for rules in _drawn(RuleSet(white_army="FW"), rng)} == {"FW"}
    assert Position().rules == RuleSet("FF", "FF")


def _drawn(rules: RuleSet, rng: np.random.Generator) -> list[RuleSet]:
    return [Position(rules, rng).rules for _ in range(300)]


@pytest.mark.parametrize("bad", ["XX", "ff", "", None, 3, ["FF"]])
def test_bad_rules_are_refused(bad: Any) -> None:
    with pytest.raises(RulesError, match="white_army is one of FF, CC, NN, RR, AM"):
        RuleSet(white_army=bad)
    with pytest.raises(RulesError, match="unknown rule option 'army'"):
        DifferentArmies().make_rules(army="FF")
    with pytest.raises(RulesError, match="rules are a RuleSet"):
        Position(bad)


def test_push_and_pop() -> None:
    position = load("CC-NN", "g3k2g/8/8/8/8/8/8/D3K2D w KQkq - 0 1")
    fens = [position.fen()]
    for move in ("e1b1", "e8g8", "h1h3"):
        play(position, move)
        fens.append(position.fen())
    assert [position.fen()] == fens[-1:]
    for fen in fens[-2::-1]:
        position.pop()
        assert position.fen() == fen
    with pytest.raises(IllegalActionError, match="no action to take back"):
        position.pop()


def test_copies_are_independent() -> None:
    position = play(Position(), "e2e4")
    for twin in (
        position.copy(),
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
        Position.from_state(position.state),
        Position.from_state(position.state.tobytes()),
    ):
        assert twin == position
        play(twin, "e7e5")
        assert twin != position
    assert pickle.loads(pickle.dumps(position)).pop() == position.actions_played[0]
    with pytest.raises(IllegalActionError):
        position.copy(past=False).pop()


def test_reading() -> None:
    position = load("FF-RR", "4k3/8/8/8/8/4o3/P3P3/4K1NR w - - 0 1")
    assert (position.turn, position.winner, position.reason) == (0, None, "")
    assert position.is_check()
    assert (position.piece_at("e3"), position.piece_at(0), position.piece_at(6)) == ("o", None, "N")
    for bad in ("e9", 64, -1, None):
        with pytest.raises(PositionError):
            position.piece_at(bad)  # type: ignore[arg-type]
    assert "White to move, in check" in str(position)
    assert "Fabulous FIDEs v Remarkable Rookies" in str(position)
    assert eval(repr(position), {"Position": Position, "RuleSet": RuleSet}) == position


@pytest.mark.parametrize("action", [-1, 5632, 10**30, 0, True, 1.0, "e2e4", None])
def test_bad_actions_are_refused(action: Any) -> None:
    position = Position()
    with pytest.raises(IllegalActionError):
        position.push(action)
    with pytest.raises(IllegalActionError):
        position.move_text(action)
    assert position == Position()


# --- saved states -------------------------------------------------------------------------------


def test_states_of_games_are_accepted() -> None:
    for number, (position, _) in enumerate(random_games(varied_starts(), 5, max_moves=120)):
        if number % 7 == 0 or position.is_game_over():
            assert Position.from_state(position.state) == position


@pytest.mark.parametrize(
    "fields",
    [
        {"key": 1}, {"player": 1}, {"player": 2}, {"castling": 7}, {"castling": 16},
        {"en_passant": 20}, {"en_passant": 64}, {"can_en_passant": 1}, {"armies": (0, 8)},
        {"armies": (0, 1)}, {"num_men": (16, 15)}, {"in_check": 1}, {"occurrences": 2},
        {"history_length": 0}, {"history_length": 2}, {"history_length": 102}, {"winner": 0},
        {"winner": -1, "reason": 4}, {"reason": 1}, {"turns": -1}, {"quiet_plies": 100},
        {"move_number": 2**20}, {"unused": 1},
    ],
)  # fmt: skip
def test_states_of_no_game_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(StateError) as caught:
        Position.from_state(changed(Position(), **fields))
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_state_are_refused() -> None:
    state = Position().state
    for bad in (b"", state[:-1], state.astype(np.int16), state[None], "x", None):
        with pytest.raises(StateError):
            Position.from_state(bad)  # type: ignore[arg-type]


def test_no_changed_byte_gets_through_to_the_kernels() -> None:
    """Random bytes are refused, or make a state whose own bytes are accepted and can be played."""
    rng = np.random.default_rng(6)
    position = play(Position(RuleSet("CC", "NN")), "e2e4", "e7e5", "a1a3", "b8c6")
    num_accepted = 0
    for _ in range(1500):
        state = position.state
        state[rng.integers(len(state))] = rng.integers(256)
        try:
            loaded = Position.from_state(state)
        except StateError:
            continue
        num_accepted += 1
        for action in loaded.legal_actions()[:3]:
            play_on = loaded.copy()
            play_on.push(action)
    assert num_accepted < 100
