"""Tables of match results for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from training.match_result import MatchResult

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
