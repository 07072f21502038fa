"""The replay buffer.

What is checked: it agrees with a plain list of the newest positions, whatever is added, when either
of its rings overflows; sampling gives stored policies; saving and loading; symmetries.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cotulenh_env.registry import load_game
from training.errors import CheckpointError
from training.learning_settings import ReplaySettings
from training.openings import random_openings
from training.replay import Positions, ReplayBuffer

GAME = load_game("tictactoe")


def random_positions(n: int, rng: np.random.Generator) -> Positions:
    """Positions that are told apart by their states, with 1–9 actions each."""
    counts = rng.integers(1, 10, n).astype(np.int32)
    policy = [rng.dirichlet(np.ones(count)) for count in counts]
    return Positions(
        states=rng.integers(0, 256, (n, GAME.spec.state_size)).astype(np.uint8),
        counts=counts,
        actions=np.concatenate(
            [np.empty(0, np.int32), *(rng.permutation(9)[:count] for count in counts)]
        ).astype(np.int32),
        policy=np.concatenate([np.empty(0), *policy]).astype(np.float32),
        outcomes=rng.dirichlet(np.ones(3), n).astype(np.float32),
    )


def legal_positions(n: int, rng: np.random.Generator) -> Positions:
    """Positions that a game can be in, with all their legal actions: a file holds no others."""
    states = random_openings(GAME, rng.integers(0, 8, n), rng)
    legal, counts = GAME.legal_actions(states)
    policy = [rng.dirichlet(np.ones(count)) for count in counts]
    return Positions(
        states=states,
        counts=counts,
        actions=legal[legal >= 0],
        policy=np.concatenate([np.empty(0), *policy]).astype(np.float32),
        outcomes=rng.dirichlet(np.ones(3), n).astype(np.float32),
    )


Row = tuple[bytes, bytes, bytes, bytes]


def as_rows(positions: Positions) -> list[Row]:
    ends = np.cumsum(positions.counts)
    return [
        (
            positions.states[i].tobytes(),
            positions.actions[end - count : end].tobytes(),
            positions.policy[end - count : end].astype(np.float16).tobytes(),
            positions.outcomes[i].astype(np.float16).tobytes(),
        )
        for i, (end, count) in enumerate(zip(ends, positions.counts, strict=True))
    ]


def content(buffer: ReplayBuffer) -> list[Row]:
    return as_rows(buffer._rows(np.arange(buffer._first, buffer._next), exact=True))


@pytest.mark.parametrize("actions_per_position", [2, 5, 9])
def test_buffer_holds_the_newest_positions(actions_per_position: int) -> None:
    rng = np.random.default_rng(actions_per_position)
    buffer = ReplayBuffer(GAME, ReplaySettings(20, actions_per_position, 1))
    everything: list[Row] = []
    for _ in range(200):
        added = random_positions(int(rng.choice([0, 1, 3, 7, 19, 20, 21, 60])), rng)
        buffer.add(added)
        everything += as_rows(added)
        expected: list[Row] = []
        num_entries = 0
        for row in reversed(everything[-20:]):
            num_entries += len(row[1]) // 4
            if num_entries > 20 * actions_per_position:
                break
            expected.insert(0, row)
        assert content(buffer) == expected
        assert len(buffer) == len(expected)
    assert buffer.num_added == len(everything)


def test_saved_buffer_is_loaded_equal_and_goes_on_equal(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    buffers = [ReplayBuffer(GAME, ReplaySettings(20, 4, 1)) for _ in range(2)]
    for size in (7, 30, 5, 3):
        buffers[0].add(legal_positions(size, rng))
        buffers[0].save(tmp_path / "replay.npz")
        buffers[1].load(tmp_path / "replay.npz")
        assert content(buffers[1]) == content(buffers[0])
        more = legal_positions(4, rng)
        for buffer in buffers:
            buffer.add(more)
        assert content(buffers[1]) == content(buffers[0])
        assert buffers[1].num_added == buffers[0].num_added


def test_empty_buffer_is_saved_and_loaded(tmp_path: Path) -> None:
    buffer = ReplayBuffer(GAME, ReplaySettings(20, 4, 1))
    buffer.save(tmp_path / "replay.npz")
    buffer.load(tmp_path / "replay.npz")
    assert len(buffer) == 0


def test_buffer_of_another_size_is_refused(tmp_path: Path) -> None:
    buffer = ReplayBuffer(GAME, ReplaySettings(20, 9, 1))
    buffer.add(legal_positions(20, np.random.default_rng(0)))
    buffer.save(tmp_path / "replay.npz")
    with pytest.raises(
        CheckpointError, match=r"states is uint8 \[n ≤ 10, 16\], got uint8 \[20, 16\]"
    ):
        ReplayBuffer(GAME, ReplaySettings(10, 9, 1)).load(tmp_path / "replay.npz")


def test_size_in_bytes_is_fixed() -> None:
    buffer = ReplayBuffer(GAME, ReplaySettings(20, 4, 1))
    assert buffer.num_bytes == 20 * (16 + 4 + 8 + 6) + 80 * (4 + 2)
    before = buffer.num_bytes
    buffer.add(random_positions(50, np.random.default_rng(0)))
    assert buffer.num_bytes == before


def start_position() -> Positions:
    """After X in the corner a3, its policy leaning to b3."""
    states, _ = GAME.apply(GAME.new_states(1), np.array([0], np.int32))
    policy = np.full(8, 0.05, np.float32)
    policy[0] = 0.65
    return Positions(
        states=states,
        counts=np.array([8], np.int32),
        actions=np.arange(1, 9, dtype=np.int32),
        policy=policy,
        outcomes=np.array([[0, 0.25, 0.75]], np.float32),
    )


def test_sample_is_what_was_stored() -> None:
    buffer = ReplayBuffer(GAME, ReplaySettings(20, 9, 1))
    stored = start_position()
    buffer.add(stored)
    batch = buffer.sample(3, np.random.default_rng(0), use_symmetries=False)
    expected = GAME.observe(stored.states, np.array([1], np.int32))
    for row in range(3):
        np.testing.assert_array_equal(batch.planes[row], expected[0])
        np.testing.assert_array_equal(batch.legal_actions[row], stored.actions)
        np.testing.assert_allclose(batch.policy[row], stored.policy, atol=1e-3)
        assert batch.policy[row].sum() == pytest.approx(1)
        np.testing.assert_allclose(batch.outcomes[row], [0, 0.25, 0.75], atol=1e-3)


def test_symmetries_move_planes_and_actions_together() -> None:
    """The likely action must stay beside the mark, on an edge; every image must turn up."""
    buffer = ReplayBuffer(GAME, ReplaySettings(20, 9, 1))
    buffer.add(start_position())
    batch = buffer.sample(200, np.random.default_rng(0), use_symmetries=True)
    corners, beside = set(), set()
    for row in range(200):
        (corner,) = np.flatnonzero(batch.planes[row, 1])
        likely = int(batch.legal_actions[row, batch.policy[row].argmax()])
        assert corner in (0, 2, 6, 8)
        assert abs(likely // 3 - corner // 3) + abs(likely % 3 - corner % 3) == 1
        assert sorted(batch.legal_actions[row]) == sorted(set(range(9)) - {int(corner)})
        corners.add(int(corner))
        beside.add((int(corner), likely))
    assert corners == {0, 2, 6, 8}
    assert len(beside) == 8
