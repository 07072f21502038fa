"""Lessons before self-play: another agent decides, and the network learns to foresee it.

A new network knows nothing, and its first games say little. For `self_play.teacher_iterations` the
games are played by `self_play.teacher`, an agent such as `alphabeta:depth=2`, against itself. Its
actions are the policy target. The value target is made of its games' results and, where it has an
opinion, its values, mixed by `self_play.value_decay` as those of search are. Self-play then begins
from there, and can outgrow the teacher. Some actions are random, so that positions come up that the
teacher would not choose; what is learned in them is still the teacher's answer.
"""

from __future__ import annotations

import numpy as np

from agents.agent import Agent
from agents.random_agent import random_actions
from agents.search import SearchResult
from agents.specs import parse_agent_spec
from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Actions, Game, States
from training.errors import ConfigError
from training.self_play_settings import SelfPlaySettings


def make_teacher(game: Game, settings: SelfPlaySettings) -> Agent | None:
    """A teacher of its own for one thread; None if there are no lessons.

    Raises:
        ConfigError: there is no such agent, or it does not play this game.
    """
    if settings.teacher is None:
        return None
    try:
        return parse_agent_spec(settings.teacher).load(game)
    except CotulenhError as error:
        raise ConfigError(f"self_play.teacher: {error}") from error


def lesson(
    game: Game,
    teacher: Agent,
    states: States,
    random_fraction: float,
    rng: np.random.Generator,
) -> tuple[SearchResult, Actions]:
    """What the teacher says of positions, in the form of a search, and what is played in them.

    Args:
        game: the game.
        teacher: is asked once for all positions.
        states: uint8 [n, state_size] of unfinished games.
        random_fraction: share of the actions played that are random instead.
        rng: the stream that draws.

    Returns:
        A result whose policy is the teacher's action alone, with the teacher's values, NaN where it
        has none; int32 [n], the actions to play.
    """
    n = len(states)
    teacher.forget()  # or a resumed run would teach otherwise
    legal_actions, counts = game.legal_actions(states)
    width = int(counts.max())
    chosen, values = teacher.judge(states, rng)
    is_chosen = legal_actions[:, :width] == chosen[:, None]
    is_chosen &= np.arange(width) < counts[:, None]
    result = SearchResult(
        actions=chosen,
        legal_actions=legal_actions[:, :width],
        counts=counts,
        visit_counts=is_chosen.astype(np.int32),
        policy=is_chosen.astype(np.float32),
        values=values,
        qvalues=np.full((n, width), np.nan, np.float32),
    )
    is_random = rng.random(n) < random_fraction
    played = np.where(is_random, random_actions(legal_actions, counts, rng), chosen)
    return result, played.astype(np.int32)
