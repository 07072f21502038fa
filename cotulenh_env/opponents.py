"""Opponents for environments in which one side learns: functions over batches of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cotulenh_env.checks import check_actions
from cotulenh_env.errors import CotulenhError, IllegalActionError, shown
from cotulenh_env.game import Actions, Game, States

Opponent = Callable[[States, np.random.Generator], Any]
"""`(states uint8 [k, state_size], rng) -> actions int32 [k]`: a legal action of every position.

The states are a copy, all of unfinished games with the opponent to move. `Agent.act` of `agents` is
one. None stands for the opponent that plays uniformly at random.
"""

RANDOM_PLAYER = "random"

MAX_BEGINNINGS = 100
"""Games begun in vain, because they ended before the learner's first action, before we give up."""


def check_opponent(opponent: Any) -> Opponent | None:
    """An opponent, or None for uniformly random play.

    Raises:
        CotulenhError: it is no function.
    """
    if opponent is not None and not callable(opponent):
        raise CotulenhError(
            f"an opponent is a function (states, rng) -> actions, such as an agent's act, "
            f"got {shown(opponent)}"
        )
    checked: Opponent | None = opponent
    return checked


def check_player(player: Any) -> int | None:
    """Which side learns: 0 or 1, or None where it is drawn for every game.

    Args:
        player: 0, 1 or `"random"`.

    Raises:
        CotulenhError: it is none of them.
    """
    if isinstance(player, str) and player == RANDOM_PLAYER:
        return None
    is_number = isinstance(player, (int, np.integer)) and not isinstance(player, bool)
    if not is_number or player not in (0, 1):
        raise CotulenhError(f"player is 0, 1 or {RANDOM_PLAYER!r}, got {shown(player)}")
    return int(player)


def draw_player(player: int | None, generator: np.random.Generator) -> int:
    """Which side learns in the next game."""
    return int(generator.random() < 0.5) if player is None else player


def random_index(count: int, generator: np.random.Generator) -> int:
    """One of 0 … count - 1, uniformly, by one draw of the generator."""
    return int(generator.random() * count)


def ask(opponent: Opponent, game: Game, states: States, generator: np.random.Generator) -> Actions:
    """What an opponent plays, in the action space, legal or not.

    Args:
        opponent: the function.
        game: that is played.
        states: uint8 [k, state_size], for the opponent to keep.
        generator: handed on to it.

    Returns:
        int32 [k].

    Raises:
        IllegalActionError: what it returned are no actions.
    """
    actions = opponent(states, generator)
    try:
        return check_actions(actions, len(states), game.spec.num_actions)
    except IllegalActionError as error:
        raise IllegalActionError(f"the opponent: {error}") from None


def never_learns_error() -> CotulenhError:
    """The error of games that always end before the learner's first action."""
    return CotulenhError(f"{MAX_BEGINNINGS} games in a row ended before the learner's first action")
