"""Games as arrays in an .npz file, for training data: compact, without pickle.

    points         int32 [n, 2]    Red's and Blue's, -1 = not recorded
    is_turn_start  uint8 [k]       1 where a turn begins

stand beside the arrays that files of every game have (`record_arrays.py`), the results being 0 Red,
1 Blue. Files of format 1, whose header does not name the game, are read as well.

Free tags, remarks, comments and clock times are not kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.records import GameRecord, RecordedTurn, each_record
from cotulenh_env.commander.records_fields import MAX_POINTS
from cotulenh_env.commander.rules import RuleSet, make_rules
from cotulenh_env.errors import RecordError, RulesError, shown, shown_path
from cotulenh_env.npz_file import Column, checked_path, read_npz, write_npz
from cotulenh_env.record_arrays import (
    COMMON_COLUMNS,
    MAX_NPZ_BYTES,
    RESULT_TEXTS,
    Arrays,
    CommonFields,
    check_common_arrays,
    check_option_names,
    common_arrays,
    parse_header,
    part_of_game,
    read_header,
    require,
)

_GAME = "commander"
_COLUMNS = COMMON_COLUMNS | {
    "points": Column(np.int32, width=2),
    "is_turn_start": Column(np.uint8),
}
_NOT_RECORDED = -1


@dataclass(frozen=True)
class GameArrays:
    """Many games as arrays; `load_game_arrays` reads them from a file.

    Attributes:
        rules: of each game.
        starts: FEN of each game, None for the rules' own start.
        reasons: why each game ended.
        results: int8 [n], the winner: 0 Red, 1 Blue, -1 draw, -2 none.
        points: int32 [n, 2], Red's and Blue's; -1 = not recorded.
        offsets: int64 [n + 1]; game i has `actions[offsets[i]:offsets[i + 1]]`.
        actions: int32 [k], of all games one after another.
        is_turn_start: uint8 [k], 1 where a turn begins.
    """

    rules: list[RuleSet]
    starts: list[str | None]
    reasons: list[str]
    results: npt.NDArray[np.int8]
    points: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int32]
    is_turn_start: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.results)

    def record(self, index: int) -> GameRecord:
        """One game as a record, not replayed.

        Raises:
            RecordError: no record can hold it, or there is no such game.
        """
        part = part_of_game(self.offsets, index)
        actions = self.actions[part].tolist()
        begins = np.flatnonzero(self.is_turn_start[part]).tolist()
        red, blue = self.points[index].tolist()
        return GameRecord(
            tuple(
                RecordedTurn(tuple(actions[begin:end]))
                for begin, end in pairwise([*begins, len(actions)])
            ),
            self.rules[index],
            self.starts[index],
            RESULT_TEXTS[int(self.results[index])],
            self.reasons[index],
            None if (red, blue) == (_NOT_RECORDED, _NOT_RECORDED) else (red, blue),
        )


def save_records(path: str | os.PathLike[str], records: Iterable[GameRecord]) -> None:
    """Writes games to an .npz file. They are not replayed.

    Args:
        path: of the file, written as it is named. A file that is there is replaced once the new
            one is whole.
        records: the games.

    Raises:
        RecordError: a game is no GameRecord, or the path can be that of no file.
        OSError: the file cannot be written.

    >>> import tempfile
    >>> from cotulenh_env.commander import Position, parse_turn
    >>> record = GameRecord.from_game(Position(), parse_turn(Position(), "T3,5_5,5"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.npz")
    ...     save_records(path, [record])
    ...     load_records(path) == [record]
    True
    """
    target = checked_path(path, RecordError)
    write_npz(target, _arrays_of(list(each_record(records))), RecordError)


def _arrays_of(games: list[GameRecord]) -> Arrays:
    """The arrays of games by name, `header` included."""
    nothing = (_NOT_RECORDED, _NOT_RECORDED)
    common = (
        CommonFields(game.rules, game.start, game.reason, game.result, game.actions)
        for game in games
    )
    return common_arrays(_GAME, common) | {
        "points": np.array(
            [nothing if game.points is None else game.points for game in games], np.int32
        ).reshape(-1, 2),
        "is_turn_start": np.array(
            [
                index == 0
                for game in games
                for turn in game.turns
                for index in range(len(turn.actions))
            ],
            np.uint8,
        ),
    }


def load_records(
    path: str | os.PathLike[str], *, validate: bool = True, max_bytes: int = MAX_NPZ_BYTES
) -> list[GameRecord]:
    """The games of a file that `save_records` wrote.

    Args:
        path: of the file.
        validate: whether every game is replayed and compared with its recorded end; otherwise only
            the form of the file is looked at.
        max_bytes: a larger file is refused unread.

    Raises:
        RecordError: the file is damaged or none of these, or a game is not legal or ended otherwise
            than recorded.
    """
    arrays = load_game_arrays(path, max_bytes=max_bytes)
    name = shown_path(Path(path))
    records = []
    for index in range(len(arrays)):
        try:
            record = arrays.record(index)
            if validate:
                record.validate()
        except RecordError as error:
            raise RecordError(f"game {index + 1} of {name}: {error}") from None
        records.append(record)
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
    named = read_header(path, max_bytes).game
    if named != _GAME:
        raise RecordError(
            f"{shown_path(path)} holds games of {shown(named)}, which "
            "cotulenh_env.game_records.load_records reads"
        )
    arrays = read_npz(path, _COLUMNS, max_bytes, RecordError)
    header = parse_header(arrays, path)
    try:
        rules = [_rules_of(options) for options in header.rules]
    except (RulesError, RecordError) as error:
        raise RecordError(
            f"the header of {shown_path(path)} has impossible rules: {error}"
        ) from None
    check_common_arrays(arrays, header, NUM_ACTIONS, path)
    _check_games(arrays, len(arrays["results"]), path)
    return GameArrays(
        [rules[index] for index in arrays["rules"].tolist()],
        [header.starts[index] for index in arrays["starts"].tolist()],
        [header.reasons[index] for index in arrays["reasons"].tolist()],
        **{
            name: arrays[name]
            for name in ("results", "points", "offsets", "actions", "is_turn_start")
        },
    )


def _rules_of(options: dict[str, Any]) -> RuleSet:
    check_option_names(RuleSet, options)
    return make_rules(**options)


def _check_games(arrays: Arrays, num_games: int, path: Path) -> None:
    """Makes sure of what only files of this game have."""
    offsets, starts, points = arrays["offsets"], arrays["is_turn_start"], arrays["points"]
    require(len(points) == num_games, f"points has {len(points)} games, not {num_games}", path)
    is_recorded = ((points >= 0) & (points <= MAX_POINTS)).all(axis=1)
    require(
        (is_recorded | (points == _NOT_RECORDED).all(axis=1)).all(),
        f"points are 0 to {MAX_POINTS}, or twice {_NOT_RECORDED}",
        path,
    )
    require(len(starts) == len(arrays["actions"]), "is_turn_start does not fit the actions", path)
    require((starts <= 1).all(), "is_turn_start is neither 0 nor 1", path)
    firsts = offsets[:-1][offsets[:-1] < offsets[1:]]
    require((starts[firsts] == 1).all(), "a game does not begin with a turn", path)
