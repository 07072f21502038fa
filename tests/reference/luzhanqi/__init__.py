"""Luzhanqi read slowly from its rules: sets and dictionaries, the graph from a recorded file."""

from tests.reference.luzhanqi.flip import FlipGame, FlipOptions
from tests.reference.luzhanqi.referee import RefereeGame, RefereeOptions

__all__ = ["FlipGame", "FlipOptions", "RefereeGame", "RefereeOptions"]
