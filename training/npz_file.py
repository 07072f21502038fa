"""Reads .npz files of checkpoints, which may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt

from cotulenh_env import npz_file
from cotulenh_env.npz_file import Column
from training.errors import CheckpointError

__all__ = ["Column", "read_npz"]


def read_npz(
    path: Path, columns: Mapping[str, Column], max_bytes: int
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an .npz file, which cannot be written to; see `cotulenh_env.npz_file`.

    Args:
        path: of the file.
        columns: all the arrays that it has to hold.
        max_bytes: a larger file is refused unread.

    Raises:
        CheckpointError: the file is none of these, or damaged.
    """
    return npz_file.read_npz(path, columns, max_bytes, CheckpointError)
