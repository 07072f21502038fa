"""Evaluation of a run: anchors, ratings on their scale, and the table in the run's folder.

What is checked: ratings against the table of anchors in closed form; anchors and rules without a
table; every anchor of a run is played; the table's rows are the run's games, each once, whatever a
resumed run finds; a table that cannot be kept costs one warning; bad anchors are refused before
there is a folder.
"""

from __future__ import annotations

import csv
import logging
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.specs import parse_agent_spec
from cotulenh_env.errors import CotulenhError
from cotulenh_env.registry import game_names, load_game
from tests.training.runs import config_of, resume_in, run_config, run_in
from training import anchors as anchors_module
from training.anchors import FIXED, AnchoredRating, known_ratings, rate_on_anchors, tag_name
from training.evaluation_file import COLUMNS, EvaluationFile
from training.loop import Trainer
from training.match_result import GameResult, MatchResult

GAME = load_game("tictactoe")
COMMANDER = load_game("commander")


def match(wins: int, draws: int, losses: int) -> MatchResult:
    outcomes = [1] * wins + [0] * draws + [-1] * losses
    return MatchResult(tuple(GameResult(0, outcome, "line", 5) for outcome in outcomes))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_ratings_of_the_default_anchors(name: str) -> None:
    game = load_game(name)
    known = {spec.text: elo for spec, elo in known_ratings(game, game.make_rules())}
    assert known["random"] == 0
    assert known["greedy"] > 0


def test_rating_is_on_the_scale_of_the_anchors() -> None:
    """15 : 5 against greedy, and a drawn game of the prior: 400 log10(15.5 / 5.5) above it."""
    known = {spec.text: elo for spec, elo in known_ratings(GAME, GAME.make_rules())}
    rating = rate_on_anchors(GAME, GAME.make_rules(), {"greedy": match(14, 2, 4)})
    difference = 400 * math.log10(15.5 / 5.5)
    assert rating.elo == pytest.approx(known["greedy"] + difference)
    share = 15.5 / 21
    error = 400 / math.log(10) / math.sqrt(21 * share * (1 - share))
    assert rating.high - rating.elo == pytest.approx(1.959964 * error)
    assert rating.elo - rating.low == pytest.approx(1.959964 * error)
    assert rating.scale == FIXED


