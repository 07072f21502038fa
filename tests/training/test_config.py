"""Settings: files and flags.

What is checked:

* flags go before files, with `-` or `_`, in any order; rules reach the game;
* the saved configuration is read back equal;
* every shipped configuration is valid;
* hostile and mistaken files are refused with one sentence that names the file or the setting;
* no setting may be left empty but those that have a meaning for it;
* files and flags hold plain values of YAML; the flag of a whole group names no file.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from cotulenh_env.errors import CotulenhError
from cotulenh_env.registry import game_names
from training.cli import main
from training.config import (
    TrainConfig,
    config_to_dict,
    config_to_yaml,
    first_difference,
    parse_config,
    train_parser,
)
from training.config_file import shipped_names

GAME = "game: tictactoe\n"


def write(folder: Path, text: str | bytes) -> str:
    path = folder / "config.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_flags_go_before_the_file_wherever_they_stand(tmp_path: Path) -> None:
    path = write(tmp_path, GAME + "seed: 3\nlearner: {learning_rate: 1e-3, batch_size: 7}\n")
    config = parse_config(["--seed", "5", "--config", path, "--learner.batch-size=9"])
    assert (config.seed, config.learner.batch_size, config.learner.learning_rate) == (5, 9, 1e-3)
    assert config.run_dir is not None
    assert config.run_dir.startswith("runs/config-")


def test_saved_configuration_is_read_back_equal(tmp_path: Path) -> None:
    config = parse_config(["--game", "tictactoe", "--search.gumbel_scale", "0.5"])
    again = parse_config(["--config", write(tmp_path, config_to_yaml(config))])
    assert config_to_dict(again) == config_to_dict(config)


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_configurations_are_valid(name: str) -> None:
    config = parse_config(["--config", name])
    assert config.game in game_names()


def test_shipped_names_include_the_documented_ones() -> None:
    assert {"default", "tictactoe"} <= set(shipped_names())


def test_every_setting_is_explained_in_the_help() -> None:
    text = " ".join(train_parser().format_help().split())
    for item in dataclasses.fields(TrainConfig):
        assert item.name in text
    # A setting without an explanation shows its type right after its name.
    assert "(type" not in text.replace(") (type", ")").split("--config CONFIG", 1)[0]
    for group in (
        "self_play",
        "replay",
        "learner",
        "evaluation",
        "checkpoint",
        "network",
        "search",
    ):
        assert f"--{group}." in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense: 1\n", "nonsense"),
        ("learner: {lr: 0.1}\n", "lr"),
        ("seed: 1.5\n", "seed: expected int, got 1.5"),
        ("seed: true\n", "seed: expected int"),
        ("seed: .nan\n", "seed: expected int, got nan"),
        ("seed: -1\n", "seed must be from 0"),
        ("learner: {learning_rate: .nan}\n", "learner.learning_rate must be"),
        ("learner: {learning_rate: .inf}\n", "learner.learning_rate must be"),
        ("learner: {learning_rate: -1}\n", "learner.learning_rate must be"),
        ("learner: {learning_rate: fast}\n", "learner.learning_rate: expected float, got fast"),
        ("learner: {optimizer: adagrad}\n", "learner.optimizer: expected one of"),
        ("learner: 5\n", "learner must hold settings, got 5"),
        ("learner: other.yaml\n", "learner must hold settings"),
        ("learner: [1]\n", "learner must hold settings"),
        ("search: null\n", "search must hold settings"),
        ("config: other.yaml\n", "config must hold settings"),
        ("device: tpu\n", "device: expected one of"),
        ("num_iterations: 0\n", "num_iterations must be from 1"),
        (f"num_iterations: {10**400}\n", "num_iterations must be from 1"),
        ("self_play: {temperature: -1}\n", "self_play.temperature must be"),
        ("evaluation: {num_games: 3}\n", "evaluation.num_games must be even"),
        ("replay: {capacity: 10, min_positions: 20}\n", "replay.min_positions must be"),
        ("network: {num_channels: 1000000}\n", "num_channels"),
        ("search: {num_simulations: -3}\n", "num_simulations"),
        ("rules: {speed: 3}\n", "speed"),
        ("rules: 3\n", "rules: expected dict, got 3"),
        ("rules: {3: 4}\n", "options of rules have names"),
        ("3: 4\n", "name is no text"),
        ("seed: 1\nseed: 2\n", "'seed' is set twice"),
        ("learner: {batch_size: 1, batch_size: 2}\n", "'batch_size' is set twice .line 2"),
        ("<<: {seed: 1}\nseed: 2\n", "merge keys, written <<, are not supported .line 2"),
        ("<<: [{seed: 3}, {seed: 5}]\n", "merge keys"),
        ("learner: {<<: {batch_size: 3}}\n", "merge keys"),
        ("a: &a [x, x]\nb: &b [*a, *a]\n", "aliases are not supported"),
        ("x: !!python/object/apply:os.getcwd []\n", "tags, written with !, are not supported"),
        ("x: !!bool x\n", "not valid YAML: tags"),
        ('seed: !!int ""\n', "not valid YAML: tags"),
        ('seed: !!float ""\n', "not valid YAML: tags"),
        ("seed: !!timestamp x\n", "not valid YAML: tags"),
        ("seed: ! 3\n", "not valid YAML: tags"),
        ("seed: " + "1:" * 400 + "1.5\n", "not valid YAML"),
        ("seed:\n", "seed: expected a value, got null, in .*config.yaml$"),
        ("rules:\n", "rules: expected a value, got null"),
        ("rules: {turn_limit: }\n", "turn_limit"),
        ("evaluation: {anchors: [null]}\n", "evaluation.anchors: expected str, got None"),
        ("a: [\n", "not valid YAML"),
        ("a: " + "[" * 3000, "not valid YAML|nested too deeply"),
        ("x: 2026-13-45\n", "not valid YAML"),
    ],
)
def test_mistaken_settings_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, GAME + text)
    with pytest.raises(CotulenhError, match=words) as caught:
        parse_config(["--config", path])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"game: tictactoe\nnum_iterations: caf\xe9\n", "is not UTF-8"),
        (b"- 1\n- 2\n", "must be a mapping of settings, got a list"),
        (b"just words\n", "must be a mapping of settings, got a str"),
        (b"\0\0\0", "not valid YAML"),
        (b"#" * (2 << 20), "larger than"),
        (b"game: 5\n", "game: expected str, got 5"),
        (b"game: chess\n", "unknown game 'chess'"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(CotulenhError, match=words):
        parse_config(["--config", write(tmp_path, content)])


NULLABLE = {
    "run_dir", "resume", "network.num_channels", "network.num_blocks", "network.num_value_channels",
    "search.dirichlet_alpha", "self_play.teacher", "self_play.resign_threshold",
}  # fmt: skip
"""Settings whose explanation says what none, or not given, means."""


def test_no_other_setting_may_be_left_empty(tmp_path: Path) -> None:
    """In a file that sets nothing else; of one group also in the mapping that its flag holds."""
    settings = config_to_dict(parse_config(["--game", "tictactoe"])) | {"run_dir": 0, "resume": 0}
    groups = ("network", "search", "self_play", "replay", "learner", "evaluation", "checkpoint")
    names = [
        f"{group}.{name}" if name else group
        for group, values in settings.items()
        for name in (values if group in groups else [""])
    ]
    assert len(names) > 70
    for name in names:
        group, _, own = name.partition(".")
        path = write(tmp_path, f"{group}: {{{own}: null}}\n" if own else f"{group}:\n")
        given = [["--config", path]]
        if group == "learner":  # parsing takes its time
            given.append([f"--{group}", f"{{{own}: null}}"])
        for argv in given:
            if name in NULLABLE:
                parse_config(argv)
                continue
            with pytest.raises(CotulenhError, match=f"^{name}: expected .*, got (null|None)"):
                parse_config(argv)


@pytest.mark.parametrize("argument", ["file.yaml", "pipe", "null", "5", "{batch_size: 3}"])
def test_the_flag_of_a_group_reads_no_file(
    argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file would be read unchecked, and a pipe waited for; a file may be named like a mapping."""
    monkeypatch.chdir(tmp_path)
    for name in ("file.yaml", "{batch_size: 3}"):
        Path(name).write_text("batch_size: 3\nbatch_size: 5\n", encoding="utf-8")
    os.mkfifo("pipe")
    for argv in (["--learner", argument], [f"--learner={argument}"]):
        with pytest.raises(CotulenhError, match="--learner must hold settings, got"):
            parse_config(["--game", "tictactoe", *argv])


