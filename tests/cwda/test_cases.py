"""`Position` and `perft` against every recorded case and table of the rules.

- perft of all sixteen pairings to depth 4, and of the derived armies to depth 3
- positions: legal moves, perft to depth 3, FEN and moves written and read back
- section 11: which castling is there
"""

import pytest

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.game import DifferentArmies
from tests.cases import Case, read_document
from tests.cwda.helpers import load, rules_named, texts

GAME = DifferentArmies()
START: dict[str, Case] = read_document("cwda_perft.json")  # type: ignore[assignment]
POSITIONS = read_document("cwda_positions.json")

DERIVED_PERFT = {
    "AM-FF": (22, 440, 11349), "FF-AM": (20, 440, 9792), "AM-AM": (22, 484, 12483),
    "AC-AC": (22, 484, 12175), "AA-FF": (22, 440, 10895), "AA-AA": (22, 484, 11983),
    "FW-FF": (20, 400, 8822), "FF-FW": (20, 400, 8902), "FW-FW": (20, 400, 8822),
    "AM-RR": (22, 528, 13614), "AA-FW": (22, 440, 10895), "CC-FW": (28, 560, 17310),
}  # fmt: skip
"""Section 10."""

MORE_POSITIONS = [
    ("CC-FF", "1r2k3/8/8/8/8/8/8/D3K3 w Q - 0 1", set(), (14, 200, 3086)),
    ("CC-FF", "r3k3/8/8/8/8/8/8/D3K3 w Q - 0 1", {"e1b1"}, (15, 214, 3249)),
    ("FF-FF", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1"}, (16, 226, 3602)),
    ("CC-FF", "4r1k1/8/8/8/8/8/8/D3K3 w Q - 0 1", set(), (5, 71, 877)),
    ("CC-FF", "4k3/8/8/8/8/8/6b1/D3K2D b KQ - 0 1", set(), (14, 277, 3585)),
]
"""Section 11."""


def perft(position: Position, depth: int) -> int:
    return GAME.perft(position.state[None], depth)


@pytest.mark.parametrize("pairing", START)
def test_perft_of_the_start(pairing: str) -> None:
    case = START[pairing]
    position = Position(rules_named(pairing))
    assert position.fen() == case["start_fen"]
    assert [perft(position, depth) for depth in (1, 2, 3, 4)] == case["perft"][:4]


def test_all_pairings_are_there() -> None:
    assert len(START) == 16


@pytest.mark.parametrize("pairing", DERIVED_PERFT)
def test_perft_of_derived_armies(pairing: str) -> None:
    position = Position(rules_named(pairing))
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == DERIVED_PERFT[pairing]


@pytest.mark.parametrize("case", POSITIONS, ids=range(len(POSITIONS)))
def test_position(case: Case) -> None:
    rules = RuleSet(case["white"], case["black"])
    position = Position.from_fen(case["fen"], rules)
    assert position.fen() == case["fen"]
    assert texts(position) == case["legal"]
    actions = position.legal_actions()
    assert [position.parse_move(position.move_text(action)) for action in actions] == actions
    assert [perft(position, depth) for depth in (1, 2, 3)] == case["perft"]
    # These FENs tell who plays which army.
    assert Position.from_fen(case["fen"]) == position


@pytest.mark.parametrize(("armies", "fen", "castling", "counts"), MORE_POSITIONS)
def test_more_positions(
    armies: str, fen: str, castling: set[str], counts: tuple[int, int, int]
) -> None:
    position = load(armies, fen)
    assert {"e1g1", "e1c1", "e1b1"} & set(texts(position)) == castling
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == counts


def test_a_captured_corner_piece_takes_the_right_along() -> None:
    """Section 11, last row: the capture on h1 leaves White the right on the queen's side."""
    position = load("CC-FF", MORE_POSITIONS[-1][1])
    position.push(position.parse_move("g2h1"))
    assert position.fen().split()[2] == "Q"
