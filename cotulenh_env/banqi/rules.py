"""The options of a game: `RuleSet` (rules 4 and 5, docs/banqi.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cotulenh_env.errors import RulesError, shown
from cotulenh_env.rule_options import (
    changes_text,
    check_choice,
    check_flag,
    check_whole_number,
    rules_from,
)

PRESETS = ("standard", "taiwanese")
"""Published rule sets; the index is the state's `preset`."""

_MATRICES = {
    #             GAERHCS victims; attackers from the general down to the soldier
    "standard": ("1111110/" "0111111/" "0011111/" "0001111/" "0000011/" "1111011/" "1000000"),
    "taiwanese": ("1111110/" "0111111/" "0011111/" "0001111/" "0000111/" "1111111/" "1000001"),
}  # fmt: skip
_ENTRIES = {"horse_takes_horse": 4 * 8 + 4, "cannon_takes_horse": 5 * 8 + 4,
            "soldier_takes_soldier": 6 * 8 + 6}  # fmt: skip
"""The entries in which the presets differ: option → index in the text of the matrix."""

_REPETITION = {"standard": 3, "taiwanese": 0}
_ELIMINATION = {"standard": True, "taiwanese": False}

_MATRIX_TEXT = re.compile("[01]{7}(/[01]{7}){6}")
_MAX_QUIET_LIMIT = 127
_MAX_REPETITION = 127


@dataclass(frozen=True, repr=False)
class RuleSet:
    """Rules of one game.

    The fields behind `quiet_limit` are those in which the presets differ. None means as the preset
    says, and a field set to what the preset says anyway becomes None: equal rules are equal.
    `captures`, `occurrences_that_draw` and `elimination_ends` have what holds.

    >>> RuleSet(preset="taiwanese") == RuleSet(preset="taiwanese", soldier_takes_soldier=True)
    True
    >>> RuleSet(horse_takes_horse=True).captures[4]
    (0, 0, 0, 0, 1, 1, 1)
    >>> RuleSet(quiet_limit=50, repetition=4)
    RuleSet(repetition=4)

    Attributes:
        preset: published rule set: `"standard"`, or `"taiwanese"`, in which any piece takes its
            equals, the cannon takes everything, and a game goes on through repetitions and for a
            side without pieces, until that side cannot move.
        quiet_limit: this many turns without flip or capture draw (rule 5.4); 1–127.
        adjudicate_dead_material: nothing face down, and no piece left that could ever capture
            another: the game is drawn at once (rule 5.5).
        matrix: who captures whom (rule 4): seven rows of seven 0 or 1 with `/` between them,
            attackers down and victims across, both in the order G A E R H C S. The cannon captures
            by jumping, whatever the matrix says.
        horse_takes_horse: that entry of the matrix; only without `matrix`, like the next two.
        cannon_takes_horse: that entry of the matrix.
        soldier_takes_soldier: that entry of the matrix.
        repetition: the same position this many times draws (rule 5.3); 2–127, or 0 for never.
        elimination: a side all of whose pieces have been captured loses at once (rule 5.1).

    Raises:
        RulesError: a value is unknown, out of range or of the wrong type, or two do not go
            together.
    """

    preset: str = "standard"
    quiet_limit: int = 50
    adjudicate_dead_material: bool = False
    matrix: str | None = None
    horse_takes_horse: bool | None = None
    cannon_takes_horse: bool | None = None
    soldier_takes_soldier: bool | None = None
    repetition: int | None = None
    elimination: bool | None = None

    def __post_init__(self) -> None:
        check_choice("preset", self.preset, PRESETS)
        check_whole_number("quiet_limit", self.quiet_limit, 1, _MAX_QUIET_LIMIT)
        check_flag("adjudicate_dead_material", self.adjudicate_dead_material)
        for name in (*_ENTRIES, "elimination"):
            if getattr(self, name) is not None:
                check_flag(name, getattr(self, name), "true or false, or None for the preset's")
        if self.repetition is not None:
            _check_repetition(self.repetition)
        if self.matrix is not None:
            _check_matrix(self.matrix)
            for name in _ENTRIES:
                if getattr(self, name) is not None:
                    raise RulesError(f"rule options matrix and {name} say the same thing: give one")
        self._write_differences()

    def __repr__(self) -> str:
        """The options that are not as in `RuleSet()`; to be read back by Python."""
        return changes_text(self)

    @property
    def captures(self) -> tuple[tuple[int, ...], ...]:
        """The 7 × 7 matrix that holds, by attacker and victim: 1 = captures."""
        return tuple(tuple(map(int, row)) for row in self._resolved_matrix().split("/"))

    @property
    def occurrences_that_draw(self) -> int:
        """The repetition that holds; 0 for never."""
        return _REPETITION[self.preset] if self.repetition is None else self.repetition

    @property
    def elimination_ends(self) -> bool:
        """Whether a side without pieces loses at once."""
        return _ELIMINATION[self.preset] if self.elimination is None else self.elimination

    def _resolved_matrix(self) -> str:
        if self.matrix is not None:
            return self.matrix
        entries = list(_MATRICES[self.preset])
        for name, index in _ENTRIES.items():
            if getattr(self, name) is not None:
                entries[index] = str(int(getattr(self, name)))
        return "".join(entries)

    def _write_differences(self) -> None:
        """Leaves only what differs from the preset, said in the shortest way."""
        resolved, usual = self._resolved_matrix(), _MATRICES[self.preset]
        different = [index for index in range(len(usual)) if resolved[index] != usual[index]]
        by_entries = set(different) <= set(_ENTRIES.values())
        values: dict[str, Any] = {
            name: resolved[index] == "1" if by_entries and index in different else None
            for name, index in _ENTRIES.items()
        }
        values["matrix"] = None if by_entries else resolved
        if self.repetition == _REPETITION[self.preset]:
            values["repetition"] = None
        if self.elimination == _ELIMINATION[self.preset]:
            values["elimination"] = None
        for name, value in values.items():
            object.__setattr__(self, name, value)


def make_rules(**options: Any) -> RuleSet:
    """A `RuleSet` from keyword options.

    Raises:
        RulesError: an option is unknown, or its value is refused.
    """
    return rules_from(RuleSet, options)


def matrix_text(captures: Any) -> str:
    """The text of the option `matrix`.

    Args:
        captures: 7 × 7 of 0 and 1, by attacker and victim.
    """
    return "/".join("".join(str(int(entry)) for entry in row) for row in captures)


def _check_matrix(matrix: object) -> None:
    if not isinstance(matrix, str) or not _MATRIX_TEXT.fullmatch(matrix):
        raise RulesError(
            "rule option matrix is seven rows of seven 0 or 1 with / between them, "
            f"got {shown(matrix)}"
        )


def _check_repetition(value: object) -> None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or value not in (0, *range(2, _MAX_REPETITION + 1)):
        raise RulesError(
            "rule option repetition is 0 for never, or a whole number "
            f"from 2 to {_MAX_REPETITION}, got {shown(value)}"
        )
