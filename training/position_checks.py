"""Checks of positions that come from a file: kernels trust their states and actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Actions, Counts, Game, States
from training.errors import CheckpointError

_ROWS_AT_ONCE = 1024


def check_sizes(counts: Counts, num_entries: int, game: Game, path: Path) -> None:
    """Makes sure that ragged rows have at least one entry each, and together all of them.

    Raises:
        CheckpointError: they do not.
    """
    if not ((counts >= 1) & (counts <= game.spec.max_legal_actions)).all():
        raise CheckpointError(
            f"a position of {game.spec.name} has 1 to {game.spec.max_legal_actions} legal actions, "
            f"got {counts.min()} to {counts.max()} in {path}"
        )
    total = int(counts.sum(dtype=np.int64))
    if total != num_entries:
        raise CheckpointError(f"positions have {total} legal actions, got {num_entries} in {path}")


def checked_states(game: Game, states: npt.NDArray[np.uint8], name: str, path: Path) -> States:
    """A copy of states, each possible and unfinished.

    Raises:
        CheckpointError: one is not.
    """
    try:
        checked = game.check_states(states)
    except CotulenhError as error:
        raise CheckpointError(f"{error}, in {name} of {path}") from None
    finished = np.flatnonzero(game.is_terminal(checked))
    if len(finished):
        raise CheckpointError(f"row {finished[0]} of {name} is a finished game in {path}")
    return checked


def check_legal(game: Game, states: States, counts: Counts, actions: Actions, path: Path) -> None:
    """Makes sure that the actions are the legal ones of checked states.

    Args:
        game: the game.
        states: uint8 [n, state_size].
        counts: int32 [n], summing to the number of actions.
        actions: int32 [counts.sum()], position after position.
        path: of the file, for the message.

    Raises:
        CheckpointError: in some row they are others.
    """
    ends = np.cumsum(counts, dtype=np.int64)
    for start in range(0, len(states), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        legal, nums = game.legal_actions(states[rows])
        wrong = nums != counts[rows]
        if not wrong.any():
            is_action = np.arange(legal.shape[1]) < nums[:, None]
            first = int(ends[start] - counts[start])
            stored = actions[first : first + int(nums.sum(dtype=np.int64))]
            differs = np.zeros(legal.shape, np.bool_)
            differs[is_action] = legal[is_action] != stored
            wrong = differs.any(axis=1)
        if wrong.any():
            row = start + int(np.flatnonzero(wrong)[0])
            raise CheckpointError(f"the actions of position {row} are not its legal ones in {path}")


def check_policy(policy: npt.NDArray[Any], counts: Counts, tolerance: float, path: Path) -> None:
    """Makes sure that ragged rows are probabilities.

    Raises:
        CheckpointError: one is negative or not finite, or they do not sum to 1.
    """
    if len(counts) == 0:
        return
    if not (np.isfinite(policy) & (policy >= 0)).all():
        raise CheckpointError(f"a policy has a probability that is none in {path}")
    starts = np.cumsum(counts, dtype=np.int64) - counts
    sums = np.add.reduceat(policy.astype(np.float64), starts)
    check_sums(sums, "policy", tolerance, path)


def check_sums(sums: npt.NDArray[np.float64], name: str, tolerance: float, path: Path) -> None:
    """Makes sure that all are about 1.

    Raises:
        CheckpointError: one is not.
    """
    wrong = np.flatnonzero(~(np.abs(sums - 1) <= tolerance))
    if len(wrong):
        row = int(wrong[0])
        raise CheckpointError(
            f"the {name} of position {row} sums to {sums[row]:.6g}, not 1, in {path}"
        )
