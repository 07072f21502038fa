"""The rules around a game: of the match server, not of the environments (section 7 of the rules).

The server plays games with the actions of the game and asks here what else its rules say. A turn
that a player has let pass is the only thing here that changes a position.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.game import Game, States
from cotulenh_env.luzhanqi.actions import FIRST_PLACEMENT, NUM_REFEREE_ACTIONS, PASS

FIRST_RESIGNATION = 20
"""Plies that have been played before a player may resign."""

MAX_TIMEOUTS = 5
"""A player's time-outs, with the last of which the game is lost."""

SCORELESS_PLIES = {2: 30, 4: 40}
"""By number of players: a game that ended within so many plies brings its winner no points."""

NO_TEAM = -1


def may_resign(ply: int) -> bool:
    """Whether resigning is accepted.

    Args:
        ply: plies played so far.
    """
    return ply >= FIRST_RESIGNATION


def loses_by_timeouts(num_timeouts: int) -> bool:
    """Whether a player has lost by time-outs.

    Args:
        num_timeouts: the player's, the last one included.
    """
    return num_timeouts >= MAX_TIMEOUTS


def scores_points(num_players: int, ply: int, has_won: bool) -> bool:
    """Whether a player gets points for a game; its result stands in any case.

    Args:
        num_players: 2 or 4.
        ply: plies played.
        has_won: whether the player has won.

    Raises:
        CotulenhError: there are no games of so many players.
    """
    if num_players not in SCORELESS_PLIES:
        raise CotulenhError(f"games have 2 or 4 players, got {shown(num_players)}")
    return has_won and ply > SCORELESS_PLIES[num_players]


def pass_turn(game: Game, states: States) -> States:
    """The positions after a time-out of the player to move, whose turn is forfeited.

    It counts as a ply and as a quiet ply, and can therefore end the game.

    Args:
        game: `luzhanqi_flip` or `luzhanqi_referee`.
        states: uint8 [n, state_size] of unfinished games in which no pieces are being placed.

    Returns:
        New states.

    Raises:
        CotulenhError: a game is over, or pieces are being placed in it.
    """
    legal_actions, counts = game.legal_actions(states.copy())
    if (counts == 0).any():
        raise CotulenhError("no turn can be forfeited in a game that is over")
    is_referee = game.spec.num_actions == NUM_REFEREE_ACTIONS
    if is_referee and (legal_actions[:, 0] >= FIRST_PLACEMENT).any():
        raise CotulenhError("no turn can be forfeited while pieces are being placed")
    passes = np.full(len(states), PASS, np.int32)
    after, _ = game.apply(states, passes, np.zeros(len(states)))
    return after


def surviving_team(is_out: Sequence[bool]) -> int:
    """Who has won a game of four, two against two: only the scoring, its board is not played here.

    A player is out whose flag is captured, who has nothing left to move, or who has had five
    time-outs.

    Args:
        is_out: of players 0 to 3 in the order of moving; 0 and 2 are a team, and 1 and 3.

    Returns:
        0 or 1 for the team that alone has players left, or NO_TEAM while both have.

    Raises:
        CotulenhError: there are not four players.
    """
    _check_four(is_out)
    lost = [is_out[0] and is_out[2], is_out[1] and is_out[3]]
    return NO_TEAM if lost[0] == lost[1] else lost.index(False)


def team_after_desertion(deserter: int, is_out: Sequence[bool]) -> int:
    """Who scores when a player leaves a game of four, which ends it.

    Args:
        deserter: 0 to 3.
        is_out: of players 0 to 3 before that.

    Returns:
        The other team if the deserter's partner was out; else NO_TEAM: nobody scores.

    Raises:
        CotulenhError: there are not four players.
    """
    _check_four(is_out)
    if deserter not in range(4):
        raise CotulenhError(f"players are 0 to 3, got {shown(deserter)}")
    return 1 - deserter % 2 if is_out[(deserter + 2) % 4] else NO_TEAM


def _check_four(is_out: Sequence[bool]) -> None:
    if len(is_out) != 4:
        raise CotulenhError(f"a game of four has four players, got {shown(is_out)}")
