"""Official notation of turns (R11.2).

- every turn of R11.2 and of the sources, written as they write it
- turns of the advanced battle, of other editions, unfinished ones, and rests of turns
- one spelling per style; every style is read without being told
- what may be missing or typeset otherwise, and what is refused
- random games of all editions: what is written reads back
"""

from __future__ import annotations

import pickle

import pytest

from cotulenh_env.commander import (
    NotationStyle,
    Position,
    RuleSet,
    parse_turn,
    split_turns,
    turn_text,
)
from cotulenh_env.commander.notation import play_turn, read_turn
from cotulenh_env.commander.notation_symbols import (
    ENGLISH_LETTERS,
    VIETNAMESE_LETTERS,
    piece_readings,
)
from cotulenh_env.commander.rules import EDITIONS
from cotulenh_env.errors import IllegalActionError, MoveTextError, NotationError
from tests.commander.notation_games import (
    RULE_SETS,
    STYLES,
    position_of,
    random_game,
)

GAMES_PER_RULE_SET = 3

KINGS = "Ck1 Hi1 cj12 hj11"  # far away, in nobody's sight
RUSSIAN = RuleSet(edition="russian", battle="full")


def actions_of(position: Position, moves: str) -> list[int]:
    """The actions of moves in words, separated by semicolons."""
    position = position.copy()
    actions = []
    for words in moves.split("; "):
        actions.append(position.parse_move(words))
        position.push(actions[-1])
    return actions


RESUMED = position_of(f"(NT)c5 {KINGS}", rest="0 1 c5:NT")
NAVY_THAT_STRUCK = position_of(f"(NI)b5 {KINGS}", rules=RUSSIAN, rest="0 1 b5:")

