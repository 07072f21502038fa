"""What the recorded cases do not show of the reference.

- colours: a position seen from the other side has the same actions and the same course
- placement: order, own half, and the commanders' line of sight
- loading: unfinished deployments, and text that is refused
- endings: both sides losing at once, and nothing left to move
- the two ways on of a Russian navy that has struck
"""

from random import Random

import pytest

from tests.reference.commander import EDITIONS, FenError, Game, Rules
from tests.reference.commander.actions import END, NUM_ACTIONS, decode, encode_move, encode_strike
from tests.reference.commander.board import name_of
from tests.reference.random_positions import random_position, random_walk

FULL = Rules(battle="full")
RUSSIAN = Rules(battle="full", edition="russian")
FAR = "8ee1"  # pieces far from everything, so that no last defender is made


def swapped_board(board: str) -> str:
    return "/".join(reversed(board.swapcase().split("/")))


def swapped(fen: str) -> str:
    """The same position with colours and sides of the board exchanged."""
    board, side, *rest = fen.split(" ")
    other = "r" if side == "b" else "b"
    if len(rest) == 5:
        name, unacted = rest[4].split(":")
        rest[4] = f"{name[0]}{13 - int(name[1:])}:{unacted}"
    return " ".join([swapped_board(board), other, *rest])


def test_colours_are_alike() -> None:
    rng = Random(4)
    for _ in range(150):
        fen, rules = random_position(rng, EDITIONS)
        if fen.endswith("place"):
            continue
        game, mirror = Game.from_fen(fen, rules), Game.from_fen(swapped(fen), rules)
        assert game.legal_actions() == mirror.legal_actions()
        for action in random_walk(rng, game, 6):
            mirror.push(action)
        assert mirror.board_fen() == swapped_board(game.board_fen())
        assert mirror.points == game.points[::-1]
        assert mirror.reason == game.reason
        assert mirror.winner == (1 - game.winner if game.winner in (0, 1) else game.winner)


def test_actions_decode_to_what_they_encode() -> None:
    for side in (0, 1):
        for number in range(NUM_ACTIONS):
            try:
                action = decode(number, side)
            except ValueError:
                continue
            if action.kind == "move":
                assert encode_move(action.origin, action.target, side) == number
            elif action.kind == "strike":
                assert encode_strike(action.origin, action.target, side) == number


def test_placement_leads_to_a_game() -> None:
    game = Game.start(Rules(placement=True))
    assert game.fen() == "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1 place"
    rng = Random(5)
    for _ in range(38):
        assert game.placing
        assert game.fen().endswith("place")
        game.push(rng.choice(game.legal_actions()))
    assert not game.placing
    assert (game.turn, game.turns, game.quiet, game.number) == (0, 0, 0, 1)
    assert game.armed == ("CFLN", "CFLN")


def test_blue_commander_is_not_placed_in_sight() -> None:
    # Red's commander on f6 looks up the file as far as the first piece.
    fen = "11/11/11/5h5/2h8/11/5C5/11/11/2HH7/11/11 b - - 0 1 place"
    texts = set(Game.from_fen(fen, Rules(placement=True)).legal_texts().values())
    assert "PLACE f10 C" in texts
    assert "PLACE f8 C" not in texts
    assert "PLACE f9 C" not in texts
    assert "PLACE f5 C" not in texts


def test_a_navy_that_leaves_is_a_deployment_in_the_record() -> None:
    fen = f"10c/{FAR}/11/11/11/11/10H/11/2(NT)8/11/8EE1/10C r - - 7 1"
    game = Game.from_fen(fen, FULL)
    select = next(a for a, text in game.legal_texts().items() if text == "SELECT c4 N")
    game.push(select)
    assert (game.selected, game.fen()) == ("N", fen)
    game.push(next(a for a, text in game.legal_texts().items() if text == "N c4-b4 move"))
    assert game.fen().endswith("1NT8/11/8EE1/10C r - - 7 1 c4:T")
    again = Game.from_fen(game.fen(), FULL)
    assert END in again.legal_actions()
    assert again.legal_actions() == game.legal_actions()


