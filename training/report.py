"""Turns what an iteration has measured into the values of `metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from agents.inference import Agreement
from agents.search import BatchedSearch
from cotulenh_env.game import Game
from training.anchors import AnchoredRating, tag_name
from training.checkpoint import Counters
from training.learner import LearnerStats
from training.match_result import MatchResult
from training.replay import ReplayBuffer
from training.sample_picture import policy_rows, sample_picture
from training.self_play_stats import RESIGNATION, SelfPlayStats


def iteration_scalars(
    played: SelfPlayStats,
    learned: LearnerStats | None,
    learner_seconds: float,
    replay: ReplayBuffer,
    counters: Counters,
    num_learner_steps: int,
) -> dict[str, float]:
    """The values of one iteration by tag.

    Args:
        played: sums over its self-play.
        learned: means over its learner steps, None if there were none.
        learner_seconds: time of those steps.
        replay: the buffer after them.
        counters: of the run, after the iteration.
        num_learner_steps: since the start of the run.
    """
    seconds = max(played.seconds, 1e-9)
    total_seconds = seconds + learner_seconds
    num_positions = max(played.num_positions, 1)
    scalars = {
        "self_play/branching": played.num_legal_actions / num_positions,
        "self_play/root_value": played.abs_values / num_positions,
        "speed/games_per_second": len(played.finished) / seconds,
        "speed/positions_per_second": played.num_positions / seconds,
        "speed/simulations_per_second": played.num_simulations / seconds,
        "time/network": played.network_seconds / total_seconds,
        "time/search": (played.seconds - played.network_seconds) / total_seconds,
        "time/learner": learner_seconds / total_seconds,
        "inference/batch_occupancy": played.num_evaluated / max(played.num_places, 1),
        "replay/positions": len(replay),
        "replay/window": replay.window,
        "replay/ratio": counters.num_samples / max(replay.num_added, 1),
        "progress/games": counters.num_games,
        "progress/positions": replay.num_added,
        "progress/learner_steps": num_learner_steps,
    }
    if learned is not None:
        for name in LearnerStats.__dataclass_fields__:
            scalars[f"loss/{name}"] = getattr(learned, name)
    if played.finished:
        scalars |= _game_scalars(played)
    if played.resign_thresholds:
        scalars |= _resignation_scalars(played)
    return scalars


def evaluation_scalars(
    results: Mapping[str, MatchResult], rating: AnchoredRating, inference: Agreement
) -> dict[str, float]:
    """Scores, rating and exactness by tag.

    Args:
        results: of matches, by anchor.
        rating: what they amount to.
        inference: of the run's backend with the exact one.
    """
    scalars = {
        "inference/policy_divergence": inference.policy_divergence,
        "inference/value_difference": inference.value_difference,
        "evaluation/elo": rating.elo,
        "evaluation/elo_low": rating.low,
        "evaluation/elo_high": rating.high,
    }
    for anchor, result in results.items():
        scalars[f"evaluation/score_{tag_name(anchor)}"] = result.score
    return scalars


def position_picture(
    game: Game, state: npt.NDArray[np.uint8], search: BatchedSearch
) -> dict[str, npt.NDArray[np.uint8]]:
    """A picture by tag: the position with the likeliest actions, prior → searched policy.

    Args:
        game: the game.
        state: uint8 [state_size], not finished.
        search: searches the position, with a random stream that is always the same.
    """
    states = state[None]
    result = search.search(states, np.random.default_rng(0), noise_scale=0.0)
    players = game.current_player(states)
    logits, _ = search.evaluator.evaluate(states, players, result.legal_actions, result.counts)
    count = int(result.counts[0])
    prior = np.exp(logits[0, :count] - logits[0, :count].max())
    rows = policy_rows(
        game, state, result.legal_actions[0, :count], prior / prior.sum(), result.policy[0, :count]
    )
    return {"sample/position": sample_picture(game, state, rows)}


def _resignation_scalars(played: SelfPlayStats) -> dict[str, float]:
    thresholds = played.resign_thresholds
    scalars = {"self_play/resign_threshold": sum(thresholds) / len(thresholds)}
    if played.num_judged:
        rate = played.num_false_positives / played.num_judged
        scalars["self_play/resign_false_positives"] = rate
    if played.finished:
        num_resigned = sum(game.reason == RESIGNATION for game in played.finished)
        scalars["self_play/resigned"] = num_resigned / len(played.finished)
    return scalars


def _game_scalars(played: SelfPlayStats) -> dict[str, float]:
    games = played.finished
    share = 1 / len(games)
    scalars = {
        "self_play/game_turns": share * sum(game.num_turns for game in games),
        "self_play/game_actions": share * sum(game.num_actions for game in games),
        "self_play/first_player_wins": share * sum(game.first_player_return > 0 for game in games),
        "self_play/second_player_wins": share * sum(game.first_player_return < 0 for game in games),
        "self_play/draws": share * sum(game.first_player_return == 0 for game in games),
    }
    for reason, count in Counter(game.reason for game in games).items():
        scalars[f"self_play/reason/{reason.replace(' ', '_')}"] = share * count
    return scalars
