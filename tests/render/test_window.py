"""The window: pygame only when it is needed, closing by program and by user."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from cotulenh_env import aec
from cotulenh_env.errors import MissingExtraError
from cotulenh_env.registry import load_game
from cotulenh_env.render.window import Window

pygame = pytest.importorskip("pygame")
PICTURE = np.full((20, 30, 3), 99, np.uint8)


@pytest.fixture(autouse=True)
def _no_real_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def test_window_shows_the_picture() -> None:
    window = Window("title", fps=1000)
    picture = PICTURE.copy()
    picture[5, 7] = (10, 20, 30)
    window.show(picture)
    screen = pygame.display.get_surface()
    assert screen.get_size() == (30, 20)
    assert screen.get_at((7, 5))[:3] == (10, 20, 30)
    assert pygame.display.get_caption()[0] == "title"
    window.close()
    assert not pygame.display.get_init()
    window.close()


def test_window_closed_by_its_user_stays_closed() -> None:
    window = Window("title", fps=1000)
    window.show(PICTURE)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(PICTURE)
    assert window.closed_by_user
    window.show(PICTURE)
    assert not pygame.display.get_init()


def test_environment_draws_by_itself_in_human_mode() -> None:
    env = aec.raw_env(load_game("tictactoe"), render_mode="human")
    env.metadata["render_fps"] = 1000
    env.reset()
    before = pygame.surfarray.array3d(pygame.display.get_surface())
    env.step(4)
    after = pygame.surfarray.array3d(pygame.display.get_surface())
    assert (before != after).any()
    assert env.render() is None
    env.close()
    env.reset()
    assert pygame.display.get_init(), "a closed environment can be used again"
    env.close()


def test_pygame_missing_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = aec.raw_env(load_game("tictactoe"), render_mode="human")
    with pytest.raises(
        MissingExtraError, match=r'needs pygame: pip install "cotulenh-env\[human\]"'
    ):
        env.reset()
    assert issubclass(MissingExtraError, ImportError)


def test_only_the_first_picture_imports_pygame() -> None:
    script = (
        "import sys\n"
        "from cotulenh_env import aec, load_game\n"
        "aec.raw_env(load_game('tictactoe'), render_mode='human')\n"
        "aec.raw_env(load_game('tictactoe'), render_mode='rgb_array').reset()\n"
        "print('pygame' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
