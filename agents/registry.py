"""Agents by name, or from a folder that holds a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents.agent import Agent
from agents.checks import checked_count, checked_number
from agents.errors import AgentError
from agents.evaluator import Evaluator, RolloutEvaluator, UniformEvaluator
from agents.greedy import GreedyAgent
from agents.random_agent import RandomAgent
from agents.randomised import RandomisedAgent
from cotulenh_env.errors import shown
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game

_DATA = Path(__file__).parent / "data"
"""A folder of weights for every game that a network comes with."""

_MAX_POINTER_BYTES = 4096
_MAX_ROLLOUTS = 10_000
_TIMED_BATCH_SIZE = 64
"""Games played side by side are not known yet when inference is chosen by measurement."""

_RANDOM_FRACTION = "random_fraction"
"""The option of any agent that lists it, see `RandomisedAgent`."""

_SEARCH_OPTIONS: dict[str, Any] = {
    "num_simulations": 64,
    "algorithm": "gumbel",
    "max_num_considered_actions": 16,
    "maxvisit_init": 50.0,
    "value_scale": 0.1,
    "gumbel_scale": 0.0,
    "rescale_values": True,
    "c_puct": 1.25,
    "c_puct_base": 19652.0,
    "fpu_reduction": 0.2,
    "root_fpu_reduction": 0.0,
    "dirichlet_alpha": None,
    "dirichlet_fraction": 0.0,
    "find_wins": False,
    "reuse_subtrees": False,
    "max_tree_megabytes": 4096,
    "temperature": 0.0,
    "time_limit_seconds": None,
    _RANDOM_FRACTION: 0.0,
}
"""Those of `SearchSettings`, and the temperature, without the noise of training."""


def agent_names(game: str | Game | None = None) -> list[str]:
    """The names that `load` knows.

    Args:
        game: only those that play this game, or the game of this name; None: all.
    """
    if game is None:
        return sorted(_AGENTS)
    wanted = game if isinstance(game, str) else game.spec.name
    return sorted(name for name in _AGENTS if wanted in _ONLY_GAMES.get(name, (wanted,)))


def option_names(name: str | Path) -> tuple[str, ...]:
    """The options that `load` takes for an agent: of a name it knows, or of a folder.

    Raises:
        AgentError: the name is unknown.
    """
    if isinstance(name, str) and name in _AGENTS:
        return tuple(_AGENTS[name][1])
    _existing_folder(name)
    return tuple(_NETWORK_OPTIONS)


def load(name: str | Path, game: str | Game | None = None, **options: Any) -> Agent:
    """An agent by name, or the network in a folder together with search.

    Names and their options:

        random
        greedy   num_actions_ahead
        alphabeta
                 Commander Chess only: depth, time_limit_seconds, num_nodes, table_megabytes
        mcts     search without a network: options of search, seed, num_rollouts,
                 evaluator ("score", "rollout" or "uniform"; None chooses)
        pretrained
                 the network that comes with the package, for Commander Chess: as a path
        a path   options of search, device, inference (how the network is computed:
                 "torch-float32", "torch-bfloat16", "onnx-float32", "onnx-int8"; "auto" measures)

    Options of search, explained in `agents.search.SearchSettings`: num_simulations, algorithm
    ("gumbel" or "puct"), rescale_values, find_wins, reuse_subtrees, max_tree_megabytes, temperature
    (0 plays the best action), time_limit_seconds (per action, in place of num_simulations);
    of Gumbel max_num_considered_actions, maxvisit_init, value_scale, gumbel_scale; of PUCT c_puct,
    c_puct_base, fpu_reduction, root_fpu_reduction, dirichlet_alpha, dirichlet_fraction.

    All but random take random_fraction, too: the share of actions that are random instead.

    Args:
        name: one of `agent_names()`; or a folder written by `agents.weights.save_weights`, a
            checkpoint, or a run, whose latest checkpoint is taken.
        game: the game to play, or its name. None: Commander Chess, or the network's own game.
        **options: of the agent.

    Raises:
        AgentError: the name or an option is unknown, or an option's value makes no sense.
        UnknownGameError: there is no such game.
        WeightsError: the folder's files are damaged or of another game.
    """
    return make_agent(name, game, options)


def make_agent(name: str | Path, game: str | Game | None, options: Mapping[str, Any]) -> Agent:
    """`load` for options whose names may be anything, as where a user wrote them.

    Raises:
        CotulenhError: see `load`.
    """
    if isinstance(game, str):
        game = load_game(game)
    if isinstance(name, str) and name in _AGENTS:
        make, defaults = _AGENTS[name]
        chosen = _with_defaults(f"agent {name!r}", defaults, options)
        random_fraction = chosen.pop(_RANDOM_FRACTION, 0)
        agent = make(load_game("commander") if game is None else game, **chosen)
    else:
        folder = _existing_folder(name)
        chosen = _with_defaults(f"the agent in {folder}", _NETWORK_OPTIONS, options)
        random_fraction = chosen.pop(_RANDOM_FRACTION)
        agent = _network_agent(folder, game, **chosen)
    checked_number(_RANDOM_FRACTION, random_fraction, largest=1)
    return agent if random_fraction == 0 else RandomisedAgent(agent, random_fraction)


def _existing_folder(name: object) -> Path:
    folder = weights_folder(name)
    if folder is None:
        raise AgentError(
            f"unknown agent {shown(name)}: agents are {', '.join(agent_names())}, "
            "or the path of a checkpoint or run"
        )
    return folder


def _with_defaults(
    what: str, defaults: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    for option in options:
        if option not in defaults:
            known = f"its options are {', '.join(defaults)}" if defaults else "it has no options"
            raise AgentError(f"unknown option {shown(option)} of {what}: {known}")
    if options.get("num_simulations") is not None and options.get("time_limit_seconds") is not None:
        raise AgentError(
            f"{what} is given both num_simulations and time_limit_seconds: leave one out"
        )
    return {**defaults, **options}


def weights_folder(name: object) -> Path | None:
    """The folder of weights that a path means: itself, or the latest checkpoint of a run."""
    if not isinstance(name, str | Path):
        return None
    path = Path(name)
    try:
        for candidate in (path, path / "checkpoints" / "latest", path / "latest"):
            if (candidate / "meta.json").exists():
                return candidate
            # Where links cannot be made, `latest` is a file that holds the folder's name.
            if candidate.is_file() and candidate.stat().st_size <= _MAX_POINTER_BYTES:
                target = Path(candidate.read_text(encoding="utf-8").strip())
                is_inside = not target.is_absolute() and ".." not in target.parts
                if is_inside and (candidate.parent / target / "meta.json").exists():
                    return candidate.parent / target
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no path"
        raise AgentError(f"{shown(str(path))} cannot be read: {reason}") from None
    if path.is_dir():
        raise AgentError(f"folder {path} holds no network, checkpoint or run")
    return None


def _random_agent(game: Game) -> Agent:
    return RandomAgent(game)


def _greedy_agent(game: Game, num_actions_ahead: Any) -> Agent:
    return GreedyAgent(game, checked_count("num_actions_ahead", num_actions_ahead, 1))


def _alphabeta_agent(game: Game, **settings: Any) -> Agent:
    from agents.alphabeta import AlphaBetaAgent, AlphaBetaSettings

    return AlphaBetaAgent(game, AlphaBetaSettings(**settings))


def _mcts_agent(
    game: Game,
    gumbel_scale: Any,
    dirichlet_fraction: Any,
    value_scale: Any,
    temperature: Any,
    time_limit_seconds: Any,
    evaluator: Any,
    seed: Any,
    num_rollouts: Any,
    **settings: Any,
) -> Agent:
    """Search without a network.

    By the score where the game has one (playouts of a long game say little, and cost much);
    otherwise by random playouts. What is None is chosen for the evaluator, by matches:
    by score many actions look alike, so a little noise chooses among them, not their number;
    playouts are noisy, so a few of them are trusted less.
    """
    from agents.mcts_agent import MCTSAgent
    from agents.score_evaluator import ScoreEvaluator
    from agents.search import SearchSettings

    if evaluator is None:
        evaluator = "rollout" if type(game).score is Game.score else "score"
    checked_count("seed", seed, 0)
    checked_count("num_rollouts", num_rollouts, 1, _MAX_ROLLOUTS)
    makers: dict[object, Callable[[], Evaluator]] = {
        "score": lambda: ScoreEvaluator(game),
        "rollout": lambda: RolloutEvaluator(game, seed, num_rollouts),
        "uniform": UniformEvaluator,
    }
    if not isinstance(evaluator, str) or evaluator not in makers:
        names = ", ".join(map(str, makers))
        raise AgentError(f"unknown evaluator {shown(evaluator)} of agent 'mcts': there are {names}")
    if value_scale is None:
        value_scale = 0.03 if evaluator == "rollout" else 0.1
    if gumbel_scale is None:
        gumbel_scale = 0.3 if evaluator == "score" else 0.0
    if dirichlet_fraction is None:
        dirichlet_fraction = 0.25 if evaluator == "score" else 0.0
    return MCTSAgent(
        game,
        makers[evaluator](),
        SearchSettings(value_scale=value_scale, **settings),
        gumbel_scale=gumbel_scale,
        dirichlet_fraction=dirichlet_fraction,
        temperature=temperature,
        time_limit_seconds=time_limit_seconds,
    )


def _network_agent(
    folder: Path,
    game: Game | None,
    gumbel_scale: Any,
    dirichlet_fraction: Any,
    temperature: Any,
    time_limit_seconds: Any,
    device: Any,
    inference: Any,
    **settings: Any,
) -> Agent:
    from agents.devices import checked_device
    from agents.inference import BackendEvaluator, choose_backend
    from agents.mcts_agent import MCTSAgent
    from agents.search import SearchSettings
    from agents.weights import load_weights

    search_settings = SearchSettings(**settings)
    device = checked_device(device)
    loaded = load_weights(folder, device, game=game)
    backend = choose_backend(
        inference, loaded.game, loaded.network, device, _TIMED_BATCH_SIZE, loaded.rules
    )
    return MCTSAgent(
        loaded.game,
        BackendEvaluator(loaded.game, backend),
        search_settings,
        gumbel_scale=gumbel_scale,
        dirichlet_fraction=dirichlet_fraction,
        temperature=temperature,
        time_limit_seconds=time_limit_seconds,
        name=folder.name,
    )


def _pretrained_agent(game: Game, **options: Any) -> Agent:
    if game.spec.name not in _ONLY_GAMES["pretrained"]:
        raise AgentError(f"there is no pretrained network for {game.spec.name}")
    agent = _network_agent(_DATA / game.spec.name, game, **options)
    agent.name = "pretrained"
    return agent


_NETWORK_OPTIONS: dict[str, Any] = {
    **_SEARCH_OPTIONS,
    "device": "cpu",
    "inference": "torch-float32",
}

_AGENTS: dict[str, tuple[Callable[..., Agent], dict[str, Any]]] = {
    "alphabeta": (
        _alphabeta_agent,
        {
            "depth": None,
            "time_limit_seconds": None,
            "num_nodes": None,
            "table_megabytes": 8,
            _RANDOM_FRACTION: 0.0,
        },
    ),
    "pretrained": (
        _pretrained_agent,
        # As it was trained, but that values weigh less: with many simulations they weigh more
        # anyway, and in matches of 400 they weighed too much (docs/strength.md).
        {**_NETWORK_OPTIONS, "rescale_values": False, "value_scale": 0.1, "find_wins": True},
    ),
    "random": (_random_agent, {}),
    "greedy": (_greedy_agent, {"num_actions_ahead": 2, _RANDOM_FRACTION: 0.0}),
    "mcts": (
        _mcts_agent,
        {
            **_SEARCH_OPTIONS,
            "num_simulations": 200,
            "value_scale": None,
            "gumbel_scale": None,
            "dirichlet_fraction": None,
            "evaluator": None,
            "seed": 0,
            "num_rollouts": 8,
        },
    ),
}
"""Name → how to make the agent, and its options with their defaults."""

_ONLY_GAMES = {
    "alphabeta": ("commander",),
    "pretrained": tuple(sorted(path.parent.name for path in _DATA.glob("*/meta.json"))),
}
"""Agents that do not play every game, and those they play."""
