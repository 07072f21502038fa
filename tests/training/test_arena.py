"""Matches and scores.

What is checked: openings are played with both colours, results are the first agent's whatever its
seat, any batch size and the same seed give the same match, intervals and Elo differences.
"""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.agent import Agent
from cotulenh_env.game import Actions, States
from cotulenh_env.registry import load_game
from tests.training.games import DTYPE, TwoStep
from training.arena import MatchSettings, play_match
from training.match_result import GameResult, MatchResult
from training.rating import elo_difference, score_interval

GAME = load_game("tictactoe")


class Recorder(Agent):
    """Plays the first legal action, and keeps what it was asked."""

    name = "recorder"

    def __init__(self) -> None:
        super().__init__(GAME)
        self.asked: list[tuple[int, bytes]] = []

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        players = self.game.current_player(states)
        self.asked += [(int(p), s.tobytes()) for p, s in zip(players, states, strict=True)]
        actions: Actions = self.game.legal_actions(states)[0][:, 0].copy()
        return actions


def test_openings_are_played_with_both_colours() -> None:
    settings = MatchSettings(num_games=12, opening_turns=2)
    recorder = Recorder()
    result = play_match(
        GAME, (recorder, agents.load("random", game=GAME)), settings, np.random.default_rng(0)
    )
    assert [game.seat for game in result.games] == [0, 1] * 6
    # After two turns player 0 moves: the first agent is asked in six games, at the same openings as
    # its opponent, who is asked in the other six.
    opponent = Recorder()
    play_match(
        GAME, (agents.load("random", game=GAME), opponent), settings, np.random.default_rng(0)
    )
    mine, theirs = sorted(recorder.asked[:6]), sorted(opponent.asked[:6])
    assert mine == theirs
    assert len(set(mine)) > 1


def test_colours_stay_when_asked() -> None:
    settings = MatchSettings(num_games=5, opening_turns=0, swap=False)
    recorder = Recorder()
    result = play_match(
        GAME, (recorder, agents.load("random", game=GAME)), settings, np.random.default_rng(0)
    )
    assert [game.seat for game in result.games] == [0] * 5
    assert {player for player, _ in recorder.asked} == {0}


def test_results_are_the_first_agents() -> None:
    strong, weak = agents.load("greedy", game=GAME), agents.load("random", game=GAME)
    settings = MatchSettings(num_games=60, opening_turns=0)
    forth = play_match(GAME, (strong, weak), settings, np.random.default_rng(0))
    back = play_match(GAME, (weak, strong), settings, np.random.default_rng(0))
    assert forth.score > 0.6
    assert back.score < 0.4
    for seat in (0, 1):
        assert forth.count(1, seat) > forth.count(-1, seat)
    assert sum(forth.count(outcome) for outcome in (1, 0, -1)) == 60
    assert sum(forth.reasons().values()) == 60


def test_player_who_moves_twice_is_asked_twice() -> None:
    class Marker(Agent):
        name = "marker"

        def __init__(self, mark: int) -> None:
            super().__init__(TwoStep())
            self.mark = mark

        def act(self, states: States, rng: np.random.Generator) -> Actions:
            return np.full(len(states), self.mark, np.int32)

    game = TwoStep()
    finals: list[States] = []
    returns = game.returns

    def recording(states: States) -> object:
        finals.append(states)
        return returns(states)

    game.returns = recording  # type: ignore[method-assign, assignment]
    play_match(
        game,
        (Marker(4), Marker(5)),
        MatchSettings(num_games=2, opening_turns=0),
        np.random.default_rng(0),
    )
    marks = finals[0].view(DTYPE)[:, 0]["marks"]
    np.testing.assert_array_equal(marks[0], [4, 4, 5, 5] * 3)
    np.testing.assert_array_equal(marks[1], [5, 5, 4, 4] * 3)


def test_same_seed_gives_the_same_match() -> None:
    players = (agents.load("mcts", game=GAME, num_simulations=4), agents.load("random", game=GAME))
    settings = MatchSettings(num_games=20)
    results = [play_match(GAME, players, settings, np.random.default_rng(3)) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0] != play_match(GAME, players, settings, np.random.default_rng(4))


def test_progress_counts_all_games() -> None:
    seen: list[int] = []
    player = agents.load("random", game=GAME)
    settings = MatchSettings(num_games=20, max_games_in_batch=8)
    play_match(GAME, (player, player), settings, np.random.default_rng(0), on_finished=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 20


def test_points_and_score() -> None:
    games = tuple(GameResult(0, outcome, "line", 5) for outcome in (1, 1, 0, -1))
    result = MatchResult(games)
    assert (result.points, result.score) == (2.5, 0.625)
    assert MatchResult(()).score == 0


@pytest.mark.parametrize(
    ("points", "num_games", "low", "high"),
    [(0, 0, 0, 1), (50, 100, 0.404, 0.596), (100, 100, 0.963, 1), (0, 100, 0, 0.037)],
)
def test_intervals(points: float, num_games: int, low: float, high: float) -> None:
    assert score_interval(points, num_games) == pytest.approx((low, high), abs=1e-3)


def test_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    for truth in (0.5, 0.8, 0.95):
        points = rng.binomial(60, truth, 2000)
        hits = [low <= truth <= high for low, high in (score_interval(p, 60) for p in points)]
        assert np.mean(hits) > 0.92


def test_elo() -> None:
    assert elo_difference(0.5, 100) == 0
    assert elo_difference(10 / 11, 1000) == pytest.approx(400)
    assert elo_difference(0.2, 100) == pytest.approx(-elo_difference(0.8, 100))
    assert 0 < elo_difference(1, 10) < elo_difference(1, 100)
