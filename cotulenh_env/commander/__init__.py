"""Commander Chess (Cờ tư lệnh): rules, positions, records, and the game as search knows it.

Rules can be had without the compiler that everything else needs, so the rest is loaded when it is
asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cotulenh_env.commander.problems import Problem, ProblemKind
from cotulenh_env.commander.rules import RuleSet

if TYPE_CHECKING:
    from cotulenh_env.commander.notation import (
        NotationStyle,
        parse_turn,
        split_turns,
        turn_text,
    )
    from cotulenh_env.commander.position import LegalMove, Position
    from cotulenh_env.commander.queries import Deployment, Material, Piece
    from cotulenh_env.commander.records import GameRecord, RecordedTurn
    from cotulenh_env.commander.records_npz import (
        GameArrays,
        load_game_arrays,
        load_records,
        save_records,
    )
    from cotulenh_env.commander.records_text import read_records, validate_records, write_records

__all__ = [
    "Deployment",
    "GameArrays",
    "GameRecord",
    "LegalMove",
    "Material",
    "NotationStyle",
    "Piece",
    "Position",
    "Problem",
    "ProblemKind",
    "RecordedTurn",
    "RuleSet",
    "load_game_arrays",
    "load_records",
    "parse_turn",
    "read_records",
    "save_records",
    "split_turns",
    "turn_text",
    "validate_records",
    "write_records",
]

_MODULES = {
    "notation": ("NotationStyle", "parse_turn", "split_turns", "turn_text"),
    "position": ("LegalMove", "Position"),
    "queries": ("Deployment", "Material", "Piece"),
    "records": ("GameRecord", "RecordedTurn"),
    "records_npz": ("GameArrays", "load_game_arrays", "load_records", "save_records"),
    "records_text": ("read_records", "validate_records", "write_records"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
