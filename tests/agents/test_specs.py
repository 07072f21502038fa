"""Agents as text.

What is checked: names, folders and options are told apart, colons in paths included; values are
typed as YAML scalars and never more; hostile texts give one sentence; labels are unique; limits of
a spec go before the defaults.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents.agent import Agent
from agents.errors import AgentError
from agents.mcts_agent import MCTSAgent
from agents.search import SearchSettings
from agents.specs import parse_agent_spec, unique_labels
from cotulenh_env.registry import load_game

GAME = load_game("tictactoe")


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("random", "random", {}),
        (" greedy ", "greedy", {}),
        ("mcts:num_simulations=200", "mcts", {"num_simulations": 200}),
        ("runs/x", "runs/x", {}),
        ("runs/x:a=1,b=0.5", "runs/x", {"a": 1, "b": 0.5}),
        ("runs/x:a=true,b=null,c=", "runs/x", {"a": True, "b": None, "c": ""}),
        ("runs/x: a = yes , b = 1e+3", "runs/x: a = yes , b = 1e+3", {}),
        ("C:\\runs\\x", "C:\\runs\\x", {}),
        ("C:\\runs\\x:a=1", "C:\\runs\\x", {"a": 1}),
        ("runs/12:30", "runs/12:30", {}),
        ("runs/x:device=cuda:1", "runs/x", {"device": "cuda:1"}),
        ("mcts:evaluator=[1", "mcts", {"evaluator": "[1"}),
        ("mcts:evaluator=!!python/object/apply:os.getcwd", "mcts",
         {"evaluator": "!!python/object/apply:os.getcwd"}),
        ("mcts:evaluator=&a", "mcts", {"evaluator": "&a"}),
        ("mcts:evaluator=2026-13-45", "mcts", {"evaluator": "2026-13-45"}),
    ],
)  # fmt: skip
def test_texts_are_read(text: str, name: str, options: dict[str, Any]) -> None:
    spec = parse_agent_spec(text)
    assert (spec.name, dict(spec.options)) == (name, options)
    assert [type(value) for value in spec.options.values()] == [type(v) for v in options.values()]


def test_a_path_that_exists_keeps_its_colons(tmp_path: Path) -> None:
    for folder in ("a:b=c", "run:x=1"):
        (tmp_path / folder).mkdir()
    path = str(tmp_path / "a:b=c")
    assert parse_agent_spec(path).name == path
    assert parse_agent_spec(f"{path}:seed=3").name == path
    assert dict(parse_agent_spec(f"{path}:seed=3").options) == {"seed": 3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an agent is written name"),
        ("  ", "an agent is written name"),
        (":a=1", "got no name in ':a=1'"),
        (" :a=1:b=2", "got no name in"),
        ("a" * 2000, "at most 1000 characters"),
        ("run\0s", "an agent is written name"),
        ("random:", "written option=value, got '' in 'random:'"),
        ("mcts:num_simulations", "written option=value, got 'num_simulations'"),
        ("mcts:num_simulations=1,", "written option=value, got ''"),
        ("mcts:=1", "written option=value"),
        ("mcts:a-b=1", "written option=value"),
        ("mcts:seed=1,seed=2", "option seed is set twice"),
        ("mcts:seed=0x", "seed is an integer"),
        ("mcts:num_simulations=" + "9" * 900, "num_simulations is an integer"),
        ("mcts:depth=2", "unknown option 'depth' of agent 'mcts': its options are num_simulations"),
        ("random:depth=2", "it has no options"),
        ("mcts:game=3", "unknown option 'game' of agent 'mcts': its options are num_simulations"),
        ("mcts:name=3", "unknown option 'name' of agent 'mcts': its options are num_simulations"),
        ("mcts:options=3", "unknown option 'options' of agent 'mcts'"),
        ("random:self=3", "unknown option 'self' of agent 'random': it has no options"),
        ("nobody", "unknown agent 'nobody': agents are"),
        ("nobody:depth=2", "unknown agent 'nobody': agents are"),
        ("no_such_run:depth=2" + "/" * 300, "unknown agent 'no_such_run'"),
        ("mcts:num_simulations=yes", "num_simulations is an integer"),
        ("mcts:num_simulations=5,time_limit_seconds=1", "leave one out"),
        ("mcts:time_limit_seconds=0", "time_limit_seconds is a number above 0"),
        ("mcts:time_limit_seconds=.nan", "time_limit_seconds is a number above 0"),
        (
            "greedy:random_fraction=1.5",
            "random_fraction is a finite number of at least 0 and at most 1, got",
        ),
        ("greedy:random_fraction=-0.1", "random_fraction is a finite number of at least 0"),
        ("greedy:random_fraction=.nan", "random_fraction is a finite number"),
        ("mcts:random_fraction=yes", "random_fraction is a finite number"),
        ("random:random_fraction=0.5", "it has no options"),
    ],
)
def test_mistakes_are_one_sentence(text: str, words: str) -> None:
    with pytest.raises(AgentError) as caught:
        parse_agent_spec(text).load(GAME)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folders_that_hold_no_network_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="holds no network"):
        parse_agent_spec(f"{tmp_path}:num_simulations=3").load(GAME)


def test_other_things_than_text_are_refused() -> None:
    thing: Any = 3
    with pytest.raises(AgentError, match="got 3"):
        parse_agent_spec(thing)


def test_labels_are_unique_and_printable() -> None:
    specs = [
        parse_agent_spec(text) for text in ("random", "greedy", "random", "a\nb\x1b", "random")
    ]
    assert unique_labels(specs) == ["random", "greedy", "random #2", "a?b?", "random #3"]


def simulations(agent: Agent) -> int:
    assert isinstance(agent, MCTSAgent)
    return agent.search.settings.num_simulations


def test_defaults_fill_in_what_the_spec_leaves_open() -> None:
    defaults = {"num_simulations": 7, "device": "cpu", "temperature": 0.5}
    agent = parse_agent_spec("mcts").load(GAME, defaults)
    assert isinstance(agent, MCTSAgent)
    assert (simulations(agent), agent.temperature) == (7, 0.5)
    assert simulations(parse_agent_spec("mcts:num_simulations=3").load(GAME, defaults)) == 3
    # A limit of the spec's own goes before another limit among the defaults.
    timed = parse_agent_spec("mcts:time_limit_seconds=1").load(GAME, defaults)
    assert simulations(timed) == 200
    counted = parse_agent_spec("mcts:num_simulations=3").load(GAME, {"time_limit_seconds": 1.0})
    assert simulations(counted) == 3
    assert parse_agent_spec("random").load(GAME, defaults).name == "random"


@pytest.mark.parametrize("text", ["greedy", "mcts:num_simulations=40"])
def test_a_share_of_actions_is_random(text: str) -> None:
    """X wins at once by c3, or by chance: one of five actions in the random 40 %."""
    states = np.repeat(GAME.from_text("XX..OO...")[None], 4000, axis=0)
    fraction = ",random_fraction=0.4" if ":" in text else ":random_fraction=0.4"
    agent = parse_agent_spec(text + fraction).load(GAME)
    actions = agent.act(states, np.random.default_rng(0))
    legal = np.array([0, 0, 1, 1, 0, 0, 1, 1, 1])
    expected = 0.4 * legal / 5 + 0.6 * (np.arange(9) == 2)
    np.testing.assert_allclose(np.bincount(actions, minlength=9) / 4000, expected, atol=0.025)
    assert actions.dtype == np.int32
    assert type(parse_agent_spec(text).load(GAME)) is not type(agent)


def test_option_names_are_those_that_load_takes() -> None:
    assert agents.option_names("random") == ()
    assert "num_actions_ahead" in agents.option_names("greedy")
    assert {"num_simulations", "time_limit_seconds"} <= set(agents.option_names("mcts"))
    with pytest.raises(AgentError, match="unknown agent"):
        agents.option_names("nobody")


@pytest.mark.parametrize("name", ["mcts", "pretrained"])
def test_every_setting_of_the_search_is_an_option(name: str) -> None:
    """As docs/search.md says."""
    settings = {field.name for field in fields(SearchSettings)}
    assert settings - set(agents.option_names(name)) == set()
    agent = parse_agent_spec("mcts:maxvisit_init=7,max_tree_megabytes=3").load(GAME)
    assert isinstance(agent, MCTSAgent)
    found = agent.search.settings
    assert (found.maxvisit_init, found.max_tree_megabytes) == (7, 3)
