"""Games by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from cotulenh_env.errors import UnknownGameError, shown
from cotulenh_env.game import Game

_GAMES: dict[str, str] = {
    "banqi": "cotulenh_env.banqi.game:Banqi",
    "commander": "cotulenh_env.commander.game:CommanderChess",
    "cwda": "cotulenh_env.cwda.game:DifferentArmies",
    "luzhanqi_flip": "cotulenh_env.luzhanqi.game:LuzhanqiFlip",
    "luzhanqi_referee": "cotulenh_env.luzhanqi.game:LuzhanqiReferee",
    "tictactoe": "cotulenh_env.tictactoe.game:TicTacToe",
}
"""Name → where the class lies. Imported at first use: a game's tables and kernels cost time."""


def game_names() -> list[str]:
    """The names that `load_game` knows."""
    return sorted(_GAMES)


def load_game(name: str) -> Game:
    """The game of that name; the same object at every call.

    Args:
        name: one of `game_names()`.

    Raises:
        UnknownGameError: there is no such game.
    """
    given: object = name
    if not isinstance(given, str) or given not in _GAMES:
        known = ", ".join(game_names())
        raise UnknownGameError(f"unknown game {shown(name)}: the games are {known}")
    return _load(name)


@cache
def _load(name: str) -> Game:
    module, _, attribute = _GAMES[name].partition(":")
    factory: Callable[[], Game] = getattr(import_module(module), attribute)
    return factory()