def test_a_full_stack_in_the_record_has_not_begun() -> None:
    fen = f"10c/{FAR}/11/11/11/11/10H/11/2(NFT)8/11/8EE1/10C r - - 0 1"
    loaded = Game.from_fen(fen + " c4:NFT", FULL)
    assert loaded.fen() == fen
    assert loaded.legal_actions() == Game.from_fen(fen, FULL).legal_actions()


def test_russian_navy_goes_on_or_ends_the_turn() -> None:
    fen = "10c/{}/11/11/11/11/2m7H/11/2(NF){}/11/8EE1/10C r - - {} 1"
    game = Game.from_fen(fen.format(FAR, "2t5", 3), RUSSIAN)
    game.push(next(a for a, text in game.legal_texts().items() if text == "NF c4*f4 strike"))
    assert game.fen() == fen.format(FAR, "8", 0) + " c4:"
    again = Game.from_fen(game.fen(), RUSSIAN)
    assert again.legal_texts() == game.legal_texts()
    words = {text.split()[-1] for text in again.legal_texts().values()}
    assert words == {"move", "capture", "END"}
    again.push(END)
    assert (again.turn, again.turns) == (1, 1)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("11/11 r - - 0 1", "ranks"),
        ("12/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "points"),
        ("x10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "unexpected 'x'"),
        ("(NF9/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "unclosed"),
        ("(Nf)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "no stack"),
        ("(NA)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "cannot stand"),
        ("T10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1", "cannot stand"),
        ("11/11/11/11/11/11/11/11/11/11/11/11 w - - 0 1", "side to move"),
        ("11/11/11/11/11/11/11/11/11/11/11/11 r - - x 1", "quiet"),
        ("11/11/11/11/11/11/11/11/11/11/11/2T8 r - - 0 1 c2:T", "no piece of the mover"),
        ("11/11/11/11/11/11/11/11/11/11/11/2T8 r - - 0 1 c1:F", "not the pieces there"),
        ("11/11/11/11/11/11/11/11/11/11/11/2N8 r - - 0 1 c1:", "left to do"),
        ("11/11/11/5h5/11/11/5C5/11/11/11/11/11 b - - 0 1 place", "placed first"),
    ],
)
def test_bad_text_is_refused(fen: str, reason: str) -> None:
    with pytest.raises(FenError, match=reason):
        Game.from_fen(fen, FULL)


def test_mover_wins_if_both_sides_lose() -> None:
    # Each side's last aircraft: the kamikaze takes the navy that carries the other one.
    fen = f"10c/{FAR}/11/11/11/11/10H/11/1(nf)1F7/11/8EE1/10C r - - 0 1"
    game = Game.from_fen(fen, Rules(battle="air"))
    game.push(next(a for a, text in game.legal_texts().items() if text == "F d4-b4 kamikaze"))
    assert (game.winner, game.reason, game.points) == (0, "battle", (220, 40))
    assert game.turns == 0


def test_side_that_cannot_move_loses() -> None:
    fen = "10c/11/11/11/11/11/11/11/11/11/11/2H8 r - - 0 1"
    game = Game.from_fen(fen, FULL)
    assert (game.winner, game.reason) == (1, "no move")


def test_exposure_loses_by_bga_rules() -> None:
    fen = f"6c4/{FAR}/11/11/11/11/11/6T4/11/11/8EE1/6C4 r - - 0 1"
    for rules, end in ((Rules("bga", "full"), (1, "exposure")), (FULL, (None, ""))):
        game = Game.from_fen(fen, rules)
        game.push(next(a for a, text in game.legal_texts().items() if text == "T g5-h5 move"))
        assert (game.winner, game.reason) == end
        assert game.origin is None


def test_points_have_names() -> None:
    assert [name_of(point) for point in (0, 10, 11, 131)] == ["a1", "k1", "a2", "k12"]