def test_results_against_several_anchors_are_taken_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scores that a player of 100 Elo is expected to make give 100, without the prior."""
    table = [(parse_agent_spec(text), elo) for text, elo in
             (("random", 0.0), ("greedy", 300.0))]  # fmt: skip
    monkeypatch.setattr(anchors_module, "known_ratings", lambda game, rules: table)
    results = {}
    for text, elo in (("random", 0.0), ("greedy", 300.0)):
        wins = round(40_000 / (1 + 10 ** ((elo - 100) / 400)))
        results[text] = match(wins, 0, 40_000 - wins)
    assert rate_on_anchors(GAME, GAME.make_rules(), results).elo == pytest.approx(100, abs=0.1)
    # An anchor of unknown strength says nothing more.
    more = rate_on_anchors(GAME, GAME.make_rules(), {**results, "mcts": match(0, 0, 100)})
    assert more == rate_on_anchors(GAME, GAME.make_rules(), results)


def test_without_a_table_the_first_anchor_is_zero() -> None:
    rules = COMMANDER.make_rules(edition="russian")
    assert known_ratings(COMMANDER, rules) == []
    results = {"greedy": match(15, 0, 5), "random": match(20, 0, 0)}
    rating = rate_on_anchors(COMMANDER, rules, results)
    assert rating.scale == "relative to greedy"
    assert rating.elo == pytest.approx(400 * math.log10(15.5 / 5.5))
    unknown = rate_on_anchors(GAME, GAME.make_rules(), {"mcts:seed=9": match(5, 0, 5)})
    assert unknown.scale == "relative to mcts:seed=9"
    assert unknown.elo == pytest.approx(0)


def test_tag_names() -> None:
    assert tag_name("random") == "random"
    assert tag_name("alphabeta:depth=1") == "alphabeta_depth_1"
    assert tag_name("runs/a:x=0.5,y=true") == "runs_a_x_0.5_y_true"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluation") / "run"
    run_in(folder, "--checkpoint.keep", "9")
    return folder


def test_table_holds_every_evaluation(run: Path) -> None:
    rows = rows_of(run / "evaluation.csv")
    places = [(row["iteration"], row["anchor"]) for row in rows]
    assert places == [(i, a) for i in ("0", "2", "4", "5") for a in ("random", "greedy")]
    accumulator = EventAccumulator(str(run / "tensorboard"))
    accumulator.Reload()
    for tag, column in (("elo", "elo"), ("elo_low", "elo_low"), ("elo_high", "elo_high")):
        events = accumulator.Scalars(f"evaluation/{tag}")
        assert [event.step for event in events] == [0, 2, 4, 5]
        written = [float(row[column]) for row in rows[::2]]
        np.testing.assert_allclose([event.value for event in events], written, atol=0.06)
    games = {event.step: event.value for event in accumulator.Scalars("progress/games")}
    for row in rows:
        counts = [int(row[name]) for name in ("wins", "draws", "losses")]
        assert sum(counts) == 4
        assert float(row["score"]) == (counts[0] + counts[1] / 2) / 4
        assert int(row["games"]) == games.get(int(row["iteration"]), 0)
        assert float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"])
        assert row["scale"] == FIXED
    seconds = [float(row["seconds"]) for row in rows]
    assert seconds == sorted(seconds)


def content(path: Path) -> list[dict[str, str]]:
    """The rows without times."""
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows_of(path)]


def test_resumed_run_has_the_same_table(run: Path, tmp_path: Path) -> None:
    """Its table is three iterations ahead of the checkpoint that it goes on from."""
    folder = tmp_path / "run"
    shutil.copytree(run, folder, symlinks=True)
    (folder / "latest").unlink()
    (folder / "latest").symlink_to("checkpoints/000002")
    times: list[list[str]] = []
    replace = EvaluationFile._replace

    def watched(self: EvaluationFile) -> None:
        times.append(sorted({row[0] for row in self._rows}))
        replace(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EvaluationFile, "_replace", watched)
        resume_in(folder)
    assert times == [["0", "2"], ["0", "2", "4"], ["0", "2", "4", "5"]]
    assert content(folder / "evaluation.csv") == content(run / "evaluation.csv")
    # Once more, when there is nothing left to do.
    before = (folder / "evaluation.csv").read_bytes()
    resume_in(folder)
    assert (folder / "evaluation.csv").read_bytes() == before


def test_anchors_may_change_on_resume(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder, symlinks=True)
    flags = ["--evaluation.anchors", "['mcts:num_simulations=2', random]"]
    resume_in(folder, "--num-iterations", "6", *flags)
    rows = rows_of(folder / "evaluation.csv")
    assert [row["anchor"] for row in rows[-2:]] == ["mcts:num_simulations=2", "random"]
    assert [row["iteration"] for row in rows[-2:]] == ["6", "6"]
    assert content(folder / "evaluation.csv")[:-2] == content(run / "evaluation.csv")
    accumulator = EventAccumulator(str(folder / "tensorboard"))
    accumulator.Reload()
    (event,) = accumulator.Scalars("evaluation/score_mcts_num_simulations_2")
    assert event.value == pytest.approx(float(rows[-2]["score"]))


@pytest.mark.parametrize(
    ("anchors", "words"),
    [
        ("[]", "evaluation.anchors are one or more agents"),
        ("[random, random]", "all different"),
        ("['a:b=1', 'a_b_1']", "all different"),
        ("['']", "evaluation.anchors: an agent is written"),
        ("['mcts:num_simulations']", "evaluation.anchors: options of an agent"),
        ("[nobody]", "evaluation.anchors: unknown agent 'nobody'"),
        (
            "['mcts:time_limit_seconds=1']",
            "evaluation.anchors: 'mcts:time_limit_seconds=1' plays by",
        ),
        ("['mcts:depth=1']", "evaluation.anchors: unknown option 'depth'"),
    ],
)
def test_bad_anchors_are_refused_at_once(tmp_path: Path, anchors: str, words: str) -> None:
    with pytest.raises(CotulenhError) as caught:
        run_config(config_of(tmp_path / "run", "--evaluation.anchors", anchors))
    assert words in str(caught.value)
    assert not (tmp_path / "run").exists()


def written(path: Path, iteration: int) -> None:
    EvaluationFile(path, iteration).write(
        iteration, 3, 50, 1.5, {"random": match(1, 1, 2)}, AnchoredRating(1.0, -2.0, 4.0, FIXED)
    )


def test_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "evaluation.csv"
    for iteration in (0, 2, 2, 4, 3):
        written(path, iteration)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == ",".join(COLUMNS)
    assert [line.partition(",")[0] for line in lines[1:]] == ["0", "2", "3"]
    assert lines[1] == "0,3,50,1.5,random,1,1,2,0.3750,1.0,-2.0,4.0,fixed"
    assert [file.name for file in tmp_path.iterdir()] == ["evaluation.csv"]


@pytest.mark.parametrize(
    "text", ["", "other,columns\n1,2\n", ",".join(COLUMNS) + "\nx,1\n", "\xff"]
)
def test_foreign_table_is_left_alone(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "evaluation.csv"
    path.write_bytes(text.encode("latin-1"))
    with caplog.at_level(logging.WARNING):
        written(path, 1)
    assert path.read_bytes() == text.encode("latin-1")
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{path} cannot be kept (")
    assert record.getMessage().endswith("training goes on without it")


def test_full_disk_warns_once_and_the_run_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_text = Path.write_text

    def fail(self: Path, *arguments: str, **options: str) -> int:
        if self.name == "evaluation.csv.tmp":
            raise OSError(28, "No space left on device")
        return write_text(self, *arguments, **options)

    monkeypatch.setattr(Path, "write_text", fail)
    with caplog.at_level(logging.WARNING):
        trainer = run_in(tmp_path / "run")
    assert isinstance(trainer, Trainer)
    messages = [record.getMessage() for record in caplog.records]
    assert messages == [
        f"{tmp_path / 'run' / 'evaluation.csv'} cannot be kept (No space left on device): training "
        "goes on without it"
    ]
    assert not (tmp_path / "run" / "evaluation.csv").exists()


def test_ratings_in_words() -> None:
    assert str(AnchoredRating(123.4, -10.0, 250.6, FIXED)) == "Elo +123 (-10 to +251)"
    assert str(AnchoredRating(0.0, -9.0, 9.0, "relative to mcts")).endswith(" relative to mcts")
