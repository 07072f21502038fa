"""FEN (R11.1).

- the start, and every position of random games, read back as they were written
- the seventh field: unfinished deployments and the placement phase
- what stands twice in a record is right after loading
- malformed or impossible positions are refused in one sentence, with reason, value and place
"""

import random

import numpy as np
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.fen import PLACEMENT_FEN, START_FEN, fen_of
from cotulenh_env.commander.pieces import STARTING_COUNTS
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE, ZOBRIST_BLUE, Record
from cotulenh_env.errors import CotulenhError, PositionError, RulesError
from tests.commander.helpers import ALL_RULES, random_games

EMPTY = "/".join(["11"] * 12)


def record_of(position: Position) -> Record:
    return position.state.view(STATE_DTYPE)[0]


def board(**ranks: str) -> str:
    """A board field by ranks, for example `board(r4="5T5")`."""
    return "/".join(ranks.get(f"r{rank}", "11") for rank in range(12, 0, -1))


def full(fields: str = "r - - 0 1", **ranks: str) -> str:
    """A FEN with both commanders out of each other's sight, unless their ranks are given."""
    return f"{board(**{'r12': '6c4', 'r1': '3C7', **ranks})} {fields}"


# --- what is read -------------------------------------------------------------------------------


def test_start() -> None:
    position = Position.from_fen(START_FEN)
    assert position == Position()
    assert position.fen() == START_FEN
    record = record_of(position)
    for kind, count in STARTING_COUNTS.items():
        assert record["counts"][:, kind].tolist() == [count, count]
    assert record["armed"].tolist() == [15, 15]
    assert record["commander"].tolist() == [6, 11 * 11 + 6]


def test_white_space_round_a_fen_is_nothing() -> None:
    assert Position.from_fen(f" {START_FEN}\r\n") == Position()
    assert Position.from_fen(START_FEN.replace(" ", "  ")) == Position()


def test_placement_start() -> None:
    rules = RuleSet(placement=True)
    assert Position(rules).fen() == PLACEMENT_FEN
    assert Position.from_fen(PLACEMENT_FEN, rules) == Position(rules)


def test_random_games_are_read_back() -> None:
    num_deployments = num_placements = 0
    for position in random_games(14, ALL_RULES, seed=1):
        if position.reason in ("battle", "repetition", "turn limit"):
            continue
        fen = position.fen()
        again = Position.from_fen(fen, position.rules)
        assert again.fen() == fen
        record, read = record_of(position), record_of(again)
        for name in ("key", "board", "counts", "commander", "player", "winner"):
            assert np.array_equal(read[name], record[name]), name
        for name in ("placing", "num_placed"):
            assert read[name] == (record[name] if record["placing"] else 0), name
        if not record["selected"]:
            assert again.legal_actions() == position.legal_actions()
            assert read["unacted"] == record["unacted"]
        num_deployments += ":" in fen
        num_placements += fen.endswith("place")
    assert num_deployments > 50
    assert num_placements > 100


def test_blue_first_position_is_remembered_with_its_side() -> None:
    record = record_of(Position.from_fen(full("b - - 7 30")))
    assert record["history_length"] == 1
    assert record["history"][0] == record["key"] ^ ZOBRIST_BLUE
    assert not record["history"][1:].any()
    assert (record["quiet_turns"], record["move_number"], record["turns"]) == (7, 30, 0)


def test_pieces_in_brackets_are_written_in_canonical_order() -> None:
    position = Position.from_fen(full(r4="2(NTF)8", r5="3(T+IC)7", r12="11", r1="6c4"))
    assert position.fen().startswith(board(r4="2(NFT)8", r5="3(TC+I)7", r12="11", r1="6c4"))


def test_heroic_before_plain() -> None:
    assert "(TI+I)" not in Position.from_fen(full(r4="5(TI+I)5")).fen()
    assert "(T+II)" in Position.from_fen(full(r4="5(TI+I)5")).fen()


def test_divisions_on_the_board_are_armed() -> None:
    record = record_of(Position.from_fen(full(r4="5T5", r9="1n9", r1="11")))
    assert record["armed"].tolist() == [4, 1 | 8]