TURNS = [
    # R11.2: T3,5_5,5 moves, T3,5@In5,5 captures, a leading @ strikes
    ("T3,5_5,5", position_of(f"Tf4 {KINGS}"), "T f4-f6 move"),
    ("T3,5@In5,5", position_of(f"Tf4 if6 {KINGS}"), "T f4-f6 capture"),
    ("@Af1,4@T5,4", position_of(f"Fe2 te6 {KINGS}"), "F e2*e6 strike"),
    # official.txt: K9,8@"P5,8, in English letters; shot down to an empty point and to a friend
    ('Af9,8@"A5,8', position_of(f"fi10 Ai6 Gj8 {KINGS}", "b"), "F i10-i6 shot"),
    ('Af9,8@"6,8', position_of(f"fi10 Gj8 {KINGS}", "b"), "F i10-i7 shot"),
    ('Af9,8@"T6,8', position_of(f"fi10 ti7 Gj8 {KINGS}", "b"), "F i10-i7 shot"),
    # >< after a kamikaze, > after a check, both
    ("Af3,5@Aa6,5><", position_of(f"Ff4 gf7 {KINGS}"), "F f4-f7 kamikaze"),
    ("T3,5_4,5>", position_of("Tf4 cf7 Ck1"), "T f4-f5 move"),
    ("Af3,5@Aa6,5><>", position_of("Ff4 Tf6 gf7 cf8 Ck1"), "F f4-f7 kamikaze"),
    # ^ after a winning move: the commander; no move (R10.4); points at the turn limit (R10.6)
    ("T3,5@C5,5^", position_of("Tf4 cf6 Ck1"), "T f4-f6 capture"),
    ("T3,5@(HQC)5,5^", position_of("Tf4 (hc)f6 Ck1"), "T f4-f6 capture"),
    ("T3,5_4,5^", position_of("Tf4 hj12", rules=RuleSet(battle="sea")), "T f4-f5 move"),
    (
        "T3,5@In5,5^",
        position_of(f"Tf4 if6 {KINGS}", rules=RuleSet(battle="full", turn_limit=1)),
        "T f4-f6 capture",
    ),
    # nothing after a draw, though the commander could be captured
    ("T3,5_4,5", position_of("Tf4 cf7 Ck1", rest="99 1"), "T f4-f5 move"),
    # heroes, stacks, joins; the pieces of a point in the order R7.5
    ("+T3,5_6,5", position_of(f"+Tf4 {KINGS}"), "+T f4-f7 move"),
    ("T3,5@+In5,5", position_of(f"Tf4 +if6 {KINGS}"), "T f4-f6 capture"),
    ("(NAfT)4,2_6,2", position_of(f"(NFT)c5 {KINGS}"), "NFT c5-c7 move"),
    ("(N+AfT)4,2_6,2", position_of(f"(N+FT)c5 {KINGS}"), "N+FT c5-c7 move"),
    ("T3,5@(TIn)5,5", position_of(f"Tf4 (ti)f6 {KINGS}"), "T f4-f6 capture"),
    ("In3,4&T3,5", position_of(f"Ie4 Tf4 {KINGS}"), "I e4-f4 join"),
    ("T3,5&In3,4", position_of(f"Ie4 Tf4 {KINGS}"), "T f4-e4 join"),
    ("In3,4&(TM)3,5", position_of(f"Ie4 (TM)f4 {KINGS}"), "I e4-f4 join"),
    # R7.7: sub-moves are joined by /; pieces that are not named stay
    ("Af4,2_6,4", position_of(f"(NFT)c5 {KINGS}"), "SELECT c5 F; F c5-e7 move; END"),
    (
        "Af4,2_6,4/T4,2_4,3",
        position_of(f"(NFT)c5 {KINGS}"),
        "SELECT c5 F; F c5-e7 move; SELECT c5 T; T c5-d5 move; END",
    ),
    (
        "Af4,2_6,4/T4,2_4,3/N4,2_5,2",
        position_of(f"(NFT)c5 {KINGS}"),
        "SELECT c5 F; F c5-e7 move; SELECT c5 T; T c5-d5 move; N c5-c6 move",
    ),
    (
        "@Af3,5@In6,5/T3,5_4,5",
        position_of(f"(FT)f4 if7 {KINGS}"),
        "SELECT f4 F; F f4*f7 strike; T f4-f5 move",
    ),
    (
        "Af3,5_5,3/T3,5_3,4",
        position_of(f"(FT)f4 {KINGS}"),
        "SELECT f4 F; F f4-d6 move; T f4-e4 move",
    ),
    # a deployment that is not over, and a selected group
    ("Af4,2_6,4/...", position_of(f"(NFT)c5 {KINGS}"), "SELECT c5 F; F c5-e7 move"),
    ("Af4,2...", position_of(f"(NFT)c5 {KINGS}"), "SELECT c5 F"),
    (
        "Af4,2_6,4/T4,2...",
        position_of(f"(NFT)c5 {KINGS}"),
        "SELECT c5 F; F c5-e7 move; SELECT c5 T",
    ),
    # the rest of a turn
    ("/T4,2_4,3", RESUMED, "SELECT c5 T; T c5-d5 move; END"),
    ("/(NT)4,2_5,2", RESUMED, "NT c5-c6 move"),
    ("/", RESUMED, "END"),
    ("/>", position_of("(NI)c5 Tf5 cf7 Ck1", rest="0 1 c5:NI"), "END"),
    ("/In4,2...", position_of(f"(NI)c5 {KINGS}", rest="0 1 c5:NI"), "SELECT c5 I"),
    # R10.7
    ("HQ0,4", Position(RuleSet(placement=True)), "PLACE e1 H"),
    # R12.2: a headquarters falls alone; a navy strikes and goes on, or does not
    # (which gives check: the commander stands in the open then)
    ("@T3,5@HQ5,5>", position_of("Tf4 (hc)f6 Ck1 Hi1", rules=RUSSIAN), "T f4*f6 hqonly"),
    (
        "@N4,1@A4,4/N4,1_5,1",
        position_of(f"Nb5 ae5 {KINGS}", rules=RUSSIAN),
        "N b5*e5 strike; N b5-b6 move",
    ),
    ("@N4,1@A4,4", position_of(f"Nb5 ae5 {KINGS}", rules=RUSSIAN), "N b5*e5 strike; END"),
    ("@N4,1@A4,4/...", position_of(f"Nb5 ae5 {KINGS}", rules=RUSSIAN), "N b5*e5 strike"),
    ("/", position_of(f"Nb5 {KINGS}", rules=RUSSIAN, rest="0 1 b5:"), "END"),
    ("/(NIn)4,1_5,1", NAVY_THAT_STRUCK, "NI b5-b6 move"),
    ("@N4,1@N6,1", position_of(f"Nb5 nb7 {KINGS}", rules=RUSSIAN), "N b5*b7 strike; END"),
    ("N4,1@N6,1", position_of(f"Nb5 nb7 {KINGS}", rules=RUSSIAN), "N b5-b7 capture"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "moves"), TURNS, ids=[turn[0] for turn in TURNS])
