"""What we compare ourselves with: chess of PettingZoo, chess and Banqi of OpenSpiel.

Both come with the extra `bench`. Every function imports its library, which raises
ModuleNotFoundError where it is missing.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from training.bench.random_play import NUM_PLIES
from training.bench.settings import BenchSettings
from training.bench.timing import Work


def choose_by_mask(rng: np.random.Generator, env: Any, observation: Any, info: Any) -> int:
    """A random action as one finds it in PettingZoo's mask."""
    legal = np.flatnonzero(observation["action_mask"])
    return int(legal[int(rng.random() * len(legal))])


def pettingzoo_chess() -> Any:
    """PettingZoo's chess_v6 without wrappers."""
    from pettingzoo.classic.chess.chess import raw_env

    return raw_env()


def open_spiel_batch(settings: BenchSettings, rng: np.random.Generator) -> tuple[Work, str]:
    """Chess games side by side, each with its observation and its mask as arrays after every step.

    Actions are chosen from OpenSpiel's own list, which is quicker than from the mask.
    """
    import pyspiel

    game = pyspiel.load_game("chess")
    plies = random.Random(settings.seed)
    states = [_position(game, row % NUM_PLIES, plies) for row in range(settings.num_games)]
    # What the environment's user would hold: arrays of the current positions.
    observations: list[Any] = [None] * settings.num_games
    masks: list[Any] = [None] * settings.num_games

    def work() -> float:
        for _ in range(settings.num_open_spiel_steps):
            for row, draw in enumerate(rng.random(settings.num_games).tolist()):
                state = states[row]
                legal = state.legal_actions()
                state.apply_action(legal[int(draw * len(legal))])
                if state.is_terminal():
                    states[row] = state = game.new_initial_state()
                observations[row] = np.asarray(state.observation_tensor(), np.float32)
                masks[row] = np.asarray(state.legal_actions_mask(), np.int8)
        return settings.num_open_spiel_steps * settings.num_games

    return work, ""


def playouts_name(game_name: str) -> str:
    """The row of `open_spiel_playouts`."""
    return f"OpenSpiel {game_name} playouts in C++"


def open_spiel_playouts(settings: BenchSettings, game_name: str) -> tuple[Work, str]:
    """Random games in C++: one evaluation of the start by `RandomRolloutEvaluator`.

    Nobody counts its steps. They are taken as the number of games times the mean length of random
    games that Python plays beforehand. Chance nodes are no steps.

    Args:
        settings: how many games.
        game_name: OpenSpiel's.
    """
    import pyspiel

    game = pyspiel.load_game(game_name)
    length, num_legal = _means(game, settings)
    evaluator = pyspiel.RandomRolloutEvaluator(settings.num_rollouts, settings.seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1_000, False, settings.seed, False)
    start = game.new_initial_state()

    def work() -> float:
        bot.step(start)  # one simulation: the root is evaluated, and that is all
        return settings.num_rollouts * length

    return work, f"{num_legal:.0f} legal actions a position, {length:.0f} steps a game"


def _means(game: Any, settings: BenchSettings) -> tuple[float, float]:
    """Of random games: steps a game, legal actions a position."""
    rng = random.Random(settings.seed)
    num_steps = num_legal = 0
    for _ in range(settings.num_length_games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, shares)[0])
                continue
            legal = state.legal_actions()
            state.apply_action(rng.choice(legal))
            num_steps += 1
            num_legal += len(legal)
    return num_steps / settings.num_length_games, num_legal / num_steps


def open_spiel_clones(settings: BenchSettings) -> tuple[Work, str]:
    """Copies of one position in the middle of a game."""
    import pyspiel

    state = _position(pyspiel.load_game("chess"), 40, random.Random(settings.seed))

    def work() -> float:
        clone = state.clone
        for _ in range(settings.num_copies):
            clone()
        return settings.num_copies

    return work, ""


def open_spiel_search(settings: BenchSettings) -> tuple[Work, str]:
    """OpenSpiel's search in Python over positions of random games, with a null evaluator."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("chess")
    rng = random.Random(settings.seed)
    positions = [_position(game, row % NUM_PLIES, rng) for row in range(settings.num_searches)]
    bot = mcts.MCTSBot(
        game,
        1.4,
        settings.num_simulations,
        _NullEvaluator(),
        random_state=np.random.RandomState(settings.seed),
        child_selection_fn=mcts.SearchNode.puct_value,
    )

    def work() -> float:
        for position in positions:
            bot.mcts_search(position)
        return settings.num_searches * settings.num_simulations

    return work, ""


class _NullEvaluator:
    """OpenSpiel's counterpart of `UniformEvaluator`."""

    def __init__(self) -> None:
        self._values = np.zeros(2)

    def evaluate(self, state: Any) -> Any:
        """Every position is even."""
        return self._values

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Every action is equally likely."""
        legal = state.legal_actions()
        share = 1 / len(legal)
        return [(action, share) for action in legal]


def _position(game: Any, num_plies: int, rng: random.Random) -> Any:
    """An unfinished position after so many random actions."""
    while True:
        state = game.new_initial_state()
        for _ in range(num_plies):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state
