"""Games that agents have played, written to a file as records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cotulenh_env.commander.position import Position
from cotulenh_env.commander.records import GameRecord
from cotulenh_env.commander.records_npz import save_records
from cotulenh_env.commander.records_text import write_records
from cotulenh_env.errors import RecordError
from cotulenh_env.played_game import PlayedGame
from cotulenh_env.record_source import is_arrays_file
from cotulenh_env.whole_file import write_whole_text


def write_played_games(path: Path, games: Sequence[PlayedGame]) -> None:
    """Writes games as records: as arrays when the name ends in .npz, otherwise as text.

    Args:
        path: of the file. One that is there is replaced once the new one is whole.
        games: legal ones.

    Raises:
        RecordError: a game cannot be recorded, or the path names no regular file.
        OSError: the file cannot be written.
    """
    records = [
        GameRecord.from_game(Position.from_state(game.start), game.actions, tags=game.tags)
        for game in games
    ]
    if is_arrays_file(path):
        save_records(path, records)
        return
    write_whole_text(path, write_records(records), RecordError)