def test_turn(text: str, position: Position, moves: str) -> None:
    """R11.2: the official spelling, and back; the position stays as it is."""
    actions = actions_of(position, moves)
    before = position.copy()
    assert turn_text(position, actions) == text
    assert parse_turn(position, text) == actions
    assert position == before


def test_styles() -> None:
    """R1.1, R11.2: each style has its own spelling, and none has to be named to be read."""
    position = position_of(f"(NF+T)c5 gc8 {KINGS}")
    actions = actions_of(position, "SELECT c5 F; F c5-c8 kamikaze; SELECT c5 T; +T c5-f5 move; END")
    texts = [turn_text(position, actions, style) for style in STYLES]
    assert texts == [
        "Af4,2@Aa7,2></+T4,2_4,5",
        "Afc5@Aac8></+Tc5_f5",
        "K4,2@Cx7,2></+X4,2_4,5",
        "Kc5@Cxc8></+Xc5_f5",
    ]
    for text in [*texts, "K4,2@Aac8></+Xc5_4,5"]:
        assert parse_turn(position, text) == actions


def test_source_example_in_vietnamese() -> None:
    """official.txt: K9,8@”P5,8 — K9,8 intends to capture P5,8 but crashes into a fire range."""
    position = position_of(f"fi10 Ai6 Gj8 {KINGS}", "b")
    actions = actions_of(position, "F i10-i6 shot")
    assert parse_turn(position, "K9,8@”P5,8") == actions
    assert turn_text(position, actions, NotationStyle("vietnamese")) == 'K9,8@"P5,8'


def test_letters_are_never_ambiguous() -> None:
    """R11.2: no symbol means two pieces, and letters in a row come apart in one way."""
    english, vietnamese = set(ENGLISH_LETTERS.values()), set(VIETNAMESE_LETTERS.values())
    assert len(english) == len(vietnamese) == 11
    assert not english & vietnamese
    symbols = sorted(english | vietnamese)
    for first in symbols:
        for second in symbols:
            assert len(piece_readings(f"({first}{second})", False)) == 1


TANK = position_of(f"Tf4 if6 {KINGS}")
CAPTURE = actions_of(TANK, "T f4-f6 capture")
JOIN = position_of(f"Ie4 Tf4 {KINGS}")
WIN = position_of("Tf4 cf6 Ck1")
DRAW = position_of("Tf4 cf7 Ck1", rest="99 1")
SHOT = position_of(f"Fi3 ai7 gj5 {KINGS}")
SHOT_DOWN = actions_of(SHOT, "F i3-i7 shot")
CHECK = position_of("Tf4 cf7 Ck1")
CHECKS = actions_of(CHECK, "T f4-f5 move")
KAMIKAZE = position_of("Ff4 Tf6 gf7 cf8 Ck1")
KAMIKAZE_CHECK = actions_of(KAMIKAZE, "F f4-f7 kamikaze")
STACK = position_of(f"(N+FT)c5 {KINGS}")
DEPLOYED = actions_of(STACK, "SELECT c5 F; +F c5-e7 move; SELECT c5 T; T c5-d5 move; END")


