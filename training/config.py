"""Settings of a training run: explained where they are declared, read in one place, `parse_config`.

Those of what learns are in `learning_settings`, the search's in `agents.search`, the others here.

Budgets are counts (iterations, steps, games), never seconds: the same settings and seed give the
same run on any machine of the same kind.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import jsonargparse
import yaml

from agents.inference_names import InferenceName
from agents.search import SearchSettings
from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.registry import load_game
from training.anchors import check_anchor_specs
from training.config_file import config_path, normalise_flags, one_line, read_mapping, take_flags
from training.errors import ConfigError
from training.learning_settings import (
    CheckpointSettings,
    LearnerSettings,
    NetworkOptions,
    ReplaySettings,
)
from training.plain_yaml import load_plain, plain_parser
from training.rule_choices import rule_sets
from training.self_play_settings import SelfPlaySettings
from training.setting_checks import check_range


@dataclass(frozen=True)
class EvaluationSettings:
    """Games against fixed agents, which measure progress.

    Attributes:
        every: iterations from one evaluation to the next; there is one more at the end. 0 = only
            that one.
        anchors: fixed agents, each as `name` or `name:option=value,…`; rate it on a common scale.
            Those that play by seconds are refused.
        num_games: games against each anchor, even: every opening is played with both colours.
        final_games: the same at the end of the run.
        num_simulations: simulations per action of the network's search.
        opening_turns: random turns before each game.
    """

    every: int = 10
    anchors: list[str] = field(default_factory=lambda: ["random", "greedy"])
    num_games: int = 20
    final_games: int = 100
    num_simulations: int = 32
    opening_turns: int = 4

    def __post_init__(self) -> None:
        check_range(self, "evaluation.every", 0)
        check_anchor_specs(self.anchors)
        for name in ("num_games", "final_games"):
            check_range(self, f"evaluation.{name}", 2)
            if getattr(self, name) % 2:
                raise ConfigError(
                    f"evaluation.{name} must be even, so that every opening is played with both "
                    f"colours, got {getattr(self, name)}"
                )
        check_range(self, "evaluation.num_simulations", 1)
        check_range(self, "evaluation.opening_turns", 0)


@dataclass(frozen=True)
class TrainConfig:
    """A training run.

    Attributes:
        game: the game's name.
        rules: options of the game's rules, as in `--rules.turn_limit 200`; all others as usual. Of
            a list of values, as in `--rules.battle '[standard, sea]'`, every game of self-play
            draws one; evaluation plays by the first.
        num_iterations: length of the run; an iteration plays, then learns.
        seed: the one seed of all randomness.
        device: where the network runs; auto takes a GPU if there is one.
        inference: how the network is computed when it plays: torch-float32, torch-bfloat16,
            onnx-float32, onnx-int8; auto measures once which is fastest here, and the run keeps to
            that one.
        num_threads: CPU threads; self-play splits its games among them, learning its batches, so
            the results depend on their number.
        run_dir: folder of the run; `runs/<config>-<time>` if not given.
        resume: folder of a run to go on with; its settings are read from it.
        network: the policy-value network.
        search: the tree search of self-play.
        self_play: how games are played against oneself.
        replay: the memory of past positions.
        learner: how the network learns.
        evaluation: games against fixed opponents.
        checkpoint: when the run is saved.
    """

    game: str = "commander"
    rules: dict[str, Any] = field(default_factory=dict)
    num_iterations: int = 100
    seed: int = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    inference: Literal["auto", InferenceName] = "torch-float32"
    num_threads: int = 2
    run_dir: str | None = None
    resume: str | None = None
    network: NetworkOptions = field(default_factory=NetworkOptions)
    search: SearchSettings = field(default_factory=SearchSettings)
    self_play: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    replay: ReplaySettings = field(default_factory=ReplaySettings)
    learner: LearnerSettings = field(default_factory=LearnerSettings)
    evaluation: EvaluationSettings = field(default_factory=EvaluationSettings)
    checkpoint: CheckpointSettings = field(default_factory=CheckpointSettings)

    def __post_init__(self) -> None:
        for name in ("run_dir", "resume"):
            folder = getattr(self, name)
            if folder is not None and (not folder or "\0" in folder):
                raise ConfigError(f"{name} is the path of a folder, got {folder!r}")
        check_range(self, "num_iterations", 1)
        check_range(self, "seed", 0)
        check_range(self, "num_threads", 1, min(1024, self.self_play.num_games_in_batch))


MAY_CHANGE = ("num_iterations", "device", "inference", "evaluation", "checkpoint")
"""Settings that a resumed run may change; all others must be those of the checkpoint."""

_NOT_SAVED = ("run_dir", "resume")


def parse_config(argv: Sequence[str]) -> TrainConfig:
    """The settings of a run, from `--config`, or from the run to resume, and flags that go before.

    Args:
        argv: arguments of `cotulenh train`, for example `["--config", "default", "--seed", "7"]`.

    Returns:
        Checked settings with `run_dir` filled in.

    Raises:
        ConfigError: a setting is unknown, of the wrong type, or makes no sense.
        OSError: the configuration cannot be read.
        UnicodeDecodeError: the configuration is not UTF-8.
    """
    flags = normalise_flags(argv)
    try:
        given, flags = take_flags(flags, "config", "resume")
        name, resume = given["config"], given["resume"]
        if resume is not None:
            if name is not None:
                raise ConfigError("--resume reads the run's own settings: leave --config out")
            if not resume:
                raise ConfigError("--resume '' names no folder")
            name = str(Path(resume) / "config.yaml")
            flags = ["--resume", resume, *flags]
        path = None if name is None else config_path(name)
        if path is not None and _check_file(path):  # an empty file is no mistake of the user's
            flags = ["--config", str(path), *flags]
        _refuse_group_files(flags)
        parsed = train_parser().parse_args(flags)
        config: TrainConfig = _build(TrainConfig, parsed.as_dict(), "")
    except jsonargparse.ArgumentError as error:
        raise ConfigError(one_line(error)) from error
    if not all(isinstance(option, str) for option in config.rules):
        raise ConfigError(f"options of rules have names, got {config.rules}")
    rule_sets(load_game(config.game), config.rules)  # refuses what makes no sense
    if config.resume is not None:
        if config.run_dir is not None:
            raise ConfigError("--resume goes on in the run's own folder: leave --run-dir out")
        return dataclasses.replace(config, run_dir=config.resume)
    if config.run_dir is None:
        label = path.stem if path is not None else config.game
        return dataclasses.replace(config, run_dir=_new_run_dir(label))
    return config


def train_parser() -> jsonargparse.ArgumentParser:
    """The parser behind `parse_config`, which also writes the help."""
    parser = plain_parser(
        "cotulenh train",
        "Train a network by self-play. Flags go before the settings of --config.",
    )
    parser.add_argument(
        "--config", action="config", help="a YAML file, or the name of a shipped configuration"
    )
    parser.add_class_arguments(TrainConfig, None)
    for action in parser._actions:
        if action.dest in _groups():
            action.help = "several of these settings, as {name: value, …}"
    return parser


def config_to_dict(config: TrainConfig) -> dict[str, Any]:
    """The settings as plain values for YAML and JSON, without the place of the run."""
    values = dataclasses.asdict(config)
    return {name: value for name, value in values.items() if name not in _NOT_SAVED}


def config_to_yaml(config: TrainConfig) -> str:
    """The settings as the text of a configuration file that `parse_config` reads back."""
    return yaml.safe_dump(config_to_dict(config), sort_keys=False, allow_unicode=True)


def first_difference(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str | None:
    """Names the first setting outside `MAY_CHANGE` in which two saved configurations differ.

    Returns:
        For example `learner.learning_rate is 0.01, not 0.002`; None if nothing differs.
    """
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        if name in MAY_CHANGE:
            continue
        mine, other = ours.get(name), theirs.get(name)
        if isinstance(mine, Mapping) and isinstance(other, Mapping):
            for key in [*mine, *(key for key in other if key not in mine)]:
                if mine.get(key) != other.get(key):
                    return f"{name}.{key} is {mine.get(key)}, not {other.get(key)}"
        elif mine != other:
            return f"{name} is {mine}, not {other}"
    return None


def _check_file(path: Path) -> bool:
    """Refuses a configuration file by itself, so that the message can say where the mistake is.

    Returns:
        Whether it sets anything.

    Raises:
        ConfigError: it holds anything but settings.
        OSError: it cannot be read.
    """
    settings, groups = read_mapping(path), _groups()
    _check_names(TrainConfig, settings, "", path)
    for name, value in settings.items():
        # The parser would read further files named here.
        is_file = name in groups and not isinstance(value, Mapping)
        if is_file or name == "config":
            raise ConfigError(f"{name} must hold settings, got {value!r}, in {path}")
    if all(value is None for value in settings.values()):
        return False
    try:
        train_parser().parse_args(["--config", str(path)])
    except jsonargparse.ArgumentError as error:
        raise ConfigError(f"{one_line(error)}, in {path}") from error
    return True


def _check_names(cls: type[Any], values: Mapping[str, Any], prefix: str, path: Path) -> None:
    """The parser overlooks unknown settings that hold an empty mapping, and those left empty."""
    hints = get_type_hints(cls)
    for name, value in values.items():
        if name not in hints and name != "config":
            raise ConfigError(f"unknown setting {prefix}{name}, in {path}")
        if name in hints and _lacks_value(hints[name], value):
            raise ConfigError(f"{prefix}{name}: expected a value, got null, in {path}")
        if isinstance(value, Mapping) and dataclasses.is_dataclass(hints.get(name)):
            _check_names(hints[name], value, f"{prefix}{name}.", path)


def _lacks_value(hint: Any, value: Any) -> bool:
    """Whether a setting is null that cannot be; of a whole group others have more to say."""
    return value is None and not dataclasses.is_dataclass(hint) and type(None) not in get_args(hint)


def _groups() -> set[str]:
    """The settings that hold settings."""
    hints = get_type_hints(TrainConfig)
    return {name for name, hint in hints.items() if dataclasses.is_dataclass(hint)}


def _refuse_group_files(flags: Sequence[str]) -> None:
    """A flag of a whole group holds settings; the parser would also read a file named there."""
    groups = _groups()
    for flag, following in zip_longest(flags, flags[1:], fillvalue=""):
        dashed, equals, value = flag.partition("=")
        name = dashed.removeprefix("--")
        if name == dashed or name not in groups:
            continue
        text = value if equals else following
        try:
            holds_settings = isinstance(load_plain(text), Mapping) and not os.path.exists(text)
        except yaml.YAMLError as error:
            raise ConfigError(f"--{name} is not valid YAML: {one_line(error)}") from error
        if not holds_settings:
            raise ConfigError(f"--{name} must hold settings, got {shown(text)}")


def _build(cls: type[Any], values: Mapping[str, Any], prefix: str) -> Any:
    """Frozen settings from parsed values, nested ones first."""
    hints = get_type_hints(cls)
    arguments: dict[str, Any] = {}
    for item in dataclasses.fields(cls):
        value = values[item.name]
        if dataclasses.is_dataclass(hints[item.name]):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{prefix}{item.name} must hold settings, got {value!r}")
            value = _build(hints[item.name], value, f"{prefix}{item.name}.")
        elif _lacks_value(hints[item.name], value):
            raise ConfigError(f"{prefix}{item.name}: expected a value, got null")
        arguments[item.name] = value
    try:
        return cls(**arguments)
    except CotulenhError:
        raise
    except ValueError as error:  # settings declared elsewhere check themselves
        raise ConfigError(f"{prefix.rstrip('.')}: {error}") from error


def _new_run_dir(name: str) -> str:
    stem = f"runs/{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    candidates = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    return next((path for path in candidates if not Path(path).exists()), stem)
