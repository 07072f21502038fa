"""Rules of Commander Chess in one line of text, as game records hold them."""

from __future__ import annotations

from cotulenh_env.commander.rules import RuleSet, make_rules
from cotulenh_env.rules_text import parse_options, rules_text

__all__ = ["parse_rules", "rules_text"]


def parse_rules(text: str) -> RuleSet:
    """The rules that `rules_text` writes; an option that is missing is as `RuleSet` has it.

    Raises:
        RulesError: the text is malformed, or an option unknown or refused.
    """
    return make_rules(**parse_options(text))
