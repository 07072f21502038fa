"""Anchors: fixed agents whose ratings are known, so that ratings of different runs are comparable.

`data/anchors/<game>.csv` holds their ratings in the game's default rules, on a scale where `random`
is 0. It is a table as `cotulenh tournament --csv` writes it; its first line is the command that
measured it. Results against agents that the table does not know, or under other rules, are
comparable only where the same anchors were played.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from agents.specs import AgentSpec, parse_agent_spec
from cotulenh_env.game import Game
from training.errors import ConfigError
from training.match_result import MatchResult
from training.rating import fit_ratings
from training.repeatable_agents import check_repeatable_agent

FIXED = "fixed"
"""The scale of the table."""


@dataclass(frozen=True)
class AnchoredRating:
    """How strong an agent is by its results against anchors.

    Attributes:
        elo: its rating.
        low: lower end of the 95 % interval, the anchors' own ratings taken as exact.
        high: upper end.
        scale: what the rating is measured on: `fixed` by the table of anchors, or relative to the
            one anchor that it names.
    """

    elo: float
    low: float
    high: float
    scale: str

    def __str__(self) -> str:
        text = f"Elo {self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f})"
        return text if self.scale == FIXED else f"{text} {self.scale}"


def known_ratings(game: Game, rules: Any) -> list[tuple[AgentSpec, float]]:
    """The table of a game: agents and their ratings; empty for other rules than the default."""
    path = files("training") / "data" / "anchors" / f"{game.spec.name}.csv"
    if rules != game.make_rules() or not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [(parse_agent_spec(row["agent"]), float(row["elo"])) for row in rows]


def rate_on_anchors(game: Game, rules: Any, results: Mapping[str, MatchResult]) -> AnchoredRating:
    """The likeliest rating of an agent that has played anchors.

    Anchors with a known rating count. If there is none, the first anchor is taken to be 0, and its
    results alone say something: anchors have not met each other.

    Args:
        game: the game.
        rules: its RuleSet.
        results: from the agent's view, by the anchor's spec; at least one.
    """
    known = known_ratings(game, rules)
    given = {
        anchor: elo for anchor in results for spec, elo in known if spec == parse_agent_spec(anchor)
    }
    scale = FIXED
    if not given:
        first = next(iter(results))
        given, scale = {first: 0.0}, f"relative to {first}"
    points, num_games = np.zeros((2, len(given) + 1, len(given) + 1))
    for index, anchor in enumerate(given, 1):
        result = results[anchor]
        points[0, index] = result.points
        points[index, 0] = len(result.games) - result.points
        num_games[0, index] = num_games[index, 0] = len(result.games)
    fitted = fit_ratings(points, num_games, dict(enumerate(given.values(), 1)))
    return AnchoredRating(float(fitted.elo[0]), float(fitted.low[0]), float(fitted.high[0]), scale)


def check_anchor_specs(anchors: Sequence[str]) -> None:
    """Makes sure that anchors are specs of agents with tags of their own, and fixed.

    One that plays by seconds is as strong as the machine is fast, and so no measure.

    Raises:
        ConfigError: they are not.
    """
    specs = [check_repeatable_agent("evaluation.anchors", anchor) for anchor in anchors]
    tags = [tag_name(spec.text) for spec in specs]
    if not tags or len(set(tags)) < len(tags):
        raise ConfigError(
            f"evaluation.anchors are one or more agents, all different, got {list(anchors)}"
        )


def tag_name(anchor: str) -> str:
    """An anchor's spec as part of a TensorBoard tag: `alphabeta:depth=1` is `alphabeta_depth_1`."""
    return re.sub(r"[^\w.-]+", "_", anchor)
