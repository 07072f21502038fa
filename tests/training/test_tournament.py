"""Tournaments.

What is checked: who plays whom; tables and CSV of results counted by hand; a tournament of
tic-tac-toe on the command line, the same in any number of threads, read back from CSV and
TensorBoard; checkpoints of a run make a curve; mistakes are one line, before the first game.
"""

from __future__ import annotations

import csv
import logging
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.specs import parse_agent_spec
from training.cli import main
from training.commands.crosstable import crosstable, csv_text, rating_table, write_events
from training.match_result import GameResult, MatchResult
from training.tournament import TournamentResult, pairings


def match(wins: int, draws: int, losses: int) -> MatchResult:
    """A match of which every won game gave 30 official points to 10."""
    outcomes = [1] * wins + [0] * draws + [-1] * losses
    games = tuple(
        GameResult(0, outcome, "battle", 9, (20.0 + 10 * outcome, 20.0 - 10 * outcome))
        for outcome in outcomes
    )
    return MatchResult(games)


RESULT = TournamentResult(
    ["weak", "strong", "a-middling-one"],
    {(0, 1): match(1, 0, 9), (0, 2): match(2, 3, 5), (1, 2): match(6, 2, 2)},
    anchor=0,
    anchor_elo=100.0,
)


def test_pairings() -> None:
    assert pairings(3, gauntlet=False) == [(0, 1), (0, 2), (1, 2)]
    assert pairings(4, gauntlet=True) == [(0, 1), (0, 2), (0, 3)]


def test_standings_are_counted_by_hand() -> None:
    standings = {RESULT.labels[line.index]: line for line in RESULT.standings()}
    assert list(standings) == ["strong", "a-middling-one", "weak"]
    weak, strong = standings["weak"], standings["strong"]
    assert (weak.wins, weak.draws, weak.losses, weak.num_games) == (3, 3, 14, 20)
    assert (strong.wins, strong.draws, strong.losses) == (15, 2, 3)
    assert strong.score == 0.8
    assert weak.official_points == 3 * 30 + 3 * 20 + 14 * 10
    assert (weak.elo, weak.low, weak.high) == (100, 100, 100)
    assert strong.low < strong.elo < strong.high


def test_crosstable_layout() -> None:
    assert crosstable(RESULT).splitlines() == [
        "                      1      2      3",
        "  1 strong            –   7/10   9/10",
        "  2 a-middling-one 3/10      – 6.5/10",
        "  3 weak           1/10 3.5/10      –",
    ]


def test_rating_table_layout() -> None:
    """Two agents, 3 : 1 and a prior of one draw.

    400 log10(3.5 / 1.5) = 147.2 Elo, give or take 1.96 × 173.72 / sqrt(5 × 0.7 × 0.3) = 332.3.
    """
    result = TournamentResult(["random", "x:y=1"], {(0, 1): match(1, 0, 3)})
    assert rating_table(result).splitlines() == [
        "  # agent     Elo    95 % interval  games   wins  draws losses  score",
        "  1 x:y=1    +147     -185 to +479      4      3      0      1  75.0%",
        "  2 random     +0            given      4      1      0      3  25.0%",
    ]


def test_csv_holds_ratings_and_crosstable() -> None:
    lines = csv_text(RESULT, ["the command", "a day"]).splitlines()
    assert lines[:2] == ["# the command", "# a day"]
    rows = list(csv.DictReader(lines[2:]))
    assert [row["agent"] for row in rows] == ["strong", "a-middling-one", "weak"]
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["weak"] == "9/10"
    assert rows[0]["strong"] == ""
    assert rows[2]["a-middling-one"] == "3.5/10"
    assert (rows[2]["elo"], rows[2]["score"], rows[2]["official_points"]) == (
        "100.0",
        "0.2250",
        "290",
    )


def test_checkpoints_of_a_run_make_a_curve(tmp_path: Path) -> None:
    texts = ["random", "runs/a/checkpoints/000040", "runs/a/checkpoints/000010:num_simulations=8"]
    result = TournamentResult(texts, RESULT.matches)
    write_events(tmp_path, result, [parse_agent_spec(text) for text in texts])
    accumulator = EventAccumulator(str(tmp_path))
    accumulator.Reload()
    curve = accumulator.Scalars("tournament/elo_a")
    assert [(event.step, round(event.value, 2)) for event in curve] == [
        (40, round(float(result.ratings().elo[1]), 2))
    ]
    assert accumulator.Scalars("tournament/elo_a_num_simulations_8")[0].step == 10
    assert accumulator.Scalars("tournament/elo_random")[0].value == 0


