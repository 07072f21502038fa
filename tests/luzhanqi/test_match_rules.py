"""The rules of the match server (section 7 of the rules)."""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.errors import CotulenhError
from cotulenh_env.luzhanqi import RefereeRuleSet
from cotulenh_env.luzhanqi.match_rules import (
    NO_TEAM,
    loses_by_timeouts,
    may_resign,
    pass_turn,
    scores_points,
    surviving_team,
    team_after_desertion,
)
from tests.luzhanqi.helpers import FLIP, REFEREE, random_states


def test_resigning_is_refused_before_ply_20() -> None:
    assert [ply for ply in range(25) if may_resign(ply)] == [20, 21, 22, 23, 24]


def test_five_timeouts_lose() -> None:
    assert [n for n in range(8) if loses_by_timeouts(n)] == [5, 6, 7]


def test_quick_wins_bring_no_points() -> None:
    assert [scores_points(2, ply, True) for ply in (29, 30, 31)] == [False, False, True]
    assert [scores_points(4, ply, True) for ply in (39, 40, 41)] == [False, False, True]
    assert not scores_points(2, 100, False)
    with pytest.raises(CotulenhError, match="2 or 4 players, got 3"):
        scores_points(3, 50, True)


@pytest.mark.parametrize("game", [FLIP, REFEREE], ids=lambda game: game.spec.name)
def test_a_forfeited_turn_is_a_quiet_ply(game: object) -> None:
    assert game in (FLIP, REFEREE)
    for mode in (FLIP, REFEREE):
        states = random_states(mode, 3, 21, seed=2)[:3]
        before = states.view(mode.spec.state_dtype)[:, 0].copy()
        after = pass_turn(mode, states).view(mode.spec.state_dtype)[:, 0]
        assert (after["player"] == 1 - before["player"]).all()
        assert (after["plies"] == before["plies"] + 1).all()
        assert (after["quiet_plies"] == before["quiet_plies"] + 1).all()
        assert np.array_equal(after["board"], before["board"])


def test_forfeited_turns_can_draw() -> None:
    state = FLIP.from_text("1f3/5/5/5/5/2k2/C4/5/5/5/5/1F3 0 r - 69 90")[None]
    assert FLIP.end_reason(pass_turn(FLIP, state)) == ["quiet"]
    state = REFEREE.from_text("1f3/5/5/5/5/2k2/C4/5/5/5/5/1F3 0 69 90")[None]
    ended = pass_turn(REFEREE, state)
    assert REFEREE.end_reason(ended) == ["quiet"]
    with pytest.raises(CotulenhError, match="a game that is over"):
        pass_turn(REFEREE, ended)


def test_placing_cannot_be_forfeited() -> None:
    states = REFEREE.new_states(1, None, RefereeRuleSet(placement="agents"))
    with pytest.raises(CotulenhError, match="being placed"):
        pass_turn(REFEREE, states)


def test_teams_of_two() -> None:
    assert surviving_team([False, False, False, False]) == NO_TEAM
    assert surviving_team([True, False, True, False]) == 1
    assert surviving_team([False, True, True, True]) == 0
    assert surviving_team([True, False, False, True]) == NO_TEAM
    assert team_after_desertion(0, [False, False, True, False]) == 1
    assert team_after_desertion(3, [False, True, False, False]) == 0
    assert team_after_desertion(1, [True, False, True, False]) == NO_TEAM
    for wrong in ((4, [False] * 4), (0, [False] * 3)):
        with pytest.raises(CotulenhError):
            team_after_desertion(*wrong)
