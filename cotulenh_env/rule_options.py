"""Rule options from outside: a RuleSet from keywords, and the checks of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from cotulenh_env.errors import RulesError, shown

Rules = TypeVar("Rules")


def rules_from(rule_set: type[Rules], options: Mapping[str, Any]) -> Rules:
    """A RuleSet from options by name.

    Args:
        rule_set: a frozen dataclass, whose fields are the options.
        options: some of them; the others have their defaults.

    Raises:
        RulesError: an option is unknown, or its value is refused.
    """
    known = [field.name for field in fields(rule_set)]  # type: ignore[arg-type]  # a dataclass
    unknown = [name for name in options if name not in known]
    if unknown:
        raise RulesError(
            f"unknown rule option {shown(unknown[0])}: the options are {', '.join(known)}"
        )
    return rule_set(**options)


def changes_text(rules: Any) -> str:
    """A RuleSet with the options that are not as by default, to be read back by Python."""
    options = [
        f"{field.name}={getattr(rules, field.name)!r}"
        for field in fields(rules)
        if getattr(rules, field.name) != field.default
    ]
    return f"{type(rules).__name__}({', '.join(options)})"


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuses what is none of the names that an option has.

    Raises:
        RulesError: with the option, the choices and the value.
    """
    if not isinstance(value, str) or value not in choices:
        raise RulesError(f"rule option {name} is one of {', '.join(choices)}, got {shown(value)}")


def check_flag(name: str, value: object, choices: str = "true or false") -> None:
    """Refuses what is neither true nor false.

    Args:
        name: of the option.
        value: its value.
        choices: what it may be, in words.

    Raises:
        RulesError: with the option, the choices and the value.
    """
    if not isinstance(value, bool):
        raise RulesError(f"rule option {name} is {choices}, got {shown(value)}")


def check_whole_number(name: str, value: object, low: int, high: int, also: str = "") -> None:
    """Refuses what is no whole number in a range.

    Args:
        name: of the option.
        value: its value.
        low: the least it may be.
        high: the most it may be.
        also: what else the caller allows, for the message.

    Raises:
        RulesError: with the option, the range and the value.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RulesError(
            f"rule option {name} is a whole number from {low} to {high}{also}, got {shown(value)}"
        )
