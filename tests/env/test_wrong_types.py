"""Arrays, lists and other things where one value is expected.

What is checked: every argument of every environment refuses them with one sentence of the
package's errors, whatever NumPy says to comparing them; so do seeds below 0; the environment is
left as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agents
from cotulenh_env import aec, load_game
from cotulenh_env.errors import CotulenhError
from cotulenh_env.gymnasium_vector import SingleAgentVectorEnv
from cotulenh_env.luzhanqi import FlipRuleSet
from cotulenh_env.single import SingleAgentEnv
from cotulenh_env.vector import BatchedEnv

GAME = load_game("tictactoe")

STRANGE: dict[str, Any] = {
    "array": np.arange(3),
    "empty": np.zeros(0),
    "strings": np.array(["a", "b"]),
    "record": np.zeros(1, [("a", int)]),
    "ragged": [[1], [1, 2]],
    "arrays": [np.arange(3), np.arange(3)],
    "zero": np.array(0.0),
    "dictionary": {},
    "fraction": np.float64(1.5),
}

MAKERS: dict[str, Callable[..., Any]] = {
    "aec": lambda **given: aec.raw_env(GAME, **given),
    "single": lambda **given: SingleAgentEnv(GAME, **given),
    "batched": lambda **given: BatchedEnv(GAME, 2, **given),
    "vector": lambda **given: SingleAgentVectorEnv(GAME, 2, **given),
}


def refused(call: Callable[..., object], *arguments: Any, **named: Any) -> str:
    with pytest.raises(CotulenhError) as caught:
        call(*arguments, **named)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("aec", ("illegal", "render_mode", "render_player", "rules")),
        ("single", ("illegal", "render_mode", "player", "opponent", "rules")),
        ("batched", ("illegal", "observations", "action_masks", "num_threads")),
        ("vector", ("illegal", "render_mode", "player", "opponent", "copy", "num_threads")),
    ],
)
def test_arguments(name: str, arguments: tuple[str, ...], value: Any) -> None:
    for argument in arguments:
        refused(MAKERS[name], **{argument: value})


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("name", ["aec", "batched"])
def test_saved_states(name: str, value: Any) -> None:
    """Regression: an array as `game` was NumPy's own ValueError."""
    env = MAKERS[name]()
    env.reset(seed=1)
    saved = env.get_state()
    for key in saved:
        refused(env.set_state, {**saved, key: value})
    many = name == "batched"
    generator = saved["generators"][0] if many else saved["generator"]
    for key in ("bit_generator", "state"):
        damaged = {**generator, key: value}
        change = {"generators": [damaged, damaged]} if many else {"generator": damaged}
        assert "cannot be read" in refused(env.set_state, {**saved, **change})
    assert str(env.get_state()) == str(saved)


@pytest.mark.parametrize("name", MAKERS)
def test_seeds(name: str) -> None:
    """Regression: Gymnasium's own error came through from single games."""
    env = MAKERS[name]()
    env.reset(seed=1)
    if name != "vector":
        before = str(env.get_state()) if name != "single" else env.fen()
    wrong: list[Any] = [-1, np.int64(-1), 1.0, "1", True, np.float64(2), {}]
    for seed in wrong:
        message = refused(env.reset, seed=seed)
        assert message.startswith("a seed is an integer of at least 0, got")
    if name != "vector":
        assert (str(env.get_state()) if name != "single" else env.fen()) == before
    env.reset(seed=np.int64(1))


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
def test_names_rules_and_options(value: Any) -> None:
    refused(load_game, value)
    refused(GAME.from_text, value)
    refused(FlipRuleSet, repetition=value)
    refused(agents.load, "greedy", GAME, random_fraction=value)


@pytest.mark.parametrize("player", [0, 1])
def test_a_viewer_of_a_game_without_secrets_is_refused(player: int) -> None:
    """It would change nothing, silently."""
    message = refused(aec.raw_env, GAME, render_player=player)
    assert message.startswith("render_player is of games with hidden information, and in tictactoe")
    aec.raw_env(load_game("luzhanqi_referee"), render_player=player)


def test_nothing_is_seen_before_reset() -> None:
    """Regression: `last` alone had an AttributeError."""
    env = aec.raw_env(GAME)
    for call in (env.last, env.legal_actions, env.fen, env.get_state, env.render):
        assert refused(call).endswith("has no game yet: call reset() first")