def test_the_flag_of_a_group_holds_a_mapping() -> None:
    config = parse_config(["--game", "tictactoe", "--learner", "{batch_size: 3, momentum: 0.5}"])
    assert (config.learner.batch_size, config.learner.momentum) == (3, 0.5)
    with pytest.raises(CotulenhError, match="--learner is not valid YAML: 'momentum' is set twice"):
        parse_config(["--game", "tictactoe", "--learner", "{momentum: 0.5, momentum: 0.6}"])


@pytest.mark.parametrize(
    "argv",
    [
        ["perft", "--depth", '!!int ""'],
        ["perft", "--turn_limit=!!timestamp x"],
        ["match", "--red", "random", "--blue", "random", "--games", "!!bool x"],
        ["tournament", "random", "random", "--anchor_elo", '!!float ""'],
        ["bench", "--seed", "1:" * 400 + "1.5"],
        ["train", "--rules.turn_limit", "!!timestamp x"],
        ["train", "--evaluation.anchors", "[" * 3000],
        ["train", "--rules", "{turn_limit: 1, turn_limit: 2}"],
    ],
)
def test_flags_that_are_no_plain_values_are_one_line(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_folder_missing_file_and_unknown_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CotulenhError, match="is a folder"):
        parse_config(["--config", str(tmp_path)])
    with pytest.raises(CotulenhError, match="does not exist"):
        parse_config(["--config", str(tmp_path / "none.yaml")])
    with pytest.raises(CotulenhError, match="did you mean tictactoe"):
        parse_config(["--config", "tictacto"])


