"""Luzhanqi (army chess, dark): two modes on one board, and the games as search knows them.

Rules can be had without the compiler that everything else needs, so the rest is loaded when it is
asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cotulenh_env.luzhanqi.rules import FlipRuleSet, RefereeRuleSet

if TYPE_CHECKING:
    from cotulenh_env.luzhanqi.game import LuzhanqiFlip, LuzhanqiReferee
    from cotulenh_env.luzhanqi.position import FlipPosition, RefereePosition

__all__ = [
    "FlipPosition",
    "FlipRuleSet",
    "LuzhanqiFlip",
    "LuzhanqiReferee",
    "RefereePosition",
    "RefereeRuleSet",
]

_HOMES = {
    "FlipPosition": "position",
    "LuzhanqiFlip": "game",
    "LuzhanqiReferee": "game",
    "RefereePosition": "position",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
