"""Both algorithms find forced wins of Commander Chess, with an evaluator that knows nothing.

- in one turn and in two, for either side, also where the turn is a deployment
- a win in two is played out against every reply; each must be answered by a win at once
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchSettings
from cotulenh_env.game import Actions, States
from cotulenh_env.registry import load_game
from tests.agents.helpers import NO_SEED

COMMANDER = load_game("commander")

SETTINGS = {
    "gumbel": SearchSettings(max_num_considered_actions=64),
    "puct": SearchSettings(algorithm="puct", rescale_values=False),
}

REST = "/11/11/11/11/11/11/11/10H/9HC r - - 0 1"
"""Below the upper three ranks: Red's commander at home, where it neither sees nor moves much."""

IN_ONE = {
    "tank": ("6c4/11/6T4" + REST, 100),
    "militia out of a tank": ("11/5c5/4(TM)6" + REST, 400),
}
IN_TWO = {
    "artillery": ("5hch3/6h4/9A1" + REST, 1600),
    "tank": ("6ITh2/8c2/8h2" + REST, 1600),
    "tank that leaves the infantry": ("7(TI)hc1/9hh/11" + REST, 12_800),
}
"""Positions with Red to move, and simulations that are enough."""


def for_blue(fen: str) -> str:
    """The same position with colours and ranks exchanged."""
    board, _, rest = fen.split(" ", 2)
    return "/".join(reversed(board.swapcase().split("/"))) + " b " + rest


def searched_turn(states: States, algorithm: str, num_simulations: int) -> tuple[States, list[int]]:
    """Plays one searched turn in every row, until the other side is to move or the game ends.

    Returns:
        The states after it, and the actions that the first row took.
    """
    search = BatchedSearch(COMMANDER, UniformEvaluator(), SETTINGS[algorithm])
    states = states.copy()
    players = COMMANDER.current_player(states)
    first_row: list[int] = []
    while len(rows := np.flatnonzero(is_going_on(states, players))):
        found = search.search(states[rows], NO_SEED, num_simulations, noise_scale=0.0)
        states[rows], _ = COMMANDER.apply(states[rows], found.actions)
        if rows[0] == 0:
            first_row.append(int(found.actions[0]))
    return states, first_row


def is_going_on(states: States, players: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    going_on: npt.NDArray[np.bool_] = ~COMMANDER.is_terminal(states) & (
        COMMANDER.current_player(states) == players
    )
    return going_on


def all_replies(state: States) -> States:
    """Every position after a whole turn of the side to move."""
    player, open_ends, done = COMMANDER.current_player(state), state, []
    while len(open_ends):
        legal_actions, counts = COMMANDER.legal_actions(open_ends)
        actions: Actions = legal_actions[legal_actions >= 0]
        after, _ = COMMANDER.apply(np.repeat(open_ends, counts, axis=0), actions)
        going_on = is_going_on(after, np.repeat(player, len(after)))
        done.append(after[~going_on])
        open_ends = after[going_on]
    return np.concatenate(done)


def results(states: States, player: int) -> list[float]:
    assert COMMANDER.is_terminal(states).all()
    return [float(result) for result in COMMANDER.returns(states)[:, player]]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", IN_ONE)
@pytest.mark.parametrize("algorithm", SETTINGS)
def test_wins_in_one_turn(algorithm: str, name: str, player: int) -> None:
    fen, num_simulations = IN_ONE[name]
    state = COMMANDER.from_text(fen if player == 0 else for_blue(fen))[None]
    after, actions = searched_turn(state, algorithm, num_simulations)
    assert results(after, player) == [1]
    assert (len(actions) > 1) == ("out of" in name)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", IN_TWO)
@pytest.mark.parametrize("algorithm", SETTINGS)
def test_wins_in_two_turns_against_every_reply(algorithm: str, name: str, player: int) -> None:
    fen, num_simulations = IN_TWO[name]
    state = COMMANDER.from_text(fen if player == 0 else for_blue(fen))[None]
    after, actions = searched_turn(state, algorithm, num_simulations)
    assert not COMMANDER.is_terminal(after)[0]
    assert ("SELECT" in COMMANDER.action_text(state[0], actions[0])) == ("leaves" in name)
    replies = all_replies(after)
    assert len(replies) > 2
    assert not COMMANDER.is_terminal(replies).any()
    won, _ = searched_turn(replies, algorithm, 1600)
    assert results(won, player) == [1] * len(replies)
