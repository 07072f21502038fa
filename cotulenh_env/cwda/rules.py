"""The options of a game: `RuleSet`, which says who plays which army."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from cotulenh_env.cwda.armies import ARMY_CODES, NUM_MAIN_ARMIES, army_index
from cotulenh_env.rule_options import check_choice

RANDOM = "random"

REPETITION = 3
"""The same position this many times draws."""

QUIET_LIMIT = 100
"""This many moves of both sides together without capture or pawn move draw."""

Armies = tuple[int, int]
"""White's and Black's army, as indexes of `armies.ARMIES`."""


@dataclass(frozen=True)
class RuleSet:
    """Rules of one game: the two armies. Everything else is fixed.

    >>> RuleSet(white_army="CC", black_army="NN")
    RuleSet(white_army='CC', black_army='NN')

    Attributes:
        white_army: `"FF"` Fabulous FIDEs, `"CC"` Colorbound Clobberers, `"NN"` Nutty Knights,
            `"RR"` Remarkable Rookies; derived ones: `"AM"` Amazon Army, `"AC"` the same with crabs
            for knights, `"AA"` All-Around Allstars, `"FW"` Forward FIDEs; or `"random"`: one of the
            first four, drawn for every game.
        black_army: likewise, drawn independently.

    Raises:
        RulesError: there is no such army.
    """

    white_army: str = RANDOM
    black_army: str = RANDOM

    def __post_init__(self) -> None:
        for field in fields(self):
            check_choice(field.name, getattr(self, field.name), (*ARMY_CODES, RANDOM))


def draw_armies(rules: RuleSet, rng: np.random.Generator | None, row: int = 0) -> Armies:
    """The armies of one game.

    Args:
        rules: what is left to chance is one of the four main armies, each as likely.
        rng: draws White's army, then Black's. None: nothing is drawn, and rows take the pairings in
            turn, row 0 FF against FF.
        row: of the batch.
    """
    drawn = []
    for code, in_turn in (
        (rules.white_army, row // NUM_MAIN_ARMIES % NUM_MAIN_ARMIES),
        (rules.black_army, row % NUM_MAIN_ARMIES),
    ):
        if code != RANDOM:
            drawn.append(army_index(code))
        else:
            drawn.append(in_turn if rng is None else int(rng.integers(NUM_MAIN_ARMIES)))
    return drawn[0], drawn[1]


def rules_with_armies(armies: Armies) -> RuleSet:
    """The rules of a game between these armies."""
    white, black = armies
    return RuleSet(ARMY_CODES[white], ARMY_CODES[black])
