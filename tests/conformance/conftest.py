"""`game` and `course`: every test that asks for one is run for every game."""

from __future__ import annotations

import pytest

from cotulenh_env import registry
from cotulenh_env.game import Game
from tests.conformance.games import GAMES, NIM, Course, course_of


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Each game in turn."""
    for name, place in NIM.items():
        monkeypatch.setitem(registry._GAMES, name, place)
    return registry.load_game(request.param)


@pytest.fixture
def course(game: Game) -> Course:
    """Random games of it."""
    return course_of(game.spec.name)
