"""Resignation, on values that are given.

- who resigns when: after enough turns in a row of its own, by turns and not by actions, either side
- games that are played on: nobody resigns there, and they show who would have been wrong
- the threshold in force, from rates counted by hand: suspended, lowered, restored
- in self-play: the resigner has lost, the game's positions say so, and another game begins
- a file brings everything back
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.search import BatchedSearch, SearchResult, SearchSettings
from cotulenh_env.game import States
from tests.training.games import DTYPE, LENGTH, TwoStep
from tests.training.test_self_play import new_self_play
from training.errors import ConfigError
from training.replay import Positions
from training.resignation import NOBODY, NUM_THRESHOLDS, Resignation
from training.self_play import SelfPlay
from training.self_play_settings import SelfPlaySettings

ON = SelfPlaySettings(
    opening_turns=0, resign_threshold=-0.8, resign_turns=3, resign_max_false_positives=0.2
)
TRUSTED = dataclasses.replace(ON, resign_max_false_positives=1.0, resign_playthrough_fraction=0.01)
"""Resignation is in force from the beginning, and hardly a game is played on."""

TRUE = np.ones(1, np.bool_)


def turn(resignation: Resignation, player: int, value: float) -> int:
    """One turn of the only game begins; returns who resigns."""
    players, values = np.array([player], np.int32), np.array([value], np.float32)
    return int(resignation.resigners(players, values, TRUE)[0])


def one_game(settings: SelfPlaySettings, seed: int = 0) -> Resignation:
    resignation = Resignation(settings, 1)
    resignation.begin(np.arange(1), np.random.default_rng(seed))
    return resignation


def watched(resignation: Resignation, values: list[tuple[int, float]], result: float) -> None:
    """A game that is played on to its end, given the values of its turns."""
    resignation._plays_on[:] = True
    for player, value in values:
        assert turn(resignation, player, value) == NOBODY
    resignation.finish(np.arange(1), np.array([result], np.float32))
    resignation._values[:], resignation._first[:] = 1.0, NOBODY


# --- who resigns --------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_a_player_resigns_in_the_third_bad_turn_of_its_own(player: int) -> None:
    resignation, other = one_game(TRUSTED), 1 - player
    for value in (-0.9, -0.9, -0.79, -0.9, -0.81):  # a better turn in between begins the count anew
        assert turn(resignation, player, value) == NOBODY
        assert turn(resignation, other, 0.9) == NOBODY
    assert turn(resignation, player, -0.8001) == player


def test_the_threshold_itself_is_not_below() -> None:
    resignation = one_game(dataclasses.replace(TRUSTED, resign_turns=1, resign_threshold=-0.5))
    assert turn(resignation, 0, -0.5) == NOBODY
    assert turn(resignation, 1, -0.51) == 1


def test_only_the_beginning_of_a_turn_counts() -> None:
    resignation = one_game(dataclasses.replace(TRUSTED, resign_turns=2))
    bad, player = np.array([-1], np.float32), np.zeros(1, np.int32)
    assert resignation.resigners(player, bad, TRUE) == [NOBODY]
    for _ in range(5):  # the other actions of a deployment
        assert resignation.resigners(player, bad, ~TRUE) == [NOBODY]
    assert resignation.resigners(player, bad, TRUE) == [0]


def test_without_a_threshold_nobody_resigns_and_nothing_is_drawn() -> None:
    resignation, rng = Resignation(SelfPlaySettings(), 1), np.random.default_rng(0)
    resignation.begin(np.arange(1), rng)
    assert rng.random() == np.random.default_rng(0).random()
    assert [turn(resignation, 0, -1.0) for _ in range(9)] == [NOBODY] * 9
    assert resignation.verdict == (0, 0)


def test_a_share_of_the_games_is_played_on() -> None:
    n = 20_000
    resignation = Resignation(
        dataclasses.replace(TRUSTED, resign_playthrough_fraction=0.1, resign_turns=1), n
    )
    resignation.begin(np.arange(n), np.random.default_rng(0))
    bad = np.full(n, -1, np.float32)
    resigners = resignation.resigners(np.zeros(n, np.int32), bad, np.ones(n, np.bool_))
    share = (resigners == NOBODY).mean()
    assert abs(share - 0.1) < 4 * 0.3 / np.sqrt(n)


# --- false positives ----------------------------------------------------------------------------

BAD = [(0, -0.905)] * 3
"""Player 0 would resign by the eleven thresholds −0.80, −0.81 … −0.90."""


def test_false_positives_are_counted_by_hand() -> None:
    """Max 20 %: one more wrong game than there were among the games and one more."""
    resignation = one_game(ON)
    assert resignation.threshold is None
    for num_games, expected in ((1, None), (2, None), (3, None), (4, -0.8)):  # 1/2 1/3 1/4 1/5
        watched(resignation, BAD, result=-1)
        assert resignation.verdict == (num_games, 0)
        assert resignation.threshold == (None if expected is None else pytest.approx(expected))
    watched(resignation, BAD, result=0)  # a draw is no loss: 2/6
    assert resignation.verdict == (5, 1)
    assert resignation.threshold is None
    watched(resignation, [(0, 0.5)] * 9, result=1)  # nobody would have resigned
    watched(resignation, [(1, -0.9)] * 3, result=-1)  # player 1 has won: 3/7
    assert resignation.verdict == (6, 2)
    for _ in range(8):  # 3/15
        assert resignation.threshold is None
        watched(resignation, [(1, -0.9)] * 3, result=1)
    assert resignation.verdict == (14, 2)
    assert resignation.threshold == pytest.approx(-0.8)


def test_the_threshold_is_lowered_to_where_it_is_right() -> None:
    """Below −0.90 four are wrong and four right, below −0.91 none is wrong: 1/5 is 20 %."""
    resignation = one_game(ON)
    for _ in range(4):
        watched(resignation, [(0, -0.905)] * 3, result=1)
        watched(resignation, [(1, -0.975)] * 3, result=1)
    assert resignation.threshold == pytest.approx(-0.91)
    assert resignation.verdict == (4, 0)
    resignation._plays_on[:] = False
    assert [turn(resignation, 0, -0.905) for _ in range(4)] == [NOBODY] * 4
    assert [turn(resignation, 1, -0.92) for _ in range(3)] == [NOBODY, NOBODY, 1]


def test_the_first_to_resign_is_judged_at_every_threshold() -> None:
    """By −0.80 … −0.92 player 0 resigns, wrongly, by −0.93 … −0.99 player 1, who then loses."""
    resignation = one_game(dataclasses.replace(ON, resign_turns=1))
    watched(resignation, [(0, -0.925), (1, -0.995), (0, -0.999)], result=1)
    record = resignation._records[-1]
    assert record.tolist() == [1] * 13 + [0] * 7
    assert len(record) == NUM_THRESHOLDS


def test_only_the_last_hundred_games_count() -> None:
    resignation = one_game(ON)
    for _ in range(30):
        watched(resignation, BAD, result=1)
    for _ in range(99):
        watched(resignation, BAD, result=-1)
    assert resignation.verdict == (100, 1)
    watched(resignation, BAD, result=-1)
    assert resignation.verdict == (100, 0)


def test_games_that_begin_while_resignation_is_suspended_are_played_on() -> None:
    """Otherwise those that somebody has resigned would be missing among the games that count."""
    resignation = one_game(dataclasses.replace(ON, resign_playthrough_fraction=0.01))
    assert resignation._plays_on[0]
    for _ in range(4):
        resignation._records = np.roll(resignation._records, -1, axis=0)
        resignation._records[-1] = 0
    assert resignation.threshold is not None
    assert [turn(resignation, 0, -1.0) for _ in range(9)] == [NOBODY] * 9
    resignation.begin(np.arange(1), np.random.default_rng(0))
    assert [turn(resignation, 0, -1.0) for _ in range(3)] == [NOBODY, NOBODY, 0]


# --- in self-play -------------------------------------------------------------------------------


class Scripted(BatchedSearch):
    """Says what it is told of a player's turns."""

    script: dict[int, float]

    def search(self, states: States, *args: Any, **options: Any) -> SearchResult:
        found = super().search(states, *args, **options)
        players = self.game.current_player(states)
        values = np.array([self.script[int(player)] for player in players], np.float32)
        return dataclasses.replace(found, values=values)


