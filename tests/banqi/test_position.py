"""`Position` of Banqi: what it tells, and that wrong use is refused with the position named.

- the rules told in small positions: steps, captures, cannons, ends (docs/banqi.md)
- chance: a flip needs its piece or a generator
- push and pop, copies, pickles, equality
"""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from cotulenh_env.banqi import Outcome, Position, RuleSet
from cotulenh_env.errors import IllegalActionError, MoveTextError, PositionError, RulesError
from tests.banqi.helpers import push_random


def moves(fen: str, start: str, rules: RuleSet = RuleSet()) -> list[str]:  # noqa: B008
    """What the piece on a cell may do, in the order of the actions."""
    position = Position.from_fen(fen, rules)
    return [text for _, text in position.legal_moves() if text.startswith(start)]


# --- rules --------------------------------------------------------------------------------------


def test_steps() -> None:
    """Rule 3.2: one cell to an empty one, in the order up, down, left, right."""
    assert moves("8/8/2G5/7g r r - 0", "c2") == ["c2-c3", "c2-c1", "c2-b2", "c2-d2"]
    assert moves("8/2?5/1E1?4/2C4g r r HH 0", "c2") == []
    assert moves("8/2?5/1EG?4/2C4g r r HH 0", "c2") == []


def test_captures_of_neighbours() -> None:
    """Rule 4: by the matrix, never own or face-down pieces."""
    assert moves("8/2s5/1rGc4/2h5 r r - 0", "c2") == ["c2xc1", "c2xb2", "c2xd2"]
    assert moves("8/2h5/1rHc4/2s5 r r - 0", "c2") == ["c2xc1", "c2xd2"]
    taiwanese = RuleSet(preset="taiwanese")
    assert moves("8/2h5/1rHc4/2s5 r r - 0", "c2", taiwanese) == ["c2xc3", "c2xc1", "c2xd2"]
    assert moves("8/2g5/1aSs4/2S5 r r - 0", "c2") == ["c2xc3"]
    assert moves("8/2g5/1aSs4/2S5 r r - 0", "c2", taiwanese) == ["c2xc3", "c2xd2"]


def test_cannon() -> None:
    """Rule 3.4: over exactly one piece of any kind, at any distance, to the next; never next to."""
    assert moves("8/8/g1C1?1a1/8 r r H 0", "c2xg") == ["c2xg2"]  # over a face-down piece
    assert moves("8/8/C1S4g/8 r r - 0", "a2x") == ["a2xh2"]  # over an own piece
    assert moves("8/8/Cs5g/8 r r - 0", "a2x") == ["a2xh2"]  # over an enemy, which is next to it
    assert moves("8/8/Cs2r2g/8 r r - 0", "a2x") == ["a2xe2"]  # not over two
    assert moves("8/8/C1s5/7g r r - 0", "a2x") == []  # not over none
    assert moves("8/8/C1s2h2/7g r r - 0", "a2x") == []  # not the horse
    assert moves("8/8/C1s2h2/7g r r - 0", "a2x", RuleSet(cannon_takes_horse=True)) == ["a2xf2"]
    assert moves("C6g/s7/s7/8 r r - 0", "a4x") == ["a4xa2"]
    assert moves("C6g/s7/8/a7 r r - 0", "a4x") == ["a4xa1"]
    assert moves("C6g/s7/8/?7 r r H 0", "a4x") == []


def test_the_first_flip_gives_colours() -> None:
    """Rule 2.4: the first player has the colour of the first piece turned up."""
    for piece, colours in (("s", (1, 0)), ("S", (0, 1))):
        position = Position()
        assert position.legal_actions() == list(range(32))
        seen = [position.colours]
        position.push(5, piece)
        assert [*seen, position.colours] == [None, colours]
        assert position.piece_at("f4") == piece
        assert position.turn == 1


