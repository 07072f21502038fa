"""Rules in one line of text, as game records hold them: `edition=official battle=full …`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from cotulenh_env.errors import RulesError, shown


def rules_text(rules: Any) -> str:
    """Every option of a game's RuleSet, such as `edition=official battle=full …`.

    Options that are None, as another option says, are left out.
    """
    options = ((field.name, getattr(rules, field.name)) for field in fields(rules))
    return " ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options
        if value is not None
    )


def parse_options(text: str) -> dict[str, Any]:
    """The options that `rules_text` writes, by name, as `Game.make_rules` takes them.

    Raises:
        RulesError: the text is malformed.
    """
    options: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not value or name in options:
            problem = "is there twice" if name in options else "is not written name=value"
            raise RulesError(f"the rule option {shown(word)} {problem}")
        options[name] = _option_value(value)
    return options


def _option_value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text
