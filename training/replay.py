"""The memory of past positions: states, sparse policies and results, never planes.

Two rings of fixed size hold it. The ring of positions has one row each; the ring of entries holds
the policies one after another, as many entries per position as it has legal actions. Positions and
entries are numbered for ever (`_next`, `_next_entry`); a number modulo the size of its ring is its
place. The oldest positions are forgotten when either ring is full.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import Actions, Counts, Game, Planes, States
from training.errors import CheckpointError, ConfigError
from training.learning_settings import ReplaySettings
from training.npz_file import Column, read_npz
from training.position_checks import (
    check_legal,
    check_policy,
    check_sizes,
    check_sums,
    checked_states,
)

_TOLERANCE = 5e-3
"""How far probabilities rounded to float16 may be from a sum of 1."""
_MAX_NUMBER = 10**15


@dataclass(frozen=True)
class Positions:
    """Positions to learn from, with ragged policies laid end to end.

    Attributes:
        states: uint8 [n, state_size].
        counts: int32 [n]: legal actions of each position.
        actions: int32 [counts.sum()]: the legal actions, position after position.
        policy: float32 [counts.sum()]: their target probabilities, summing to 1 per position.
        outcomes: float32 [n, 3]: target probabilities of win, draw, loss of the player to move.
    """

    states: States
    counts: Counts
    actions: Actions
    policy: npt.NDArray[np.float32]
    outcomes: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class Batch:
    """What the learner is fed.

    Attributes:
        planes: float32 [n, planes, height, width] from the side of the player to move.
        legal_actions: int32 [n, width], padded with 0 after each row's count.
        policy: float32 [n, width], 0 in the padding, rows sum to 1.
        counts: int32 [n].
        outcomes: float32 [n, 3]: probabilities of win, draw, loss of the player to move.
    """

    planes: Planes
    legal_actions: Actions
    policy: npt.NDArray[np.float32]
    counts: Counts
    outcomes: npt.NDArray[np.float32]


class ReplayBuffer:
    """Fixed-size memory of positions; batches come uniformly from the newest, the window."""

    def __init__(self, game: Game, settings: ReplaySettings) -> None:
        self._game = game
        if settings.capacity * settings.actions_per_position < game.spec.max_legal_actions:
            raise ConfigError(
                f"replay.capacity × replay.actions_per_position must be at least "
                f"{game.spec.max_legal_actions}, the legal actions of one position of "
                f"{game.spec.name}, got {settings.capacity} × {settings.actions_per_position}"
            )
        self._settings = settings
        capacity = settings.capacity
        num_entries = capacity * settings.actions_per_position
        self._states = np.zeros((capacity, game.spec.state_size), np.uint8)
        self._counts = np.zeros(capacity, np.int32)
        self._first_entries = np.zeros(capacity, np.int64)
        self._outcomes = np.zeros((capacity, 3), np.float16)
        self._actions = np.zeros(num_entries, np.int32)
        self._policy = np.zeros(num_entries, np.float16)
        self._first = 0
        self._next = 0
        self._next_entry = 0
        self._symmetries = _symmetry_tables(game)

    def __len__(self) -> int:
        return self._next - self._first

    @property
    def num_added(self) -> int:
        """Positions added since the start of the run."""
        return self._next

    @property
    def num_bytes(self) -> int:
        """Memory of the full buffer, in bytes; most of it is only touched as it fills."""
        rows = (self._states, self._counts, self._first_entries, self._outcomes)
        return sum(array.nbytes for array in (*rows, self._actions, self._policy))

    @property
    def window(self) -> int:
        """Positions that batches come from: the newest, as many as the settings say."""
        return min(len(self), self._settings.window(self.num_added))

    def add(self, positions: Positions) -> None:
        """Appends positions, forgetting the oldest ones where there is no more room."""
        capacity, num_entries = len(self._states), len(self._actions)
        first_entries = np.cumsum(positions.counts, dtype=np.int64) - positions.counts
        start = 0  # positions that the same call would push out again are not written at all
        if len(positions):
            room = int(positions.counts.sum()) - num_entries
            start = max(len(positions) - capacity, int(np.searchsorted(first_entries, room)), 0)
        rows = (self._next + np.arange(start, len(positions))) % capacity
        self._states[rows] = positions.states[start:]
        self._counts[rows] = positions.counts[start:]
        self._outcomes[rows] = positions.outcomes[start:]
        self._first_entries[rows] = self._next_entry + first_entries[start:]
        skipped = int(positions.counts[:start].sum())
        places = (self._next_entry + np.arange(skipped, len(positions.actions))) % num_entries
        self._actions[places] = positions.actions[skipped:]
        self._policy[places] = positions.policy[skipped:]
        self._next += len(positions)
        self._next_entry += len(positions.actions)
        self._first = max(self._first, self._next - capacity)
        if start:
            self._first = self._next - len(positions) + start
        oldest_entry = self._next_entry - num_entries
        while len(self) and self._first_entries[self._first % capacity] < oldest_entry:
            self._first += 1

    def sample(
        self, num_positions: int, rng: np.random.Generator, *, use_symmetries: bool
    ) -> Batch:
        """Positions drawn uniformly from the window with replacement, as a batch.

        Args:
            num_positions: size of the batch.
            rng: the stream that draws.
            use_symmetries: turn and mirror each position at random.
        """
        numbers = rng.integers(self._next - self.window, self._next, num_positions)
        stored = self._rows(numbers)
        game = self._game
        planes = game.observe(stored.states, game.current_player(stored.states))
        width = int(stored.counts.max())
        is_action = np.arange(width) < stored.counts[:, None]
        actions = np.zeros((num_positions, width), np.int32)
        policy = np.zeros((num_positions, width), np.float32)
        actions[is_action] = stored.actions
        policy[is_action] = stored.policy
        if use_symmetries and self._symmetries is not None:
            squares, images = self._symmetries
            turned = rng.integers(len(squares), size=num_positions)
            flat = planes.reshape(num_positions, planes.shape[1], -1)
            flat = np.take_along_axis(flat, squares[turned][:, None, :], axis=2)
            planes = flat.reshape(planes.shape)
            actions = np.where(is_action, images[turned[:, None], actions], 0)
        return Batch(planes, actions, policy, stored.counts, stored.outcomes)

    def save(self, path: Path) -> None:
        """Writes all positions as an .npz file.

        Raises:
            OSError: the file cannot be written.
        """
        stored = self._rows(np.arange(self._first, self._next), exact=True)
        np.savez(
            path,
            counters=np.array([self._first, self._next, self._next_entry], np.int64),
            states=stored.states,
            counts=stored.counts,
            actions=stored.actions,
            policy=stored.policy,
            outcomes=stored.outcomes,
        )

    @property
    def max_file_bytes(self) -> int:
        """Bytes that a file of positions may have."""
        return self.num_bytes + (64 << 10)

    def load(self, path: Path) -> None:
        """Replaces the content by that of a file that `save` wrote.

        Raises:
            CheckpointError: the file is damaged, or of another game or size.
        """
        capacity, num_entries = len(self._states), len(self._actions)
        columns = {
            "counters": Column(np.int64, 3),
            "states": Column(np.uint8, capacity, self._states.shape[1]),
            "counts": Column(np.int32, capacity),
            "actions": Column(np.int32, num_entries),
            "policy": Column(np.float16, num_entries),
            "outcomes": Column(np.float16, capacity, 3),
        }
        arrays = read_npz(path, columns, self.max_file_bytes)
        counters = arrays.pop("counters").tolist()
        counts, n = arrays["counts"], len(arrays["states"])
        for name in ("counts", "outcomes"):
            if len(arrays[name]) != n:
                raise CheckpointError(f"states and {name} differ in number in {path}")
        if len(arrays["policy"]) != len(arrays["actions"]):
            raise CheckpointError(f"actions and policy differ in number in {path}")
        if n:
            check_sizes(counts, len(arrays["actions"]), self._game, path)
        self._check_counters(counters, n, len(arrays["actions"]), path)
        arrays["states"] = checked_states(self._game, arrays["states"], "states", path)
        check_legal(self._game, arrays["states"], counts, arrays["actions"], path)
        check_policy(arrays["policy"], counts, _TOLERANCE, path)
        outcomes = arrays["outcomes"].astype(np.float64)
        if not ((outcomes >= 0) & (outcomes <= 1)).all():
            raise CheckpointError(f"an outcome is no probability in {path}")
        check_sums(outcomes.sum(axis=1), "outcome", _TOLERANCE, path)
        self._first = self._next = counters[0]
        self._next_entry = counters[2] - len(arrays["actions"])
        self.add(Positions(**arrays))

    def _check_counters(self, counters: list[int], n: int, num_entries: int, path: Path) -> None:
        """The number of the first position and of the next one, and of the next entry."""
        fits = (
            len(counters) == 3
            and 0 <= counters[0] <= counters[1] <= _MAX_NUMBER
            and counters[1] - counters[0] == n
            and (n > 0 or counters[1] == 0)  # the newest position is never forgotten
            and num_entries + counters[0] <= counters[2]
            and counters[2] <= num_entries + counters[0] * self._game.spec.max_legal_actions
        )
        if not fits:
            raise CheckpointError(
                f"counters are {counters}, which do not fit {n} positions with {num_entries} "
                f"legal actions in {path}"
            )

    def _rows(self, numbers: npt.NDArray[np.int64], *, exact: bool = False) -> Positions:
        """The positions of those numbers; `exact` leaves probabilities in their stored float16."""
        rows = numbers % len(self._states)
        counts = self._counts[rows]
        ends = np.cumsum(counts)
        within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
        places = (np.repeat(self._first_entries[rows], counts) + within) % len(self._actions)
        policy: npt.NDArray[Any] = self._policy[places]
        outcomes: npt.NDArray[Any] = self._outcomes[rows]
        if not exact:
            policy, outcomes = policy.astype(np.float32), outcomes.astype(np.float32)
            policy /= np.repeat(np.add.reduceat(policy, ends - counts), counts)
            outcomes /= outcomes.sum(axis=1, keepdims=True)
        return Positions(self._states[rows], counts, self._actions[places], policy, outcomes)


def _symmetry_tables(
    game: Game,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]] | None:
    """Squares int64 [s, height × width], action images int32 [s, num_actions]; identity first."""
    symmetries = game.symmetries()
    if not symmetries:
        return None
    height, width = game.spec.board_shape
    squares = [np.arange(height * width, dtype=np.int64)]
    images = [np.arange(game.spec.num_actions, dtype=np.int32)]
    for moved, image in symmetries:
        squares.append(moved.astype(np.int64))
        images.append(image.astype(np.int32))
    return np.stack(squares), np.stack(images)