def test_no_legal_turn_is_a_loss() -> None:
    position = Position.from_fen(f"{board(r12='6c4')} r - - 0 1")
    assert (position.winner, position.reason, position.legal_actions()) == (1, "no move", [])


def test_quiet_turns_at_the_limit_are_a_draw() -> None:
    position = Position.from_fen(full("r - - 40 60"), RuleSet(quiet_limit=40))
    assert (position.winner, position.reason, position.legal_actions()) == (-1, "quiet", [])


# --- the seventh field --------------------------------------------------------------------------


def test_deployment_of_the_only_piece_left_may_end() -> None:
    position = Position.from_fen(full("r - - 0 1 f4:M", r4="5M5"))
    assert "END" in [position.move_text(action) for action in position.legal_actions()]
    assert position.fen().endswith(" f4:M")


def test_full_stack_that_has_not_acted_is_no_deployment() -> None:
    fen = full("r - - 0 1 f4:FTM", r4="5(FTM)5")
    position = Position.from_fen(fen)
    assert record_of(position)["origin"] == NO_POINT
    assert position.fen() == fen.removesuffix(" f4:FTM")


def test_of_equal_pieces_those_that_have_not_acted_come_first() -> None:
    record = record_of(Position.from_fen(full("r - - 0 1 f4:I", r4="5(TII)5")))
    assert record["unacted"] == 0b010
    record = record_of(Position.from_fen(full("r - - 0 1 f4:TI", r4="5(T+II)5")))
    assert record["unacted"] == 0b101


def test_passengers_left_at_sea_must_leave() -> None:
    position = Position.from_fen(full("r - - 0 1 b4:T", r4="1T9"))
    texts = [position.move_text(action) for action in position.legal_actions()]
    assert sorted(texts) == ["T b4-c4 move", "T b4-d4 move"]


def test_selected_group_is_not_recorded() -> None:
    position = Position.from_fen(full(r4="5(TM)5"))
    before = position.fen()
    position.push(position.parse_move("SELECT f4 M"))
    assert position.fen() == before
    position.push(position.parse_move("M f4-g5 move"))
    assert position.fen().endswith(" f4:T")


def test_loss_in_an_unfinished_turn_is_told_by_the_quiet_turns() -> None:
    position = Position.from_fen(full("r - - 30 40", r4="5(TM)5", r5="6ii3"))
    position.push(position.parse_move("SELECT f4 M"))
    position.push(position.parse_move("M f4-g5 capture"))
    assert position.fen().split()[4:] == ["0", "40", "f4:T"]
    position.push(position.parse_move("END"))
    assert position.fen().split()[4:] == ["0", "40"]


# --- what is refused ----------------------------------------------------------------------------

START_BOARD = START_FEN.split()[0]

