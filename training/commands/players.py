"""What `match` and `tournament` share: how games are played, by whom, and where they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jsonargparse

import agents
from agents.agent import Agent
from agents.inference_names import INFERENCE_NAMES
from agents.mcts_agent import MCTSAgent
from agents.randomised import RandomisedAgent
from agents.specs import AgentSpec, parse_agent_spec, unique_labels
from cotulenh_env.game import Game
from cotulenh_env.game_records import save_played_games
from cotulenh_env.played_game import GameWriter, PlayedGame
from training.arena import MatchSettings, Pair
from training.commands.arguments import check_file, check_is_text
from training.errors import ConfigError
from training.match_result import MatchResult
from training.setting_checks import check_number

MAX_GAMES = 1_000_000
_MAX_THREADS = 256
_NUM_SIMULATIONS = 64


def agents_help() -> str:
    """How agents are written, for the help of a command."""
    return (
        f"An agent is one of {', '.join(agents.agent_names())}, or the folder of a run or "
        "checkpoint, and may have options: mcts:num_simulations=200,temperature=0.5."
    )


def add_play_flags(parser: jsonargparse.ArgumentParser) -> None:
    """Adds the flags that say how games are played."""
    parser.add_argument(
        "--simulations",
        type=int,
        default=None,
        help="per action, where an agent searches and sets no limit of its own; "
        f"{_NUM_SIMULATIONS} by default",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=None,
        help="the same in seconds per action, in place of --simulations; the games then depend on "
        "the speed of the machine",
    )
    parser.add_argument("--openings", type=int, default=4, help="random turns before each game")
    parser.add_argument("--seed", type=int, default=0, help="of all randomness")
    parser.add_argument(
        "--num_threads", type=int, default=1, help="threads that play; the games stay the same"
    )
    parser.add_argument(
        "--games_in_batch",
        type=int,
        default=16,
        help="games that one thread plays side by side; the games depend on it",
    )
    parser.add_argument("--device", type=str, default="cpu", help="for networks: cpu or cuda")
    parser.add_argument(
        "--inference",
        type=str,
        default="torch-float32",
        help=f"how networks are computed: auto, {', '.join(INFERENCE_NAMES)}",
    )
    parser.add_argument(
        "--save",
        type=str,
        default=None,
        help="file for the games as records: text, or arrays when it ends in .npz",
    )


def checked_settings(
    parsed: jsonargparse.Namespace, num_games: int, swap: bool = True
) -> MatchSettings:
    """The settings of one match from the flags.

    Raises:
        ConfigError: a flag makes no sense.
    """
    if parsed.simulations is not None:
        check_number("--simulations", parsed.simulations, 1, 1_000_000)
        if parsed.seconds is not None:
            raise ConfigError("--simulations and --seconds both limit an action: leave one out")
    for name, lowest, highest in (
        ("openings", 0, 10_000),
        ("seed", 0, 2**63),
        ("num_threads", 1, _MAX_THREADS),
        ("games_in_batch", 2, 100_000),
    ):
        check_number(f"--{name}", parsed[name], lowest, highest)
    if parsed.seconds is not None:
        check_number("--seconds", parsed.seconds, 1e-6, 86_400)
    check_number("--games", num_games, 1, MAX_GAMES)
    if num_games % 2 and swap:
        raise ConfigError(f"--games must be even, every opening is played twice, got {num_games}")
    if parsed.device not in ("cpu", "cuda"):
        raise ConfigError(f"--device is cpu or cuda, got {parsed.device!r}")
    if parsed.inference not in ("auto", *INFERENCE_NAMES):
        raise ConfigError(
            f"--inference is auto or one of {', '.join(INFERENCE_NAMES)}, got {parsed.inference!r}"
        )
    return MatchSettings(
        num_games, parsed.openings, swap, parsed.games_in_batch, parsed.save is not None
    )


@dataclass(frozen=True)
class Players:
    """The agents of a match or tournament.

    Attributes:
        labels: of the agents in tables, all different.
        specs: what they were made from.
        agents: for every thread, all of them.
    """

    labels: list[str]
    specs: list[AgentSpec]
    agents: list[list[Agent]]

    def pairs(self, first: int, second: int) -> list[Pair]:
        """Two of the agents, once for every thread."""
        return [(own[first], own[second]) for own in self.agents]


def load_players(
    texts: Sequence[str], game: Game, parsed: jsonargparse.Namespace, most_threads: int
) -> Players:
    """Makes the agents.

    Args:
        texts: their specs.
        game: what they play.
        parsed: the flags of `add_play_flags`.
        most_threads: more have nothing to do.

    Raises:
        CotulenhError: a spec, an option or a folder makes no sense.
    """
    specs = [parse_agent_spec(text) for text in texts]
    limit: dict[str, Any] = {"num_simulations": parsed.simulations or _NUM_SIMULATIONS}
    if parsed.seconds is not None:
        limit = {"time_limit_seconds": parsed.seconds}
    defaults = {**limit, "device": parsed.device, "inference": parsed.inference}
    first = [spec.load(game, defaults) for spec in specs]
    everybody = [first]
    for _ in range(1, min(parsed.num_threads, most_threads)):
        everybody.append(
            [_again(spec, agent, game, defaults) for spec, agent in zip(specs, first, strict=True)]
        )
    return Players(unique_labels(specs), specs, everybody)


def _again(spec: AgentSpec, agent: Agent, game: Game, defaults: dict[str, Any]) -> Agent:
    """The same agent once more; inference that was chosen by measuring is not chosen again."""
    options = dict(spec.options)
    if isinstance(agent, RandomisedAgent):
        agent = agent.agent
    if isinstance(agent, MCTSAgent) and hasattr(agent.search.evaluator, "backend"):
        options["inference"] = agent.search.evaluator.backend.name
    return AgentSpec(spec.text, spec.name, options).load(game, defaults)


class SavedGames:
    """The file that games are saved to, if any.

    Args:
        game: what is played.
        path: of the file, or None.
        event: what the games belong to, for their headers.
        seed: of all randomness, likewise.

    Raises:
        ConfigError: the file cannot be there, or the game has no records of that form.
    """

    def __init__(self, game: Game, path: str | None, event: str, seed: int) -> None:
        check_file("save", path)
        self._path = None if path is None else Path(path)
        self._tags = (("Event", event), ("Seed", str(seed)))
        self._games: list[PlayedGame] = []
        self._write: GameWriter | None = None
        if self._path is not None:
            self._write = game.game_writer() or partial(save_played_games, game)
            if game.game_writer() is None:
                check_is_text("save", path, game)

    def add(self, first: str, second: str, result: MatchResult) -> None:
        """Keeps the games of a match until `write`."""
        for number, game in enumerate(result.games, 1):
            if game.played is not None:
                red, blue = (first, second) if game.seat == 0 else (second, first)
                tags = (*self._tags, ("Round", str(number)), ("Red", red), ("Blue", blue))
                self._games.append(replace(game.played, tags=tags))

    def write(self) -> str | None:
        """Writes the file, if there is one.

        Returns:
            What has been done, in words.

        Raises:
            OSError: it cannot be written.
        """
        if self._path is None or self._write is None:
            return None
        self._write(self._path, self._games)
        return f"{len(self._games)} games saved in {self._path}"
