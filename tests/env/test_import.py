"""Importing the package is quick and light: no game, no compiler, no torch, no pygame."""

from __future__ import annotations

import subprocess
import sys

import cotulenh_env


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_brings_nothing_heavy() -> None:
    heavy = ("torch", "numba", "pygame", "PIL", "cotulenh_env.commander", "cotulenh_env.aec")
    assert run(f"import sys, cotulenh_env; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_playing_needs_no_torch_and_no_pygame() -> None:
    script = (
        "import sys\n"
        "from cotulenh_env import commander_chess_v0\n"
        "env = commander_chess_v0.env()\n"
        "env.reset(seed=1)\n"
        "env.step(env.legal_actions()[0])\n"
        "print([m for m in ('torch', 'pygame') if m in sys.modules])"
    )
    assert run(script) == "[]"


def test_public_names_are_there_when_asked_for() -> None:
    for name in cotulenh_env.__all__:
        assert getattr(cotulenh_env, name) is not None
        assert name in dir(cotulenh_env)
    script = "import cotulenh_env; print(cotulenh_env.commander_chess_v0.raw_env.__name__)"
    assert run(script) == "raw_env"


def test_unknown_names_are_attribute_errors() -> None:
    assert not hasattr(cotulenh_env, "chess_v0")


def test_a_reload_does_not_register_twice() -> None:
    script = "import importlib, cotulenh_env; importlib.reload(cotulenh_env); print('quiet')"
    assert run(f"import warnings; warnings.simplefilter('error'); {script}") == "quiet"
