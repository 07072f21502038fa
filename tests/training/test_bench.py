"""The benchmark, with workloads of next to nothing: what it reports, never how fast anything is.

What is checked:

* every group gives rows with their medians between lowest and highest, and growth gives curves;
* ratios, targets and verdicts are what the numbers say; a group can be asked for by name;
* a library that is not installed leaves a row that says so, and the rest is measured;
* table and JSON tell the same;
* random games in the compiled loop are games by the rules;
* phases add up, and nothing stays clocked.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents.evaluator import UniformEvaluator
from agents.search import batched
from cotulenh_env.registry import load_game
from training.bench import start_up
from training.bench.memory import peak_bytes
from training.bench.phases import EVALUATOR, RULES, WALK, PhaseClock, clocked_search
from training.bench.playout_kernel import play_out
from training.bench.playout_steps import PLAYOUT_RULES
from training.bench.random_play import RandomGames, typical_states
from training.bench.report import as_json, as_text, number_text
from training.bench.rows import Row, Spread, Target
from training.bench.search import search_work
from training.bench.settings import BenchSettings
from training.bench.suite import GROUPS, Results, run_bench
from training.bench.timing import Job, peer_job, time_jobs
from training.cli import main
from training.errors import ConfigError

SMALL = BenchSettings(
    num_repeats=2,
    num_env_steps=20,
    num_chess_steps=5,
    num_games=4,
    num_batched_steps=3,
    num_open_spiel_steps=2,
    num_kernel_games=2,
    num_kernel_steps=300,
    num_quick_kernel_steps=300,
    num_rollouts=1,
    num_length_games=2,
    num_copies=100,
    num_searches=2,
    num_simulations=4,
    config="tictactoe",
    num_self_play_steps=2,
    num_memory_steps=1,
    batch_sizes=(1, 3),
    curve_simulations=(2, 4),
    num_plies=20,
    ply_step=10,
    num_curve_repeats=1,
)
PEERS = ("PettingZoo", "OpenSpiel")


@pytest.fixture(scope="module")
def results() -> Results:
    """Of everything, but for the processes that compile all kernels anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(start_up, "first_step", lambda cache: (1.0 if cache is None else 5.0, 0.5))
        return run_bench(SMALL, full=True)


def test_every_group_has_rows_with_numbers(results: Results) -> None:
    assert list(dict.fromkeys(row.group for row in results.rows)) == [*GROUPS][:-1]
    for row in results.rows:
        if not row.name.startswith(PEERS):
            assert row.value is not None, row
        for spread in row.values.values():
            assert 0 <= spread.low <= spread.median <= spread.high
    names = [(row.group, row.name) for row in results.rows]
    assert len(set(names)) == len(names)


def test_rows_with_targets_are_those_of_the_design(results: Results) -> None:
    limits = {row.name: row.target.limit for row in results.rows if row.target is not None}
    assert limits["AEC raw_env, by legal_actions"] == 80
    assert limits["random playout in one compiled loop"] == 3
    assert limits["banqi, random playout in one compiled loop"] == 3
    assert limits["copy of one state"] == 1
    assert limits["search, rules and bookkeeping of self-play"] == 10
    assert sorted(limits.values()) == [0.8, 1, 3, 3, 3, 8, 10, 20, 80]


def test_growth_gives_curves(results: Results) -> None:
    assert [len(curve.points) for curve in results.curves] == [2, 2, 2, 2, 2, 2]
    for curve in results.curves:
        assert all(len(point) == len(curve.columns) for point in curve.points)


def test_table_and_json_tell_the_same(results: Results) -> None:
    content, table = json.loads(as_json(results)), as_text(results)
    assert content["settings"]["num_games"] == SMALL.num_games
    assert content["versions"]["python"] in table
    assert content["machine"]["processor"] in table
    for row in content["rows"]:
        assert row["name"] in table
        assert not row["values"] or number_text(row["values"][row["basis"]]["median"]) in table
    for curve in content["curves"]:
        assert curve["name"] in table
        assert curve["columns"][-1] in table


def test_only_what_is_asked_for_is_measured() -> None:
    done: list[str] = []
    found = run_bench(SMALL, ["copying"], tell=done.append)
    assert {row.group for row in found.rows} == {"copying"}
    assert done == ["measuring: copying"]
    assert not found.curves
    with pytest.raises(ConfigError, match="did you mean copying"):
        run_bench(SMALL, ["copyng"])


def test_missing_peers_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pettingzoo.classic.chess.chess", raising=False)
    for module in ("chess", "pyspiel"):
        monkeypatch.setitem(sys.modules, module, None)
    found = run_bench(SMALL, ["environment", "playout", "games", "copying", "search"])
    missing = {row.note for row in found.rows if row.value is None}
    assert missing == {"not installed: chess", "not installed: pyspiel"}
    assert all(row.name.startswith(PEERS) for row in found.rows if row.value is None)
    assert all(row.ratio is None and not row.verdict for row in found.rows)
    assert "not installed: chess" in as_text(found)


def test_groups_do_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks_torch(name: str) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("training.bench.suite.import_module", lacks_torch)
    (row,) = run_bench(SMALL, ["self-play"]).rows
    assert (row.group, row.note) == ("self-play", "not installed: torch")


def test_another_missing_module_is_an_error() -> None:
    def make_work() -> None:
        raise ModuleNotFoundError("No module named 'nonsense'", name="nonsense.part")

    with pytest.raises(ModuleNotFoundError, match="nonsense"):
        peer_job("peer", make_work)  # type: ignore[arg-type]