@pytest.mark.parametrize(
    ("position", "actions", "text"),
    [
        (TANK, CAPTURE, "T3,5@5,5"),
        (TANK, CAPTURE, "  T 3,5 @ In 5,5 "),
        (TANK, CAPTURE, "T f4 @ f6"),
        (TANK, CAPTURE, "t3,5@in5,5"),
        (TANK, CAPTURE, "TF4@INF6"),
        (TANK, CAPTURE, "X3,5@B5,5"),
        (TANK, CAPTURE, "x3,5@b5,5"),
        (TANK, CAPTURE, "T3，5＠In5，5"),
        (TANK, CAPTURE, "Ｔ３，５＠Ｉｎ５，５　＋＋"),
        (TANK, CAPTURE, "Ｔｆ４＠ｆ６！！"),
        *((TANK, CAPTURE, f"T3,5@In5,5{remark}") for remark in "＋－＝？＄"),
        (TANK, CAPTURE, f"T3,5@In5,5{' ' * 300}"),
        (TANK, CAPTURE, f"{' ' * 300}T3,5@{' ' * 300}In5,5 +"),
        (WIN, actions_of(WIN, "T f4-f6 capture"), "T3,5@C5,5＾"),
        (RESUMED, actions_of(RESUMED, "NT c5-c6 move"), "／（NT）4,2＿5,2"),
        (RESUMED, actions_of(RESUMED, "SELECT c5 T"), "／T4,2．．．"),
        (RESUMED, actions_of(RESUMED, "NT c5-c6 move"), "(NT)4,2_5,2"),
        *((SHOT, SHOT_DOWN, f"Af2,8@{quote}A6,8") for quote in ("＂", "＇＇")),
        *((TANK, CAPTURE, f"T3,5@In5,5{remark}") for remark in ("+", " ++", "-", " –", "--", "––")),
        *((TANK, CAPTURE, f"T3,5@In5,5{remark}") for remark in ("?", " =", "$", " $", " !!")),
        *((SHOT, SHOT_DOWN, f"Af2,8@{quote}A6,8") for quote in ('"', "”", "“", "″", "''", "’’")),
        (SHOT, SHOT_DOWN, 'Af2,8@"6,8'),
        *((CHECK, CHECKS, f"T3,5{dash}4,5") for dash in "_-–—−"),
        (CHECK, CHECKS, "T3,5_4,5 >"),
        (CHECK, CHECKS, "T3,5_4,5> ++"),
        (CHECK, CHECKS, "T3,5-4,5-"),
        *((KAMIKAZE, KAMIKAZE_CHECK, f"Af3,5@Aa6,5{mark}") for mark in ("", ">", "><>")),
        *((KAMIKAZE, KAMIKAZE_CHECK, f"Af3,5@Aa6,5{mark}") for mark in ("> <", "> < >")),
        (STACK, DEPLOYED, "+Af4,2_6,4/T4,2_4,3"),
        (STACK, DEPLOYED, "Af4,2_6,4 / T4,2_4,3"),  # the only air force there is the hero
        (STACK, DEPLOYED, "+af4,2_6,4/t_4,3"),
        (STACK, actions_of(STACK, "N+FT c5-c7 move"), "(TNAf)4,2_6,2"),
        (STACK, actions_of(STACK, "SELECT c5 F"), "Af4,2…"),
        (STACK, actions_of(STACK, "SELECT c5 F; +F c5-e7 move"), "+Kc5_e7/…"),
    ],
)  # fmt: skip
def test_tolerant(position: Position, actions: list[int], text: str) -> None:
    """R11.2: spaces, case, typography, marks, target letters, and what a plain text cannot show."""
    assert parse_turn(position, text) == actions


