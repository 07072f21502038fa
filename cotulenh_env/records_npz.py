"""Games of any kind as arrays in an .npz file, for training data: compact, without pickle.

    events  int32 [k]  of each action: what chance or an announcement added, as Game.apply says

stands beside the arrays that files of every game have (`record_arrays.py`). All games of a file are
of one game, and free tags are not kept. Games whose records have a form of their own, such as
Commander Chess, have their own arrays, too (`commander/records_npz.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, RecordError, shown, shown_path
from cotulenh_env.game import Game
from cotulenh_env.npz_file import Column, checked_path, read_npz, write_npz
from cotulenh_env.record_arrays import (
    COMMON_COLUMNS,
    MAX_NPZ_BYTES,
    RESULT_TEXTS,
    CommonFields,
    Header,
    check_common_arrays,
    common_arrays,
    parse_header,
    part_of_game,
    read_header,
    require,
)
from cotulenh_env.record_fields import listed
from cotulenh_env.record_replay import GameRecord, rules_from_options
from cotulenh_env.registry import load_game

_COLUMNS = COMMON_COLUMNS | {"events": Column(np.int32)}


@dataclass(frozen=True)
class GameArrays:
    """Many games of one kind as arrays; `load_game_arrays` reads them from a file.

    Attributes:
        game: their name in the registry.
        rules: of each game, its RuleSet.
        starts: text of the position that each game starts from, None for the start of the rules.
        reasons: why each game ended.
        results: int8 [n], the winner: 0 or 1, -1 draw, -2 none.
        offsets: int64 [n + 1]; game i has `actions[offsets[i]:offsets[i + 1]]`.
        actions: int32 [k], of all games one after another.
        events: int32 [k], of the actions.
    """

    game: str
    rules: list[Any]
    starts: list[str | None]
    reasons: list[str]
    results: npt.NDArray[np.int8]
    offsets: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int32]
    events: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.results)

    def record(self, index: int) -> GameRecord:
        """One game as a record, replayed and compared with its recorded end.

        Raises:
            RecordError: it is not legal or ended otherwise than recorded, or there is no such game.
        """
        part = part_of_game(self.offsets, index)
        result = RESULT_TEXTS[int(self.results[index])]
        record = GameRecord.from_game(
            load_game(self.game),
            self.actions[part].tolist(),
            self.events[part].tolist(),
            rules=self.rules[index],
            start=self.starts[index],
            result=result,
            reason=self.reasons[index],
        )
        record.check_result(result)
        return record


def save_records(
    path: str | os.PathLike[str], records: Iterable[GameRecord], *, game: str | None = None
) -> None:
    """Writes games of one kind to an .npz file; each is replayed.

    Args:
        path: of the file, written as it is named. A file that is there is replaced once the new
            one is whole.
        records: the games.
        game: its name in the registry; None for that of the first record, if there is one.

    Raises:
        UnknownGameError: there is no game of that name.
        RecordError: a game is no GameRecord, not legal, ended otherwise than recorded, or of
            another kind; or the path can be that of no file.
        OSError: the file cannot be written.

    >>> import tempfile
    >>> record = GameRecord.from_game(load_game("tictactoe"), [0, 3, 1, 4, 2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.npz")
    ...     save_records(path, [record])
    ...     load_records(path) == [record]
    True
    """
    target = checked_path(path, RecordError)
    games = listed("games are GameRecords in a list", records)
    for record in games:
        if not isinstance(record, GameRecord):
            raise RecordError(f"games are GameRecords in a list, got {shown(record)}")
    if game is None and not games:
        raise RecordError("a file without games says which game it is of: name it")
    name = games[0].game if game is None else game
    _refuse_own_form(load_game(name))
    for number, record in enumerate(games, 1):
        if record.game != name:
            raise RecordError(f"game {number} is one of {shown(record.game)}, not of {name}")
        record.validate()
    common = (
        CommonFields(record.rules, record.start, record.reason, record.result, record.actions)
        for record in games
    )
    arrays = common_arrays(name, common)
    arrays["events"] = np.array([event for record in games for event in record.events], np.int32)
    write_npz(target, arrays, RecordError)


def load_records(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_NPZ_BYTES
) -> list[GameRecord]:
    """The games of a file that `save_records` wrote, each replayed.

    Args:
        path: of the file.
        max_bytes: a larger file is refused unread.

    Raises:
        RecordError: the file is damaged or none of these, or a game is not legal or ended otherwise
            than recorded.
    """
    arrays = load_game_arrays(path, max_bytes=max_bytes)
    records = []
    for index in range(len(arrays)):
        try:
            records.append(arrays.record(index))
        except CotulenhError as error:
            name = shown_path(Path(path))
            raise RecordError(f"game {index + 1} of {name}: {error}") from None
    return records


def load_game_arrays(path: str | os.PathLike[str], *, max_bytes: int = MAX_NPZ_BYTES) -> GameArrays:
    """The arrays of a file that `save_records` wrote; no game is replayed.

    Args:
        path: of the file.
        max_bytes: a larger file is refused unread.

    Raises:
        RecordError: the file is damaged or none of these.
    """
    path = checked_path(path, RecordError)
    file = shown_path(path)
    _refuse_own_form(_game_of(read_header(path, max_bytes), path))
    arrays = read_npz(path, _COLUMNS, max_bytes, RecordError)
    header = parse_header(arrays, path)
    game = _game_of(header, path)
    try:
        rules = [rules_from_options(game, options) for options in header.rules]
    except CotulenhError as error:
        raise RecordError(f"the header of {file} has impossible rules: {error}") from None
    check_common_arrays(arrays, header, game.spec.num_actions, path)
    events = arrays["events"]
    require(len(events) == len(arrays["actions"]), "events do not fit the actions", path)
    require((events >= 0).all(), "an event is negative", path)
    return GameArrays(
        game.spec.name,
        [rules[index] for index in arrays["rules"].tolist()],
        [header.starts[index] for index in arrays["starts"].tolist()],
        [header.reasons[index] for index in arrays["reasons"].tolist()],
        **{name: arrays[name] for name in ("results", "offsets", "actions", "events")},
    )


def game_of_file(path: str | os.PathLike[str], *, max_bytes: int = MAX_NPZ_BYTES) -> str:
    """The name of the game that a file of arrays holds, whatever the form of its records.

    Args:
        path: of the file.
        max_bytes: a larger file is refused unread.

    Raises:
        RecordError: the file is damaged or none of these.
    """
    return read_header(checked_path(path, RecordError), max_bytes).game


def _game_of(header: Header, path: Path) -> Game:
    try:
        return load_game(header.game)
    except CotulenhError as error:
        raise RecordError(f"the header of {shown_path(path)} names an {error}") from None


def _refuse_own_form(game: Game) -> None:
    if game.game_writer() is not None:
        name = game.spec.name
        raise RecordError(
            f"games of {name} have arrays of their own: use load_records and save_records of "
            f"cotulenh_env.{name}"
        )
