"""Chess with Different Armies: rules, positions, and the game as search knows it.

Rules can be had without the compiler that everything else needs, so the rest is loaded when it is
asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cotulenh_env.cwda.armies import ARMIES, Army
from cotulenh_env.cwda.rules import RuleSet

if TYPE_CHECKING:
    from cotulenh_env.cwda.game import DifferentArmies
    from cotulenh_env.cwda.position import LegalMove, Position

__all__ = ["ARMIES", "Army", "DifferentArmies", "LegalMove", "Position", "RuleSet"]

_HOMES = {"DifferentArmies": "game", "LegalMove": "position", "Position": "position"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
