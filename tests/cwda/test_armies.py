"""Armies as data: what pieces do, and what follows from their Betza terms.

- targets from d4 for both colours, as recorded; counts of the derived kinds (section 10)
- every move lies in the 1792 queen-or-knight pairs (section 7), castling planes do not clash
- actions and moves are an inverse pair; every legal action has its own logit
- promotions: the union of both armies, a shared kind in its own-army slot (section 5)
- Betza text that is none is refused
"""

import pytest

from cotulenh_env.cwda.actions import NUM_ACTIONS, decode, encode, policy_index
from cotulenh_env.cwda.armies import ARMIES, ARMY_CODES, PROMOTIONS, back_rank
from cotulenh_env.cwda.betza import displacements
from cotulenh_env.cwda.board import parse_square, square_name
from cotulenh_env.cwda.moves import HITS, MOVES, PLANE_STEPS
from cotulenh_env.cwda.pieces import KIND_LETTERS, KINDS, NUM_KINDS, PAWN
from cotulenh_env.errors import IllegalActionError
from tests.cases import Case, read_document

D4: dict[str, Case] = read_document("cwda_d4_targets.json")  # type: ignore[assignment]
DERIVED_D4 = {"x": (35, 35), "e": (25, 23), "t": (11, 10), "j": (10, 11), "c": (4, 4)}


@pytest.mark.parametrize("letter", sorted(D4))
@pytest.mark.parametrize("side", [0, 1])
def test_targets_from_d4(letter: str, side: int) -> None:
    recorded = D4[letter][("white_d4", "black_d4")[side]]
    kind = KIND_LETTERS.index(letter)
    steps = [step for plane, step in enumerate(PLANE_STEPS) if MOVES[kind, plane]]
    targets = []
    for rank, file in steps:
        rank, file = 3 + (-rank if side else rank), 3 + file
        if 0 <= rank < 8 and 0 <= file < 8:
            targets.append(square_name(8 * rank + file))
    assert sorted(targets) == sorted(recorded)


@pytest.mark.parametrize("letter", DERIVED_D4)
def test_derived_kinds_from_d4(letter: str) -> None:
    counts = []
    for sign in (1, -1):
        inside = [
            0 <= 3 + sign * rank < 8 and 0 <= 3 + file < 8
            for plane, (rank, file) in enumerate(PLANE_STEPS)
            if MOVES[KIND_LETTERS.index(letter), plane]
        ]
        counts.append(sum(inside))
    assert tuple(counts) == DERIVED_D4[letter]


def test_queen_and_knight_pairs() -> None:
    """Section 7: the union over kinds, colours and squares is 1792 pairs."""
    pairs = set()
    for kind in range(1, NUM_KINDS + 1):
        for plane, (rank_step, file_step) in enumerate(PLANE_STEPS):
            for square in range(64) if MOVES[kind, plane] else ():
                rank, file = square // 8 + rank_step, square % 8 + file_step
                if 0 <= rank < 8 and 0 <= file < 8:
                    pairs.add((square, 8 * rank + file))
    assert len(pairs) == 1792


def test_what_hits_is_what_moves() -> None:
    """Section 3, from e5 to the mover's squares: an enemy's forward is down the board."""
    for target in range(64):
        rank, file = target // 8 - 4, target % 8 - 4
        for kind in range(PAWN + 1, NUM_KINDS + 1):
            reach = displacements(KINDS[kind].betza).get((-rank, file), 0)
            assert HITS[kind, parse_square("e5"), target] == reach
    pawn = [square_name(square) for square in HITS[PAWN, parse_square("e5")].nonzero()[0]]
    assert pawn == ["d4", "f4"]


def test_actions_are_an_inverse_pair() -> None:
    moves = [decode(action) for action in range(NUM_ACTIONS)]
    on_board = [action for action, move in enumerate(moves) if move.target >= 0]
    assert len(on_board) == 1792 + 7 * 22 * 8  # promotion planes exist on every rank but the last
    assert [encode(moves[action]) for action in on_board] == on_board
    with pytest.raises(IllegalActionError):
        decode(NUM_ACTIONS)
    assert sorted(policy_index()) == list(range(NUM_ACTIONS)) == list(range(5632))


def test_promotions() -> None:
    letters = {
        (own.code, other.code): "".join(
            KIND_LETTERS[kind] for kind in PROMOTIONS[ARMIES.index(own), ARMIES.index(other)]
        )
        for own in ARMIES
        for other in ARMIES
    }
    assert letters["FF", "CC"] == "rnbqdwfa"
    assert letters["CC", "FF"] == "dwfarnbq"
    assert letters["NN", "NN"] == "gihl...."
    assert letters["AM", "FF"] == "snbxr..q"
    assert letters["AA", "NN"] == "gibm..hl"
    for (own_code, other_code), found in letters.items():
        own, other = (set(back_rank(ARMY_CODES.index(code))) for code in (own_code, other_code))
        kinds = sorted(KIND_LETTERS.index(letter) for letter in found if letter != ".")
        assert kinds == sorted((own | other) - {KIND_LETTERS.index("k")})


def test_betza() -> None:
    assert sorted(displacements("R2")) == sorted(
        [(1, 0), (2, 0), (0, 1), (0, 2), (-1, 0), (-2, 0), (0, -1), (0, -2)]
    )
    for bad in ("", "Z", "RR2x", "qR", "3N", "f"):
        with pytest.raises(ValueError, match=r"Betza|atom|modifier"):
            displacements(bad)


def test_squares() -> None:
    assert [square_name(parse_square(name)) for name in ("a1", "h8", "e4")] == ["a1", "h8", "e4"]
    assert parse_square("e4") == 28
    for bad in ("", "e", "e9", "i1", "e44", "4e", "é4"):
        with pytest.raises(ValueError, match="is no square"):
            parse_square(bad)
