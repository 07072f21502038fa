"""Self-play in several threads: each plays its own part of the games, and all meet after a step."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cotulenh_env.game import States
from training.replay import Positions
from training.self_play import SelfPlay
from training.self_play_stats import SelfPlayStats
from training.threads import Threads


class ParallelSelfPlay:
    """Parts of the games, each a `SelfPlay` with a random stream and search trees of its own.

    Args:
        parts: one per thread.
        threads: that play.
    """

    def __init__(self, parts: list[SelfPlay], threads: Threads) -> None:
        self._parts = parts
        self._threads = threads
        self._seconds = 0.0

    @property
    def streams(self) -> dict[str, np.random.Generator]:
        """The random streams by name."""
        return {f"self_play {index}": part.rng for index, part in enumerate(self._parts)}

    def step(self, iteration: int = 0) -> tuple[int, list[Positions]]:
        """Plays one action in every game.

        Args:
            iteration: of the run, for the weight of the score.

        Returns:
            The number of games that this finished, and their positions, part after part.
        """
        start = time.perf_counter()
        results = self._threads.map(lambda part: part.step(iteration), self._parts)
        self._seconds += time.perf_counter() - start
        num_finished = sum(num for num, _ in results)
        return num_finished, [positions for _, positions in results if positions is not None]

    def take_stats(self) -> SelfPlayStats:
        """Sums over all parts; times are those that passed, as if the parts had one network."""
        stats = [part.take_stats() for part in self._parts]
        busy = max(sum(one.seconds for one in stats), 1e-9)
        share = sum(one.network_seconds for one in stats) / busy
        seconds, self._seconds = self._seconds, 0.0
        total = SelfPlayStats(seconds=seconds, network_seconds=share * seconds)
        for item in dataclasses.fields(SelfPlayStats):
            if not item.name.endswith("seconds"):
                for one in stats:
                    value = getattr(total, item.name) + getattr(one, item.name)
                    setattr(total, item.name, value)
        return total

    @property
    def states(self) -> States:
        """A copy of all positions in progress, uint8 [n, state_size]; none is finished."""
        return np.concatenate([part.states for part in self._parts])

    def sample_state(self) -> npt.NDArray[np.uint8]:
        """A position in progress, uint8 [state_size]."""
        return self._parts[0].sample_state()

    def save(self, folder: Path) -> None:
        """Writes the games in progress as `games-0.npz`, `games-1.npz` and so on.

        Raises:
            OSError: a file cannot be written.
        """
        for index, part in enumerate(self._parts):
            part.save(folder / f"games-{index}.npz")

    @property
    def max_file_bytes(self) -> dict[str, int]:
        """The names of those files, and the bytes that each may have."""
        return {f"games-{index}.npz": part.max_file_bytes for index, part in enumerate(self._parts)}

    def load(self, folder: Path) -> None:
        """Replaces all games by those that `save` wrote.

        Raises:
            CheckpointError: a file is damaged, or of another game or number of games.
        """
        for index, part in enumerate(self._parts):
            part.load(folder / f"games-{index}.npz")
