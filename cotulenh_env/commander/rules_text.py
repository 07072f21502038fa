"""Rules in one line of text, as game records hold them: `edition=official battle=full …`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from cotulenh_env.commander.rules import RuleSet, make_rules
from cotulenh_env.errors import RulesError, shown


def rules_text(rules: RuleSet) -> str:
    """Every option of the rules, such as `edition=official battle=full …`.

    Options that are None, as the edition says, are left out.
    """
    options = ((field.name, getattr(rules, field.name)) for field in fields(RuleSet))
    return " ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options
        if value is not None
    )


def parse_rules(text: str) -> RuleSet:
    """The rules that `rules_text` writes; an option that is missing is as `RuleSet` has it.

    Raises:
        RulesError: the text is malformed, or an option unknown or refused.
    """
    options: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not value or name in options:
            problem = "is there twice" if name in options else "is not written name=value"
            raise RulesError(f"the rule option {shown(word)} {problem}")
        options[name] = _option_value(value)
    return make_rules(**options)


def _option_value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text
