"""Games as arrays in an .npz file, for training data: compact, without pickle.

    header         uint8 [m]       JSON, UTF-8: format, and the values that games share:
                                   rules (options), starts (FENs, null = the rules' own), reasons
    rules          int32 [n]       of each game, an index into the header's rules
    starts         int32 [n]       likewise
    reasons        int32 [n]       likewise
    results        int8 [n]        winner: 0 Red, 1 Blue, -1 draw, -2 none
    points         int32 [n, 2]    Red's and Blue's, -1 = not recorded
    offsets        int64 [n + 1]   game i has actions[offsets[i]:offsets[i + 1]]
    actions        int32 [k]       of all games
    is_turn_start  uint8 [k]       1 where a turn begins

Free tags, remarks, comments and clock times are not kept. Arrays are stored uncompressed, so a file
never takes more memory than its bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.records import GameRecord, RecordedTurn, each_record
from cotulenh_env.commander.records_fields import MAX_POINTS
from cotulenh_env.commander.rules import RuleSet, make_rules
from cotulenh_env.commander.state import UNFINISHED
from cotulenh_env.errors import RecordError, RulesError, shown, shown_path
from cotulenh_env.npz_file import Column, checked_path, read_npz, write_npz
from cotulenh_env.record_fields import RESULTS

NPZ_FORMAT = 1
MAX_NPZ_BYTES = 1 << 30
"""A larger file is refused unless the caller allows it."""

_COLUMNS = {
    "header": Column(np.uint8),
    "rules": Column(np.int32),
    "starts": Column(np.int32),
    "reasons": Column(np.int32),
    "results": Column(np.int8),
    "points": Column(np.int32, width=2),
    "offsets": Column(np.int64),
    "actions": Column(np.int32),
    "is_turn_start": Column(np.uint8),
}
_WINNERS = {text: UNFINISHED if winner is None else winner for winner, text in RESULTS.items()}
_RESULT_TEXTS = {winner: text for text, winner in _WINNERS.items()}
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
        wanted: object = index
        if not isinstance(wanted, (int, np.integer)) or not 0 <= wanted < len(self):
            raise RecordError(f"there are {len(self)} games, counted from 0, got {shown(wanted)}")
        first, stop = int(self.offsets[index]), int(self.offsets[index + 1])
        actions = self.actions[first:stop].tolist()
        begins = np.flatnonzero(self.is_turn_start[first:stop]).tolist()
        red, blue = self.points[index].tolist()
        return GameRecord(
            tuple(
                RecordedTurn(tuple(actions[begin:end]))
                for begin, end in pairwise([*begins, len(actions)])
            ),
            self.rules[index],
            self.starts[index],
            _RESULT_TEXTS[int(self.results[index])],
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


def _arrays_of(games: list[GameRecord]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of games by name, `header` included."""
    rules, starts, reasons = _Shared(), _Shared(), _Shared()
    rows = [
        (rules.index(game.rules), starts.index(game.start), reasons.index(game.reason))
        for game in games
    ]
    header = {
        "format": NPZ_FORMAT,
        "rules": [_options(shared) for shared in rules.values],
        "starts": starts.values,
        "reasons": reasons.values,
    }
    indices = np.array(rows, np.int32).reshape(-1, 3)
    lengths = [sum(len(turn.actions) for turn in game.turns) for game in games]
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    nothing = (_NOT_RECORDED, _NOT_RECORDED)
    return {
        "header": np.frombuffer(text, np.uint8),
        "rules": indices[:, 0].copy(),
        "starts": indices[:, 1].copy(),
        "reasons": indices[:, 2].copy(),
        "results": np.array([_WINNERS[game.result] for game in games], np.int8),
        "points": np.array(
            [nothing if game.points is None else game.points for game in games], np.int32
        ).reshape(-1, 2),
        "offsets": np.cumsum([0, *lengths], dtype=np.int64),
        "actions": np.array([action for game in games for action in game.actions], np.int32),
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
    arrays = read_npz(path, _COLUMNS, max_bytes, RecordError)
    header = _read_header(arrays["header"], path)
    num_games = len(arrays["results"])
    for name in ("rules", "starts", "reasons"):
        index = arrays[name]
        _require(len(index) == num_games, f"{name} has {len(index)} games, not {num_games}", path)
        size = len(header[name])
        valid = f"0 to {size - 1}" if size else "an empty list"
        _require(
            ((index >= 0) & (index < size)).all(), f"{name} has an index outside {valid}", path
        )
    _check_games(arrays, num_games, path)
    return GameArrays(
        [header["rules"][index] for index in arrays["rules"].tolist()],
        [header["starts"][index] for index in arrays["starts"].tolist()],
        [header["reasons"][index] for index in arrays["reasons"].tolist()],
        **{
            name: arrays[name]
            for name in ("results", "points", "offsets", "actions", "is_turn_start")
        },
    )


class _Shared:
    """Values, each once, in the order in which they came."""

    def __init__(self) -> None:
        self._indices: dict[Any, int] = {}

    @property
    def values(self) -> list[Any]:
        return list(self._indices)

    def index(self, value: Any) -> int:
        return self._indices.setdefault(value, len(self._indices))


def _options(rules: RuleSet) -> dict[str, Any]:
    """The options of the rules; those that are as the edition says are left out."""
    options = {field.name: getattr(rules, field.name) for field in fields(RuleSet)}
    return {name: value for name, value in options.items() if value is not None}


def _read_header(data: npt.NDArray[np.uint8], path: Path) -> dict[str, list[Any]]:
    """The shared values by name, rules made of their options."""
    file = shown_path(path)
    try:
        header = json.loads(data.tobytes().decode("utf-8"))
    except (ValueError, RecursionError):
        raise RecordError(f"the header of {file} is no JSON text") from None
    names = ("rules", "starts", "reasons")
    if not isinstance(header, dict) or set(header) != {"format", *names}:
        raise RecordError(f"the header of {file} does not have format, {', '.join(names)}")
    if type(header["format"]) is not int or header["format"] != NPZ_FORMAT:
        raise RecordError(
            f"the format of {file} is {shown(header['format'])}, only {NPZ_FORMAT} can be read"
        )
    for name, kinds in (("rules", dict), ("starts", (str, type(None))), ("reasons", str)):
        values = header[name]
        if not isinstance(values, list) or not all(isinstance(value, kinds) for value in values):
            raise RecordError(f"the header of {file} has no list of {name}")
    try:
        header["rules"] = [make_rules(**options) for options in header["rules"]]
    except RulesError as error:
        raise RecordError(f"the header of {file} has impossible rules: {error}") from None
    return {name: header[name] for name in names}


def _check_games(arrays: dict[str, npt.NDArray[Any]], num_games: int, path: Path) -> None:
    offsets, actions = arrays["offsets"], arrays["actions"]
    starts, points = arrays["is_turn_start"], arrays["points"]
    _require(len(points) == num_games, f"points has {len(points)} games, not {num_games}", path)
    is_recorded = ((points >= 0) & (points <= MAX_POINTS)).all(axis=1)
    _require(
        (is_recorded | (points == _NOT_RECORDED).all(axis=1)).all(),
        f"points are 0 to {MAX_POINTS}, or twice {_NOT_RECORDED}",
        path,
    )
    _require(
        len(offsets) == num_games + 1, f"offsets has {len(offsets)} rows, not {num_games + 1}", path
    )
    _require(
        offsets[0] == 0 and (offsets[1:] >= offsets[:-1]).all() and offsets[-1] == len(actions),
        f"offsets do not go from 0 up to the {len(actions)} actions",
        path,
    )
    _require(
        ((actions >= 0) & (actions < NUM_ACTIONS)).all(),
        f"an action is outside 0 to {NUM_ACTIONS - 1}",
        path,
    )
    _require(len(starts) == len(actions), "is_turn_start does not fit the actions", path)
    _require((starts <= 1).all(), "is_turn_start is neither 0 nor 1", path)
    firsts = offsets[:-1][offsets[:-1] < offsets[1:]]
    _require((starts[firsts] == 1).all(), "a game does not begin with a turn", path)
    _require(
        np.isin(arrays["results"], list(_RESULT_TEXTS)).all(), "a result is none of a game", path
    )


def _require(condition: object, words: str, path: Path) -> None:
    if not condition:
        raise RecordError(f"{shown_path(path)} holds no games: {words}")