REFUSED = {
    # fields
    "": "0",
    "   ": "0",
    EMPTY: "1",
    f"{START_BOARD} r - - 0": "5",
    f"{START_FEN} c4:N extra": "8",
    f"{START_BOARD} w - - 0 1": "'w'",
    f"{START_BOARD} R - - 0 1": "'R'",
    f"{START_BOARD} r x - 0 1": "third field",
    f"{START_BOARD} r - KQ 0 1": "fourth field",
    f"{START_BOARD} r - - -1 1": "'-1'",
    f"{START_BOARD} r - - x 1": "number of quiet turns",
    f"{START_BOARD} r - - 1.5 1": "'1.5'",
    f"{START_BOARD} r - - 007 1": "'007'",
    f"{START_BOARD} r - - 70000 1": "70000",
    f"{START_BOARD} r - - {'9' * 5000} 1": "digits",
    f"{START_BOARD} r - - 0 0": "move number is 1 to",
    f"{START_BOARD} r - - 0 65536": "65536",
    f"{START_BOARD} r - - 0 +1": "'+1'",
    f"{START_BOARD} r - - ٣ 1": "'٣'",
    f"{START_BOARD} r - - ² 1": "'²'",
    f"{START_BOARD}\x00 r - - 0 1": r"'\x00'",
    f"{START_BOARD}\nr - - 0 1": r"'\n'",
    f"{START_BOARD}\u00a0r - - 0 1": r"'\xa0'",
    # ranks
    f"{EMPTY}/11 r - - 0 1": "not 13",
    f"{EMPTY[3:]} r - - 0 1": "not 11",
    full(r4="10"): "rank 4: 10 points",
    full(r4="5T4"): "rank 4: 10 points",
    full(r4="5T6"): "rank 4: more than 11",
    full(r4="12"): "'12' is no number of empty points, 1 to 11 at file a",
    full(r4="56"): "'56'",
    full(r4="T55"): "'55' is no number of empty points, 1 to 11 at file b",
    full(r4="0T10"): "'0'",
    full(r4="011"): "'011'",
    full(r4="5T05"): "'05'",
    full(r4=""): "rank 4: 0 points",
    full(r4="1" * 3000): "rank 4",
    full(r4="T" * 3000): "rank 4: more than 11",
    full(r4="5x5"): "'X' is no piece at file f",
    full(r4="5.5"): "'.' is no piece at file f",
    full(r4="5-5"): "'-' is no piece",
    # heroes
    full(r4="5+5"): "'5' is no piece at file f",
    full(r4="5++T5"): "'+'",
    full(r4="5T4+"): "'+' stands before no piece at file k",
    full(r12="6+c4"): "heroic",
    full(r4="5+H5"): "heroic",
    full(r4="5(T+C)5", r1="11"): "heroic",
    # stacks
    full(r4="5()5"): "not 0",
    full(r4="5(T)5"): "not 1",
    full(r4="5(+T)5"): "not 1",
    full(r4="5(TIMI)5"): "not 4",
    full(r4="5(TM5"): "not closed",
    full(r4="5(TM"): "not closed",
    full(r4="5TM)4"): "')' is no piece",
    full(r4="5((TM))4"): "'('",
    full(r4="5(T1M)4"): "'1' is no piece",
    full(r4="5(Tm)5"): "pieces of both sides in '(Tm)' at file f",
    full(r4="5(MT)5"): "carrier T does not come first in '(MT)' at file f",
    full(r4="5(TFM)5"): "carrier F",
    full(r4="5(TT)5"): "TT at f4 is no legal stack",
    full(r4="5(IM)5"): "IM at f4",
    full(r4="5(FTT)5"): "FTT at f4",
    full(r4="5(AE)5"): "carrier E",
    full(r4="5(EAS)5"): "EAS at f4",
    full(r4="5(HI)5"): "HI at f4",
    # where pieces stand
    full(r4="5N5"): "N cannot stand at f4",
    full(r4="5(NF)5"): "NF cannot stand at f4",
    full(r4="T10"): "T cannot stand at a4",
    full(r4="1(FT)9"): "FT cannot stand at b4",
    full(r8="1h9"): "H cannot stand at b8",
    # numbers of pieces
    full(r4="5C5"): "Red has 2 commanders",
    full(r9="3(tc)7"): "Blue has 2 commanders",
    full(r4="2IIIIIIIII", r3="2IIIIIIIII", r2="2I8"): "Red has 20 pieces, more than 19",
    # deployments
    full("r - - 0 1 f4", r4="5M5"): "'f4'",
    full("r - - 0 1 f4:", r4="5M5"): "under the rule option navy_moves_after_strike",
    full("r - - 0 1 f5:M", r4="5M5"): "needs a piece of Red at f5",
    full("b - - 0 1 f4:M", r4="5M5"): "needs a piece of Blue at f4",
    full("r - - 0 1 f4:T", r4="5M5"): "where M stands",
    full("r - - 0 1 f4:MM", r4="5M5"): "where M stands",
    full("r - - 0 1 f4:+M", r4="5M5"): "where M stands",
    full("r - - 0 1 f4:M", r4="5+M5"): "where +M stands",
    full("r - - 0 1 f4:m", r4="5M5"): "upper case",
    full("r - - 0 1 f4:M+", r4="5M5"): "'+' stands before no piece",
    full("r - - 0 1 f4:X", r4="5M5"): "'X' is no piece",
    full("r - - 0 1 f13:M", r4="5M5"): "'f13' is no point",
    full("r - - 0 1 l4:M", r4="5M5"): "'l4' is no point",
    full("r - - 0 1 f04:M", r4="5M5"): "'f04' is no point",
    full("r - - 0 1 :M", r4="5M5"): "'' is no point",
    full("r - - 0 1 f4:M:M", r4="5M5"): "':' is no piece",
    full("r - - 0 1 -", r4="5M5"): "'-'",
    full("r - - 100 90 f4:M", r4="5M5"): "100",
    full("r - - 0 1 f4:GG", r4="5(GG)5"): "GG cannot be what is left of a stack at f4",
    full("r - - 0 1 a4:A", r4="A10"): "A cannot be what is left of a stack at a4",
    full("r - - 0 1 b4:I", r4="1(TI)9"): "cannot be completed legally",
    full("r - - 0 1 b4:TI", r4="1(FTI)9"): "FTI cannot be what is left of a stack at b4",
    # placement
    f"{EMPTY} r - - 0 1 place": "option placement",
    full("r - - 0 1 PLACE"): "'PLACE'",
}


