"""What is wrong with a position.

- every kind of problem by hand: unplayable, or playable but hardly to be come to
- all of them at once; `from_fen` refuses exactly what has an unplayable one, for the first of them
- games from the start come to none but those that the rules allow
"""

import re
from random import Random

import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.problems import Problem, ProblemKind
from cotulenh_env.errors import PositionError, RulesError
from tests.commander.helpers import ALL_RULES, random_games
from tests.commander.test_fen import EMPTY, REFUSED, START_BOARD, full

FULL_BATTLE = RuleSet(battle="full")

UNPLAYABLE = [
    (ProblemKind.MALFORMED, None, None, "6c4/11 r - - 0 1"),
    (ProblemKind.MALFORMED, None, None, full(r4="5(MT)5")),
    (ProblemKind.IMPOSSIBLE_HERO, "g12", 1, full(r12="6+c4")),
    (ProblemKind.IMPOSSIBLE_HERO, "f2", 0, full(r2="5+H5")),
    (ProblemKind.ILLEGAL_STACK, "f4", 0, full(r4="5(IM)5")),
    (ProblemKind.NAVY_ON_LAND, "f4", 1, full(r4="5n5")),
    (ProblemKind.AT_SEA, "a4", 0, full(r4="A10")),
    (ProblemKind.AT_SEA, "b4", 0, full(r4="1(FI)9")),
    (ProblemKind.TOO_MANY_PIECES, None, 0, full(r4="2IIIIIIIII", r3="2IIIIIIIII", r2="2I8")),
    (ProblemKind.TWO_COMMANDERS, None, 1, full(r9="3(tc)7")),
    (ProblemKind.CLOCKS, None, None, full("r - - 70000 40000")),
    (ProblemKind.CLOCKS, None, None, full("r - - 0 0")),
    (ProblemKind.DEPLOYMENT, "f4", 0, full("r - - 0 1 f4:T", r4="5M5")),
    (ProblemKind.DEPLOYMENT, "f5", 0, full("r - - 0 1 f5:M", r4="5M5")),
    (ProblemKind.DEPLOYMENT, "f4", 0, full("r - - 0 1 f4:GG", r4="5(GG)5")),
    (ProblemKind.DEPLOYMENT, "f4", 0, full("r - - 100 90 f4:M", r4="5M5")),
    (ProblemKind.STUCK_DEPLOYMENT, "b4", 0, full("r - - 0 9 b4:I", r4="1(TI)9")),
    (ProblemKind.PLACEMENT, None, None, f"{EMPTY} r - - 0 1 place"),
]


@pytest.mark.parametrize(("kind", "point", "side", "fen"), UNPLAYABLE)
def test_unplayable(kind: ProblemKind, point: str | None, side: int | None, fen: str) -> None:
    problem = Position.fen_status(fen)[0]
    assert (problem.kind, problem.point, problem.side) == (kind, point, side)
    assert not problem.is_playable
    assert str(problem) == problem.text
    if point is not None:
        assert point in problem.text
    with pytest.raises(PositionError, match=re.escape(problem.text)):
        Position.from_fen(fen)


