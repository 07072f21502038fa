"""What files of games as arrays have in common, whatever the game: header, indices and offsets.

    header    uint8 [m]      JSON, UTF-8: format, game (its name), and the values that games share:
                             rules (options), starts (texts, null = the rules' own), reasons
    rules     int32 [n]      of each game, an index into the header's rules
    starts    int32 [n]      likewise
    reasons   int32 [n]      likewise
    results   int8 [n]       winner: 0 or 1, -1 draw, -2 none
    offsets   int64 [n + 1]  game i has actions[offsets[i]:offsets[i + 1]]
    actions   int32 [k]      of all games

A form of records adds arrays of its own (`records_npz.py`, `commander/records_npz.py`). Files of
format 1 are of Commander Chess and do not name it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import RecordError, shown, shown_path
from cotulenh_env.npz_file import Column, read_npz
from cotulenh_env.record_fields import RESULTS

NPZ_FORMAT = 2
MAX_NPZ_BYTES = 1 << 30
"""A larger file is refused unless the caller allows it."""

MAX_HEADER_BYTES = 32 << 20
"""The starts of 130,000 dealt games; what JSON makes of so much stays below MAX_NPZ_BYTES."""

FIRST_FORMAT_GAME = "commander"
"""The game of files of format 1."""

COMMON_COLUMNS = {
    "header": Column(np.uint8, MAX_HEADER_BYTES),
    "rules": Column(np.int32),
    "starts": Column(np.int32),
    "reasons": Column(np.int32),
    "results": Column(np.int8),
    "offsets": Column(np.int64),
    "actions": Column(np.int32),
}

NO_RESULT = -2
WINNERS = {text: NO_RESULT if winner is None else winner for winner, text in RESULTS.items()}
"""What `results` holds, by the result as text."""
RESULT_TEXTS = {winner: text for text, winner in WINNERS.items()}

_SHARED = ("rules", "starts", "reasons")
_MAX_CONTAINERS = 1 + len(_SHARED)
"""Objects and lists of a header, besides one for every RuleSet."""

_TEXT_OR_CONTAINER = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{\[]', re.DOTALL)

Arrays = dict[str, npt.NDArray[Any]]


class CommonFields(NamedTuple):
    """What every form keeps of a game.

    Attributes:
        rules: its RuleSet.
        start: text of the position it starts from, None for the rules' own start.
        reason: why it ended, or empty.
        result: as text.
        actions: all of them in order.
    """

    rules: Any
    start: str | None
    reason: str
    result: str
    actions: Sequence[int]


@dataclass(frozen=True)
class Header:
    """The header of a file, its values of the right types but not looked at.

    Attributes:
        game: name of the game.
        rules: options by name, for every RuleSet.
        starts: texts.
        reasons: texts.
    """

    game: str
    rules: list[dict[str, Any]]
    starts: list[str | None]
    reasons: list[str]


def common_arrays(game: str, games: Iterable[CommonFields]) -> Arrays:
    """The arrays that every form has, `header` included.

    Args:
        game: name of the game.
        games: in order.

    Raises:
        RecordError: what they share takes more than a header has.
    """
    rules, starts, reasons = _Shared(), _Shared(), _Shared()
    rows: list[tuple[int, int, int]] = []
    results: list[int] = []
    lengths, actions = [0], list[int]()
    for fields_of in games:
        rows.append(
            (
                rules.index(fields_of.rules),
                starts.index(fields_of.start),
                reasons.index(fields_of.reason),
            )
        )
        results.append(WINNERS[fields_of.result])
        lengths.append(len(fields_of.actions))
        actions += fields_of.actions
    header = {
        "format": NPZ_FORMAT,
        "game": game,
        "rules": [_options(shared) for shared in rules.values],
        "starts": starts.values,
        "reasons": reasons.values,
    }
    indices = np.array(rows, np.int32).reshape(-1, 3)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) > MAX_HEADER_BYTES:
        raise RecordError(
            f"rules, starts and reasons of {len(rows)} games take {len(text)} bytes, and a "
            f"file has room for {MAX_HEADER_BYTES}: write several files"
        )
    return {
        "header": np.frombuffer(text, np.uint8),
        **{name: indices[:, column].copy() for column, name in enumerate(_SHARED)},
        "results": np.array(results, np.int8),
        "offsets": np.cumsum(lengths, dtype=np.int64),
        "actions": np.array(actions, np.int32),
    }


def read_header(path: Path, max_bytes: int) -> Header:
    """The header alone of a file of games.

    Raises:
        RecordError: the file is damaged or none of these.
    """
    columns = {name: COMMON_COLUMNS[name] for name in ("header", "results")}
    return parse_header(read_npz(path, columns, max_bytes, RecordError, allow_others=True), path)


def parse_header(arrays: Mapping[str, npt.NDArray[Any]], path: Path) -> Header:
    """The header of a file.

    Args:
        arrays: `header` and `results` of the file.
        path: of the file.

    Raises:
        RecordError: it is none, or has more than the file's games can need.
    """
    file, num_games = shown_path(path), len(arrays["results"])
    text = arrays["header"].tobytes()
    _check_containers(text, num_games, path)
    try:
        header = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise RecordError(f"the header of {file} is no JSON text") from None
    if not isinstance(header, dict) or not {"format", *_SHARED} <= set(header):
        raise RecordError(f"the header of {file} does not have format, {', '.join(_SHARED)}")
    number = header["format"]
    if type(number) is not int or not 1 <= number <= NPZ_FORMAT:
        raise RecordError(f"the format of {file} is {shown(number)}, only 1 and 2 can be read")
    names = {"format", *_SHARED} | ({"game"} if number > 1 else set())
    if set(header) != names:
        odd = min(set(header) ^ names)
        problem = "lacks" if odd in names else "has"
        raise RecordError(f"the header of {file}, of format {number}, {problem} {shown(odd)}")
    for name, kinds in (("rules", dict), ("starts", (str, type(None))), ("reasons", str)):
        values = header[name]
        if not isinstance(values, list) or not all(isinstance(value, kinds) for value in values):
            raise RecordError(f"the header of {file} has no list of {name}")
        if len(values) > num_games:
            raise RecordError(
                f"the header of {file} has {len(values)} {name}, more than its {num_games} games"
            )
    game = header.get("game", FIRST_FORMAT_GAME)
    if not isinstance(game, str):
        raise RecordError(f"the header of {file} names a game by text, got {shown(game)}")
    return Header(game, header["rules"], header["starts"], header["reasons"])


def _check_containers(text: bytes, num_games: int, path: Path) -> None:
    """Refuses JSON text of more objects and lists than there can be, before memory is taken.

    They are what takes most: 64 bytes for the two of `{}`.
    """
    left = _MAX_CONTAINERS + num_games
    for token in _TEXT_OR_CONTAINER.finditer(text):
        left -= token[0] in (b"{", b"[")
        if left < 0:
            raise RecordError(
                f"the header of {shown_path(path)} has more objects and lists than {num_games} "
                "games need"
            )


def part_of_game(offsets: npt.NDArray[np.int64], index: object) -> slice:
    """Where a game lies in the arrays over all actions.

    Args:
        offsets: int64 [n + 1] of n games.
        index: of the game, from 0.

    Raises:
        RecordError: there is no such game.
    """
    num_games = len(offsets) - 1
    if not isinstance(index, (int, np.integer)) or not 0 <= index < num_games:
        raise RecordError(f"there are {num_games} games, counted from 0, got {shown(index)}")
    return slice(int(offsets[index]), int(offsets[index + 1]))


def check_option_names(rule_set: type[Any], options: Mapping[str, Any]) -> None:
    """Refuses options that a RuleSet has not, among them those of any name that Python gives sense.

    Raises:
        RecordError: there is no such option.
    """
    known = [field.name for field in fields(rule_set)]
    for name in options:
        if name not in known:
            raise RecordError(
                f"unknown rule option {shown(name)}: the options are {', '.join(known) or 'none'}"
            )


def check_common_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], header: Header, num_actions: int, path: Path
) -> None:
    """Makes sure that the arrays of every form fit each other and the header.

    Args:
        arrays: of COMMON_COLUMNS.
        header: of the same file.
        num_actions: of the game.
        path: of the file.

    Raises:
        RecordError: they do not.
    """
    num_games = len(arrays["results"])
    for name in _SHARED:
        index = arrays[name]
        require(len(index) == num_games, f"{name} has {len(index)} games, not {num_games}", path)
        size = len(getattr(header, name))
        valid = f"0 to {size - 1}" if size else "an empty list"
        require(((index >= 0) & (index < size)).all(), f"{name} has an index outside {valid}", path)
    offsets, actions = arrays["offsets"], arrays["actions"]
    require(
        len(offsets) == num_games + 1, f"offsets has {len(offsets)} rows, not {num_games + 1}", path
    )
    require(
        offsets[0] == 0 and (offsets[1:] >= offsets[:-1]).all() and offsets[-1] == len(actions),
        f"offsets do not go from 0 up to the {len(actions)} actions",
        path,
    )
    require(
        ((actions >= 0) & (actions < num_actions)).all(),
        f"an action is outside 0 to {num_actions - 1}",
        path,
    )
    require(
        np.isin(arrays["results"], list(RESULT_TEXTS)).all(), "a result is none of a game", path
    )


def require(condition: object, words: str, path: Path) -> None:
    """Refuses a file.

    Raises:
        RecordError: the condition does not hold; `words` say what is there instead.
    """
    if not condition:
        raise RecordError(f"{shown_path(path)} holds no games: {words}")


class _Shared:
    """Values, each once, in the order in which they came."""

    def __init__(self) -> None:
        self._indices: dict[Any, int] = {}

    @property
    def values(self) -> list[Any]:
        return list(self._indices)

    def index(self, value: Any) -> int:
        return self._indices.setdefault(value, len(self._indices))


def _options(rules: Any) -> dict[str, Any]:
    """The options of the rules; those that are None, as another one says, are left out."""
    options = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {name: value for name, value in options.items() if value is not None}
