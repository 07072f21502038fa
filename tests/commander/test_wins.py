"""`Game.winning_actions`: what is told is a win by R10.1, and no capture that wins is left out.

The expected answer plays every action, and every action after a SELECT, and asks the game who won.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.game import States
from cotulenh_env.registry import load_game

GAME = CommanderChess()


def found(states: States) -> list[list[int]]:
    legal, counts = GAME.legal_actions(states)
    wins = GAME.winning_actions(states, legal, counts)
    assert wins.shape == (len(states), counts.max(initial=0))
    return [legal[row, : wins.shape[1]][wins[row]].tolist() for row in range(len(states))]


def played(state: States, depth: int = 2) -> list[int]:
    """Actions that win the battle; if there are none, SELECTs of groups that then can."""
    legal, counts = GAME.legal_actions(state[None])
    actions = legal[0, : counts[0]]
    if len(actions) == 0:
        return []
    player = int(GAME.current_player(state[None])[0])
    after, _ = GAME.apply(np.repeat(state[None], len(actions), axis=0), actions)
    wins = GAME.returns(after)[:, player] > 0
    wins &= np.array(GAME.end_reason(after)) == "battle"
    is_select = (actions % 111 >= 104) & (actions % 111 < 110)
    if depth > 1 and not wins.any():
        for row in np.flatnonzero(is_select):
            wins[row] = bool(played(after[row], 1))
    winning: list[int] = actions[wins].tolist()
    return winning


def last_positions(rules: RuleSet, num_games: int, seed: int) -> States:
    """The last positions before the ends of random games: in most of them somebody can win."""
    rng = np.random.default_rng(seed)
    states = GAME.new_states(num_games, rules=rules)
    kept: list[npt.NDArray[np.uint8]] = []
    before = [states.copy()] * 3
    while len(states):
        legal, counts = GAME.legal_actions(states)
        actions = legal[np.arange(len(states)), (rng.random(len(states)) * counts).astype(int)]
        before = [*before[1:], states.copy()]
        states, _ = GAME.apply(states, actions)
        done = GAME.is_terminal(states)
        kept += [earlier[done] for earlier in before]
        states, before = states[~done], [earlier[~done] for earlier in before]
    return np.concatenate(kept)


@pytest.mark.parametrize(
    "rules",
    [RuleSet(), RuleSet(edition="russian"), RuleSet(edition="bga")],
    ids=lambda r: r.edition,
)
def test_wins_are_those_that_playing_finds(rules: RuleSet) -> None:
    states = last_positions(rules, 30, seed=5)
    expected = [played(state) for state in states]
    assert sum(map(bool, expected)) >= 30
    assert found(states) == expected


def test_a_deployment_that_wins_is_told_by_its_select() -> None:
    """The commander stands three points away: the artillery reaches it, its engineer does not."""
    state = GAME.from_text("11/6c4/11/11/6(EA)4/11/11/11/11/11/11/4C6 r - - 0 1")
    wins = found(state[None])[0]
    assert wins == played(state)
    assert [GAME.action_text(state, action) for action in wins] == ["SELECT g8 A"]


def test_in_other_battles_what_is_told_is_true() -> None:
    """Wins by the last navy or aircraft (R10.2) may be left out where a deployment makes them."""
    for battle in ("sea", "air", "full"):
        for state in last_positions(RuleSet(battle=battle), 8, seed=1):
            assert set(found(state[None])[0]) <= set(played(state))


def test_where_chance_decides_nothing_is_certain() -> None:
    game = load_game("banqi")
    states = game.new_states(3, np.random.default_rng(0))
    legal, counts = game.legal_actions(states)
    assert not game.winning_actions(states, legal, counts).any()


def test_nobody_to_move_nothing_to_win() -> None:
    assert found(GAME.new_states(0)) == []