def test_ratios_are_of_what_was_timed_in_turns() -> None:
    order: list[str] = []

    def work(name: str, seconds: float) -> float:
        order.append(name)
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return 10

    jobs = [
        Job("ours", lambda: work("ours", 0.01), target=Target(2), peer="theirs"),
        Job("theirs", lambda: work("theirs", 0.05)),
        Job("cost", lambda: work("cost", 0.01), unit="µs"),
    ]
    ours, theirs, cost = time_jobs("group", jobs, 2)
    assert order == 3 * ["ours", "theirs", "cost"]
    assert ours.value is not None
    assert theirs.value is not None
    assert cost.value is not None
    assert ours.ratio == ours.value.median / theirs.value.median
    assert ours.verdict == "ok"
    assert cost.value.median == pytest.approx(1000, rel=0.5)


@pytest.mark.parametrize(
    ("target", "ratio", "verdict"),
    [
        (None, 9.0, ""),
        (Target(2), None, ""),
        (Target(2), 2.0, "ok"),
        (Target(2), 1.9, "below"),
        (Target(5, "value"), None, "ok"),
        (Target(4, "value"), None, "below"),
    ],
)
def test_verdicts(target: Target | None, ratio: float | None, verdict: str) -> None:
    row = Row("group", "row", "s", values={"cpu": Spread(5, 4, 6)}, target=target, ratio=ratio)
    assert row.verdict == verdict
    assert dataclasses.replace(row, values={}).verdict == ""


def test_spread_is_of_the_values() -> None:
    assert Spread.of([3, 1, 2]) == Spread(2, 1, 3)
    assert Spread.of([7]) == Spread(7, 7, 7)


def test_numbers_are_short() -> None:
    numbers = (0, 8, 1234567.8, 12.345, 0.816)
    assert [number_text(number) for number in numbers] == ["0", "8", "1,234,568", "12.3", "0.82"]


@pytest.mark.parametrize("name", PLAYOUT_RULES)
def test_compiled_playouts_are_games_by_the_rules(name: str) -> None:
    """The same numbers choose the same actions and draws of `Game.apply`, to the same states."""
    game, num_steps = load_game(name), 700
    starts = np.ndarray(2, game.spec.state_dtype, game.new_states(2, np.random.default_rng(3)))
    states, seeds = starts.copy(), np.array([5, 2**47 + 1])
    legal_actions = np.empty(game.spec.max_legal_actions, np.int32)
    works = PLAYOUT_RULES[name].new_works()
    step = PLAYOUT_RULES[name].argument(states, works, legal_actions)
    num_finished = play_out(states, starts, num_steps, seeds, works, legal_actions, step)
    finals, seed_of, num_over = starts.copy().view(np.uint8).reshape(2, -1), [5, 2**47 + 1], 0
    for row, seed in enumerate(seed_of):
        state = finals[row : row + 1]
        for _ in range(num_steps):
            legal, counts = game.legal_actions(state)
            if game.is_terminal(state)[0]:
                num_over += 1
                state[:] = starts[row : row + 1].view(np.uint8)
                legal, counts = game.legal_actions(state)
            seed = (seed * 0x5DEECE66D + 11) % 2**48
            action = legal[:, seed * int(counts[0]) >> 48]
            seed = (seed * 0x5DEECE66D + 11) % 2**48
            game.apply(state, action, np.array([seed / 2**48]), state)
        seed_of[row] = seed
    assert num_finished == num_over > 0
    assert seeds.tolist() == seed_of
    assert states.tobytes() == finals.tobytes()


def test_random_games_go_by_the_rules_they_are_given() -> None:
    """A game that starts over has them, too; with draws for chance."""
    game, rng = load_game("banqi"), np.random.default_rng(0)
    rules = game.make_rules(preset="taiwanese", quiet_limit=5)
    games = RandomGames(game, game.new_states(8, rng, rules), rng, rules=rules)
    assert games.play(100) == 800
    assert (game.num_turns(games.states) < 100).any()
    assert {game.rules_of(state) for state in games.states} == {rules}
    game.check_states(games.states)


def test_typical_states_are_unfinished_and_of_all_ages() -> None:
    game = load_game("commander")
    states = typical_states(game, 20, np.random.default_rng(0))
    game.check_states(states)
    assert not game.is_terminal(states).any()
    turns = game.num_turns(states)
    assert turns[0] == 0
    assert len(set(turns.tolist())) > 5


def test_phases_add_up_and_leave_no_clock() -> None:
    game, clock = load_game("commander"), PhaseClock()
    before = (vars(batched)["descend"], UniformEvaluator.evaluate)
    work = search_work(SMALL, 4, 30)
    with clocked_search(clock, game, UniformEvaluator):
        work()
        clock.start()
        begin = time.process_time()
        work()
        seconds, total = clock.stop(), time.process_time() - begin
    assert all(seconds[phase] > 0 for phase in (RULES, WALK, EVALUATOR))
    assert sum(seconds.values()) == pytest.approx(total, rel=0.2, abs=1e-3)
    assert (vars(batched)["descend"], UniformEvaluator.evaluate) == before
    assert "step_into" not in vars(game)


def test_first_step_of_a_process_is_timed() -> None:
    wall, cpu = start_up.first_step(None)
    assert wall > 0
    assert cpu > 0


def test_peak_of_memory_is_plausible() -> None:
    assert 50e6 < peak_bytes() < 100e9


def test_command_prints_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("training.commands.bench.BenchSettings", lambda seed: SMALL)
    out = tmp_path / "bench.json"
    assert main(["bench", "--only", "copying", "--seed", "3", "--out", str(out)]) == 0
    assert "copy of one state" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))["format"] == 1
