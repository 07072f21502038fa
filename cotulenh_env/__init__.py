"""Commander Chess and sister games as PettingZoo and Gymnasium environments.

Importing this package registers its environments by name and imports no game: that happens when
the first environment is made.

    import cotulenh_env
    import gymnasium
    import pettingzoo

    env = pettingzoo.make("aec", "cotulenh/commander_chess-v0", battle="sea")
    env = gymnasium.make("cotulenh/CommanderChess-v0", edition="bga")
    envs = gymnasium.make_vec("cotulenh/CommanderChess-v0", num_envs=64)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

if TYPE_CHECKING:
    from cotulenh_env import (
        banqi_v0,
        commander_chess_v0,
        cwda_v0,
        errors,
        luzhanqi_flip_v0,
        luzhanqi_referee_v0,
    )
    from cotulenh_env.registry import game_names, load_game

__all__ = [
    "banqi_v0",
    "commander_chess_v0",
    "cwda_v0",
    "errors",
    "game_names",
    "load_game",
    "luzhanqi_flip_v0",
    "luzhanqi_referee_v0",
]

_MODULES = (
    "banqi_v0",
    "commander_chess_v0",
    "cwda_v0",
    "errors",
    "luzhanqi_flip_v0",
    "luzhanqi_referee_v0",
)
_FROM_REGISTRY = ("game_names", "load_game")

_AEC_ENVIRONMENTS = {
    "cotulenh/banqi-v0": "cotulenh_env.banqi_v0:env",
    "cotulenh/commander_chess-v0": "cotulenh_env.commander_chess_v0:env",
    "cotulenh/cwda-v0": "cotulenh_env.cwda_v0:env",
    "cotulenh/luzhanqi_flip-v0": "cotulenh_env.luzhanqi_flip_v0:env",
    "cotulenh/luzhanqi_referee-v0": "cotulenh_env.luzhanqi_referee_v0:env",
}

_GYMNASIUM_ENVIRONMENTS = {
    "cotulenh/Banqi-v0": "cotulenh_env.banqi_v0",
    "cotulenh/CommanderChess-v0": "cotulenh_env.commander_chess_v0",
    "cotulenh/DifferentArmies-v0": "cotulenh_env.cwda_v0",
    "cotulenh/LuzhanqiFlip-v0": "cotulenh_env.luzhanqi_flip_v0",
    "cotulenh/LuzhanqiReferee-v0": "cotulenh_env.luzhanqi_referee_v0",
}
"""Id → the module whose `single_env` and `vector_env` make it."""


def __getattr__(name: str) -> Any:
    """Imports what is public here when it is first asked for."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _FROM_REGISTRY:
        return getattr(import_module(f"{__name__}.registry"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _register() -> None:
    for name, entry_point in _AEC_ENVIRONMENTS.items():
        if name not in pettingzoo.aec_registry:  # a reload would warn
            pettingzoo.register("aec", name, entry_point=entry_point)
    for name, module in _GYMNASIUM_ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{module}:single_env",
                vector_entry_point=f"{module}:vector_env",
            )


_register()
