"""Banqi (4 × 8 dark chess): rules, positions, and the game as search knows it (docs/banqi.md).

Rules can be had without the compiler that everything else needs, so the rest is loaded when it is
asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cotulenh_env.banqi.rules import RuleSet

if TYPE_CHECKING:
    from cotulenh_env.banqi.game import Banqi
    from cotulenh_env.banqi.position import LegalMove, Outcome, Position

__all__ = ["Banqi", "LegalMove", "Outcome", "Position", "RuleSet"]

_HOMES = {"Banqi": "game", "LegalMove": "position", "Outcome": "position", "Position": "position"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
