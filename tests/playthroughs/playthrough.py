"""One random game as text: positions, actions, what chance added, what is legal, what is seen."""

from __future__ import annotations

import hashlib
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from cotulenh_env.game import Game, States
from cotulenh_env.registry import load_game
from cotulenh_env.rules_text import rules_text

SEED = 7

OPTIONS: dict[str, dict[str, Any]] = {"commander": {"battle": "full", "turn_limit": 60}}
"""Rules of the game that is played, where the default ones make it long."""

_FIRST_POSITIONS, _POSITION_EVERY = 3, 20
"""So many positions are drawn at the beginning, and then one after so many actions."""

_WIDTH = 100


def path_of(name: str) -> Path:
    """The file of a game."""
    return Path(__file__).with_name(f"{name}.txt")


def playthrough(name: str) -> str:
    """The text of a game's file."""
    game, rng = load_game(name), np.random.default_rng(SEED)
    rules = game.make_rules(**OPTIONS.get(name, {}))
    state = game.new_states(1, rng, rules)[0]
    lines = _head(game, state)
    number = 0
    while True:
        legal, counts = game.legal_actions(state[None])
        if number < _FIRST_POSITIONS or number % _POSITION_EVERY == 0 or counts[0] == 0:
            lines += _position(game, state, number)
        if counts[0] == 0:
            break
        action = int(legal[0, int(rng.random() * counts[0])])
        draw = float(rng.random())
        (outcomes,) = game.chance_outcomes(state[None], np.array([action], np.int32))
        after, events = game.apply(state[None], np.array([action], np.int32), np.array([draw]))
        number += 1
        words = game.action_text(state, action)
        if told := game.event_text(state, action, int(events[0])):
            words += f" ({told})"
        if len(outcomes[0]) > 1:
            words += f", draw {draw:.3f} of {len(outcomes[0])} outcomes"
        player = game.current_player_of(state)
        lines.append(f"{number:>4}. player {player}, {counts[0]} legal, action {action}: {words}")
        state = after[0]
    first, second = game.returns(state[None])[0]
    points = ", ".join(f"{value:g}" for value in game.score(state[None])[0])
    lines += [f"The end: {game.end_reason(state[None])[0]}; returns {first:g}, {second:g}"]
    lines += [f"turns {game.num_turns(state[None])[0]}; scores {points}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _head(game: Game, state: States) -> list[str]:
    spec = game.spec
    planes, height, width = spec.observation_shape
    facts = [
        ("game", spec.name),
        ("rules", rules_text(game.rules_of(state)) or "no options"),
        ("seed", SEED),
        ("actions", f"{spec.num_actions}, at most {spec.max_legal_actions} of them legal"),
        ("state", f"{spec.state_size} bytes"),
        ("chance", "yes" if spec.has_chance else "no"),
        ("hidden information", "yes" if spec.has_hidden_information else "no"),
        ("symmetries", len(game.symmetries())),
        ("observation", f"{planes} planes of {height} × {width}: {' '.join(spec.plane_names)}"),
    ]
    return [_wrapped(name, str(value)) for name, value in facts]


def _position(game: Game, state: States, number: int) -> list[str]:
    seen = []
    for player in (0, 1):
        planes = game.observe(state[None], np.array([player], np.int32))
        seen.append(hashlib.sha256(planes.tobytes()).hexdigest()[:16])
    legal, counts = game.legal_actions(state[None])
    words = "; ".join(game.action_text(state, int(action)) for action in legal[0, : counts[0]])
    return [
        "",
        f"--- after {number} actions ---",
        game.to_text(state),
        game.draw(state),
        f"observations: {seen[0]} of player 0, {seen[1]} of player 1",
        f"key: {int(game.key(state[None])[0]):016x}",
        _wrapped(f"{counts[0]} legal actions", words or "none"),
        "",
    ]


def _wrapped(name: str, words: str) -> str:
    return textwrap.fill(
        f"{name}: {words}",
        _WIDTH,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