PLAYABLE = [
    pytest.param(
        ProblemKind.TOO_MANY_OF_A_KIND, None, 0, full("r - - 0 9", r4="4TTT4"), FULL_BATTLE,
        id="§2 two tanks",
    ),
    pytest.param(
        ProblemKind.LOST_BATTLE, None, 1, full("r - - 0 9", r12="11", r9="4+t6"), FULL_BATTLE,
        id="R10.1 no commander",
    ),
    pytest.param(
        ProblemKind.LOST_BATTLE, None, 0, full("r - - 0 9", r9="+n10"), RuleSet(battle="sea"),
        id="R10.1 no navy",
    ),
    pytest.param(
        ProblemKind.LOST_BATTLE, None, 1, full("r - - 0 9", r4="3FFTT4"), RuleSet(battle="air"),
        id="R10.1 no aircraft",
    ),
    pytest.param(
        ProblemKind.UNTENABLE_CLOCKS, None, None, full("r - - 101 90"), FULL_BATTLE,
        id="R10.5 beyond the limit",
    ),
    pytest.param(
        ProblemKind.UNTENABLE_CLOCKS, None, None, full("r - - 3 2"), FULL_BATTLE,
        id="R10.5 more quiet turns than turns",
    ),
    pytest.param(
        ProblemKind.ENGINEER_OFF_BANK, "e4", 0, full("r - - 0 9", r4="4(EA)TT4"), FULL_BATTLE,
        id="R7.6",
    ),
    pytest.param(
        ProblemKind.HEADQUARTERS_MOVED, "e4", 0, full("r - - 0 9", r4="4HTT4"), FULL_BATTLE,
        id="R2 headquarters stay",
    ),
    pytest.param(
        ProblemKind.HEADQUARTERS_MOVED, "c11", 0, full("r - - 0 9", r11="2HTT6"),
        RuleSet(battle="full", placement=True), id="R10.7 the own half",
    ),
    pytest.param(
        ProblemKind.UNMARKED_HERO, "g10", 0, full("b - - 0 9", r10="6T4", r4="4T6"), FULL_BATTLE,
        id="R9.1",
    ),
    pytest.param(
        ProblemKind.UNMARKED_HERO, "e4", 0, full("b - - 0 9", r4="4T6", r2="5H5"), FULL_BATTLE,
        id="R9.3",
    ),
    pytest.param(
        ProblemKind.FACE_TO_FACE, "d1", None, full("b - - 0 9", r12="3c7"), FULL_BATTLE, id="R6.4"
    ),
    pytest.param(
        ProblemKind.OPEN_COMMANDER, "g12", 1, full("r - - 0 9", r10="6+T4"),
        RuleSet(battle="full", enforce_check=True), id="R10.8",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "point", "side", "fen", "rules"), PLAYABLE)
def test_playable(
    kind: ProblemKind, point: str | None, side: int | None, fen: str, rules: RuleSet
) -> None:
    problems = Position.from_fen(fen, rules).status()
    assert [(problem.kind, problem.point, problem.side) for problem in problems] == [
        (kind, point, side)
    ]
    assert problems[0].is_playable
    assert Position.fen_status(fen, rules) == problems


def test_last_defenders_of_the_edition() -> None:
    """R12.2: only an infantry becomes heroic as the last."""
    russian = RuleSet(edition="russian", battle="full")
    assert Position.from_fen(full("b - - 0 9", r4="4T6"), russian).status() == []
    assert kinds(Position.from_fen(full("b - - 0 9", r4="4I6"), russian).status()) == [
        "UNMARKED_HERO"
    ]


def test_a_game_decided_by_its_board_has_no_problem() -> None:
    """R10.1, R12.1: lost pieces and open lines are how it ended."""
    for rules in (RuleSet(battle="full"), RuleSet(edition="bga", battle="full")):
        position = Position.from_fen(full("r - - 3 9", r12="3c7", r5="3T7"), rules)
        position.push(position.parse_move("T d5-e5 move"))
        if rules.edition == "official":
            position.push(position.parse_move("C d12-d1 capture"))
        assert position.reason == ("battle" if rules.edition == "official" else "exposure")
        assert position.status() == []


def test_every_kind_is_tested() -> None:
    tested = {kind for kind, *_ in UNPLAYABLE} | {case.values[0] for case in PLAYABLE}
    assert tested == set(ProblemKind)


def kinds(problems: list[Problem]) -> list[str]:
    return [problem.kind.name for problem in problems]


def test_all_at_once() -> None:
    """Nothing hides behind the first problem."""
    fen = full("r - - 9 0 f5:M", r4="3N1(TT)4H", r3="1C6TTT", r2="2(EA)8")
    assert kinds(Position.fen_status(fen)) == [
        "AT_SEA",
        "NAVY_ON_LAND",
        "ILLEGAL_STACK",
        "TWO_COMMANDERS",
        "CLOCKS",
        "DEPLOYMENT",
        "TOO_MANY_OF_A_KIND",
        "ENGINEER_OFF_BANK",
        "HEADQUARTERS_MOVED",
        "LOST_BATTLE",
        "LOST_BATTLE",
        "LOST_BATTLE",
        "LOST_BATTLE",
    ]


