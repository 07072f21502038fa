"""`GreedyAgent`: the best immediate gain; and `action_gains`, which weighs every action.

A turn may hold several actions of one player (select a group, then strike with it), so an action
after which the same player moves on is worth its best continuation, a few actions deep.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.agent import Agent
from agents.errors import AgentError
from agents.score import leads
from cotulenh_env.game import Actions, Counts, Game, Players, States

WIN = np.float32(1e6)
"""Gain of winning at once, and minus that of losing at once; more than any score."""

_NUM_DRAWS = 8
"""In a game with chance an action's gain is a mean over this many draws, evenly spread."""
_ROWS_AT_A_TIME = 64
"""Bounds memory: rows whose continuations lie in memory together."""


class GreedyAgent(Agent):
    """Wins at once if it can, never loses at once if it can help it, else takes the largest gain.

    A gain is the change of `game.score`, own minus opponent's, so in a game without scores it plays
    at random but for wins and losses. Ties are broken uniformly, by one draw per row.

    Args:
        game: any.
        num_actions_ahead: actions of one turn to look at, at least 1.
    """

    name = "greedy"

    def __init__(self, game: Game, num_actions_ahead: int = 2) -> None:
        super().__init__(game)
        if num_actions_ahead < 1:
            raise AgentError(f"num_actions_ahead is at least 1, got {num_actions_ahead!r}")
        self.num_actions_ahead = num_actions_ahead

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        """The action of the largest gain in every row: see `Agent.act`."""
        game = self.game
        draws = rng.random(len(states))
        if game.spec.has_hidden_information:
            states = game.resample_hidden(states, game.current_player(states), rng)
        actions = np.zeros(len(states), np.int32)
        for start in range(0, len(states), _ROWS_AT_A_TIME):
            rows = slice(start, start + _ROWS_AT_A_TIME)
            legal_actions, counts = game.legal_actions(states[rows])
            gains = action_gains(game, states[rows], legal_actions, counts, self.num_actions_ahead)
            best = gains == gains.max(axis=1, keepdims=True)
            wanted = (draws[rows] * best.sum(axis=1)).astype(np.int64)
            columns = np.argmax(np.cumsum(best, axis=1) > wanted[:, None], axis=1)
            actions[rows] = legal_actions[np.arange(len(columns)), columns]
        return actions


def action_gains(
    game: Game, states: States, legal_actions: Actions, counts: Counts, num_actions_ahead: int
) -> npt.NDArray[np.float32]:
    """What each legal action gains at once.

    Args:
        game: any.
        states: uint8 [n, state_size] of unfinished games.
        legal_actions: int32 [n, max_legal_actions].
        counts: int32 [n].
        num_actions_ahead: actions of the turn to look at, this one included.

    Returns:
        float32 [n, largest count]: for the player to move, change of the own score minus change of
        the opponent's; ±`WIN` for winning or losing at once; −inf after a row's count.
    """
    players = game.current_player(states)
    legal = np.arange(int(counts.max())) < counts[:, None]
    worths = _worths(game, states, players, legal_actions, counts, num_actions_ahead)
    gains = np.full(legal.shape, -np.inf, np.float32)
    gains[legal] = worths - np.repeat(leads(game, states, players), counts)
    # Far above every score, a win is a win.
    np.copyto(gains, WIN, where=gains > WIN / 2)
    np.copyto(gains, -WIN, where=legal & (gains < -WIN / 2))
    return gains


def _worths(
    game: Game,
    states: States,
    players: Players,
    legal_actions: Actions,
    counts: Counts,
    num_actions_ahead: int,
) -> npt.NDArray[np.float32]:
    """float32 [sum of counts]: of each row's actions in turn, the lead that they can reach."""
    legal = np.arange(legal_actions.shape[1]) < counts[:, None]
    num_draws = _NUM_DRAWS if game.spec.has_chance else 1
    rows = np.repeat(np.repeat(np.arange(len(states)), counts), num_draws)
    draws = np.tile((np.arange(num_draws) + 0.5) / num_draws, len(rows) // num_draws)
    children, _ = game.apply(
        states[rows],
        np.repeat(legal_actions[legal], num_draws),
        draws if game.spec.has_chance else None,
    )
    owners = players[rows]
    worths = leads(game, children, owners)
    done = game.is_terminal(children)
    worths[done] += WIN * game.returns(children)[np.arange(len(owners)), owners][done]
    if num_actions_ahead > 1:
        going_on = np.flatnonzero(~done & (game.current_player(children) == owners))
        if len(going_on):
            on_states = children[going_on]
            on_actions, on_counts = game.legal_actions(on_states)
            deeper = _worths(
                game, on_states, owners[going_on], on_actions, on_counts, num_actions_ahead - 1
            )
            starts = np.concatenate([[0], np.cumsum(on_counts)[:-1]])
            worths[going_on] = np.maximum.reduceat(deeper, starts)
    means: npt.NDArray[np.float32] = worths.reshape(-1, num_draws).mean(axis=1, dtype=np.float32)
    return means
