"""Hand-made positions, named by the rule that they show (docs/luzhanqi.md).

Places are a1 to e12; letters are those of pieces.py, upper case red or player 0.
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.errors import RulesError
from cotulenh_env.luzhanqi import FlipPosition, FlipRuleSet, RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.board import NUM_PLACES, parse_place
from cotulenh_env.luzhanqi.fen import board_text
from cotulenh_env.luzhanqi.pieces import COUNT, OUTCOME, letter_code
from cotulenh_env.luzhanqi.state import FACE_DOWN
from tests.luzhanqi.helpers import ARMY, FLIP, REFEREE


def board(*pieces: str) -> str:
    """A board of pieces such as `Ka6`."""
    codes = np.zeros(NUM_PLACES, np.int8)
    for piece in pieces:
        code = FACE_DOWN if piece[0] == "?" else letter_code(piece[0])
        codes[parse_place(piece[1:])] = code
    return board_text(codes)


def flip(
    *pieces: str, down: str = "-", quiet: int = 0, player: int = 0, rules: FlipRuleSet | None = None
) -> FlipPosition:
    """A position of the flip mode in which player 0 is red."""
    fen = f"{board(*pieces)} {player} r {down} {quiet} 60"
    return FlipPosition.from_fen(fen, rules or FlipRuleSet())


def referee(
    *pieces: str, quiet: int = 0, player: int = 0, rules: RefereeRuleSet | None = None
) -> RefereePosition:
    fen = f"{board(*pieces)} {player} {quiet} 60"
    return RefereePosition.from_fen(fen, rules or RefereeRuleSet())


def moves(position: FlipPosition | RefereePosition, place: str = "") -> set[str]:
    return {text for _, text in position.legal_moves() if text.startswith(place)}


def ends(position: FlipPosition | RefereePosition, place: str) -> set[str]:
    return {text[len(place) + 1 :] for text in moves(position, place)}


def play(position: FlipPosition | RefereePosition, *texts: str) -> None:
    for text in texts:
        position.push(position.parse_move(text))


def result(position: FlipPosition | RefereePosition) -> tuple[int | None, str]:
    """Who has won, and why."""
    return position.winner, position.reason


FLAGS = ("Fb1", "fd12")

# --- where pieces go ----------------------------------------------------------------------------


def test_road_is_one_step_and_rail_a_straight_line() -> None:
    position = flip("Ka7", "Pe6", "pc9", *FLAGS)
    up = {"a8", "a9", "a10", "a11"}
    down = {"a6", "a5", "a4", "a3", "a2"}
    assert ends(position, "a7") == {*up, *down, "b7", "c7", "d7", "e7", "b8"}


def test_no_edge_over_the_mountains_and_a_bridge_in_the_middle() -> None:
    position = flip("Kb6", "Pc6", "pc9", *FLAGS)
    assert ends(position, "b6") == {"a6", "b5"}
    assert ends(position, "c6") == {"c7", "d6", "e6", "c5", "b5", "d5"}


def test_engineers_turn_corners_and_jump_over_nobody() -> None:
    """L22."""
    rail = {f"{c}{r}" for c in "abcde" for r in (2, 6, 7, 11)}
    rail |= {f"{c}{r}" for c in "ae" for r in range(2, 12)}
    position = flip("Ea2", "pb8", *FLAGS)
    assert ends(position, "a2") == (rail - {"a2"}) | {"a1", "b3"}
    position = flip("Ea2", "Pa4", "kc2", "pb8", *FLAGS)
    assert ends(position, "a2") == {"a3", "b2", "a1", "b3"}


def test_camps_are_safe_and_have_eight_neighbours() -> None:
    """L18."""
    position = flip("Ab4", "kb5", "Cb3", "pc9", *FLAGS)
    assert "b4xb5" not in moves(position)
    around = {"a2", "b2", "c2", "a3", "c3", "a4", "c4"}
    assert ends(position, "b3") == around  # b4 is taken


@pytest.mark.parametrize(("lock", "num"), [("all", 0), ("entered", 0), ("none", 3)])
def test_who_walked_into_headquarters_stays(lock: str, num: int) -> None:
    """L6."""
    rules = FlipRuleSet(hq_lock=lock, suicide=True)
    position = flip("Ad2", "pb8", "Ce5", "Fb1", "fb12", rules=rules)
    play(position, "d2-d1", "b8-b9")
    assert len(moves(position, "d1")) == num


@pytest.mark.parametrize(("lock", "num"), [("all", 0), ("entered", 3), ("none", 3)])
def test_who_was_dealt_into_headquarters(lock: str, num: int) -> None:
    """L6: the piece at d1 has not walked there."""
    position = flip("Ad1", "Ce5", "pb8", "Fb1", "fb12", rules=FlipRuleSet(hq_lock=lock))
    assert len(moves(position, "d1")) == num


def test_a_dealt_piece_that_comes_back_stays() -> None:
    rules = RefereeRuleSet(hq_lock="entered")
    position = referee("Ad1", "Ce5", "pb8", "kb9", "Fb1", "fb12", rules=rules)
    play(position, "d1-d2", "b8-c8", "d2-d1", "c8-b8")
    assert not moves(position, "d1")


def test_mines_and_flags_never_move() -> None:
    position = flip("Mc3", "Pa6", "pb8", *FLAGS)
    assert not moves(position, "c3")
    assert not moves(position, "b1")


# --- fights -------------------------------------------------------------------------------------


def test_the_fight_table() -> None:
    """Section 4, L7, L9, L13; every entry, written out by hand. . no fight, > attacker survives,
    < defender survives, = both removed, F flag captured; kinds 1–12 in both directions."""
    table = (
        "=<<<<<<<<=>F",  # engineer: clears mines
        ">=<<<<<<<=<F",
        ">>=<<<<<<=<F",
        ">>>=<<<<<=<F",
        ">>>>=<<<<=<F",
        ">>>>>=<<<=<F",
        ">>>>>>=<<=<F",
        ">>>>>>>=<=<F",
        ">>>>>>>>==<F",  # chief
        "===========F",  # bomb
        "............",
        "............",
    )
    words = ".><=F"
    found = tuple("".join(words[outcome] for outcome in row[1:]) for row in OUTCOME[1:])
    assert found == table


def test_counts() -> None:
    assert COUNT.tolist() == [0, 3, 3, 3, 2, 2, 2, 2, 1, 1, 2, 3, 1]


def test_losing_attacks_are_illegal_in_flip_mode_unless_the_option_says_so() -> None:
    """L8."""
    pieces = ("Pa6", "Ea5", "ka7", "ma4", *FLAGS)
    assert moves(flip(*pieces)) & {"a6xa7", "a5xa4"} == {"a5xa4"}
    position = flip(*pieces, rules=FlipRuleSet(suicide=True))
    assert "a6xa7" in moves(position)
    play(position, "a6xa7")
    assert (position.piece_at("a6"), position.piece_at("a7")) == ("", "k")
    assert position.quiet_plies == 0


def test_the_mine_stays_when_it_is_hit() -> None:
    """L7."""
    position = referee("Ka6", "ma12", "Ca11", "pb8", "Fb1", "fd12")
    play(position, "a11xa12")
    assert position.announcement.startswith("defender survives")
    assert position.piece_at("a12") == "m"


def test_bombs_take_mines_with_them_and_that_counts_as_lost() -> None:
    position = flip("Xa4", "ma5", "pc9", "Pd6", "Fb1", "fb12")
    assert "a4xa5" in moves(position)
    play(position, "a4xa5")
    assert (position.piece_at("a4"), position.piece_at("a5")) == ("", "")


def test_face_down_pieces_are_not_attacked_and_block() -> None:
    """L18."""
    position = flip("Ca2", "?a5", "pc9", *FLAGS, down="k1")
    assert ends(position, "a2") == {"a3", "a4", "a1", "b2", "c2", "d2", "e2", "b3"}
    assert "flip a5" in moves(position)


# --- flags in flip mode -------------------------------------------------------------------------


def capture(*pieces: str, down: str = "-", rules: FlipRuleSet | None = None) -> bool:
    """Whether the piece at b11 may take the flag at b12."""
    position = flip(*pieces, "Fb1", "fb12", "pd9", "Pd3", down=down, rules=rules)
    return "b11xb12" in moves(position)


def test_a_flag_falls_when_all_is_flipped_and_its_mines_are_gone() -> None:
    """L3."""
    assert capture("Pb11")
    assert not capture("Pb11", "ma1")
    assert not capture("Pb11", "?a1", down="K1")
    assert capture("Pb11", "Ma1")
    assert capture("Pb11", "ma1", rules=FlipRuleSet(flag_mines=False))
    assert capture("Pb11", "?a1", down="K1", rules=FlipRuleSet(flag_all_flipped=False))
    assert not capture("Pb11", "?a1", down="m1", rules=FlipRuleSet(flag_all_flipped=False))
    assert not capture("Pb11", "ma1", rules=FlipRuleSet(suicide=True))


def test_who_may_carry_the_flag() -> None:
    """L4, L9."""
    assert capture("Xb11")
    assert not capture("Xb11", rules=FlipRuleSet(bomb_flag=False))
    assert not capture("Pb11", rules=FlipRuleSet(flag_carriers="E"))
    assert capture("Eb11", rules=FlipRuleSet(flag_carriers="E"))
    assert not capture("Xb11", rules=FlipRuleSet(flag_carriers="EX", bomb_flag=False))


@pytest.mark.parametrize(("letter", "left"), [("P", "P"), ("X", "")])
def test_capturing_the_flag_wins_and_a_bomb_goes_with_it(letter: str, left: str) -> None:
    """L5, L9."""
    position = flip(f"{letter}b11", "Fb1", "fb12", "pd9", "Pd3", player=0)
    play(position, "b11xb12")
    assert result(position) == (0, "flag")
    assert position.piece_at("b12") == left
    assert not position.legal_actions()


def test_the_other_side_can_win_too() -> None:
    position = flip("Pd3", "Fb1", "fb12", "pb2", player=1)
    play(position, "b2xb1")
    assert result(position) == (1, "flag")


# --- flip mode: colours, flips, ends ------------------------------------------------------------


def test_the_first_piece_flipped_is_player_0s_colour() -> None:
    """L2."""
    position = FlipPosition()
    assert FlipPosition().colours is None
    assert len(position.legal_actions()) == 50
    position.push(position.parse_move("flip a1"), "p")
    assert position.colours == (1, 0)
    assert position.turn == 1
    assert "a1-" not in {text[:3] for text in moves(position)}
    position.push(position.parse_move("flip a12"), "P")
    assert "a1-a2" not in moves(position)  # a2 lies face down
    assert position.colours == (1, 0)


def test_flips_do_not_reset_the_quiet_plies() -> None:
    """L10."""
    pieces = ("Ca2", "?a5", "pc9", *FLAGS)
    position = flip(*pieces, down="k1", quiet=12)
    position.push(position.parse_move("flip a5"), "k")
    assert position.quiet_plies == 13
    position = flip(*pieces, down="k1", quiet=12, rules=FlipRuleSet(flip_resets=True))
    position.push(position.parse_move("flip a5"), "k")
    assert position.quiet_plies == 0


def test_quiet_plies_draw() -> None:
    """L10, L19: the 70th."""
    position = flip("Ca2", "pc9", *FLAGS, quiet=68)
    play(position, "a2-a3")
    assert result(position) == (None, "")
    play(position, "c9-c10")
    assert result(position) == (-1, "quiet")


def test_a_removal_sets_the_count_back() -> None:
    position = flip("Ca2", "pa3", "kc9", *FLAGS, quiet=69)
    play(position, "a2xa3")
    assert result(position) == (None, "")
    assert position.quiet_plies == 0


def test_no_move_comes_before_quiet() -> None:
    position = flip("Ca2", "pc12", "kd12", "Fb1", "fb12", quiet=69)
    assert position.reason == ""
    play(position, "a2-a3")
    assert position.reason == "quiet"
    position = flip("Cb11", "pd12", "Fb1", "fb12", "ma1", quiet=69)
    play(position, "b11-a11")
    assert result(position) == (0, "no move")


def test_who_has_no_move_loses_and_if_nobody_has_one_it_is_a_draw() -> None:
    """L11."""
    position = flip("Ca11", "pa12", "Fb1", "fb12", "ma1")
    play(position, "a11xa12")
    assert result(position) == (0, "no move")
    position = flip("Pa11", "pa12", "Fb1", "fb12", "ma1")
    play(position, "a11xa12")
    assert result(position) == (-1, "both immobile")


def test_the_third_time_draws_if_the_option_says_so() -> None:
    """L17: the position after a removal counts as the first occurrence."""
    there = ("a3-a4", "c9-c10", "a4-a3", "c10-c9")
    position = flip("Ca2", "pa3", "kc9", *FLAGS, player=0, rules=FlipRuleSet(repetition=3))
    play(position, "a2xa3", "c9-c10", "a3-a4", "c10-c9", "a4-a3")
    assert result(position) == (None, "")
    play(position, "c9-c10", "a3-a4", "c10-c9")
    assert result(position) == (None, "")
    play(position, "a4-a3")
    assert result(position) == (-1, "repetition")
    position = flip("Ca3", "kc9", *FLAGS)
    play(position, *(5 * there))
    assert result(position) == (None, "")


# --- referee mode -------------------------------------------------------------------------------


def test_every_enemy_outside_camps_may_be_attacked() -> None:
    position = referee("Pa6", "ca7", "pb8", "Fb1", "fd12")
    assert "a6xa7" in moves(position)
    assert not any(text.endswith("xb8") for text in moves(position))


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (("Pa6", "ca7", "Ce6"), "defender survives"),
        (("Ca6", "pa7", "ce7"), "attacker survives"),
        (("Ka6", "ka7", "Ce6", "ce7"), "both removed"),
    ],
)
def test_the_referee_tells_the_outcome_only(pieces: tuple[str, ...], said: str) -> None:
    """L21."""
    position = referee(*pieces, *FLAGS)
    play(position, "a6xa7")
    assert position.announcement == said


def test_the_lost_chief_shows_the_flag() -> None:
    """L12."""
    pieces = ("Ca6", "xa7", "Pe5", "pe8", "Fd1", "fd12")
    position = referee(*pieces)
    play(position, "a6xa7")
    assert position.announcement == "both removed and the flag of player 0 is at d1"
    assert "[F]" in position.view(1)
    assert position.possible_kinds(1)["d1"] == {"F": 1.0}
    position = referee(*pieces, rules=RefereeRuleSet(reveal_flag=False))
    play(position, "a6xa7")
    assert position.announcement == "both removed"
    assert "[F]" not in position.view(1)


def test_both_chiefs_show_both_flags() -> None:
    position = referee("Ca6", "ca7", "Pe5", "pe8", "Fb1", "fd12")
    play(position, "a6xa7")
    words = "the flag of player 0 is at b1 and the flag of player 1 is at d12"
    assert position.announcement == f"both removed and {words}"
    play(position, "e8-e9")
    assert position.announcement == ""


@pytest.mark.parametrize(("letter", "left"), [("P", "P"), ("X", "")])
def test_the_flag_falls_at_any_time_in_referee_mode(letter: str, left: str) -> None:
    """L9, L14."""
    position = referee(f"{letter}b11", "Ce5", "ma12", "mc12", "ce8", "Fb1", "fb12")
    play(position, "b11xb12")
    assert result(position) == (0, "flag")
    assert position.announcement == "flag captured"
    assert position.piece_at("b12") == left
    again = RefereePosition.from_fen(position.fen())
    assert result(again) == (0, "flag")


def test_quiet_plies_draw_in_referee_mode() -> None:
    position = referee("Ca2", "cd9", *FLAGS, quiet=68)
    play(position, "a2-a3", "d9-d10")
    assert result(position) == (-1, "quiet")


def test_no_move_and_both_immobile_in_referee_mode() -> None:
    position = referee("Ca6", "pa7", "ma12", "Fb1", "fd12")
    play(position, "a6xa7")
    assert result(position) == (0, "no move")
    assert position.announcement == "attacker survives and the next player has no move"
    position = referee("Xa6", "pa7", "ma12", "Fb1", "fd12")
    play(position, "a6xa7")
    assert result(position) == (-1, "both immobile")
    assert position.announcement == "both removed and no move is left"


def test_headquarters_may_be_entered_by_either_side() -> None:
    position = referee("Pd11", "Ce5", "ce8", "pe9", "Fb1", "fb12")
    assert "d11-d12" in moves(position)
    play(position, "d11-d12", "e8-e7")
    assert not moves(position, "d12")


# --- rules that are refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hq_lock": "some"}, "hq_lock is one of all, entered, none, got 'some'"),
        ({"hq_lock": True}, "hq_lock is one of"),
        ({"quiet_limit": 0}, "quiet_limit is a whole number from 1 to 127, got 0"),
        ({"quiet_limit": 128}, "quiet_limit"),
        ({"repetition": 1}, "repetition is a whole number from 2 to 127 or 0, got 1"),
        ({"repetition": False}, "repetition"),
        ({"suicide": 1}, "suicide is true or false, got 1"),
        ({"flag_carriers": "EM"}, "flag_carriers is letters of EPKTRBDACX"),
        ({"flag_carriers": ""}, "flag_carriers"),
        ({"flag_carriers": "X", "bomb_flag": False}, "nothing that can capture a flag"),
        ({"flag_carry": True}, "unknown rule option 'flag_carry'"),
    ],
)
def test_flip_rules_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        FLIP.make_rules(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"placement": "random"}, "placement is one of deal, book, agents, got 'random'"),
        ({"book": "x.txt"}, "book needs placement 'book'"),
        ({"placement": "book", "book": 3}, "book is the path of a file"),
        ({"reveal_flag": None}, "reveal_flag is true or false"),
        ({"suicide": True}, "unknown rule option 'suicide'"),
        ({"kind": 1}, "unknown rule option 'kind'"),
    ],
)
def test_referee_rules_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        REFEREE.make_rules(**options)


def test_equal_rules_are_equal() -> None:
    assert FlipRuleSet(flag_carriers="XEPKTRBDAC") == FlipRuleSet()
    assert FlipRuleSet(flag_carriers="PEP") == FlipRuleSet(flag_carriers="EP")
    assert FlipRuleSet(flag_carriers="EPKTRBDAC") == FlipRuleSet(bomb_flag=False)
    assert RefereePosition.from_layouts(ARMY, ARMY).rules == RefereeRuleSet()
