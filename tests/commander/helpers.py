"""Positions of recorded cases, and random games."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.loading import slots_of
from cotulenh_env.commander.pieces import KIND_LETTERS, piece_code, stack_codes
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE
from tests.cases import Case

DIVISION_BITS = {"C": 1, "F": 2, "L": 4, "N": 8}


def codes_of(letters: str) -> list[int]:
    """Codes of pieces written as `F+T`."""
    codes = []
    heroic = False
    for letter in letters:
        if letter != "+":
            codes.append(piece_code(KIND_LETTERS.index(letter), heroic))
        heroic = letter == "+"
    return codes


def load_case(case: Case) -> Position:
    """The position of a case, with what a FEN does not tell: selected group and divisions."""
    position = Position.from_fen(case["fen"], RuleSet(**case["rules"]))
    state = position.state
    record = state.view(STATE_DTYPE)[0]
    if case.get("armed"):
        record["armed"] = [sum(DIVISION_BITS[name] for name in armed) for armed in case["armed"]]
    if case.get("selected"):
        origin = parse_point(case["fen"].split()[6].split(":")[0])
        stack = int(record["board"][origin])
        if record["origin"] == NO_POINT:  # the whole of a full stack is listed
            record["origin"] = origin
            record["unacted"] = (1 << len(stack_codes(stack))) - 1
        record["selected"] = slots_of(stack, codes_of(case["selected"]))
        if not case["acted"] and record["history_length"]:
            record["num_sub_moves"] = 0
    return Position.from_state(state)


def random_games(
    num_games: int, rules: list[RuleSet], seed: int, max_actions: int = 400
) -> Iterator[Position]:
    """Every position of some random games; rules are taken in turn."""
    rng = np.random.default_rng(seed)
    for game in range(num_games):
        position = Position(rules[game % len(rules)])
        yield position
        for _ in range(max_actions):
            legal = position.legal_actions()
            if not legal:
                break
            position = position.copy()
            position.push(random_action(position, legal, rng))
            yield position


def random_action(position: Position, legal: list[int], rng: np.random.Generator) -> int:
    """A legal action; deployments are begun more often than at random."""
    selects = [action for action in legal if 104 <= action % 111 <= 109 and action != 14652]
    if selects and rng.random() < 0.3:
        return int(rng.choice(selects))
    return int(rng.choice(legal))


ALL_RULES = [
    RuleSet(),
    RuleSet(battle="full"),
    RuleSet(battle="sea", placement=True),
    RuleSet(battle="air", allow_shoot_down=False),
    RuleSet(battle="surprise", enforce_check=True, quiet_limit=20),
    RuleSet(battle="full", placement=True, enforce_check=True, repetition=2),
    RuleSet(turn_limit=60),
    RuleSet(edition="bga"),
    RuleSet(edition="russian"),
    RuleSet(edition="russian", battle="full", enforce_check=True, exposure="loss"),
]


def changed(position: Position, **fields: Any) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The position's state with some fields of its record changed."""
    state = position.state
    for name, value in fields.items():
        state.view(STATE_DTYPE)[0][name] = value
    return state
