"""Matches and scores.

What is checked: openings are played with both colours, results are the first agent's whatever its
seat, the same seed gives the same match in any number of threads, a match stops when it is decided,
what is kept of a game leads to its end, points and pairs are counted.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import agents
from agents.agent import Agent
from cotulenh_env.game import Actions, States
from cotulenh_env.registry import load_game
from tests.training.games import DTYPE, TwoStep
from training.arena import MatchSettings, match_batches, play_match
from training.match_result import GameResult, MatchResult

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


def test_points_of_the_rules_are_summed_over_the_games() -> None:
    games = tuple(
        GameResult(seat, outcome, "battle", 5, points)
        for seat, outcome, points in (
            (0, 1, (210.0, 40.0)),
            (1, -1, (0.0, 130.0)),
            (0, 0, (5.0, 5.0)),
        )
    )
    assert MatchResult(games).official_points == (215, 175)


def test_points_are_the_agents_own_in_either_seat() -> None:
    """Player 0 always ends with 30 points, player 1 with 70."""

    class Scored(TwoStep):
        def score(self, states: States) -> Any:
            return np.tile(np.array([30, 70], np.float32), (len(states), 1))

    game = Scored()
    player = agents.load("random", game=game)
    result = play_match(
        game,
        (player, player),
        MatchSettings(num_games=4, opening_turns=0),
        np.random.default_rng(0),
    )
    assert [game.points for game in result.games] == [(30, 70), (70, 30)] * 2
    assert result.official_points == (200, 200)


def test_pairs_are_counted_by_their_points() -> None:
    outcomes = [(-1, -1), (0, -1), (1, -1), (0, 0), (-1, 1), (1, 0), (1, 1), (1, 1)]
    games = tuple(
        GameResult(seat, outcome, "line", 5)
        for pair in outcomes
        for seat, outcome in enumerate(pair)
    )
    assert MatchResult(games).pair_counts() == (1, 1, 3, 1, 2)
    assert MatchResult(games).game_counts() == (5, 4, 7)
    assert MatchResult(games[:3]).pair_counts() == (1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("num_games", "most", "sizes"),
    [
        (100, 16, [16] * 6 + [4]),
        (20, 16, [10, 10]),
        (6, 16, [6]),
        (18, 16, [10, 8]),
        (7, 4, [4, 3]),
    ],
)
def test_batches_hold_whole_pairs(num_games: int, most: int, sizes: list[int]) -> None:
    settings = MatchSettings(num_games=num_games, max_games_in_batch=most)
    batches = match_batches(settings, np.random.default_rng(0))
    assert [len(batch.seats) for batch in batches] == sizes
    assert np.concatenate([b.seats for b in batches]).tolist() == [i % 2 for i in range(num_games)]


def players(num_simulations: int = 6) -> tuple[Agent, Agent]:
    """A searcher with noise, and an opponent."""
    searcher = agents.load("mcts", game=GAME, num_simulations=num_simulations, gumbel_scale=1.0)
    return searcher, agents.load("random", game=GAME)


def test_any_number_of_threads_plays_the_same_match() -> None:
    settings = MatchSettings(num_games=46, max_games_in_batch=6, opening_turns=1, keep_games=True)
    threads = set()

    class Watched(Recorder):
        def act(self, states: States, rng: np.random.Generator) -> Actions:
            threads.add(threading.current_thread().name)
            return agents.load("random", game=GAME).act(states, rng)

    results = []
    for num_threads in (1, 2, 3):
        pairs = [(players()[0], Watched()) for _ in range(num_threads)]
        results.append(
            play_match(GAME, pairs[0], settings, np.random.default_rng(5), copies=pairs[1:])
        )
    assert results[0] == results[1] == results[2]
    actions = [
        [game.played.actions for game in result.games if game.played is not None]
        for result in results
    ]
    assert len(actions[0]) == 46
    assert actions[0] == actions[1] == actions[2]
    assert len(threads) > 2


def test_decided_match_stops_at_the_same_game_in_any_number_of_threads() -> None:
    settings = MatchSettings(num_games=400, max_games_in_batch=10, opening_turns=1)
    for num_threads in (1, 3):
        pairs = [players() for _ in range(num_threads)]
        asked: list[int] = []

        def is_decided(result: MatchResult, asked: list[int] = asked) -> bool:
            asked.append(len(result.games))
            return len(result.games) >= 30

        result = play_match(
            GAME,
            pairs[0],
            settings,
            np.random.default_rng(5),
            copies=pairs[1:],
            is_decided=is_decided,
        )
        assert asked == [10, 20, 30]
        assert len(result.games) == 30
    assert not any(thread.name.startswith("cotulenh-match") for thread in threading.enumerate())


def test_error_in_a_thread_ends_the_match() -> None:
    class Broken(Recorder):
        def act(self, states: States, rng: np.random.Generator) -> Actions:
            raise ValueError("out of order")

    pairs = [(Broken(), players()[1]) for _ in range(2)]
    settings = MatchSettings(num_games=100)
    with pytest.raises(ValueError, match="out of order"):
        play_match(GAME, pairs[0], settings, np.random.default_rng(0), copies=pairs[1:])


def test_kept_games_lead_to_their_ends() -> None:
    settings = MatchSettings(num_games=12, opening_turns=3, keep_games=True)
    result = play_match(GAME, players(), settings, np.random.default_rng(1))
    openings = []
    for game in result.games:
        assert game.played is not None
        state = game.played.start[None].copy()
        np.testing.assert_array_equal(state, GAME.new_states(1))
        assert game.played.events == [0] * len(game.played.actions)
        for action in game.played.actions:
            legal, counts = GAME.legal_actions(state)
            assert action in legal[0, : counts[0]]
            state, _ = GAME.apply(state, np.array([action], np.int32))
        assert GAME.is_terminal(state)[0]
        assert GAME.returns(state)[0, game.seat] == game.outcome
        openings.append(tuple(game.played.actions[:3]))
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 1


def test_agents_forget_between_batches() -> None:
    """Search that keeps subtrees plays a batch the same whatever it has searched before."""
    from agents.evaluator import UniformEvaluator
    from agents.mcts_agent import MCTSAgent
    from agents.search import SearchSettings

    agent = MCTSAgent(
        GAME, UniformEvaluator(), SearchSettings(num_simulations=12, reuse_subtrees=True)
    )
    states = GAME.new_states(4)
    first = [agent.act(states, np.random.default_rng(seed)).tolist() for seed in (0, 1)]
    agent.forget()
    again = [agent.act(states, np.random.default_rng(seed)).tolist() for seed in (0, 1)]
    assert agent.search.num_bytes() > 0
    assert first == again
