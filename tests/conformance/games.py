"""The games that the suite looks at, and random games of each.

Every game of the registry is here by itself. What a game adds are rules to play by besides the
default ones, `RULES`: data, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env import registry
from cotulenh_env.game import Actions, Draws, Events, Game, States
from cotulenh_env.registry import game_names, load_game

NIM = {"nim": "tests.conformance.nim:Nim"}
"""The toy game of docs/adding_a_game.md. The fixture `game` registers it for one test at a time."""

GAMES = [*game_names(), *NIM]

RULES: dict[str, list[dict[str, Any]]] = {
    "banqi": [
        {"preset": "taiwanese"},
        {"preset": "taiwanese", "repetition": 4, "adjudicate_dead_material": True},
        {"cannon_takes_horse": True, "elimination": False, "quiet_limit": 9},
    ],
    "commander": [
        {"battle": "sea", "placement": True, "turn_limit": 60},
        {"battle": "full", "enforce_check": True, "turn_limit": 60},
        {"battle": "air", "allow_shoot_down": False, "turn_limit": 60},
        {"battle": "surprise", "enforce_check": True, "quiet_limit": 20},
        {"battle": "full", "placement": True, "repetition": 2, "turn_limit": 60},
        {"edition": "bga", "turn_limit": 60},
        {"edition": "russian", "battle": "full", "exposure": "loss", "turn_limit": 60},
    ],
    "cwda": [
        {"white_army": "FF", "black_army": "CC"},
        {"white_army": "NN", "black_army": "RR"},
        {"white_army": "AM", "black_army": "FW"},
    ],
    "luzhanqi_flip": [{"repetition": 3, "suicide": True, "hq_lock": "entered"}],
    "luzhanqi_referee": [{"placement": "agents"}],
    "nim": [{"misere": True}],
}
"""Options of rules to try besides the default ones."""

MAX_ACTIONS = 5_000
"""No random game of these rules is nearly as long."""

_GAMES_PER_RULES = 2


@dataclass(frozen=True)
class Course:
    """Random games of one kind, played side by side: all decisions, in order, and all ends.

    Attributes:
        game: what is played.
        states: uint8 [num_decisions, state_size].
        actions: int32 [num_decisions], random.
        draws: float64 [num_decisions].
        events: int32 [num_decisions].
        after: uint8 [num_decisions, state_size].
        finals: uint8 [num_games, state_size]: where games stood that did not go on.
    """

    game: Game
    states: States
    actions: Actions
    draws: Draws
    events: Events
    after: States
    finals: States

    def some(self, num_decisions: int) -> npt.NDArray[np.int64]:
        """Indices of so many decisions, spread over the games."""
        num_all = len(self.states)
        return np.unique(np.linspace(0, num_all - 1, min(num_decisions, num_all)).astype(np.int64))

    def some_states(self, num_states: int) -> States:
        """So many states, ends of games among them."""
        states = self.states[self.some(num_states - len(self.finals))]
        return np.concatenate([states, self.finals])


def rules_of(game: Game) -> list[Any]:
    """The rules that a game is tried by, RuleSets."""
    options = [{}, *RULES.get(game.spec.name, [])]
    return [game.make_rules(**chosen) for chosen in options]


def starts_of(game: Game, num_games: int = 1, seed: int = 0) -> States:
    """New games, so many by each of the rules."""
    rules = [rules for rules in rules_of(game) for _ in range(num_games)]
    return game.new_states(len(rules), np.random.default_rng(seed), rules)


def random_actions(game: Game, states: States, rng: np.random.Generator) -> Actions:
    """A legal action for every row; no row is finished."""
    legal, counts = game.legal_actions(states)
    chosen: Actions = legal[np.arange(len(states)), (rng.random(len(states)) * counts).astype(int)]
    return chosen


@cache
def course_of(name: str) -> Course:
    """Random games by each of the rules."""
    game = registry.load_game(name)
    rng = np.random.default_rng(1)
    states = starts_of(game, _GAMES_PER_RULES)
    steps: list[tuple[Any, ...]] = []
    finals: list[States] = []
    for _ in range(MAX_ACTIONS):
        is_over = game.is_terminal(states)
        finals.append(states[is_over])
        states = states[~is_over]
        if not len(states):
            break
        actions, draws = random_actions(game, states, rng), rng.random(len(states))
        after, events = game.apply(states, actions, draws)
        steps.append((states, actions, draws, events, after))
        states = after
    started, played, drawn, told, came = (np.concatenate(p) for p in zip(*steps, strict=True))
    return Course(game, started, played, drawn, told, came, np.concatenate([*finals, states]))


def load(name: str) -> Game:
    """The game of that name in a program of its own, the toy game, too."""
    registry._GAMES.update(NIM)
    return load_game(name)
