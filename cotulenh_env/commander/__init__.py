"""Commander Chess (Cờ tư lệnh): rules, positions, and the game as search and training know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cotulenh_env.commander.problems import Problem, ProblemKind
from cotulenh_env.commander.rules import RuleSet

if TYPE_CHECKING:
    from cotulenh_env.commander.position import Position

__all__ = ["Position", "Problem", "ProblemKind", "RuleSet"]


def __getattr__(name: str) -> Any:
    # Rules can be had without the compiler that positions need.
    if name == "Position":
        from cotulenh_env.commander.position import Position

        return Position
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
