"""Lessons before self-play.

What is checked: the teacher's action is what is learned, also where a random one is played; its
values, where it has any, are mixed with results, and targets look through positions without them;
after the lessons the network plays; a run that is resumed among its lessons goes on exactly;
teachers that cannot teach are refused by name.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import agents
from cotulenh_env.game import Actions, States
from cotulenh_env.registry import load_game
from tests.training.runs import config_of, differences, fingerprint, resume_in, run_in
from tests.training.test_self_play import new_self_play
from training.config import parse_config
from training.errors import ConfigError
from training.loop import new_state
from training.self_play import SelfPlay
from training.self_play_settings import SelfPlaySettings
from training.teaching import lesson, make_teacher
from training.value_targets import value_targets

GAME = load_game("tictactoe")
LESSONS = ["--self_play.teacher", "greedy", "--self_play.teacher_iterations", "3"]


class LastAction(agents.Agent):
    """Takes the legal action of the highest number."""

    name = "last"

    def act(self, states: States, rng: np.random.Generator) -> Actions:
        legal_actions, counts = self.game.legal_actions(states)
        last: Actions = legal_actions[np.arange(len(states)), counts - 1]
        return last


def test_the_teachers_action_is_learned_whatever_is_played() -> None:
    """X closes its line in the first position; O cannot in the second. All actions are random."""
    states = np.stack(
        [GAME.from_text("XX.OO...."), GAME.from_text("XX.OOX...")]
    )  # X's and O's turn
    teacher = agents.load("greedy", game=GAME)
    played = set()
    for seed in range(60):
        result, actions = lesson(GAME, teacher, states, 1.0, np.random.default_rng(seed))
        assert result.legal_actions.tolist() == [[2, 5, 6, 7, 8], [2, 6, 7, 8, -1]]
        assert result.policy[0].tolist() == [1, 0, 0, 0, 0]
        assert sorted(result.policy[1].tolist()) == [0, 0, 0, 0, 1]
        assert result.policy[1, 4] == 0  # padding
        played.add(int(actions[0]))
    assert played == {2, 5, 6, 7, 8}
    _, actions = lesson(GAME, teacher, states, 0.0, np.random.default_rng(0))
    assert actions[0] == 2


class Hopeful(LastAction):
    """Always thinks that it is a little better off."""

    def judge(
        self, states: States, rng: np.random.Generator
    ) -> tuple[Actions, npt.NDArray[np.float32]]:
        return self.act(states, rng), np.full(len(states), 0.5, np.float32)


def taught(
    iterations: int, teacher: type[agents.Agent] = LastAction, **settings: float
) -> SelfPlay:
    alone = new_self_play(GAME, SelfPlaySettings())
    return SelfPlay(
        GAME,
        (None,),
        alone._search,
        alone._evaluator,
        SelfPlaySettings(
            opening_turns=0, teacher="greedy", teacher_iterations=iterations,
            teacher_random_fraction=settings.pop("random", 0.0), **settings,  # type: ignore[arg-type]
        ),
        4,
        np.random.default_rng(0),
        teacher(GAME),
    )  # fmt: skip


def test_games_of_lessons_are_the_teachers_and_end_in_its_results() -> None:
    """8, 7, 6, 5, 4, 3, 2: X, who plays 8, 6, 4, 2, wins by the diagonal 2, 4, 6 in the 7th."""
    self_play = taught(1, full_search_fraction=0.01, value_decay=0.5)
    finished = [self_play.step(0)[1] for _ in range(7)]
    assert finished[:6] == [None] * 6
    positions = finished[6]
    assert positions is not None
    assert len(positions) == 4 * 7  # all are learned: there are no fast searches here
    ends = np.cumsum(positions.counts)
    chosen = [
        positions.actions[start:end][positions.policy[start:end] == 1].tolist()
        for start, end in zip(ends - positions.counts, ends, strict=True)
    ]
    assert chosen == [[8], [7], [6], [5], [4], [3], [2]] * 4
    wins = positions.outcomes[:, 0].reshape(4, 7)
    np.testing.assert_array_equal(wins, np.tile([1, 0, 1, 0, 1, 0, 1], (4, 1)))
    assert self_play.take_stats().num_simulations == 0


def test_values_of_a_teacher_are_mixed_into_the_results() -> None:
    """X wins the game above in turn 7. By player X, with decay ½, from the end:

    turn 6: 1; turn 5: ½ · 1 + ½ · 0.5 = 0.75; turn 4: ½ · 0.75 − ½ · 0.5 = 0.125, as O is hopeful
    in turn 5; turn 3: ½ · 0.125 + ½ · 0.5 = 0.3125.
    """
    self_play = taught(1, Hopeful, value_decay=0.5)
    positions = [self_play.step(0)[1] for _ in range(7)][-1]
    assert positions is not None
    values = (positions.outcomes[:, 0] - positions.outcomes[:, 2]).reshape(4, 7)
    np.testing.assert_allclose(
        values[:, 3:], np.tile([-0.3125, 0.125, -0.75, 1], (4, 1)), atol=1e-6
    )


def test_agents_that_search_have_opinions() -> None:
    """X wins at once; Red can take Blue's commander, or Blue Red's; greedy thinks nothing."""
    rng = np.random.default_rng(0)
    states = GAME.from_text("XX.OO....")[None]
    actions, values = agents.load("mcts", game=GAME, num_simulations=400).judge(states, rng)
    assert actions.tolist() == [2]
    assert values[0] > 0.9
    assert np.isnan(agents.load("greedy", game=GAME).judge(states, rng)[1]).all()
    commander = load_game("commander")
    winning = commander.from_text("6c4/6T4/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1")
    start = commander.new_states(1)[0]
    classical = agents.load("alphabeta", game=commander, depth=1)
    _, values = classical.judge(np.stack([winning, start]), rng)
    assert values[0] > 0.99
    assert abs(values[1]) < 0.1


def test_after_the_lessons_the_network_plays() -> None:
    self_play = taught(2)
    for iteration, num_simulations in ((0, 0), (1, 0), (2, 4 * 6)):
        self_play.step(iteration)
        assert self_play.take_stats().num_simulations == num_simulations


def test_values_look_through_lessons() -> None:
    """Turns 0 and 1 are lessons, 2 is searched as 0.5 for player 0; decay ½, and player 0 loses.

    From turn 2: −1. From turn 1: ½ · (−1) + ½ · 0.5 = −0.25. From turn 0 the same: turn 1 has no
    value to mix in, and nothing of the result is lost on the way through it.
    """
    targets = value_targets(
        -1.0,
        np.array([0, 1, 0], np.int32),
        np.array([0, 1, 2], np.int32),
        np.array([np.nan, np.nan, 0.5], np.float32),
        3,
        0.5,
    )
    np.testing.assert_allclose(targets[:, 0] - targets[:, 2], [-0.25, 0.25, -1.0], atol=1e-6)


def test_a_run_resumed_among_its_lessons_goes_on_exactly(tmp_path: Path) -> None:
    """Lessons last for 3 of 5 iterations; the copy goes on from the checkpoint after 2."""
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    run_in(whole, *LESSONS, "--checkpoint.keep", "9")
    shutil.copytree(whole, parted, symlinks=True)
    (parted / "latest").unlink()
    (parted / "latest").symlink_to(Path("checkpoints") / "000002")
    for name in ("000004", "000005"):
        shutil.rmtree(parted / "checkpoints" / name)
    resume_in(parted)
    assert differences(fingerprint(parted), fingerprint(whole)) == []


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--self_play.teacher_iterations", "3"], "no self_play.teacher is named"),
        (
            [*LESSONS, "--self_play.teacher", "nobody"],
            "self_play.teacher: .*unknown agent 'nobody'",
        ),
        (["--self_play.score_weight", "0.5"], "but self_play.score_iterations is 0"),
        (["--self_play.teacher", "greedy"], "but self_play.teacher_iterations is 0"),
        (
            [*LESSONS, "--self_play.teacher", "mcts:time_limit_seconds=0.1"],
            "self_play.teacher: 'mcts:time_limit_seconds=0.1' plays by seconds",
        ),
        ([*LESSONS, "--self_play.teacher", "runs/x:inference=auto"], "as a measurement says"),
        ([*LESSONS, "--self_play.teacher", "alphabeta:depth=1"], "plays commander only"),
        ([*LESSONS, "--self_play.teacher", "greedy:depth=1"], "unknown option 'depth'"),
        ([*LESSONS, "--self_play.teacher_random_fraction", "2"], "must be from 0 to 1, got 2"),
    ],
)
def test_teachers_that_cannot_teach_are_refused(
    tmp_path: Path, flags: list[str], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        new_state(config_of(tmp_path / "run", *flags))


def test_without_lessons_nobody_is_loaded() -> None:
    settings = parse_config(["--game", "tictactoe"]).self_play
    assert make_teacher(GAME, settings) is None