def test_unreadable_configuration_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--config", write(tmp_path, "seed: x\n")]) == 2
    error = capsys.readouterr().err
    assert error == f"cotulenh train: seed: expected int, got x, in {tmp_path / 'config.yaml'}\n"


def test_resume_names_a_folder() -> None:
    with pytest.raises(CotulenhError, match="--resume '' names no folder"):
        parse_config(["--resume", ""])


def test_a_run_with_an_empty_setting_is_not_resumed(tmp_path: Path) -> None:
    write(tmp_path, GAME + "seed:\n")
    with pytest.raises(CotulenhError, match="seed: expected a value, got null, in"):
        parse_config(["--resume", str(tmp_path)])


def test_configuration_is_not_read_beside_resume() -> None:
    with pytest.raises(CotulenhError, match="leave --config out"):
        parse_config(["--resume", "runs/x", "--config", "tictactoe"])


def test_first_difference_leaves_out_what_may_change() -> None:
    ours = {"seed": 1, "device": "cpu", "learner": {"batch_size": 3, "learning_rate": 0.1}}
    assert first_difference(ours, {**ours, "device": "cuda"}) is None
    theirs = {**ours, "learner": {"batch_size": 4, "learning_rate": 0.1}}
    assert first_difference(ours, theirs) == "learner.batch_size is 3, not 4"
    assert first_difference(ours, {**ours, "more": 1}) == "more is None, not 1"
