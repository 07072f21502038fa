"""`cotulenh perft`: counts action sequences of each length, to compare rules between programs."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from cotulenh_env.game import Game, States
from training.commands.arguments import chosen_rules, game_parser
from training.commands.output import tell
from training.errors import ConfigError
from training.setting_checks import check_number

_BYTES_PER_LEVEL = 32 << 20
"""Memory of the states and legal actions that are open at one depth."""

_MAX_DEPTH = 64


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        CotulenhError: the position, the rules or the depth make no sense.
    """
    parser, game, flags = game_parser(
        "cotulenh perft",
        "Count the sequences of legal actions of each length up to --depth. Each part of a "
        "deployment, and its end, is an action.",
        argv,
    )
    parser.add_argument("--fen", type=str, default=None, help="the position; default: the start")
    parser.add_argument("--depth", type=int, default=3, help="the longest sequences counted")
    parser.add_argument("--divide", action="store_true", help="also count below each first action")
    parsed = parser.parse_args(flags)
    check_number("--depth", parsed.depth, 1, _MAX_DEPTH)
    if game.spec.has_chance:
        raise ConfigError(f"--game {game.spec.name} has chance: its actions have no single result")
    rules = chosen_rules(game, parsed)
    if parsed.fen is None:
        state = game.new_states(1, np.random.default_rng(0), rules)
    else:
        state = game.from_text(parsed.fen, rules)[None]
    perft(game, state, 1)  # compiles before the clock starts
    tell(f"{'depth':>5} {'sequences':>15} {'seconds':>9} {'per second':>13}")
    for depth in range(1, parsed.depth + 1):
        start = time.perf_counter()
        count = perft(game, state, depth)
        seconds = time.perf_counter() - start
        tell(f"{depth:>5} {count:>15,} {seconds:>9.3f} {count / seconds:>13,.0f}")
    if parsed.divide:
        _print_divide(game, state, parsed.depth)
    return 0


def perft(game: Game, states: States, depth: int) -> int:
    """The number of sequences of `depth` legal actions from the given states.

    A game that has a faster way offers it as a method `perft(states, depth) -> int`.

    Args:
        game: a game without chance.
        states: uint8 [n, state_size].
        depth: length of the sequences, at least 0; games that end earlier do not count.
    """
    own = getattr(game, "perft", None)
    if own is not None:
        return int(own(states, depth))
    if depth == 0:
        return len(states)
    row_bytes = 4 * game.spec.max_legal_actions + game.spec.state_size
    num_rows = max(1, _BYTES_PER_LEVEL // row_bytes)
    return sum(
        _count_block(game, states[start : start + num_rows], depth, num_rows)
        for start in range(0, len(states), num_rows)
    )


def _count_block(game: Game, states: States, depth: int, num_rows: int) -> int:
    legal_actions, counts = game.legal_actions(states)
    if depth == 1:
        return int(counts.sum())
    parents = np.repeat(np.arange(len(states)), counts)
    actions = legal_actions[np.arange(legal_actions.shape[1]) < counts[:, None]]
    total = 0
    for start in range(0, len(actions), num_rows):
        block = slice(start, start + num_rows)
        children, _ = game.apply(states[parents[block]], actions[block])
        total += _count_block(game, children, depth - 1, num_rows)
    return total


def _print_divide(game: Game, state: States, depth: int) -> None:
    legal_actions, counts = game.legal_actions(state)
    for action in legal_actions[0, : counts[0]]:
        child, _ = game.apply(state, np.array([action], np.int32))
        text = game.action_text(state[0], int(action))
        tell(f"{text:<20} {perft(game, child, depth - 1):>15,}")
