"""The playthrough of every game is the one that its file has.

When rules, planes or texts change on purpose: `make playthroughs`, and read the difference.
"""

from __future__ import annotations

import pytest

from cotulenh_env.registry import game_names
from tests.playthroughs.playthrough import path_of, playthrough


@pytest.mark.parametrize("name", game_names())
def test_games_go_as_they_did(name: str) -> None:
    assert path_of(name).is_file(), "make playthroughs writes it"
    assert playthrough(name).splitlines() == path_of(name).read_text("utf-8").splitlines()


def test_no_file_is_left_of_a_game_that_is_gone() -> None:
    names = sorted(path.stem for path in path_of("x").parent.glob("*.txt"))
    assert names == game_names()
