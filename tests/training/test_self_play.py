"""Self-play.

What is checked, mostly on a game in which a player acts twice in a row:

* every position of a finished game comes out once, in order, with its searched policy, and its
  result is that of the player to move, whoever moved before;
* unfinished games go on in the next step, finished ones start again;
* full or fast search is drawn once per turn, and only fully searched positions are kept;
* temperature goes by turns; random openings are not kept;
* games in progress are saved and loaded exactly; the same seed gives the same games.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.evaluator import UniformEvaluator
from agents.search import BatchedSearch, SearchResult, SearchSettings
from cotulenh_env.game import Game, States
from cotulenh_env.registry import load_game
from tests.training.games import DTYPE, LENGTH, TwoStep
from training.errors import CheckpointError
from training.openings import random_openings
from training.parallel_self_play import ParallelSelfPlay
from training.replay import Positions
from training.score_shaping import ScoreShapedEvaluator, score_weight
from training.self_play import SelfPlay, TimedEvaluator, choose_actions
from training.self_play_settings import SelfPlaySettings
from training.threads import Threads


def new_self_play(
    game: Game,
    settings: SelfPlaySettings,
    num_games: int = 6,
    seed: int = 0,
    search: SearchSettings = SearchSettings(num_simulations=6),  # noqa: B008 - a frozen value
) -> SelfPlay:
    evaluator = TimedEvaluator(ScoreShapedEvaluator(game, UniformEvaluator()))
    rng = np.random.default_rng(seed)
    batched = BatchedSearch(game, evaluator, search)
    return SelfPlay(game, (None,), batched, evaluator, settings, num_games, rng)


def play(self_play: SelfPlay, num_steps: int) -> list[Positions]:
    finished = [self_play.step()[1] for _ in range(num_steps)]
    return [positions for positions in finished if positions is not None]


def test_results_are_those_of_the_player_to_move() -> None:
    self_play = new_self_play(TwoStep(), SelfPlaySettings(opening_turns=0))
    (positions,) = play(self_play, LENGTH)
    assert len(positions) == 6 * LENGTH
    records = positions.states.view(DTYPE)[:, 0].reshape(6, LENGTH)
    results = (positions.outcomes[:, 0] - positions.outcomes[:, 2]).reshape(6, LENGTH)
    for game in range(6):
        np.testing.assert_array_equal(records[game]["num"], np.arange(LENGTH))
        players = np.arange(LENGTH) // 2 % 2
        first = results[game, 0]
        assert abs(first) == 1
        np.testing.assert_array_equal(results[game], np.where(players == 0, first, -first))
    games = self_play.take_stats().finished
    assert [game.num_turns for game in games] == [LENGTH // 2] * 6
    assert [game.num_actions for game in games] == [LENGTH] * 6
    assert [game.first_player_return for game in games] == results[:, 0].tolist()


def test_stored_policies_are_over_the_legal_actions() -> None:
    game = TwoStep()
    (positions,) = play(new_self_play(game, SelfPlaySettings(opening_turns=0)), LENGTH)
    legal, counts = game.legal_actions(positions.states)
    np.testing.assert_array_equal(positions.counts, counts)
    np.testing.assert_array_equal(positions.actions, legal[legal >= 0])
    sums = np.add.reduceat(positions.policy, np.cumsum(counts) - counts)
    np.testing.assert_allclose(sums, 1, rtol=1e-5)


def test_finished_games_start_again() -> None:
    self_play = new_self_play(TwoStep(), SelfPlaySettings(opening_turns=0))
    assert [len(positions) for positions in play(self_play, 3 * LENGTH)] == [6 * LENGTH] * 3
    assert len(self_play.take_stats().finished) == 18
    assert self_play.take_stats().finished == []


def test_opening_turns_are_not_kept() -> None:
    self_play = new_self_play(TwoStep(), SelfPlaySettings(opening_turns=3), num_games=50)
    games = [positions for positions in play(self_play, LENGTH)]
    starts = []
    for positions in games:
        numbers = positions.states.view(DTYPE)[:, 0]["num"].astype(int)
        starts += numbers[np.flatnonzero(np.diff(numbers, prepend=99) != 1)].tolist()
    assert set(starts) == {0, 2, 4, 6}


def test_search_depth_is_drawn_once_per_turn() -> None:
    settings = SelfPlaySettings(opening_turns=0, full_search_fraction=0.5, fast_simulations=2)
    self_play = new_self_play(TwoStep(), settings, num_games=60)
    (positions,) = play(self_play, LENGTH)
    numbers = positions.states.view(DTYPE)[:, 0]["num"].astype(int)
    assert 0.4 < len(positions) / (60 * LENGTH) < 0.6
    # Both actions of a turn are kept, or neither: 0 1, 2 3, …
    assert (numbers[::2] % 2 == 0).all()
    np.testing.assert_array_equal(numbers[::2] + 1, numbers[1::2])
    stats = self_play.take_stats()
    num_full = len(positions)
    assert stats.num_simulations == 6 * num_full + 2 * (60 * LENGTH - num_full)


def result_with(policy: list[float], visits: list[int]) -> SearchResult:
    count = len(policy)
    return SearchResult(
        actions=np.array([0], np.int32),
        legal_actions=np.arange(10, 10 + count, dtype=np.int32)[None],
        counts=np.array([count], np.int32),
        visit_counts=np.array([visits], np.int32),
        policy=np.array([policy], np.float32),
        values=np.zeros(1, np.float32),
        qvalues=np.zeros((1, count), np.float32),
    )


def repeated(result: SearchResult, n: int) -> SearchResult:
    fields = {name: np.repeat(getattr(result, name), n, axis=0) for name in vars(result)}
    return SearchResult(**fields)


@pytest.mark.parametrize(("temperature", "power"), [(1.0, 1), (0.5, 2), (2.0, 0.5)])
def test_temperature_shapes_the_policy(temperature: float, power: float) -> None:
    policy = np.array([0.6, 0.3, 0.1, 0.0])
    result = repeated(result_with(policy.tolist(), [1, 1, 1, 0]), 20000)
    actions = choose_actions(result, np.full(20000, temperature), np.random.default_rng(0))
    shares = np.bincount(actions - 10, minlength=4) / 20000
    np.testing.assert_allclose(shares, policy**power / (policy**power).sum(), atol=0.015)


def test_temperature_zero_takes_the_best_visited_action() -> None:
    rng = np.random.default_rng(0)
    result = result_with([0.5, 0.3, 0.2], [0, 4, 4])
    assert choose_actions(result, np.zeros(1), rng) == [11]
    unvisited = result_with([0.5, 0.3, 0.2], [0, 0, 0])
    assert choose_actions(unvisited, np.zeros(1), rng) == [10]


def test_of_equally_good_policies_temperature_zero_takes_the_better_action() -> None:
    """Visits of PUCT are often equal."""
    result = result_with([0.4, 0.4, 0.2], [4, 4, 2])
    result.qvalues[:] = [[0.1, 0.2, 0.9]]
    assert choose_actions(result, np.zeros(1), np.random.default_rng(0)) == [11]


def test_with_puct_temperature_is_over_visits() -> None:
    """All 9 actions of an empty board, drawn in proportion to visits ** (1 / temperature)."""
    game = load_game("tictactoe")
    settings = SearchSettings(algorithm="puct", num_simulations=60)
    search = BatchedSearch(game, UniformEvaluator(), settings)
    result = search.search(game.new_states(1), np.random.default_rng(0))
    many = repeated(result, 20000)
    actions = choose_actions(many, np.full(20000, 0.5), np.random.default_rng(0))
    squares = result.visit_counts[0].astype(float) ** 2
    shares = np.bincount(actions, minlength=9) / 20000
    np.testing.assert_allclose(shares, squares / squares.sum(), atol=0.015)


def test_fast_searches_have_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[int], list[float]]] = []
    search = BatchedSearch.search

    def recording(self: BatchedSearch, states: States, *args: Any, **options: Any) -> SearchResult:
        seen.append((args[1].tolist(), options["noise_scale"].tolist()))
        return search(self, states, *args, **options)

    monkeypatch.setattr(BatchedSearch, "search", recording)
    settings = SelfPlaySettings(full_search_fraction=0.5, fast_simulations=2)
    play(new_self_play(load_game("tictactoe"), settings, num_games=20), 5)
    for simulations, scales in seen:
        assert scales == [1.0 if number == 6 else 0.0 for number in simulations]
    assert {number for simulations, _ in seen for number in simulations} == {2, 6}


def test_tiny_temperature_does_not_overflow() -> None:
    result = result_with([0.2, 0.7, 0.1], [1, 1, 1])
    assert choose_actions(result, np.full(1, 1e-300), np.random.default_rng(0)) == [11]


def test_temperature_goes_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[float]] = []

    def recording(result: SearchResult, temperatures: object, rng: object) -> object:
        seen.append(np.asarray(temperatures).tolist())
        return result.actions

    monkeypatch.setattr("training.self_play.choose_actions", recording)
    settings = SelfPlaySettings(
        opening_turns=0, temperature=1.5, temperature_turns=2, final_temperature=0.5
    )
    play(new_self_play(TwoStep(), settings, num_games=1), LENGTH)
    assert seen == [[1.5]] * 4 + [[0.5]] * (LENGTH - 4)


def test_games_in_progress_are_saved_and_loaded(tmp_path: Path) -> None:
    settings = SelfPlaySettings(opening_turns=2, full_search_fraction=0.6)
    game = load_game("tictactoe")
    one, other = new_self_play(game, settings), new_self_play(game, settings, seed=5)
    for num_steps in (0, 3, 2, 4):
        play(one, num_steps)
        one.save(tmp_path / "games.npz")
        other.load(tmp_path / "games.npz")
        other.rng.bit_generator.state = one.rng.bit_generator.state
        mine, theirs = play(one, 4), play(other, 4)
        assert len(mine) == len(theirs)
        for expected, loaded in zip(mine, theirs, strict=True):
            for name in vars(expected):
                np.testing.assert_array_equal(getattr(loaded, name), getattr(expected, name))


def test_with_kept_subtrees_a_loaded_run_goes_on_as_one_that_was_not_stopped(
    tmp_path: Path,
) -> None:
    """DESIGN §7: trees are dropped before every checkpoint, so nobody has what a file has not."""
    game = load_game("tictactoe")
    settings = SelfPlaySettings(opening_turns=2)
    search = SearchSettings(num_simulations=12, reuse_subtrees=True)
    one, other = (new_self_play(game, settings, search=search, seed=seed) for seed in (1, 2))
    for _ in range(5):
        one.step(0)
    one.save(tmp_path / "games.npz")
    other.load(tmp_path / "games.npz")
    other.rng.bit_generator.state = one.rng.bit_generator.state
    for _ in range(20):
        mine, theirs = one.step(1), other.step(1)
        assert mine[0] == theirs[0]
        if mine[1] is not None and theirs[1] is not None:
            np.testing.assert_array_equal(mine[1].states, theirs[1].states)
            np.testing.assert_array_equal(mine[1].policy, theirs[1].policy)


def test_games_of_another_number_are_refused(tmp_path: Path) -> None:
    game, settings = load_game("tictactoe"), SelfPlaySettings()
    new_self_play(game, settings, num_games=6).save(tmp_path / "games.npz")
    with pytest.raises(
        CheckpointError, match=r"states is uint8 \[n ≤ 5, 16\], got uint8 \[6, 16\]"
    ):
        new_self_play(game, settings, num_games=5).load(tmp_path / "games.npz")


@pytest.mark.parametrize("num_threads", [1, 3])
def test_parts_are_merged_in_order(num_threads: int) -> None:
    game, settings = load_game("tictactoe"), SelfPlaySettings(opening_turns=0)
    alone = [new_self_play(game, settings, seed=seed) for seed in range(3)]
    threads = Threads(num_threads)
    together = ParallelSelfPlay(
        [new_self_play(game, settings, seed=seed) for seed in range(3)], threads
    )
    for _ in range(12):
        expected = [part.step() for part in alone]
        num_finished, finished = together.step()
        assert num_finished == sum(num for num, _ in expected)
        wanted = [positions for _, positions in expected if positions is not None]
        assert len(finished) == len(wanted)
        for mine, theirs in zip(finished, wanted, strict=True):
            np.testing.assert_array_equal(mine.states, theirs.states)
            np.testing.assert_array_equal(mine.policy, theirs.policy)
    stats = together.take_stats()
    assert stats.num_positions == 12 * 18
    assert stats.num_simulations == 12 * 18 * 6
    assert 0 < stats.network_seconds < stats.seconds
    threads.close()


def test_openings_have_their_turns_and_are_unfinished() -> None:
    game = load_game("tictactoe")
    turns = np.arange(200) % 9
    states = random_openings(game, turns, np.random.default_rng(0))
    assert not game.is_terminal(states).any()
    np.testing.assert_array_equal(game.num_turns(states)[turns < 8], turns[turns < 8])
    again = random_openings(game, turns, np.random.default_rng(0))
    np.testing.assert_array_equal(states, again)


def test_openings_that_always_end_the_game_are_left_out() -> None:
    game = load_game("tictactoe")
    states = random_openings(game, np.full(5, 100), np.random.default_rng(0))
    np.testing.assert_array_equal(states, game.new_states(5))


def test_score_weight_falls_to_zero() -> None:
    assert [score_weight(0.6, 3, iteration) for iteration in range(5)] == pytest.approx(
        [0.6, 0.4, 0.2, 0, 0]
    )
    assert score_weight(0.6, 0, 0) == 0


def test_score_is_mixed_into_the_values_of_the_player_to_move() -> None:
    class Scored(TwoStep):
        def score(self, states: States) -> npt.NDArray[np.float32]:
            return np.array([[30, 10], [0, 100]], np.float32)

    game = Scored()
    states = game.new_states(2)
    players = np.array([0, 1], np.int32)
    legal, counts = game.legal_actions(states)
    shaped = ScoreShapedEvaluator(game, UniformEvaluator())
    np.testing.assert_array_equal(shaped.evaluate(states, players, legal, counts)[1], [0, 0])
    shaped.weight = 0.5
    values = shaped.evaluate(states, players, legal, counts)[1]
    np.testing.assert_allclose(values, [0.5 * np.tanh(0.2), 0.5 * np.tanh(1)], rtol=1e-6)


def test_search_sees_the_score_only_in_the_first_iterations() -> None:
    settings = SelfPlaySettings(score_weight=0.4, score_iterations=2)
    self_play = new_self_play(load_game("tictactoe"), settings)
    weights = []
    for iteration in range(3):
        self_play.step(iteration)
        weights.append(self_play._evaluator.shaped.weight)
    assert weights == pytest.approx([0.4, 0.2, 0])
