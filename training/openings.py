"""Random openings: they make games differ that would otherwise repeat each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.random_agent import random_actions
from cotulenh_env.game import Game, States

_MAX_TRIES = 16
"""Openings that end the game are drawn again this often; then the game opens without one."""


@dataclass(frozen=True)
class Openings:
    """Games that have begun, none of them finished.

    Attributes:
        starts: uint8 [n, state_size]: before the first action.
        states: uint8 [n, state_size]: where the players take over.
        actions: of each game, in between.
        events: of these actions.
    """

    starts: States
    states: States
    actions: list[list[int]]
    events: list[list[int]]


def random_openings(
    game: Game, num_turns: npt.NDArray[np.int64], rng: np.random.Generator, rules: Any = None
) -> States:
    """New games after some uniformly random turns each, none of them finished.

    Args:
        game: the game.
        num_turns: int [n]: turns of both sides together to play.
        rng: the stream that draws starts, actions and chance.
        rules: the RuleSet, one per row, or None for the default.

    Returns:
        uint8 [n, state_size].
    """
    return played_openings(game, num_turns, rng, rules).states


def played_openings(
    game: Game, num_turns: npt.NDArray[np.int64], rng: np.random.Generator, rules: Any = None
) -> Openings:
    """`random_openings` with all that led to them."""
    states = game.new_states(len(num_turns), rng, rules)
    starts = states.copy()
    actions: list[list[int]] = [[] for _ in num_turns]
    events: list[list[int]] = [[] for _ in num_turns]
    wanted = np.array(num_turns)
    missing = np.flatnonzero(wanted > 0)
    for attempt in range(_MAX_TRIES):
        if len(missing) == 0:
            break
        of_rows = [rules[row] for row in missing] if isinstance(rules, list) else rules
        fresh = game.new_states(len(missing), rng, of_rows)
        starts[missing] = fresh
        states[missing], *played = _play_turns(game, fresh, wanted[missing], rng)
        for row, own_actions, own_events in zip(missing, *played, strict=True):
            actions[row], events[row] = own_actions, own_events
        missing = missing[game.is_terminal(states[missing])]
        if attempt == _MAX_TRIES - 2:
            wanted[missing] = 0
    return Openings(starts, states, actions, events)


def _play_turns(
    game: Game, states: States, wanted: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[States, list[list[int]], list[list[int]]]:
    """Plays random actions in every row until it has had its turns or is finished.

    Returns:
        The states then, and the actions and events of each row.
    """
    states = states.copy()
    actions_played: list[list[int]] = [[] for _ in wanted]
    events_seen: list[list[int]] = [[] for _ in wanted]
    while True:
        is_open = (game.num_turns(states) < wanted) & ~game.is_terminal(states)
        rows = np.flatnonzero(is_open)
        if len(rows) == 0:
            return states, actions_played, events_seen
        legal_actions, counts = game.legal_actions(states[rows])
        actions = random_actions(legal_actions, counts, rng)
        states[rows], events = game.apply(states[rows], actions, rng.random(len(rows)))
        for row, action, event in zip(rows, actions, events, strict=True):
            actions_played[row].append(int(action))
            events_seen[row].append(int(event))