@pytest.mark.parametrize("fen", REFUSED)
def test_refused(fen: str) -> None:
    with pytest.raises(PositionError) as error:
        Position.from_fen(fen)
    message = str(error.value)
    assert REFUSED[fen] in message
    assert "\n" not in message
    assert len(message) < 500


PLACED = "/".join(["11"] * 6)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (f"{EMPTY} b - - 0 1 place", "after 0 placements Red is to place"),
        (f"{EMPTY} r - - 1 1 place", "no turn is counted"),
        (f"{EMPTY} r - - 0 2 place", "no turn is counted"),
        (f"{START_BOARD} r - - 0 1 place", "all 38 pieces are placed"),
        (f"{board(r1='3C7')} b - - 0 1 place", "Red's first 1 pieces are H, not C"),
        (f"{board(r1='3H7', r12='3c7')} r - - 0 1 place", "Blue's first 1 pieces are H, not C"),
        (f"{board(r1='3H7', r2='4H6')} r - - 0 1 place", "Red's first 1 pieces are H, not HH"),
        (f"{board(r7='3H7')} b - - 0 1 place", "own half, not so at d7"),
        (f"{board(r1='3H7', r6='3h7')} r - - 0 1 place", "own half, not so at d6"),
        (f"{board(r1='3(HC)7')} r - - 0 1 place", "Red's first 1"),
        (
            f"{board(r1='3HHC5', r12='3hhc5')} r - - 0 1 place",
            "Blue's commander was placed at f12 in the line of sight of Red's at f1",
        ),
        (f"{EMPTY} r - - 0 1 a1:N", "needs a piece of Red"),
    ],
)
def test_refused_in_placement(fen: str, expected: str) -> None:
    with pytest.raises(PositionError, match=expected):
        Position.from_fen(fen, RuleSet(placement=True))


def test_placed_headquarters_hide_commanders() -> None:
    fen = f"{board(r1='3H1C5', r2='5H5', r12='3hhc5')} r - - 0 1 place"
    assert Position.from_fen(fen, RuleSet(placement=True)).fen() == fen


@pytest.mark.parametrize("fen", [None, 7, b"", START_FEN.encode(), [START_FEN]])
def test_a_fen_is_text(fen: object) -> None:
    with pytest.raises(PositionError, match="a FEN is text"):
        Position.from_fen(fen)  # type: ignore[arg-type]


def test_rules_are_a_rule_set() -> None:
    with pytest.raises(RulesError):
        Position.from_fen(START_FEN, {"battle": "full"})  # type: ignore[arg-type]


def test_damaged_texts_are_read_or_refused() -> None:
    """Whatever is read can be written and read again."""
    rng = random.Random(3)
    alphabet = "0123456789/()+-: HNFTCIMEAGShnftcimeagsrbxyz\u0661"
    seeds = [position.fen() for position in random_games(2, ALL_RULES[:2], seed=5, max_actions=80)]
    num_read = 0
    for _ in range(3000):
        text = list(rng.choice(seeds))
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 2)] = rng.choice(alphabet) * rng.randint(0, 2)
        try:
            position = Position.from_fen("".join(text))
        except CotulenhError:
            continue
        num_read += 1
        assert Position.from_fen(position.fen()) == position
        assert Position.from_state(position.state) == position
        assert fen_of(record_of(position)) == position.fen()
    assert 30 < num_read < 2500