def scripted(settings: SelfPlaySettings, script: dict[int, float], num_games: int = 6) -> SelfPlay:
    self_play = new_self_play(TwoStep(), settings, num_games)
    search = Scripted(self_play._game, self_play._evaluator, SearchSettings(num_simulations=4))
    search.script = script
    self_play._search = search
    return self_play


def outcomes_of(positions: Positions) -> npt.NDArray[np.float32]:
    difference: npt.NDArray[np.float32] = positions.outcomes[:, 0] - positions.outcomes[:, 2]
    return difference


@pytest.mark.parametrize("loser", [0, 1])
def test_a_resigned_game_is_lost_and_another_begins(loser: int) -> None:
    """Turns are of two actions; the third of player 0 begins with action 8, of player 1 with 10."""
    self_play = scripted(TRUSTED, {loser: -0.9, 1 - loser: 0.9})
    last = 8 + 2 * loser
    for _ in range(last):
        assert self_play.step() == (0, None)
    num_finished, positions = self_play.step()
    assert num_finished == 6
    assert positions is not None
    numbers = positions.states.view(DTYPE)[:, 0]["num"].astype(int)
    np.testing.assert_array_equal(numbers, np.tile(np.arange(last + 1), 6))
    np.testing.assert_array_equal(
        outcomes_of(positions), np.where(numbers // 2 % 2 == loser, -1, 1)
    )
    stats = self_play.take_stats()
    for game in stats.finished:
        assert game.reason == "resignation"
        assert game.first_player_return == (-1 if loser == 0 else 1)
        assert (game.num_turns, game.num_actions) == (last // 2, last)
    assert stats.resign_thresholds == [-0.8]
    assert (stats.num_judged, stats.num_false_positives) == (0, 0)
    assert (self_play.states.view(DTYPE)[:, 0]["num"] == 0).all()


def test_games_played_on_end_by_the_rules_and_are_judged() -> None:
    settings = dataclasses.replace(ON, resign_max_false_positives=0.0)  # never in force
    self_play = scripted(settings, {0: -0.9, 1: 0.9}, num_games=40)
    for _ in range(LENGTH):
        self_play.step()
    stats = self_play.take_stats()
    returns = [game.first_player_return for game in stats.finished]
    assert len(returns) == 40
    assert {game.reason for game in stats.finished} != {"resignation"}
    assert stats.num_judged == 40
    assert stats.num_false_positives == sum(result > -1 for result in returns) > 0
    assert stats.resign_thresholds == [-1.0]


def test_a_file_brings_everything_back(tmp_path: Path) -> None:
    one, other = (scripted(ON, {0: -0.9, 1: -0.85}, num_games=5) for _ in range(2))
    for num_steps in (3, 20, 31):
        for _ in range(num_steps):
            one.step()
        one.save(tmp_path / "games.npz")
        other.load(tmp_path / "games.npz")
        other.rng.bit_generator.state = one.rng.bit_generator.state
        for name, array in one._resignation.arrays().items():
            np.testing.assert_array_equal(array, other._resignation.arrays()[name])
        for _ in range(30):
            mine, theirs = one.step(), other.step()
            assert mine[0] == theirs[0]
            np.testing.assert_array_equal(one.states, other.states)
        assert one.take_stats().resign_thresholds == other.take_stats().resign_thresholds


# --- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("resign_threshold", 0.5, "from -1 to 0, got 0.5"),
        ("resign_threshold", float("nan"), "from -1 to 0, got nan"),
        ("resign_turns", 0, "from 1 to 100, got 0"),
        ("resign_playthrough_fraction", 0.0, "from 0.01 to 1, got 0.0"),
        ("resign_max_false_positives", 1.1, "from 0 to 1, got 1.1"),
        ("fast_simulations", 1_000_001, "from 1 to 1,000,000, got 1000001"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=rf"self_play\.{name} must be {words}"):
        SelfPlaySettings(**{name: value})