def test_all_at_once_in_placement() -> None:
    fen = f"{EMPTY.replace('11/', '5C5/', 1)} r - - 1 2 place"
    assert kinds(Position.fen_status(fen)) == ["PLACEMENT"] * 5
    texts = [problem.text for problem in Position.fen_status(fen, RuleSet(placement=True))]
    assert [text.split()[0] for text in texts] == ["after", "no", "Red's", "pieces"]


@pytest.mark.parametrize("fen", [None, 7, b"", ["fen"]])
def test_what_is_no_text(fen: object) -> None:
    assert kinds(Position.fen_status(fen)) == ["MALFORMED"]  # type: ignore[arg-type]


def test_rules_are_a_rule_set() -> None:
    with pytest.raises(RulesError):
        Position.fen_status(START_BOARD, None)  # type: ignore[arg-type]


def first_unplayable(fen: str, rules: RuleSet) -> str | None:
    return next(
        (problem.text for problem in Position.fen_status(fen, rules) if not problem.is_playable),
        None,
    )


def test_loaders_refuse_for_the_first_unplayable_problem() -> None:
    """Of damaged texts, too: `from_fen` and `fen_status` are one judgement."""
    rng = Random(5)
    alphabet = "0123456789/()+-: HNFTCIMEAGShnftcimeagsrb"
    seeds = [position.fen() for position in random_games(2, ALL_RULES[:3], seed=5, max_actions=80)]
    fens = list(REFUSED)
    for _ in range(1500):
        text = list(rng.choice(seeds))
        for _ in range(rng.randint(1, 2)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 2)] = rng.choice(alphabet) * rng.randint(0, 2)
        fens.append("".join(text))
    num_playable = 0
    for fen in fens:
        rules = RuleSet(placement=fen.endswith("place"))
        expected = first_unplayable(fen, rules)
        if expected is not None:
            with pytest.raises(PositionError, match=f"^{re.escape(expected)}, in FEN "):
                Position.from_fen(fen, rules)
        else:
            position = Position.from_fen(fen, rules)
            assert position.status() == Position.fen_status(fen, rules)
            num_playable += 1
    assert 50 < num_playable < len(fens) - 200


def test_games_from_the_start_come_to_no_problem() -> None:
    """Official rules allow an open line between commanders (R6.4), and no more."""
    for position in random_games(2 * len(ALL_RULES), ALL_RULES, seed=41):
        for problem in position.status():
            assert problem.kind == ProblemKind.FACE_TO_FACE, f"{problem} in {position!r}"


def test_problems_are_found_in_mid_deployment_of_the_board_only() -> None:
    """R9, R10.8: promotions and check are looked at when a turn has ended."""
    rules = RuleSet(battle="full", enforce_check=True)
    position = Position.from_fen(full("r - - 0 9", r8="5(TI)5", r4="4T6", r9="8ee1"), rules)
    position.push(position.parse_move("SELECT f8 T"))
    position.push(position.parse_move("T f8-f10 move"))
    assert position.deployment is not None
    assert position.status() == []


def test_problems_are_values() -> None:
    problem = Position.fen_status("")[0]
    assert problem == Position.fen_status("")[0]
    assert hash(problem) == hash(Position.fen_status("")[0])
    assert problem.kind == "malformed text"


def test_a_crowded_board_is_counted_right() -> None:
    """More pieces than a byte can count."""
    rank = "(NII)(NII)" + "(TII)" * 9
    fen = f"{'/'.join([rank] * 12)} r - - 0 1"
    problems = [p.text for p in Position.fen_status(fen) if not p.is_playable]
    assert problems == ["Red has 396 pieces, more than 19"]
