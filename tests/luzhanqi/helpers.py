"""Positions and games that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cotulenh_env.game import Game, States
from cotulenh_env.luzhanqi import FlipRuleSet, RefereeRuleSet
from cotulenh_env.luzhanqi.board import MOVE_NUMBER, opposite
from cotulenh_env.luzhanqi.game import LuzhanqiFlip, LuzhanqiReferee

FLIP, REFEREE = LuzhanqiFlip(), LuzhanqiReferee()
GAMES: tuple[Game, ...] = (FLIP, REFEREE)

ARMY = "DTARB/C.K.D/PX.XE/R.T.E/BKKMP/PEMFM"
"""A layout, in which the flag is at d1."""

FLIP_RULES = (
    FlipRuleSet(),
    FlipRuleSet(hq_lock="entered", repetition=3),
    FlipRuleSet(hq_lock="none", suicide=True, flip_resets=True),
    FlipRuleSet(flag_mines=False, flag_all_flipped=False, flag_carriers="EPX"),
    FlipRuleSet(suicide=True, flag_mines=False, bomb_flag=False, quiet_limit=30),
    FlipRuleSet(hq_lock="entered", flag_all_flipped=False, repetition=2, quiet_limit=127),
)

REFEREE_RULES = (
    RefereeRuleSet(),
    RefereeRuleSet(hq_lock="entered"),
    RefereeRuleSet(hq_lock="none", quiet_limit=20),
    RefereeRuleSet(placement="book", reveal_flag=False),
    RefereeRuleSet(placement="agents"),
)

RULES = {FLIP.spec.name: FLIP_RULES, REFEREE.spec.name: REFEREE_RULES}


def move_id(player: int, start: int, end: int) -> int:
    """The number of a move between places of the board, among the 1188."""
    if player:
        start, end = opposite(start), opposite(end)
    return int(MOVE_NUMBER[start, end])


def new_states(game: Game, n: int, seed: int) -> States:
    """Starts under all kinds of rules."""
    rules = RULES[game.spec.name]
    chosen = [rules[row % len(rules)] for row in range(n)]
    return game.new_states(n, np.random.default_rng(seed), chosen)


def random_states(game: Game, n: int, num_actions: int, seed: int) -> States:
    """Positions after so many random actions; games that end on the way begin anew."""
    rng = np.random.default_rng(seed)
    starts = new_states(game, n, seed)
    states = starts.copy()
    for _ in range(num_actions):
        legal, counts = game.legal_actions(states)
        chosen = legal[np.arange(n), (rng.random(n) * counts).astype(int)]
        states, _ = game.apply(states, chosen, rng.random(n))
        done = game.is_terminal(states)
        states[done] = starts[done]
    return states


def walk(game: Game, n: int, num_actions: int, seed: int) -> Iterator[States]:
    """The positions of random games, finished ones included."""
    rng = np.random.default_rng(seed)
    starts = new_states(game, n, seed)
    states = starts.copy()
    for _ in range(num_actions):
        yield states
        done = game.is_terminal(states)
        states[done] = starts[done]
        legal, counts = game.legal_actions(states)
        chosen = legal[np.arange(n), (rng.random(n) * counts).astype(int)]
        states, _ = game.apply(states, chosen, rng.random(n))
