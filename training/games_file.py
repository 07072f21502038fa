"""Reads the file of games in progress: whatever a game cannot be in is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Game
from training.errors import CheckpointError
from training.npz_file import Column, read_npz
from training.position_checks import (
    check_legal,
    check_policy,
    check_sizes,
    checked_states,
)
from training.resignation import NOBODY, NUM_RECORDS, NUM_THRESHOLDS

_MAX_BYTES_PER_GAME = 256 << 20
_MAX_ACTIONS_PER_TURN = 64
"""More than any game has, the placement of all pieces before the first turn included."""
_TOLERANCE = 1e-3


def max_games_bytes(num_games: int) -> int:
    """Bytes that a file of so many games may have."""
    return (1 << 20) + num_games * _MAX_BYTES_PER_GAME


def read_games(
    path: Path, game: Game, num_games: int, resign_turns: int, has_teacher: bool
) -> dict[str, npt.NDArray[Any]]:
    """The arrays that `SelfPlay.save` wrote, checked against the game and against each other.

    Args:
        path: of the file.
        game: that is played.
        num_games: games in progress.
        resign_turns: turns of each player whose values are kept.
        has_teacher: values may be missing (NaN), where a teacher without an opinion played.

    Raises:
        CheckpointError: the file is damaged, or of another game or number of games.
    """
    size = game.spec.state_size
    columns = {
        "states": Column(np.uint8, num_games, size),
        "num_actions": Column(np.int32, num_games),
        "drawn_turns": Column(np.int32, num_games),
        "is_full": Column(np.bool_, num_games),
        "num_waiting": Column(np.int32, num_games),
        "plays_on": Column(np.bool_, num_games),
        "turn_values": Column(np.float64, num_games, 2 * resign_turns),
        "first_resigners": Column(np.int8, num_games, NUM_THRESHOLDS),
        "waiting_states": Column(np.uint8, None, size),
        "waiting_players": Column(np.int32),
        "waiting_turns": Column(np.int32),
        "waiting_values": Column(np.float64),
        "waiting_counts": Column(np.int32),
        "waiting_actions": Column(np.int32),
        "waiting_policy": Column(np.float32),
        "resign_records": Column(np.int8, NUM_RECORDS, NUM_THRESHOLDS),
    }
    arrays = read_npz(path, columns, max_games_bytes(num_games))
    for name in list(columns)[:8]:
        if len(arrays[name]) != num_games:
            raise CheckpointError(
                f"{path} does not hold {num_games} games in progress: {name} has "
                f"{len(arrays[name])}"
            )
    num_records = len(arrays["resign_records"])
    _require(num_records == NUM_RECORDS, f"resign_records has {num_records} rows", path)
    _check_waiting_sizes(arrays, game, path)
    arrays["states"] = checked_states(game, arrays["states"], "states", path)
    turns = game.num_turns(arrays["states"])
    _check_games(arrays, turns, path)
    _check_resignation(arrays, path)
    arrays["waiting_states"] = checked_states(
        game, arrays["waiting_states"], "waiting_states", path
    )
    _require(
        has_teacher or not np.isnan(arrays["waiting_values"]).any(),
        "waiting_values has one that is no number",
        path,
    )
    _check_waiting(arrays, turns, game, path)
    return arrays


def _check_waiting_sizes(arrays: dict[str, npt.NDArray[Any]], game: Game, path: Path) -> None:
    nums = arrays["num_waiting"]
    _require((nums >= 0).all(), "num_waiting has a negative number", path)
    total = int(nums.sum(dtype=np.int64))
    for name in ("states", "players", "turns", "values", "counts"):
        num = len(arrays[f"waiting_{name}"])
        _require(num == total, f"waiting_{name} has {num} rows, not {total}", path)
    if total:
        check_sizes(arrays["waiting_counts"], len(arrays["waiting_actions"]), game, path)
    num_actions, num_policy = len(arrays["waiting_actions"]), len(arrays["waiting_policy"])
    _require(
        num_policy == num_actions and (total or not num_actions),
        f"{num_actions} actions and {num_policy} probabilities of {total} positions",
        path,
    )


def _check_games(
    arrays: dict[str, npt.NDArray[Any]], turns: npt.NDArray[np.int32], path: Path
) -> None:
    actions, drawn = arrays["num_actions"], arrays["drawn_turns"]
    longest = _MAX_ACTIONS_PER_TURN * (turns.astype(np.int64) + 1)
    _require(
        ((actions >= 0) & (actions <= longest)).all(), "num_actions does not fit the games", path
    )
    _require((arrays["num_waiting"] <= actions).all(), "more positions wait than actions", path)
    _require(((drawn >= -1) & (drawn <= turns)).all(), "drawn_turns has an absurd turn", path)
    _require((arrays["is_full"].view(np.uint8) <= 1).all(), "is_full is neither 0 nor 1", path)


def _check_resignation(arrays: dict[str, npt.NDArray[Any]], path: Path) -> None:
    first, records = arrays["first_resigners"], arrays["resign_records"]
    _require((arrays["plays_on"].view(np.uint8) <= 1).all(), "plays_on is neither 0 nor 1", path)
    _require(
        (np.abs(arrays["turn_values"]) <= 1 + _TOLERANCE).all(),
        "turn_values has one outside -1 to 1",
        path,
    )
    for name, table in (("first_resigners", first), ("resign_records", records)):
        is_somebody = table != NOBODY
        is_ordered = (is_somebody[:, :-1] >= is_somebody[:, 1:]).all()
        _require(
            is_ordered and ((table >= NOBODY) & (table <= 1)).all(),
            f"{name} has a threshold that only a higher value is below",
            path,
        )


def _check_waiting(
    arrays: dict[str, npt.NDArray[Any]],
    final_turns: npt.NDArray[np.int32],
    game: Game,
    path: Path,
) -> None:
    states, turns = arrays["waiting_states"], arrays["waiting_turns"]
    values, counts = arrays["waiting_values"], arrays["waiting_counts"]
    _require(
        np.array_equal(arrays["waiting_players"], game.current_player(states)),
        "waiting_players are not the players to move",
        path,
    )
    _require(
        np.array_equal(turns, game.num_turns(states)),
        "waiting_turns are not the turns of the positions",
        path,
    )
    owners = np.repeat(np.arange(len(final_turns)), arrays["num_waiting"])
    goes_on = (turns[1:] >= turns[:-1]) | (owners[1:] != owners[:-1])
    _require(
        goes_on.all() and (turns <= final_turns[owners]).all(),
        "waiting_turns are not in the order of play",
        path,
    )
    _require(  # NaN: of a teacher that has no opinion
        not (np.abs(values) > 1 + _TOLERANCE).any(), "waiting_values has one outside -1 to 1", path
    )
    check_legal(game, states, counts, arrays["waiting_actions"], path)
    check_policy(arrays["waiting_policy"], counts, _TOLERANCE, path)


def _require(condition: object, words: str, path: Path) -> None:
    if not condition:
        raise CheckpointError(f"no games can be as saved: {words}, in {path}")