def test_tournament_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.csv"
    argv = ["tournament", "--game", "tictactoe", "random", "mcts:num_simulations=12", "random"]
    argv += ["--games", "36", "--openings", "1", "--anchor_elo", "50"]
    assert main([*argv, "--csv", str(table), "--logdir", str(tmp_path / "tb")]) == 0
    out = capsys.readouterr().out
    assert main([*argv, "--num-threads", "3"]) == 0
    assert capsys.readouterr().out == out
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()[2:]))
    assert rows[0]["agent"] == "mcts:num_simulations=12"
    assert float(rows[0]["low"]) > 50
    elo = {row["agent"]: float(row["elo"]) for row in rows}
    assert elo["random"] == 50
    assert abs(elo["random #2"] - 50) < 150
    for row in rows:
        cells = [row[other].partition("/") for other in elo if row[other]]
        assert (
            sum(float(points) for points, _, _ in cells) == int(row["wins"]) + int(row["draws"]) / 2
        )
        assert {games for _, _, games in cells} == {"36"}
        assert f"{row['agent']:<24} {float(row['elo']):>+5.0f}".split()[0] in out
    accumulator = EventAccumulator(str(tmp_path / "tb"))
    accumulator.Reload()
    assert accumulator.Scalars("tournament/elo_random_2")[0].value == pytest.approx(
        elo["random #2"], abs=0.1
    )
    text = accumulator.Tensors("tournament/crosstable")[0].tensor_proto.string_val[0].decode()
    assert [line[4:] for line in text.splitlines() if line.strip()] == [
        line for line in out.splitlines() if line
    ]


def test_gauntlet_and_anchor(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    argv = ["tournament", "--game", "tictactoe", "greedy", "random", "random", "--games", "4"]
    with caplog.at_level(logging.INFO):
        assert main([*argv, "--gauntlet", "--anchor", "random #2"]) == 0
    told = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert told == ["match 1/2, greedy against random", "match 2/2, greedy against random #2"]
    out = capsys.readouterr().out
    (given,) = [line for line in out.splitlines() if "given" in line]
    assert given.split()[1:4] == ["random", "#2", "+0"]
    # The two random agents have not met.
    rows = out.split("\n\n")[1].splitlines()
    assert sum(row.count("–") for row in rows) == 3 + 2


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["random"], "a tournament is among 2 to 1000 agents, got 1"),
        (["random", "nobody"], "unknown agent 'nobody'"),
        (["random", "mcts:depth=3"], "unknown option 'depth'"),
        (["random", "greedy", "--games", "3"], "--games must be even"),
        (["random", "greedy", "--anchor", "mcts"], "--anchor is one of the agents, random, greedy"),
        (["random", "greedy", "--anchor_elo", "1e6"], "--anchor_elo must be from"),
        (
            ["random", "greedy", "--csv", "/nowhere/x.csv"],
            "--csv '/nowhere/x.csv' cannot be written: No such",
        ),
        (["random", "greedy", "--csv", "/tmp"], "--csv: /tmp is no regular file"),
        (["random", "greedy", "--csv", "/dev/null"], "--csv: /dev/null is no regular file"),
        (["random", "greedy", "--csv", "/proc/x"], "--csv '/proc/x' cannot be written: No such"),
        (["random", "greedy", "--logdir", "/proc"], "--logdir '/proc' cannot be written: No such"),
        (["random", "greedy", "--num-threads", "0"], "--num_threads must be from 1"),
        (["random", "greedy", "--games_in_batch", "1"], "--games_in_batch must be from 2"),
        (["random", "greedy", "--seconds", "0"], "--seconds must be from"),
        (
            ["random", "greedy", "--save", "x.npz"],
            "--save 'x.npz': games of tictactoe are saved as",
        ),
    ],
)
def test_mistakes_are_one_line(
    argv: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "--game", "tictactoe", *argv]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"cotulenh tournament: {line}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_two_outputs_in_one_file_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first game: the second to be written would replace the first."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("out.txt")
    argv = ["tournament", "--game", "tictactoe", "random", "greedy", "--games", "2"]
    for other in ("out.txt", "./out.txt", "link", str(tmp_path / "out.txt")):
        assert main([*argv, "--csv", other, "--save", "out.txt"]) == 2
        captured = capsys.readouterr()
        assert captured.err == (
            f"cotulenh tournament: --csv {other} and --save out.txt are one file: name two\n"
        )
        assert captured.out == ""
    assert main([*argv, "--csv", "table.csv", "--save", "link"]) == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.txt").read_text().startswith("[Format")


def test_a_file_that_fails_costs_neither_the_tables_nor_the_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device", "table.csv")

    monkeypatch.setattr("training.commands.tournament.write_whole_text", fail)
    games = tmp_path / "games.txt"
    argv = ["tournament", "--game", "tictactoe", "random", "greedy", "--games", "2"]
    assert main([*argv, "--csv", str(tmp_path / "table.csv"), "--save", str(games)]) == 2
    captured = capsys.readouterr()
    assert captured.err.endswith("cotulenh tournament: No space left on device: table.csv\n")
    assert captured.out.startswith("  # agent")
    assert f"2 games saved in {games}" in captured.out
    assert games.is_file()
