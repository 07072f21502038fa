"""Tables of match results for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from training.match_result import MatchResult
from training.rating import elo_difference
from training.sprt import SPRTSettings

_OUTCOMES = {1: "wins", 0: "draws", -1: "losses"}


def result_table(results: Mapping[str, MatchResult]) -> str:
    """One line per match: games, wins, draws, losses, score with its 95 % interval.

    Args:
        results: match results by the label of their line.
    """
    width = max(map(len, results))
    header = (
        f"{'':<{width}} {'games':>6} {'wins':>6} {'draws':>6} {'losses':>6}  score (95 % interval)"
    )
    lines = [header]
    for label, result in results.items():
        counts = " ".join(f"{result.count(outcome):>6}" for outcome in _OUTCOMES)
        low, high = result.interval
        score = f"{result.score:.1%} ({low:.1%} to {high:.1%})"
        lines.append(f"{label:<{width}} {len(result.games):>6} {counts}  {score}")
    return "\n".join(lines)


def reason_table(result: MatchResult) -> str:
    """One line per outcome of the first agent and reason, most frequent first."""
    lines = ["how the games ended"]
    for (outcome, reason), count in sorted(
        result.reasons().items(), key=lambda item: (-item[0][0], -item[1], item[0][1])
    ):
        lines.append(f"  {_OUTCOMES[outcome]:<7} {reason:<16} {count:>6}")
    return "\n".join(lines)


def elo_text(result: MatchResult) -> str:
    """The score as a difference in Elo, with its 95 % interval; one end may be open."""
    num_games, (low, high) = len(result.games), result.interval
    ends = [f"{elo_difference(end, num_games):+.0f}" for end in (low, high)]
    if high == 1:
        interval = f"{ends[0]} or more"
    elif low == 0:
        interval = f"{ends[1]} or less"
    else:
        interval = f"{ends[0]} to {ends[1]}"
    return f"difference in Elo: {elo_difference(result.score, num_games):+.0f} ({interval})"


def points_text(first: str, second: str, result: MatchResult) -> list[str]:
    """The match score in official points (R10.6), or nothing in a game that counts none."""
    own, other = result.official_points
    if own == other == 0:
        return []
    return [f"official points: {first} {own:,.0f}, {second} {other:,.0f}"]


def sprt_text(settings: SPRTSettings, llr: float) -> str:
    """What has been decided, and by how much."""
    low, high = settings.bounds
    decision = settings.decision(llr)
    hypothesis = {"H0": settings.elo0, "H1": settings.elo1}
    words = (
        "not decided"
        if decision is None
        else f"{decision} ({hypothesis[decision]:+g} Elo) is accepted"
    )
    return (
        f"SPRT {settings.elo0:+g} or {settings.elo1:+g} Elo, alpha {settings.alpha:g}, beta "
        f"{settings.beta:g}: {words}; LLR {llr:.2f} ({low:.2f} to {high:.2f})"
    )