def test_remark_is_read() -> None:
    """R11.2: remarks belong to the players, not to the turn."""
    assert [read_turn(TANK, f"T3,5@5,5{r}").remark for r in ("", " ++", "–", "!!")] == [
        "", "++", "-", "!!",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("position", "text", "words"),
    [
        (TANK, "", "tells no turn"),
        (TANK, " ++", "tells no turn"),
        (TANK, "...", "tells no turn"),
        (TANK, "/", "no turn is under way, though a leading / says so, at character 1 of"),
        (TANK, " /T3,5@5,5", "no turn is under way, though a leading / says so, at character 2 of"),
        (TANK, "/...", "no turn is under way"),
        (Position(RuleSet(placement=True)), "/HQ0,4", "no turn is under way"),
        (Position(RuleSet(placement=True)), "HQ0,4>", "gives no check"),
        (TANK, ">", "no turn stands in front of >, at character 1"),
        (TANK, " ^ ++", "no turn stands in front of ^, at character 2"),
        (TANK, ">^", "no turn stands in front of ^"),
        (TANK, "hello", "the point of the pieces is missing"),
        (TANK, "T3,5", "no target"),
        (TANK, "3,5_5,5", "letters of the pieces are missing"),
        (TANK, "T3,5_", "target point should stand here, such as 5,5, at character 6"),
        (TANK, "T3,5@In5,5x", "'x' is not understood, at character 11"),
        (TANK, "T3,5@In5,5/", "missing beside /"),
        (TANK, "T3,5@In5,5//T3,5_4,5", "missing beside /"),
        (TANK, "T3 3,5_5,5", "a space stands inside a number, at character 4 of 'T3 3,5_5,5', in"),
        (TANK, "T12,5_5,5", "12,5 is no point"),
        (TANK, "Tf4_l6", "'l6' is no point"),
        (TANK, "Z3,5_5,5", "'Z' are no one to three pieces"),
        (TANK, "T4,5_5,5", "Red has no piece at 4,5"),
        (TANK, "In5,5_4,5", "Red has no piece at 5,5"),
        (TANK, "M3,5@5,5", "at 3,5 stands T, of which M is no group"),
        (TANK, "+T3,5@5,5", "at 3,5 stands T, of which +T is no group"),
        (TANK, "T3,5_6,5", "T at 3,5 cannot go to 6,5"),
        (TANK, "T3,5_5,6", "nothing goes from 3,5 to 5,6"),
        (TANK, "T3,5_3,5", "nothing goes from 3,5 to 3,5"),
        (TANK, "T3,5_5,5", "captures there, which is written @"),
        (TANK, "T3,5&In5,5", "captures there, which is written @"),
        (TANK, "@T3,5@In5,5", "there is a capture, which is no strike, without a leading @"),
        (TANK, "@T3,5@4,5", "to 4,5 there is a plain move, which is no strike"),
        (SHOT, "@Af2,8@6,8", "there is a flight that is shot down on the way, which is no strike"),
        (JOIN, "@In3,4@3,5", "there is a join, which is no strike"),
        (KAMIKAZE, "@Af3,5@6,5", "there is a kamikaze, which is no strike"),
        (TANK, "@T3,5_4,5", "captures by @"),
        (TANK, "@T3,5", "a strike needs @ and its target"),
        (TANK, "T3,5@M5,5", "the target at 5,5 is In, not M, at character 6"),
        (STACK, "Af4,2_6,4/T4,2_M4,3", "the target at 4,3 is nothing, not M, at character 16"),
        (TANK, "T3,5@+In5,5", "the target at 5,5 is In, not +In"),
        (TANK, "T3,5_In4,5", "the target at 4,5 is nothing, not In"),
        (TANK, "T3,5@In5,5 ><", "does not perish with its target (><), at character 12"),
        (TANK, "T3,5@In5,5>", "the turn gives no check, though > says so, at character 11"),
        (TANK, "T3,5@In5,5 ^", "the turn does not win, though ^ says so, at character 12"),
        (WIN, "T3,5@C5,5>^", "the turn wins, and has no > then, at character 10"),
        (WIN, "T3,5@C5,5>", "the turn wins, and has no > then, at character 10"),
        (DRAW, "T3,5_4,5>", "gives no check"),
        (DRAW, "T3,5_4,5^", "does not win"),
        (TANK, "T3,5@In5,5/T5,5_6,5", "the turn is over before this sub-move"),
        (TANK, "T3,5@In5,5/...", "cannot be left off by ..., at character 12"),
        (SHOT, "Af2,8@A6,8", 'is shot down on the way, which is written @"'),
        (STACK, "(NT)4,2_6,2/Af4,2_6,4/T4,2_4,3", "the turn is over before"),
        (STACK, "(NAfM)4,2_6,2", "at 4,2 stands (N+AfT), of which (NAfM) is no group"),
        (STACK, "Af4,2", "no target"),
        (STACK, "T4,2/Af4,2_6,4", "no target"),
        (STACK, "T4,2_4,4/Af6,4_6,5", "Red has no piece at 6,4"),
        (Position(RuleSet(placement=True)), "T0,4", "the next piece to place is HQ"),
        (Position(RuleSet(placement=True)), "HQ7,4", "HQ cannot be placed at 7,4"),
        (Position(RuleSet(placement=True)), "HQ0,4_0,5", "a placement is a piece and its point"),
        (position_of("Ck1 cj12", rest="100 1"), "C0,10_0,9", "the game is over"),
        (TANK, "T" * 300, "at most 250 characters, spaces not counted, at character 251"),
    ],
)  # fmt: skip
def test_refused(position: Position, text: str, words: str) -> None:
    """R11.2: one sentence that says what, where in the text, and in which position."""
    with pytest.raises(NotationError) as caught:
        parse_turn(position, text)
    message = str(caught.value)
    assert words in message
    assert "at character" in message
    assert message.endswith(position.fen())
    assert isinstance(caught.value, MoveTextError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


def test_two_legal_turns_are_refused() -> None:
    """R11.2: `AAF` is an artillery or an anti-aircraft gun only when there are both."""
    stack = position_of(f"(FIM)f4 {KINGS}")
    # Lower case `m` and `in` are clear; a hero and a plain one without a mark is the plain one.
    heroes = position_of(f"(NF+F)c5 {KINGS}")
    plain = parse_turn(heroes, "Af4,2_6,4")
    assert plain == actions_of(heroes, "SELECT c5 F; F c5-e7 move; END")
    assert parse_turn(heroes, "+Af4,2_6,4") != plain
    with pytest.raises(NotationError, match="2 legal turns fit"):
        parse_turn(heroes, "AF4,2_6,4")  # not as it is written, so both are meant
    assert parse_turn(stack, "M3,5_4,5") == actions_of(stack, "SELECT f4 M; M f4-f5 move; END")


def test_wrong_use_of_writing() -> None:
    """A turn is not empty, legal, and no more than one turn."""
    with pytest.raises(NotationError, match="without actions"):
        turn_text(TANK, [])
    with pytest.raises(IllegalActionError, match="not legal"):
        turn_text(TANK, [0])
    after = TANK.copy()
    after.push(CAPTURE[0])
    with pytest.raises(IllegalActionError, match="next turn"):
        turn_text(TANK, [CAPTURE[0], after.legal_actions()[0]])
    with pytest.raises(NotationError, match="english or vietnamese, got 'french'"):
        NotationStyle("french")
    with pytest.raises(NotationError, match="axes or points, got 3"):
        NotationStyle(coordinates=3)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match=r"^a turn is text, got None$"):
        parse_turn(TANK, None)  # type: ignore[arg-type]
    for call in (
        lambda: parse_turn(None, "T3,5@5,5"),  # type: ignore[arg-type]
        lambda: turn_text(None, CAPTURE),  # type: ignore[arg-type]
        lambda: play_turn(RUSSIAN, CAPTURE),  # type: ignore[arg-type]
        lambda: split_turns(None, CAPTURE),  # type: ignore[arg-type]
    ):
        with pytest.raises(NotationError, match=r"^a turn begins in a Position, got"):
            call()
    for actions in (None, 5):
        with pytest.raises(NotationError, match=f"^actions come one after another, got {actions}"):
            turn_text(TANK, actions)  # type: ignore[arg-type]
        with pytest.raises(NotationError, match=f"^actions come one after another, got {actions}"):
            split_turns(TANK, actions)  # type: ignore[arg-type]
    with pytest.raises(
        NotationError, match=r"^turns are written in a NotationStyle, got 'english'"
    ):
        turn_text(TANK, CAPTURE, "english")  # type: ignore[arg-type]


def test_actions_may_come_from_a_generator() -> None:
    """What is iterated once is written and cut into turns as a list is."""
    assert turn_text(STACK, iter(DEPLOYED)) == turn_text(STACK, DEPLOYED)
    assert split_turns(STACK, iter(DEPLOYED)) == [DEPLOYED]


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_random_games_read_back(rules: RuleSet) -> None:
    """R11.2: in every style, what is written reads back, as it is and with less in it."""
    for seed in range(GAMES_PER_RULE_SET):
        start, actions = random_game(rules, seed)
        position = start.copy()
        turns = split_turns(start, actions)
        assert [action for turn in turns for action in turn] == actions
        for number, turn in enumerate(turns):
            style = STYLES[(number + seed) % len(STYLES)]
            before = position.copy()
            text = play_turn(position, turn, style)
            reading = read_turn(before, text)
            assert list(reading.actions) == turn, (text, before.fen())
            assert reading.position == position
            assert parse_turn(before, text.rstrip(">^") + " ++") == turn


def test_editions_are_all_here() -> None:
    """R12: the random games are played by all published rules."""
    assert {rules.edition for rules in RULE_SETS} == set(EDITIONS)
