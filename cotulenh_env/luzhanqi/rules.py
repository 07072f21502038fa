"""The options of both modes: `FlipRuleSet` and `RefereeRuleSet`.

What is no option is settled (`docs/luzhanqi.md`): the identifiers L1–L22 are those of its decision
table.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from cotulenh_env.errors import RulesError, shown
from cotulenh_env.luzhanqi.pieces import BOMB, ENGINEER, KIND_LETTERS

HQ_LOCKS = ("all", "entered", "none")
LOCK_ALL, LOCK_ENTERED, LOCK_NONE = range(3)
"""Names of the option `hq_lock`; the index is the state's `hq_lock`."""

PLACEMENTS = ("deal", "book", "agents")
"""Names of the option `placement`."""

_MAX_QUIET_LIMIT = 127
_MAX_REPETITION = 127

ANY_CARRIER = sum(1 << kind for kind in range(ENGINEER, BOMB + 1))
"""Bits of all kinds that move."""

Rules = TypeVar("Rules", "FlipRuleSet", "RefereeRuleSet")


@dataclass(frozen=True)
class FlipRuleSet:
    """Rules of one game in flip mode.

    Attributes:
        hq_lock: which pieces cannot leave a headquarters (L6): `"all"`, those that `"entered"` it
            (dealt ones may walk out), or `"none"`.
        quiet_limit: this many plies without a removal draw (L10); 1–127.
        repetition: the same position this many times draws (L17); 2–127, or 0: never.
        flip_resets: flips, too, set the count of quiet plies back to 0 (L10).
        suicide: attacks that lose outright are legal (L8).
        flag_mines: a flag can be captured only when its side has lost all mines (L3).
        flag_all_flipped: a flag can be captured only when nothing lies face down (L3).
        flag_carriers: letters of the kinds that may capture a flag (L4): engineer `E`, then
            `PKTRBDAC` from platoon to chief, bomb `X`; None for all that move.
        bomb_flag: a bomb may capture a flag: both vanish (L9). False, too, if `flag_carriers`
            leave the bomb out.

    Raises:
        RulesError: a value is unknown, out of range or of the wrong type, or nothing could ever
            capture a flag.
    """

    hq_lock: str = "all"
    quiet_limit: int = 70
    repetition: int = 0
    flip_resets: bool = False
    suicide: bool = False
    flag_mines: bool = True
    flag_all_flipped: bool = True
    flag_carriers: str | None = None
    bomb_flag: bool = True

    def __post_init__(self) -> None:
        _check_choice("hq_lock", self.hq_lock, HQ_LOCKS)
        _check_range("quiet_limit", self.quiet_limit, 1, _MAX_QUIET_LIMIT)
        if type(self.repetition) is not int or self.repetition != 0:
            _check_range("repetition", self.repetition, 2, _MAX_REPETITION, " or 0")
        for name in ("flip_resets", "suicide", "flag_mines", "flag_all_flipped", "bomb_flag"):
            _check_flag(name, getattr(self, name))
        bits = ANY_CARRIER
        if self.flag_carriers is not None:
            bits = _carrier_bits(self.flag_carriers)
        bits = bits if self.bomb_flag else bits & ~(1 << BOMB)
        if bits == 0:
            raise RulesError(
                "rule options flag_carriers and bomb_flag leave nothing that can capture a flag"
            )
        # Equal rules are equal.
        is_anyone = bits | 1 << BOMB == ANY_CARRIER
        object.__setattr__(self, "bomb_flag", bool(bits >> BOMB & 1))
        object.__setattr__(self, "flag_carriers", None if is_anyone else carrier_letters(bits))

    @property
    def carrier_bits(self) -> int:
        """The kinds that may capture a flag as bits 1 << kind."""
        if self.flag_carriers is None:
            return ANY_CARRIER if self.bomb_flag else ANY_CARRIER & ~(1 << BOMB)
        return _carrier_bits(self.flag_carriers)


@dataclass(frozen=True)
class RefereeRuleSet:
    """Rules of one game in referee mode.

    Attributes:
        placement: who arranges the pieces: chance deals every legal layout with equal probability
            (`"deal"`), chance draws from a book of layouts (`"book"`), or the players place their
            pieces themselves (`"agents"`).
        book: the file of layouts that `"book"` draws from; None for the one that is shipped.
        hq_lock: which pieces cannot leave a headquarters (L6): `"all"`, those that `"entered"` it
            (placed ones may walk out), or `"none"`.
        quiet_limit: this many plies without a removal draw; 1–127.
        reveal_flag: a side that has lost its chief shows where its flag is (L12).

    Raises:
        RulesError: a value is unknown, out of range or of the wrong type.
    """

    placement: str = "deal"
    book: str | None = None
    hq_lock: str = "all"
    quiet_limit: int = 70
    reveal_flag: bool = True

    def __post_init__(self) -> None:
        _check_choice("placement", self.placement, PLACEMENTS)
        if self.book is not None and not isinstance(self.book, str):
            raise RulesError(f"rule option book is the path of a file, got {shown(self.book)}")
        if self.book is not None and self.placement != "book":
            raise RulesError("rule option book needs placement 'book'")
        _check_choice("hq_lock", self.hq_lock, HQ_LOCKS)
        _check_range("quiet_limit", self.quiet_limit, 1, _MAX_QUIET_LIMIT)
        _check_flag("reveal_flag", self.reveal_flag)


def make_rules(kind: type[Rules], /, **options: Any) -> Rules:
    """A RuleSet of a mode from keyword options.

    Raises:
        RulesError: an option is unknown, or its value is refused.
    """
    known = [field.name for field in fields(kind)]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise RulesError(f"unknown rule option {unknown[0]!r}: the options are {', '.join(known)}")
    return kind(**options)


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise RulesError(f"rule option {name} is one of {', '.join(choices)}, got {shown(value)}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise RulesError(f"rule option {name} is true or false, got {shown(value)}")


def _check_range(name: str, value: object, low: int, high: int, also: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RulesError(
            f"rule option {name} is a whole number from {low} to {high}{also}, got {shown(value)}"
        )


def carrier_letters(bits: int) -> str:
    """The letters of kinds given as bits 1 << kind, in the order of their ranks."""
    return "".join(KIND_LETTERS[kind] for kind in range(ENGINEER, BOMB + 1) if bits >> kind & 1)


def _carrier_bits(value: object) -> int:
    known = KIND_LETTERS[ENGINEER : BOMB + 1]
    if not isinstance(value, str) or not value or set(value) - set(known):
        raise RulesError(
            f"rule option flag_carriers is letters of {known}, or None, got {shown(value)}"
        )
    return sum(1 << KIND_LETTERS.index(letter) for letter in set(value))