def test_third_occurrence_draws_and_captures_begin_anew() -> None:
    """Rules 5.3 and 5.4."""
    position = Position.from_fen("G7/8/8/7g r r - 0")
    for turn, move in enumerate(2 * ("a4-b4", "h1-g1", "b4-a4", "g1-h1")):
        assert position.winner is None
        position.push(position.parse_move(move))
        assert position.quiet_turns == turn + 1
    assert (position.winner, position.reason) == (-1, "repetition")
    position = Position.from_fen("G7/8/8/6Sg b r - 30")
    position.push(position.parse_move("h1-h2"))
    position.push(position.parse_move("g1-h1"))
    position.push(position.parse_move("h2-g2"))
    assert position.quiet_turns == 33
    position.push(position.parse_move("a4-b4"))
    position.push(position.parse_move("g2-h2"))
    position.push(position.parse_move("h1xh2"))
    assert (position.winner, position.reason) == (0, "all captured")
    assert position.quiet_turns == 0


# --- chance -------------------------------------------------------------------------------------


def test_flips_need_a_piece_or_a_generator() -> None:
    position = Position.from_fen("4g3/8/2S5/7? r b H 3")
    flip, step = position.parse_move("flip h1"), position.parse_move("c2-c1")
    before = position.copy()
    for piece, rng, words in (
        (None, None, "flip h1 needs the piece that it turns up"),
        ("H", np.random.default_rng(1), "or else a generator"),
        ("R", None, "no R is face down"),
    ):
        with pytest.raises(IllegalActionError, match=words):
            position.push(flip, piece, rng=rng)
    for wrong in ("X", "", "HH", ".", "?"):
        with pytest.raises(MoveTextError, match="is no piece"):
            position.push(flip, wrong)
    with pytest.raises(IllegalActionError, match="turns nothing up"):
        position.push(step, "H")
    assert position == before
    assert position.outcomes(flip) == [Outcome("H", 1.0)]
    assert position.outcomes(step) == []
    position.push(flip, rng=np.random.default_rng(1))
    assert position.piece_at("h1") == "H"


# --- changing -----------------------------------------------------------------------------------


def test_push_and_pop() -> None:
    rng = np.random.default_rng(3)
    position = Position()
    past = []
    while not position.is_game_over():
        past.append(position.copy())
        action = int(rng.choice(position.legal_actions()))
        assert position.parse_move(position.move_text(action)) == action
        push_random(position, action, rng)
    assert position.turns == len(past)
    while past:
        position.pop()
        before = past.pop()
        assert position == before
        assert position.legal_actions() == before.legal_actions()
    with pytest.raises(IllegalActionError, match="no action to take back"):
        position.pop()


def test_copies() -> None:
    position = Position()
    position.push(3, "G")
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert twin == position
        twin.push(4, "g")
        assert twin != position
        twin.pop()
        twin.pop()
        assert twin == Position()
    assert pickle.loads(pickle.dumps(position)) == position
    assert position != Position.from_fen(position.fen())  # turns are counted from there
    assert position != "text"
    assert eval(repr(Position())) == Position()


def test_illegal_actions_are_named_with_their_position() -> None:
    position = Position.from_fen("4g3/8/2S5/8 r b - 3")
    for action, words in (
        (0, "action 0 is not legal in 4g3/8/2S5/8 r b - 3"),
        (352, "actions are 0 to 351, got 352"),
        (-1, "actions are 0 to 351, got -1"),
        (True, "a whole number, got True"),
        ("c2-c3", "a whole number, got 'c2-c3'"),
        (1.0, "a whole number, got 1.0"),
    ):
        with pytest.raises(IllegalActionError, match=words):
            position.push(action)  # type: ignore[arg-type]
    for text in ("c2-c4", "c2xc3", "flip a1", "", "C2-C3"):
        with pytest.raises(MoveTextError, match="is no legal move in"):
            position.parse_move(text)
    with pytest.raises(MoveTextError, match="a move is text"):
        position.parse_move(3)  # type: ignore[arg-type]
    over = Position.from_fen("8/8/2S5/8 r b - 3")
    with pytest.raises(IllegalActionError, match="the game is over"):
        over.push(40)
    with pytest.raises(RulesError):
        Position("standard")  # type: ignore[arg-type]
    for cell in ("a5", "i1", "", "a1 ", 3):
        with pytest.raises(PositionError, match="is no cell"):
            position.piece_at(cell)  # type: ignore[arg-type]
