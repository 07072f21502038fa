"""The wheel as a user gets it: built here, installed into a new environment without torch.

What is checked:

* the wheel holds every module of the three packages, the type markers, the shipped
  configurations and the data of agents, and nothing else;
* torch and the other extras stay out, and the packages import without them;
* a game is played through random legal actions;
* the shipped configurations are found by name;
* ``cotulenh perft`` counts.

The environment is filled from the package index, or from pip's cache of it.
"""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("cotulenh_env", "agents", "training")

PLAY = """
import numpy as np
from cotulenh_env import commander_chess_v0

env = commander_chess_v0.env()
env.reset(seed=7)
rng = np.random.default_rng(7)
num_actions = 0
for agent in env.agent_iter(max_iter=100_000):
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
        continue
    env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    num_actions += 1
assert env.agents == [], env.agents
print(num_actions)
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Returns what a command printed; if it fails, the test does, and shows its output."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command} exited with {done.returncode}:\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, so that no earlier build in this folder can leak into it."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "configs"):
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    pip_wheel = ("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(sys.executable, "-m", *pip_wheel, "--wheel-dir", source / "dist", source, cwd=source)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The interpreter of a new environment that holds the wheel and its core dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    interpreter = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", interpreter)
    run(*pip, "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=folder)
    yield interpreter
    shutil.rmtree(folder)


def test_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {f"{package}/py.typed" for package in PACKAGES}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            expected.add(path.relative_to(ROOT).as_posix())
        for path in (ROOT / package).glob("**/data/**/*"):
            if path.is_file() and "__pycache__" not in path.parts:
                expected.add(path.relative_to(ROOT).as_posix())
    for path in (ROOT / "configs").glob("*.*"):
        expected.add(f"training/configs/{path.name}")
    assert names == expected


def test_core_installs_without_the_extras(python: Path, tmp_path: Path) -> None:
    script = (
        "import cotulenh_env, agents, training\n"
        "from importlib.util import find_spec\n"
        "names = ('torch', 'tensorboard', 'safetensors', 'pygame', 'pytest')\n"
        "print([name for name in names if find_spec(name)])\n"
    )
    assert run(python, "-c", script, cwd=tmp_path).strip() == "[]"


def test_game_is_played_without_torch(python: Path, tmp_path: Path) -> None:
    assert int(run(python, "-c", PLAY, cwd=tmp_path)) > 0


def test_shipped_configurations_are_found(python: Path, tmp_path: Path) -> None:
    script = (
        "from importlib.resources import files\n"
        "print(*sorted(entry.name for entry in files('training.configs').iterdir()\n"
        "              if entry.name.endswith('.yaml')))\n"
    )
    names = run(python, "-c", script, cwd=tmp_path).split()
    assert names == sorted(path.name for path in (ROOT / "configs").glob("*.yaml"))
    assert {"default.yaml", "tictactoe.yaml"} <= set(names)


def test_perft_runs_without_torch(python: Path, tmp_path: Path) -> None:
    assert run(python.with_name("cotulenh"), "perft", "--depth", "1", cwd=tmp_path).strip()
