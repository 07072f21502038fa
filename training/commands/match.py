"""`cotulenh match`: plays two agents against each other and prints the result with its interval."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

import agents
from agents.agent import Agent
from agents.inference_names import INFERENCE_NAMES
from cotulenh_env.game import Game
from training.allocator import keep_freed_memory
from training.arena import MatchResult, MatchSettings, play_match
from training.commands.arguments import chosen_rules, game_parser
from training.commands.tables import reason_table, result_table
from training.errors import ConfigError
from training.progress import Progress

logger = logging.getLogger(__name__)

_MAX_GAMES = 1_000_000


def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        CotulenhError: an agent, the rules or a number makes no sense.
    """
    parser, game, flags = game_parser(
        "cotulenh match",
        "Play two agents against each other. Every random opening is played twice, with colours "
        f"swapped. An agent is one of {', '.join(agents.agent_names())}, or the folder of a run or "
        "checkpoint.",
        argv,
    )
    parser.add_argument("--red", type=str, required=True, help="the agent whose results are told")
    parser.add_argument("--blue", type=str, required=True, help="its opponent")
    parser.add_argument("--games", type=int, default=100, help="even, unless colours stay")
    parser.add_argument(
        "--simulations", type=int, default=64, help="per action, where one searches"
    )
    parser.add_argument("--openings", type=int, default=4, help="random turns before each game")
    parser.add_argument("--fixed_colours", action="store_true", help="--red is always Red")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness")
    parser.add_argument("--device", type=str, default="cpu", help="for networks: cpu or cuda")
    parser.add_argument(
        "--inference",
        type=str,
        default="torch-float32",
        help=f"how networks are computed: auto, {', '.join(INFERENCE_NAMES)}",
    )
    parsed = parser.parse_args(flags)
    for name, lowest, highest in (
        ("games", 1, _MAX_GAMES),
        ("simulations", 1, 1_000_000),
        ("openings", 0, 10_000),
        ("seed", 0, 2**63),
    ):
        if not lowest <= parsed[name] <= highest:
            raise ConfigError(f"--{name} must be from {lowest} to {highest}, got {parsed[name]}")
    if parsed.games % 2 and not parsed.fixed_colours:
        raise ConfigError(
            f"--games must be even, every opening is played twice, got {parsed.games}"
        )
    if parsed.device not in ("cpu", "cuda"):
        raise ConfigError(f"--device is cpu or cuda, got {parsed.device!r}")
    if parsed.inference not in ("auto", *INFERENCE_NAMES):
        raise ConfigError(
            f"--inference is auto or one of {', '.join(INFERENCE_NAMES)}, got {parsed.inference!r}"
        )
    rules = chosen_rules(game, parsed)
    keep_freed_memory()
    of_networks = {
        "num_simulations": parsed.simulations,
        "device": parsed.device,
        "inference": parsed.inference,
    }
    players = [_agent(name, game, of_networks) for name in (parsed.red, parsed.blue)]
    progress = Progress()
    result = play_match(
        game,
        (players[0], players[1]),
        MatchSettings(parsed.games, parsed.openings, swap=not parsed.fixed_colours),
        np.random.default_rng(parsed.seed),
        rules,
        on_finished=lambda done: progress.update(f"{done}/{parsed.games} games finished"),
    )
    progress.close()
    print(_text(parsed.red, parsed.blue, result))
    return 0


def _agent(name: str, game: Game, of_networks: dict[str, Any]) -> Agent:
    options: dict[str, Any] = {}
    if name not in agents.agent_names():
        options = of_networks
    elif name == "mcts":
        options = {"num_simulations": of_networks["num_simulations"]}
    return agents.load(name, game=game, **options)


def _text(red: str, blue: str, result: MatchResult) -> str:
    rows = {f"{red} against {blue}": result}
    by_seat = [tuple(game for game in result.games if game.seat == seat) for seat in (0, 1)]
    if all(by_seat):
        rows |= {
            f"  {red} moving {order}": MatchResult(games)
            for order, games in zip(("first", "second"), by_seat, strict=True)
        }
    turns = [game.num_turns for game in result.games]
    lengths = (
        f"turns per game: mean {np.mean(turns):.1f}, shortest {min(turns)}, longest {max(turns)}"
    )
    return "\n".join([result_table(rows), "", reason_table(result), "", lengths])
