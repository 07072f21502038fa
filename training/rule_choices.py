"""Rules with a choice: options that hold a list of values, of which every game draws one.

So one network learns all variants: a state carries its rules, and they are planes of the
observation.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.game import Game
from training.errors import ConfigError

_MAX_RULE_SETS = 4096


def rule_sets(game: Game, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """All RuleSets that options stand for; the first has the first value of every list.

    Args:
        game: whose rules.
        options: by name, each a value or a list of values to draw from. What stands in a list twice
            is drawn twice as often.

    Raises:
        ConfigError: a list is empty, there are too many combinations, or one makes no sense.
        RulesError: the same of options without a list.
    """
    lists = {name: value for name, value in options.items() if isinstance(value, list)}
    if not lists:
        return (game.make_rules(**options),)
    for name, values in lists.items():
        if not values:
            raise ConfigError(f"rules.{name} is an empty list: give at least one value")
    num_sets = math.prod(len(values) for values in lists.values())
    if num_sets > _MAX_RULE_SETS:
        raise ConfigError(f"rules have {num_sets} combinations, at most {_MAX_RULE_SETS} are drawn")
    found = []
    for drawn in itertools.product(*lists.values()):
        chosen = dict(zip(lists, drawn, strict=True))
        try:
            found.append(game.make_rules(**{**options, **chosen}))
        except CotulenhError as error:
            words = ", ".join(f"{name}: {shown(value)}" for name, value in chosen.items())
            raise ConfigError(f"rules would draw {words}, but {error}") from error
    return tuple(found)


def draw_rules(sets: Sequence[Any], n: int, rng: np.random.Generator) -> Any:
    """Rules for `n` new games, in the form that `Game.new_states` takes.

    Args:
        sets: RuleSets, each as likely as the others.
        n: number of games.
        rng: the stream that draws; left alone when there is but one RuleSet.
    """
    if len(sets) == 1:
        return sets[0]
    return [sets[index] for index in rng.integers(len(sets), size=n)]
