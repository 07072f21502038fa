"""Compiled kernels and plain Python give the same bytes (`NUMBA_DISABLE_JIT=1`), in every game."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from cotulenh_env.game import Game
from tests.conformance.games import GAMES, load, random_actions, starts_of
from tests.programs import printed_by

NUM_STEPS = 25


def digest(game: Game) -> str:
    """A hash over states, events, legal actions, masks and observations of some random games."""
    rng = np.random.default_rng(61)
    starts = starts_of(game)
    states, buffers = starts.copy(), game.new_buffers(len(starts))
    found = hashlib.sha256()
    for _ in range(NUM_STEPS):
        is_over = game.is_terminal(states)
        states[is_over] = starts[is_over]
        actions = random_actions(game, states, rng)
        game.step_into(states, actions, rng.random(len(states)), buffers)
        for array in (states, buffers.events, buffers.legal_actions, buffers.mask):
            assert array is not None
            found.update(array.tobytes())
        assert buffers.observations is not None
        found.update(buffers.observations.tobytes())
        found.update(game.key(states).tobytes())
    return found.hexdigest()


def digests() -> str:
    """Those of all games, as JSON, in a program of its own."""
    return json.dumps({name: digest(load(name)) for name in GAMES})


@pytest.fixture(scope="module")
def plain() -> dict[str, str]:
    """The digests in plain Python."""
    script = "from tests.conformance.test_plain_python import digests; print(digests())"
    found: dict[str, str] = json.loads(printed_by(script, NUMBA_DISABLE_JIT="1"))
    return found


def test_plain_python_gives_the_same_bytes(game: Game, plain: dict[str, str]) -> None:
    assert digest(game) == plain[game.spec.name]
