"""Rules of which every game draws its own.

What is checked: lists of values become all combinations, from files and flags; what makes no sense
is refused by name; every combination turns up in self-play, and in the planes that a network is
scaled by; a run with one combination draws nothing; a network trained so plays all of them.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import agents
from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.errors import CotulenhError
from cotulenh_env.registry import load_game
from tests.training.runs import differences, fingerprint, resume_in, run_in
from tests.training.test_self_play import new_self_play
from training.calibration import typical_planes
from training.config import parse_config
from training.rule_choices import draw_rules, rule_sets
from training.self_play import SelfPlay
from training.self_play_settings import SelfPlaySettings

GAME = CommanderChess()
CHOICES = ["--rules.battle", "[standard, sea]", "--rules.edition", "[official, bga]"]


def test_flags_and_files_give_all_combinations(tmp_path: Path) -> None:
    path = tmp_path / "mixed.yaml"
    path.write_text("rules: {battle: [standard, sea], edition: [official, bga], turn_limit: 50}\n")
    for flags in (["--config", str(path)], [*CHOICES, "--rules.turn_limit", "50"]):
        config = parse_config(flags)
        found = [(one.battle, one.edition) for one in rule_sets(GAME, config.rules)]
        assert found == [
            ("standard", "official"), ("standard", "bga"), ("sea", "official"), ("sea", "bga"),
        ]  # fmt: skip
        assert {one.turn_limit for one in rule_sets(GAME, config.rules)} == {50}


def test_values_alone_are_one_combination_and_draw_nothing() -> None:
    sets = rule_sets(GAME, {"battle": "air"})
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    assert draw_rules(sets, 5, rng) == GAME.make_rules(battle="air")
    assert rng.bit_generator.state == before


def test_a_value_that_stands_twice_is_drawn_twice_as_often() -> None:
    sets = rule_sets(GAME, {"battle": ["standard", "air", "standard"]})
    drawn = Counter(one.battle for one in draw_rules(sets, 3000, np.random.default_rng(0)))
    assert 1900 < drawn["standard"] < 2100


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--rules.battle", "[]"], "rules.battle is an empty list"),
        (["--rules.battle", "[standard, space]"], r"would draw battle: 'space', but .*battle is"),
        (
            ["--rules.battle", "[standard, sea]", "--rules.exposure", "[loss, legal]"],
            r"would draw battle: 'sea', exposure: 'loss', but .*exposure is not 'loss'",
        ),
        (["--rules.speed", "[1, 2]"], "unknown rule option 'speed'"),
        (["--rules.quiet_limit", str(list(range(1, 100))), "--rules.repetition",
          str(list(range(2, 100)))], "rules have 9702 combinations, at most 4096"),
    ],
)  # fmt: skip
def test_senseless_choices_are_refused_by_name(flags: list[str], words: str) -> None:
    with pytest.raises(CotulenhError, match=words):
        parse_config(flags)


def test_every_combination_is_played() -> None:
    sets = rule_sets(GAME, {"battle": ["standard", "sea"], "placement": [False, True]})
    alone = new_self_play(GAME, SelfPlaySettings(opening_turns=2))
    self_play = SelfPlay(
        GAME,
        sets,
        alone._search,
        alone._evaluator,
        SelfPlaySettings(opening_turns=2),
        64,
        np.random.default_rng(0),
    )
    drawn = Counter(GAME.rules_of(state) for state in self_play.states)
    assert set(drawn) == set(sets)
    assert min(drawn.values()) >= 6  # of 16 expected
    again = Counter(GAME.rules_of(state) for state in _again(self_play))
    assert again == drawn


def _again(self_play: SelfPlay) -> np.ndarray:
    """The states of the same games, begun with the same seed."""
    return SelfPlay(
        GAME,
        self_play._rules,
        self_play._search,
        self_play._evaluator,
        SelfPlaySettings(opening_turns=2),
        64,
        np.random.default_rng(0),
    ).states


def test_planes_of_rules_vary_where_a_network_is_scaled() -> None:
    sets = rule_sets(GAME, {"edition": ["official", "russian"]})
    planes = typical_planes(GAME, sets, np.random.default_rng(0)).numpy()
    deviations = dict(zip(GAME.spec.plane_names, planes.std(axis=(0, 2, 3)), strict=True))
    varying = [name for name, deviation in deviations.items() if "bridge" in name and deviation > 0]
    assert varying
    only = typical_planes(GAME, sets[:1], np.random.default_rng(0)).numpy()
    index = GAME.spec.plane_names.index(varying[0])
    assert only[:, index].std() == 0


def test_a_run_with_choices_is_resumed_and_its_network_plays_all_of_them(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run_in(
        one, "--game", "commander", *CHOICES, "--rules.turn_limit", "6", "--num-iterations", "2",
        "--replay.actions_per_position", "128", "--replay.min_positions", "1",
        "--evaluation.every", "0", "--evaluation.final_games", "2", "--checkpoint.every", "1",
    )  # fmt: skip
    shutil.copytree(one, two, symlinks=True)
    (two / "latest").unlink()
    (two / "latest").symlink_to("checkpoints/000001")
    resume_in(two)
    assert differences(fingerprint(one), fingerprint(two)) == []
    agent = agents.load(tmp_path / "one", num_simulations=2)
    for rules in rule_sets(load_game("commander"), {"battle": ["full", "air"], "edition": ["bga"]}):
        states = GAME.new_states(2, None, rules)
        legal, counts = GAME.legal_actions(states)
        actions = agent.act(states, np.random.default_rng(0))
        assert all(action in legal[row, : counts[row]] for row, action in enumerate(actions))
