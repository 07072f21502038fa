"""Python programs beside the tests': what they print, with kernels compiled otherwise or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def printed_by(code: str, **environment: str) -> str:
    """What a program writes to its output; it has to end well.

    Args:
        code: of the program; a RuntimeWarning, such as NumPy's of an overflow, is an error there.
        environment: variables besides those of this one, such as `NUMBA_DISABLE_JIT="1"`.
    """
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
